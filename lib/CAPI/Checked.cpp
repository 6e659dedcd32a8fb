//===- Checked.cpp - What C hands in --------------------------------------===//

#include "Checked.h"
#include "mlir/IR/MLIRContext.h"

using namespace mlir;
using namespace stencil;

bool capi::isOwnDialect(Location location, Dialect *loaded, TypeID own) {
  // MLIR would end the process.
  if (loaded->getTypeID() == own)
    return true;
  emitError(location) << "expected the " << loaded->getNamespace()
                      << " dialect of this library, got that of another copy "
                         "in the same process";
  return false;
}

std::optional<Location> capi::check(MlirLocation location) {
  if (mlirLocationIsNull(location) || !loadDialect(unwrap(location)))
    return std::nullopt;
  return unwrap(location);
}

bool capi::checkContext(Location location, MLIRContext *context) {
  if (context == location.getContext())
    return true;
  emitError(location) << "expected values, types and attributes of the "
                         "location's context, got one of another";
  return false;
}

bool capi::checkCount(Location location, intptr_t count, const void *list,
                      llvm::StringRef what, intptr_t limit) {
  if (count < 0 || count > limit) {
    emitError(location) << "expected from 0 to " << limit << " " << what
                        << ", got " << count;
    return false;
  }
  if (count > 0 && !list) {
    emitError(location) << "expected " << count << " " << what
                        << ", got a null pointer";
    return false;
  }
  return true;
}

std::optional<llvm::ArrayRef<int64_t>>
capi::getNumbers(Location location, intptr_t count, const int64_t *list,
                 llvm::StringRef what, intptr_t limit) {
  if (!checkCount(location, count, list, what, limit))
    return std::nullopt;
  return llvm::ArrayRef<int64_t>(list, count);
}
