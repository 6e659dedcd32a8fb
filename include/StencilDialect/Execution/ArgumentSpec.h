//===- ArgumentSpec.h - Arguments as a command line gives them ----*- C++
//-*-===//

#ifndef STENCILDIALECT_EXECUTION_ARGUMENTSPEC_H
#define STENCILDIALECT_EXECUTION_ARGUMENTSPEC_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>

namespace stencil {

/// Where the value of an argument comes from.
struct ArgumentSpec {
  enum Kind { File, Random, Wild, Zeros, Number, Memory };

  unsigned index = 0;
  Kind kind = Zeros;
  /// As given, without `I=`: the path of a file, the digits of a number.
  std::string text;
  /// Of Random and Wild.
  uint64_t seed = 0;
  /// Of Random, for floating-point fields: values are in [low, high).
  double low = 1.0 / 64, high = 1.0;
  bool hasRange = false;
  /// Of Wild: without NaN and infinities.
  bool finite = false;
  /// Of Memory: for a pointer.
  uint64_t bytes = 0;
};

/// Reads `I=in.npy`, `I=random:SEED`, `I=random:SEED:LOW:HIGH`, `I=wild:SEED`,
/// `I=wild:SEED:finite`, `I=zeros`, `I=bytes:N` or `I=3.5`. A number is what
/// starts like one and does not end in .npy. Fails with "expected ..., got
/// ...".
llvm::Expected<ArgumentSpec> parseArgumentSpec(llvm::StringRef text);

/// An argument that goes to a file.
struct OutputSpec {
  unsigned index = 0;
  std::string path;
};

/// Reads `I=PATH`.
llvm::Expected<OutputSpec> parseOutputSpec(llvm::StringRef text);

/// Reads interior extents: `512,256` or `512x256`.
llvm::Expected<llvm::SmallVector<int64_t>> parseExtents(llvm::StringRef text);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_ARGUMENTSPEC_H
