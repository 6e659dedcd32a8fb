//===- Checked.h - What C hands in ------------------------------*- C++ -*-===//
//
// Nothing that a caller hands in is taken for granted: handles may be null or
// of another kind, numbers out of range, and the context may be without the
// dialect, or have that of another copy of this library.
//
//===----------------------------------------------------------------------===//

#ifndef LIB_CAPI_CHECKED_H
#define LIB_CAPI_CHECKED_H

#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include <optional>

namespace stencil::capi {

/// Lists that are longer are taken for a wrong number.
inline constexpr intptr_t kMaxCount = intptr_t(1) << 24;

/// Axes beyond this number are taken for a wrong number.
inline constexpr intptr_t kMaxRank = 64;

/// Whether a dialect that is loaded is this library's copy; else an error at
/// `location`.
bool isOwnDialect(mlir::Location location, mlir::Dialect *loaded,
                  mlir::TypeID own);

/// Loads a dialect. False if the context has another copy of it; then an error
/// at `location`.
template <typename D = StencilDialect>
bool loadDialect(mlir::Location location) {
  mlir::MLIRContext *context = location.getContext();
  mlir::Dialect *loaded = context->getLoadedDialect(D::getDialectNamespace());
  if (!loaded)
    return context->getOrLoadDialect<D>() != nullptr;
  return isOwnDialect(location, loaded, mlir::TypeID::get<D>());
}

/// The location, if it is one, and the dialect can be used there.
std::optional<mlir::Location> check(MlirLocation location);

/// False, after an error, if something is not of the location's context. Made
/// of parts of two contexts, it would outlive one of them.
bool checkContext(mlir::Location location, mlir::MLIRContext *context);

/// For handles of attributes and types; null if the handle is null or of
/// another kind.
template <typename T, typename Handle> T get(Handle handle) {
  return llvm::dyn_cast_if_present<T>(unwrap(handle));
}

/// Reports that `count` cannot be the length of a list.
bool checkCount(mlir::Location location, intptr_t count, const void *list,
                llvm::StringRef what, intptr_t limit = kMaxCount);

/// A list of numbers; nothing, after an error, if it cannot be one.
std::optional<llvm::ArrayRef<int64_t>>
getNumbers(mlir::Location location, intptr_t count, const int64_t *list,
           llvm::StringRef what, intptr_t limit = kMaxRank);

/// Makes an attribute or type, with the errors of its verifier.
template <typename T, typename... Args>
T getChecked(mlir::Location location, Args... args) {
  return T::getChecked([&] { return mlir::emitError(location); },
                       location.getContext(), args...);
}

} // namespace stencil::capi

#endif // LIB_CAPI_CHECKED_H
