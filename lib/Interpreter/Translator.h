//===- Translator.h - From the body of an apply to a program ----*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_TRANSLATOR_H
#define STENCIL_LIB_INTERPRETER_TRANSLATOR_H

#include "Errors.h"
#include "Instructions.h"
#include "StencilDialect/IR/Footprint.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

namespace stencil::interp {

/// Translates one body. Registers are reused as soon as the values in them are
/// dead, so that a body of a thousand ops still fits in the caches.
class Translator {
public:
  Translator(ApplyOp apply, Precision precision, ErrorAnalysis *analysis)
      : apply(apply), precision(precision), analysis(analysis),
        program(std::make_unique<Program>()), slices(apply) {}

  /// Null after an error, which has been emitted.
  std::unique_ptr<Program> translate();

private:
  struct Operand {
    Registers registers;
    /// The registers belong to this value alone.
    bool isOwned = false;
  };

  using Values = llvm::DenseMap<mlir::Value, Operand>;

  // Registers.
  unsigned newRegister(Kind kind, bool isPointer = false);
  unsigned allocate(Kind kind);
  void release(unsigned reg);
  unsigned getConstant(Cell value, Kind kind);
  mlir::FailureOr<llvm::SmallVector<Kind, 2>> getKinds(mlir::Operation *op,
                                                       mlir::Type type);
  mlir::LogicalResult define(mlir::Operation *op, mlir::Value value);
  Values &values() { return *scope; }
  const Registers &getRegisters(mlir::Value value) {
    return values().find(value)->second.registers;
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
  mlir::LogicalResult translateIndex(IndexOp op);
  mlir::LogicalResult translateWeightedSum(WeightedSumOp op);
  mlir::LogicalResult translateMatVec(MatVecOp op);
  /// A register with the input at an offset from the current shift.
  mlir::FailureOr<unsigned> readInput(mlir::Operation *op, mlir::Value value,
                                      llvm::ArrayRef<int64_t> axes,
                                      llvm::ArrayRef<int64_t> offset);
  /// A register with a value of the body's block at an offset from the current
  /// shift, whose ops are translated there if they were not yet.
  mlir::FailureOr<unsigned> evaluateAt(WeightedSumOp sum,
                                       llvm::ArrayRef<int64_t> offset);
  mlir::LogicalResult translateStoreResult(StoreResultOp op);
  mlir::LogicalResult translatePointwise(PointwiseOpInterface op);
  mlir::LogicalResult translateSelect(mlir::Operation *op);
  mlir::LogicalResult translateIf(mlir::scf::IfOp op);
  mlir::LogicalResult translateFor(mlir::scf::ForOp op);
  mlir::LogicalResult translateWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult translateCall(mlir::func::CallOp op);

  ApplyOp apply;
  Precision precision;
  /// Null: errors are not followed.
  ErrorAnalysis *analysis;
  std::unique_ptr<Program> program;
  Values valuesHere;
  /// Of the shift at which ops are translated.
  Values *scope = &valuesHere;
  /// Offset of the point at which ops are translated, along the apply's axes.
  std::vector<int64_t> shift;
  /// Values of the body's block at other points, a layer per sequence that is
  /// being translated: what one of them computes is not known outside of it.
  std::vector<std::map<std::vector<int64_t>, Values>> shifted;
  BodySlices slices;
  unsigned shiftDepth = 0;
  uint64_t numShiftedOps = 0;
  std::map<std::pair<unsigned, std::vector<int64_t>>, unsigned> accessRegisters;
  std::map<std::pair<Kind, std::string>, unsigned> constantRegisters;
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
