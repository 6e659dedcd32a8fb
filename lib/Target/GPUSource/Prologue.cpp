//===- Prologue.cpp - What comes before the functions ---------------------===//

#include "Prologue.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

using namespace stencil;
using namespace stencil::gpusource;

std::string Prologue::api(llvm::StringRef name) const {
  return ((isCUDA() ? "cuda" : "hip") + name).str();
}

/// `API` stands for `cuda` or `hip`.
static constexpr llvm::StringLiteral checkText =
    R"(#define STENCIL_CHECK(call)                                                    \
  do {                                                                         \
    APIError_t status = (call);                                                \
    if (status != APISuccess) {                                                \
      std::fprintf(stderr, "error: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   APIGetErrorString(status));                                 \
      std::exit(1);                                                            \
    }                                                                          \
  } while (false)

)";

static constexpr llvm::StringLiteral captureText =
    R"(// Ends the capture of what was launched on a stream, and makes it executable.
static APIGraphExec_t stencilEndCapture(APIStream_t stream) {
  APIGraph_t graph;
  APIGraphExec_t executable;
  STENCIL_CHECK(APIStreamEndCapture(stream, &graph));
  STENCIL_CHECK(APIGraphInstantiateWithFlags(&executable, graph, 0));
  STENCIL_CHECK(APIGraphDestroy(graph));
  return executable;
}

)";

static constexpr llvm::StringLiteral reserveText =
    R"(// Ends the program if there is too little device memory.
static void stencilReserveMemory(long long needed) {
  std::size_t free, total;
  STENCIL_CHECK(APIMemGetInfo(&free, &total));
  if ((unsigned long long)needed > free) {
    std::fprintf(stderr, "error: expected %lld bytes of free device memory, got %llu\n",
                 needed, (unsigned long long)free);
    std::exit(1);
  }
}

)";

// IEEE 754-2019 maximum and minimum: NaN if one operand is, and -0 < +0.
static constexpr llvm::StringLiteral maximumText =
    R"(// The larger one; NaN if one of them is. +0 is larger than -0.
template <typename T> __host__ __device__ inline T stencilMaximum(T a, T b) {
  if (a != a || b != b)
    return a + b;
  return a > b || (a == b && !std::signbit((float)a)) ? a : b;
}

)";

static constexpr llvm::StringLiteral minimumText =
    R"(// The smaller one; NaN if one of them is. -0 is smaller than +0.
template <typename T> __host__ __device__ inline T stencilMinimum(T a, T b) {
  if (a != a || b != b)
    return a + b;
  return a < b || (a == b && std::signbit((float)a)) ? a : b;
}

)";

static constexpr llvm::StringLiteral vectorText =
    R"(// N values that are loaded and stored at once.
template <typename T, int N> struct alignas(N * sizeof(T)) StencilVector {
  T at[N];
};

)";

static void writeText(llvm::StringRef text, llvm::StringRef api,
                      llvm::raw_ostream &os) {
  for (size_t at = 0; (at = text.find("API")) != llvm::StringRef::npos;
       text = text.drop_front(at + 3))
    os << text.take_front(at) << api;
  os << text;
}

void Prologue::write(llvm::StringRef file, llvm::raw_ostream &os) const {
  llvm::StringRef api = isCUDA() ? "cuda" : "hip";
  os << "// Made from " << llvm::sys::path::filename(file)
     << " by stencil-translate --to-" << api << ".\n";
  if (isCUDA())
    os << "//   nvcc -O3 -c FILE.cu\n";
  else
    os << "//   hipcc -O3 -c FILE.hip\n";
  os << "// A field is an array in row-major order, halo included; `u_n0` is "
        "its "
        "extent on\n// axis 0. Fields must not overlap.\n\n"
     << "#include <" << api << (isCUDA() ? "_runtime.h" : "/hip_runtime.h")
     << ">\n";
  auto has = [&](Helper helper) { return helpers.count(helper) != 0; };
  if (has(Helper::Half))
    os << (isCUDA() ? "#include <cuda_fp16.h>\n"
                    : "#include <hip/hip_fp16.h>\n");
  if (has(Helper::BFloat16))
    os << (isCUDA() ? "#include <cuda_bf16.h>\n"
                    : "#include <hip/hip_bf16.h>\n");
  if (has(Helper::Pipeline))
    os << "#include <cuda_pipeline.h>\n";
  os << "\n#include <cmath>\n#include <cstdint>\n#include <cstdio>\n"
        "#include <cstdlib>\n\n";
  const std::pair<Helper, llvm::StringRef> texts[] = {
      {Helper::Check, checkText},     {Helper::Reserve, reserveText},
      {Helper::Capture, captureText}, {Helper::Maximum, maximumText},
      {Helper::Minimum, minimumText}, {Helper::Vector, vectorText}};
  for (const auto &[helper, text] : texts)
    if (has(helper))
      writeText(text, api, os);
}
