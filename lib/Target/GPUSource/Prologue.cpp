//===- Prologue.cpp - What comes before the functions ---------------------===//

#include "Prologue.h"
#include "StencilDialect/Target/CHeader.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

using namespace stencil;
using namespace stencil::gpusource;

std::string Prologue::api(llvm::StringRef name) const {
  return ((isCUDA() ? "cuda" : "hip") + name).str();
}

/// What every source with functions of the host has, after the error codes.
/// `API` stands for `cuda` or `hip`.
static constexpr llvm::StringLiteral errorsText =
    R"(// One handler for the process: other sources and objects bring the same two symbols.
extern "C" {
__attribute__((weak)) StencilErrorHandler stencilErrorHandler = nullptr;
__attribute__((weak)) StencilErrorHandler stencilSetErrorHandler(StencilErrorHandler handler) {
  return __atomic_exchange_n(&stencilErrorHandler, handler, __ATOMIC_SEQ_CST);
}
}

// Hands the reason to the handler, and returns the code.
inline int32_t stencilReport(int32_t code, const char *message) {
  if (StencilErrorHandler handler = __atomic_load_n(&stencilErrorHandler, __ATOMIC_ACQUIRE))
    handler(code, message);
  else
    std::fprintf(stderr, "error: %s\n", message);
  return code;
}

)";

static constexpr llvm::StringLiteral checkText =
    R"(// The same of a call of the runtime that failed.
static int32_t stencilReportCall(APIError_t status, const char *call, int line) {
  (void)APIGetLastError(); // No later call is to find it.
  char message[512];
  std::snprintf(message, sizeof(message), "%s:%d: %s: %s", __FILE__, line, call,
                APIGetErrorString(status));
  return stencilReport(status == OUT_OF_MEMORY ? STENCIL_OUT_OF_MEMORY
                                             : STENCIL_DEVICE_FAILED, message);
}

#define STENCIL_CHECK(call)                                                    \
  do {                                                                         \
    const APIError_t status = (call);                                          \
    if (status != APISuccess)                                                  \
      return stencilReportCall(status, #call, __LINE__);                         \
  } while (false)

// What a function has acquired, and releases at the latest when it returns.
class StencilResources {
public:
  StencilResources() = default;
  StencilResources(const StencilResources &) = delete;
  StencilResources &operator=(const StencilResources &) = delete;
  ~StencilResources() {
    APIGraph_t unfinished = nullptr;
    if (capturing && APIStreamEndCapture(capturing, &unfinished) == APISuccess && unfinished)
      (void)APIGraphDestroy(unfinished);
    // Copies to and from the caller's arrays end before the caller goes on.
    for (APIStream_t stream : streams)
      (void)APIStreamSynchronize(stream);
    for (APIGraphExec_t graph : graphs)
      (void)APIGraphExecDestroy(graph);
    for (void *address : memory)
      (void)APIFree(address);
    for (APIStream_t stream : streams)
      (void)APIStreamDestroy(stream);
    if (!streams.empty() || !graphs.empty() || !memory.empty())
      (void)APIGetLastError();
  }

  template <typename T> APIError_t allocate(T **address, std::size_t bytes) {
    return keep(memory, APIMalloc(address, bytes), (void *)*address);
  }
  APIError_t free(void *address) {
    release(memory, address);
    return APIFree(address);
  }
  APIError_t create(APIStream_t *stream) {
    return keep(streams, APIStreamCreate(stream), *stream);
  }
  APIError_t destroy(APIStream_t stream) {
    release(streams, stream);
    return APIStreamDestroy(stream);
  }
  // What is given to the stream between the two becomes an executable graph.
  APIError_t beginCapture(APIStream_t stream) {
    APIError_t status = APIStreamBeginCapture(stream, APIStreamCaptureModeThreadLocal);
    capturing = status == APISuccess ? stream : nullptr;
    return status;
  }
  APIError_t endCapture(APIStream_t stream, APIGraphExec_t *executable) {
    APIGraph_t graph = nullptr;
    capturing = nullptr;
    APIError_t status = APIStreamEndCapture(stream, &graph);
    if (status != APISuccess)
      return status;
    status = keep(graphs, APIGraphInstantiateWithFlags(executable, graph, 0), *executable);
    const APIError_t destroyed = APIGraphDestroy(graph);
    return status != APISuccess ? status : destroyed;
  }
  APIError_t destroy(APIGraphExec_t graph) {
    release(graphs, graph);
    return APIGraphExecDestroy(graph);
  }

private:
  template <typename T>
  static APIError_t keep(std::vector<T> &held, APIError_t status, T resource) {
    if (status == APISuccess)
      held.push_back(resource);
    return status;
  }
  template <typename T> static void release(std::vector<T> &held, T resource) {
    for (std::size_t index = 0; index < held.size(); ++index)
      if (held[index] == resource) {
        held.erase(held.begin() + index);
        return;
      }
  }

  std::vector<void *> memory;
  std::vector<APIStream_t> streams;
  std::vector<APIGraphExec_t> graphs;
  APIStream_t capturing = nullptr;
};

)";

static constexpr llvm::StringLiteral reserveText =
    R"(// Fails early if there is too little device memory.
static int32_t stencilReserveMemory(long long needed) {
  std::size_t free, total;
  STENCIL_CHECK(APIMemGetInfo(&free, &total));
  if ((unsigned long long)needed <= free)
    return STENCIL_OK;
  char message[128];
  std::snprintf(message, sizeof(message),
                "expected %lld bytes of free device memory, got %llu", needed,
                (unsigned long long)free);
  return stencilReport(STENCIL_OUT_OF_MEMORY, message);
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

static constexpr llvm::StringLiteral packText =
    R"(// The bits of neighbouring values.
template <typename To, typename From> __device__ inline To stencilPack(const From *values) {
  To to;
  memcpy(&to, values, sizeof(To));
  return to;
}

)";

static constexpr llvm::StringLiteral fourText =
    R"(// Two and four values of a lane.
template <typename T> using StencilTwo = T __attribute__((ext_vector_type(2)));
template <typename T> using StencilFour = T __attribute__((ext_vector_type(4)));

)";

static void writeText(llvm::StringRef text, bool isCUDA,
                      llvm::raw_ostream &os) {
  std::string written = text.str();
  auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
    for (size_t at = 0; (at = written.find(from, at)) != std::string::npos;
         at += to.size())
      written.replace(at, from.size(), to);
  };
  replace("API", isCUDA ? "cuda" : "hip");
  replace("== OUT_OF_MEMORY",
          isCUDA ? "== cudaErrorMemoryAllocation" : "== hipErrorOutOfMemory");
  os << written;
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
        "#include <vector>\n\n";
  if (has(Helper::Errors))
    os << getErrorCodesText() << "\n";
  const std::pair<Helper, llvm::StringRef> texts[] = {
      {Helper::Errors, errorsText},   {Helper::Check, checkText},
      {Helper::Reserve, reserveText}, {Helper::Maximum, maximumText},
      {Helper::Minimum, minimumText}, {Helper::Vector, vectorText},
      {Helper::Pack, packText},       {Helper::Four, fourText}};
  for (const auto &[helper, text] : texts)
    if (has(helper))
      writeText(text, isCUDA(), os);
}
