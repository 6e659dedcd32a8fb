//===- MovedValues.h - What is only moved to shared memory ------*- C++ -*-===//

#ifndef STENCILDIALECT_LIB_CONVERSION_GPUTOEMULATOR_MOVEDVALUES_H
#define STENCILDIALECT_LIB_CONVERSION_GPUTOEMULATOR_MOVEDVALUES_H

#include "Emitter.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace stencil::emulator {

/// What `address` is derived from, by steps that stay in the same object.
mlir::Value getBase(mlir::Value address);
/// True for the thread's own memory and for constants of the program, which no
/// other thread changes. (An index may leave them, though: that is not seen.)
bool isPrivate(mlir::Value address);

/// The loads of a function whose values go to shared memory and nowhere else:
/// they are no uses. Whether there was a value goes along, as a number.
class MovedValues {
public:
  explicit MovedValues(mlir::LLVM::LLVMFuncOp function);

  bool contains(mlir::Operation *op) const { return loads.contains(op); }
  /// Adds the calls that say whether there was a value, and take that along.
  void emit(Emitter &emitter);

private:
  /// Where values go: block arguments, and stores to shared memory.
  struct Way {
    llvm::SetVector<mlir::BlockArgument> arguments;
    llvm::SetVector<mlir::Operation *> stores;
  };

  static bool follow(mlir::Value value, Way &way);
  mlir::Value getMarks(mlir::Value value) const { return marks.lookup(value); }
  void passMarks(mlir::BlockArgument argument, Emitter &emitter);

  llvm::SetVector<mlir::Operation *> loads;
  Way ways;
  llvm::DenseMap<mlir::Value, mlir::Value> marks;
};

} // namespace stencil::emulator

#endif // STENCILDIALECT_LIB_CONVERSION_GPUTOEMULATOR_MOVEDVALUES_H
