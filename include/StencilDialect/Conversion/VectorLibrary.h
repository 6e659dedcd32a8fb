//===- VectorLibrary.h - Libraries of functions of vectors ------*- C++ -*-===//

#ifndef STENCILDIALECT_CONVERSION_VECTORLIBRARY_H
#define STENCILDIALECT_CONVERSION_VECTORLIBRARY_H

#include "llvm/Support/CommandLine.h"

namespace stencil {

/// Where vectors of exponentials and their like come from: from nowhere (lane
/// by lane), or from glibc's libmvec, whose functions for x86-64 come in forms
/// for instruction sets. Each has those for narrower vectors, too. Their
/// results are within 4 ULP.
enum class VectorMathLibrary {
  None,
  LibmvecSSE4,
  LibmvecAVX,
  LibmvecAVX2,
  LibmvecAVX512
};

/// The values of the option `vector-library` of passes and pipelines.
inline llvm::cl::ValuesClass getVectorLibraryValues() {
  return llvm::cl::values(
      clEnumValN(VectorMathLibrary::None, "none", "lane by lane"),
      clEnumValN(VectorMathLibrary::LibmvecSSE4, "libmvec-sse4",
                 "glibc's libmvec, vectors of 128 bits"),
      clEnumValN(VectorMathLibrary::LibmvecAVX, "libmvec-avx",
                 "glibc's libmvec, up to 256 bits with AVX"),
      clEnumValN(VectorMathLibrary::LibmvecAVX2, "libmvec-avx2",
                 "glibc's libmvec, up to 256 bits with AVX2"),
      clEnumValN(VectorMathLibrary::LibmvecAVX512, "libmvec-avx512",
                 "glibc's libmvec, up to 512 bits"));
}

} // namespace stencil

#endif // STENCILDIALECT_CONVERSION_VECTORLIBRARY_H
