//===- Driver.h - Functions of a driver, found at run time ------*- C++ -*-===//
//
// HIP is CUDA's driver interface under other names: most functions of the one
// have a twin in the other, whose arguments mean the same. The list of a
// driver's functions (CudaFunctions.def, HipFunctions.def) says by which name
// DriverBackend.h calls those.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_RUNTIME_COMMON_DRIVER_H
#define STENCIL_RUNTIME_COMMON_DRIVER_H

#include "Failure.h"
#include "SharedLibrary.h"

#include <string>
#include <type_traits>

namespace stencil::runtime {

/// A value as a driver has it: handles are pointers to types of its own there,
/// addresses may be numbers, and numbers may be of an enumeration.
template <typename To, typename From> To as(From value) {
  if constexpr (std::is_pointer_v<From> ? std::is_integral_v<To>
                                        : std::is_pointer_v<To>)
    return reinterpret_cast<To>(value);
  else
    return static_cast<To>(value);
}

/// A function of a driver's library.
template <typename Result, typename... Params> class DriverFunction {
public:
  explicit DriverFunction(const char *symbol) : symbol(symbol) {}

  /// Whether the library has it.
  bool load(const SharedLibrary &library) {
    function = reinterpret_cast<Result (*)(Params...)>(library.find(symbol));
    return function;
  }
  explicit operator bool() const { return function; }

  template <typename... Args> Result operator()(Args... args) const {
    return function(as<Params>(args)...);
  }

  /// What programs call it: cuda.h makes "cuMemFree_v2" of "cuMemFree".
  std::string getName() const {
    std::string name = symbol;
    return name.substr(0, name.find("_v"));
  }

private:
  const char *symbol;
  Result (*function)(Params...) = nullptr;
};

/// What both drivers do with their functions.
template <typename Result> class DriverCalls {
public:
  virtual ~DriverCalls() = default;

  virtual DriverError describe(Result result, const char *call) const = 0;

  /// Fails if a call did, on behalf of a kernel if there is one.
  void check(Result result, const char *call,
             const char *kernel = nullptr) const {
    if (result)
      failCall(describe(result, call), kernel);
  }

  template <typename Function, typename... Args>
  void callFor(const char *kernel, const Function &function,
               Args... args) const {
    if (Result result = function(args...))
      check(result, function.getName().c_str(), kernel);
  }

  template <typename Function, typename... Args>
  void call(const Function &function, Args... args) const {
    callFor(/*kernel=*/nullptr, function, args...);
  }

  /// What a function stores at its first argument.
  template <typename Value, typename... Params, typename... Args>
  Value get(const DriverFunction<Result, Value *, Params...> &function,
            Args... args) const {
    Value value = {};
    call(function, &value, args...);
    return value;
  }

  /// Returns why a call failed; empty on success.
  template <typename Function, typename... Args>
  std::string attempt(const Function &function, Args... args) const {
    Result result = function(args...);
    return result ? describeError(describe(result, function.getName().c_str()))
                  : "";
  }
};

} // namespace stencil::runtime

#endif // STENCIL_RUNTIME_COMMON_DRIVER_H
