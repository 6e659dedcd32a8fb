//===- Names.cpp - Names of variables -------------------------------------===//

#include "Names.h"
#include "StencilDialect/Target/Identifier.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

/// The runtimes', ours and, the last one, the compilers' own names.
static constexpr llvm::StringLiteral reservedPrefixes[] = {
    "cuda", "hip", "stencil", "Stencil", "STENCIL", "atomic", "__"};

bool gpusource::isTaken(llvm::StringRef name) {
  // Functions that sources call, and macros and globals of the C library that
  // names of variables are likely to meet.
  static const llvm::StringSet<> words = {
      "abort",     "acos",     "acosf",       "acosh",     "acoshf",
      "asin",      "asinf",    "asinh",       "asinhf",    "asm",
      "atan",      "atan2",    "atan2f",      "atanf",     "atanh",
      "atanhf",    "blockDim", "blockIdx",    "cbrt",      "cbrtf",
      "ceil",      "ceilf",    "copysign",    "copysignf", "cos",
      "cosf",      "cosh",     "coshf",       "dim3",      "erf",
      "erfc",      "erfcf",    "erff",        "errno",     "exit",
      "exp",       "exp2",     "exp2f",       "expf",      "expm1",
      "expm1f",    "fabs",     "fabsf",       "floor",     "floorf",
      "fma",       "fmaf",     "fmax",        "fmaxf",     "fmin",
      "fminf",     "fmod",     "fmodf",       "fprintf",   "free",
      "gridDim",   "hypot",    "int16_t",     "int32_t",   "int64_t",
      "int8_t",    "isfinite", "isinf",       "isnan",     "isnormal",
      "linux",     "log",      "log10",       "log10f",    "log1p",
      "log1pf",    "log2",     "log2f",       "logf",      "main",
      "malloc",    "max",      "memcpy",      "memset",    "min",
      "pow",       "powf",     "printf",      "rint",      "rintf",
      "round",     "roundf",   "rsqrt",       "rsqrtf",    "signbit",
      "sin",       "sinf",     "sinh",        "sinhf",     "sqrt",
      "sqrtf",     "std",      "stderr",      "stdin",     "stdout",
      "tan",       "tanf",     "tanh",        "tanhf",     "threadIdx",
      "trunc",     "truncf",   "uint16_t",    "unix",      "warpSize",
      "double2",   "double4",  "float2",      "float4",    "int2",
      "int4",      "short2",   "short4",      "char2",     "char4",
      "longlong2", "half",     "NAN",         "INFINITY",  "NULL",
      "EOF",       "assert",   "make_float2", "status",    "__half"};
  return words.contains(name) || !isCIdentifier(name) ||
         llvm::any_of(reservedPrefixes, [&](llvm::StringRef prefix) {
           return name.starts_with(prefix);
         });
}

std::string Names::take(std::string name) {
  taken.insert(name);
  scopes.back().push_back(name);
  return name;
}

std::string Names::get(llvm::StringRef wanted) {
  std::string name;
  for (char c : wanted)
    name += llvm::isAlnum(c) || c == '_' ? c : '_';
  if (name.empty() || llvm::isDigit(name.front()))
    name = "v" + name;
  for (llvm::StringRef prefix : reservedPrefixes)
    if (llvm::StringRef(name).starts_with(prefix))
      name = "v_" + name;
  std::string result = name;
  for (unsigned n = 1; isTaken(result) || taken.contains(result); ++n)
    result = name + "_" + std::to_string(n);
  return take(result);
}

std::string Names::getNumbered(llvm::StringRef prefix) {
  for (unsigned n = 0;; ++n) {
    std::string name = (prefix + llvm::Twine(n)).str();
    if (!isTaken(name) && !taken.contains(name))
      return take(name);
  }
}

std::string Names::getCounter() {
  for (const char *name : {"i", "j", "k", "l", "m"})
    if (!taken.contains(name))
      return take(name);
  return getNumbered("i");
}

void Names::close() {
  for (const std::string &name : scopes.back())
    taken.erase(name);
  scopes.pop_back();
}

llvm::StringRef gpusource::getNameInLocation(Location location) {
  if (auto named = dyn_cast<NameLoc>(location))
    return named.getName();
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (llvm::StringRef name = getNameInLocation(part); !name.empty())
        return name;
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return getNameInLocation(call.getCallee());
  return {};
}

static void collectPlaces(Location location, std::vector<std::string> &places) {
  if (auto file = dyn_cast<FileLineColLoc>(location)) {
    std::string place = (llvm::sys::path::filename(file.getFilename()) + ":" +
                         llvm::Twine(file.getLine()))
                            .str();
    if (!llvm::is_contained(places, place))
      places.push_back(place);
  } else if (auto named = dyn_cast<NameLoc>(location)) {
    collectPlaces(named.getChildLoc(), places);
  } else if (auto fused = dyn_cast<FusedLoc>(location)) {
    for (Location part : fused.getLocations())
      collectPlaces(part, places);
  } else if (auto call = dyn_cast<CallSiteLoc>(location)) {
    collectPlaces(call.getCallee(), places);
  }
}

std::vector<std::string> gpusource::getPlaces(Location location) {
  std::vector<std::string> places;
  collectPlaces(location, places);
  return places;
}

bool gpusource::mentions(llvm::StringRef text, llvm::StringRef name) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  for (size_t at = text.find(name); at != llvm::StringRef::npos;
       at = text.find(name, at + 1)) {
    bool begins = at == 0 || !isPart(text[at - 1]);
    size_t end = at + name.size();
    if (begins && (end == text.size() || !isPart(text[end])))
      return true;
  }
  return false;
}
