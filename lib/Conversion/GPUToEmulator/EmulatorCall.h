//===- EmulatorCall.h - What an op becomes that waits -----------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_CONVERSION_GPUTOEMULATOR_EMULATORCALL_H
#define STENCILDIALECT_LIB_CONVERSION_GPUTOEMULATOR_EMULATORCALL_H

#include "Emitter.h"

namespace stencil::emulator {

/// Builds the calls for the op that it is made for, in which threads wait for
/// each other.
class EmulatorCall {
public:
  EmulatorCall(mlir::Operation *op, Context &context)
      : op(op), context(context), emitter(context.emitter), builder(op),
        location(op->getLoc()) {
    context.kernel.usesFibers = true;
  }

  mlir::Value i32(int64_t value) {
    return emitter.i32(builder, location, value);
  }
  mlir::Value i64(int64_t value) {
    return emitter.i64(builder, location, value);
  }
  /// A value of the program as one that the LLVM dialect knows.
  mlir::Value lower(mlir::Value value) {
    mlir::Type type = context.types.convertType(value.getType());
    return context.castTo(builder, location, type, value);
  }
  /// Calls `name` with the arguments and the location.
  mlir::Value call(llvm::StringRef name, mlir::Type result,
                   llvm::ArrayRef<mlir::Value> arguments) {
    llvm::SmallVector<mlir::Value> all(arguments);
    all.push_back(emitter.locationText(builder, location));
    return emitter.call(builder, location, name, result, all);
  }
  mlir::LogicalResult replace(mlir::ValueRange values) {
    op->replaceAllUsesWith(values);
    return erase();
  }
  /// Of an op whose results have no uses.
  mlir::LogicalResult erase() {
    op->erase();
    return mlir::success();
  }

protected:
  mlir::Operation *op;
  Context &context;
  Emitter &emitter;
  mlir::OpBuilder builder;
  mlir::Location location;
};

} // namespace stencil::emulator

#endif // STENCILDIALECT_LIB_CONVERSION_GPUTOEMULATOR_EMULATORCALL_H
