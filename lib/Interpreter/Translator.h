//===- Translator.h - From the body of an apply to a program ----*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_TRANSLATOR_H
#define STENCIL_LIB_INTERPRETER_TRANSLATOR_H

#include "Instructions.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace stencil::interp {

/// Translates one body. Registers are reused as soon as the values in them are
/// dead, so that a body of a thousand ops still fits in the caches.
class Translator {
public:
  Translator(ApplyOp apply, Precision precision)
      : apply(apply), precision(precision),
        program(std::make_unique<Program>()) {}

  /// Null after an error, which has been emitted.
  std::unique_ptr<Program> translate();

private:
  struct Operand {
    Registers registers;
    /// The registers belong to this value alone.
    bool isOwned = false;
  };

  // Registers.
  unsigned newRegister(Kind kind, bool isPointer = false);
  unsigned allocate(Kind kind);
  void release(unsigned reg);
  unsigned getConstant(Cell value, Kind kind);
  mlir::FailureOr<llvm::SmallVector<Kind, 2>> getKinds(mlir::Operation *op,
                                                       mlir::Type type);
  mlir::LogicalResult define(mlir::Operation *op, mlir::Value value);
  const Registers &getRegisters(mlir::Value value) {
    return values.find(value)->second.registers;
  }

  // Instructions.
  template <typename T, typename... Args> T &emit(Args &&...args) {
    auto instruction = std::make_unique<T>(std::forward<Args>(args)...);
    T &reference = *instruction;
    current->instructions.push_back(std::move(instruction));
    return reference;
  }
  void emitBlend(const Registers &to, const Registers &from);
  /// Blends `from` into `to` at once: every source is read before any target
  /// is written.
  void emitSimultaneousBlend(llvm::ArrayRef<Registers> to,
                             mlir::ValueRange from);

  mlir::LogicalResult bindArguments();
  void bindReturn(ReturnOp op);
  std::optional<unsigned> getInput(mlir::Operation *op, mlir::Value value);
  /// `atEnd` stands for the terminator.
  mlir::LogicalResult
  translateBlock(mlir::Block &block,
                 llvm::function_ref<mlir::LogicalResult()> atEnd);
  /// The same, into a sequence of its own.
  mlir::LogicalResult
  translateInto(Sequence &sequence, mlir::Block &block,
                llvm::function_ref<mlir::LogicalResult()> atEnd);
  mlir::LogicalResult translateOp(mlir::Operation *op);
  mlir::LogicalResult translateElementOp(mlir::Operation *op);
  mlir::LogicalResult translateAccess(AccessOp op);
  mlir::LogicalResult translateDynAccess(DynAccessOp op);
  mlir::LogicalResult translateStoreResult(StoreResultOp op);
  mlir::LogicalResult translateSelect(mlir::Operation *op);
  mlir::LogicalResult translateIf(mlir::scf::IfOp op);
  mlir::LogicalResult translateFor(mlir::scf::ForOp op);
  mlir::LogicalResult translateWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult translateCall(mlir::func::CallOp op);

  ApplyOp apply;
  Precision precision;
  std::unique_ptr<Program> program;
  llvm::DenseMap<mlir::Value, Operand> values;
  /// Unused registers by size.
  llvm::DenseMap<unsigned, llvm::SmallVector<unsigned>> unused;
  /// Functions being inlined.
  llvm::SmallVector<mlir::Operation *> callStack;
  Sequence *current = nullptr;
};

/// The values defined in `block` whose last use, also from within nested
/// regions, is by an op of the block, by that op; unused values by their own.
llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value>>
getDeaths(mlir::Block &block);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_TRANSLATOR_H
