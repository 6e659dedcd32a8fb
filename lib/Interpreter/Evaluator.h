//===- Evaluator.h - Evaluates functions ------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_INTERPRETER_EVALUATOR_H
#define STENCIL_LIB_INTERPRETER_EVALUATOR_H

#include "Errors.h"
#include "Extents.h"
#include "Runner.h"
#include "Tiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

#include <chrono>
#include <map>
#include <variant>

namespace stencil::interp {

struct Scalar {
  Kind kind = Kind::I64;
  Cell cell;
  /// See Errors.h.
  double error = 0;
};

/// Nothing: a temp of which no point is needed. The last four: in kernels of
/// tiles.
using RuntimeValue =
    std::variant<std::monostate, Scalar, FieldValue, TempValue, RingValue,
                 CursorValue, SourceValue, TileValue>;

/// Evaluates ops one after the other, in program order. One object serves one
/// run; it keeps what can be reused between steps: threads, memory, translated
/// bodies.
class Evaluator {
public:
  explicit Evaluator(const InterpreterOptions &options)
      : options(options), team(options.threads) {
    if (options.bounds)
      analysis.emplace(*options.bounds, options.precision);
  }

  const ErrorAnalysis *getAnalysis() const {
    return analysis ? &*analysis : nullptr;
  }

  mlir::LogicalResult call(mlir::func::FuncOp func,
                           llvm::SmallVector<RuntimeValue> arguments,
                           llvm::SmallVectorImpl<RuntimeValue> &results);

private:
  /// One call of a function.
  struct Activation {
    llvm::DenseMap<mlir::Value, RuntimeValue> values;
    Extents extents;
    Demand demand;
  };

  // Control flow (Evaluator.cpp).
  mlir::LogicalResult bindExtents(mlir::func::FuncOp func);
  mlir::LogicalResult evaluateBlock(mlir::Block &block);
  mlir::LogicalResult evaluateOp(mlir::Operation *op);
  mlir::LogicalResult evaluateIf(mlir::scf::IfOp op);
  mlir::LogicalResult evaluateFor(mlir::scf::ForOp op);
  mlir::LogicalResult evaluateWhile(mlir::scf::WhileOp op);
  mlir::LogicalResult evaluateParallel(mlir::scf::ParallelOp op, unsigned axis);
  mlir::LogicalResult evaluateCall(mlir::func::CallOp op);
  mlir::LogicalResult evaluateSelect(mlir::arith::SelectOp op);
  mlir::LogicalResult evaluateElementOp(mlir::Operation *op);
  void assign(mlir::ValueRange targets, mlir::ValueRange sources);
  void reportProgress(uint64_t done, uint64_t total);

  // Fields (FieldOps.cpp).
  mlir::LogicalResult evaluateCast(CastOp op);
  mlir::FailureOr<FieldValue> makeField(mlir::Operation *op,
                                        mlir::Type elementType,
                                        llvm::ArrayRef<int64_t> shape, Box box);
  mlir::LogicalResult evaluateAlloc(mlir::Operation *op, mlir::Type elementType,
                                    llvm::ArrayRef<int64_t> shape, Box box);
  mlir::LogicalResult evaluateAlloc(AllocOp op);
  mlir::LogicalResult evaluateMemRefAlloc(mlir::Operation *op);
  mlir::LogicalResult evaluateMemRefOp(mlir::Operation *op);
  char *getAddress(mlir::Operation *op, mlir::Value pointer, mlir::Type type);
  mlir::LogicalResult evaluateExtent(ExtentOp op);
  mlir::LogicalResult evaluateFetch(FetchOp op);
  mlir::LogicalResult evaluateHostView(mlir::UnrealizedConversionCastOp op);
  mlir::LogicalResult evaluatePointerLoad(mlir::LLVM::LoadOp op);
  mlir::LogicalResult evaluatePointerStore(mlir::LLVM::StoreOp op);
  mlir::LogicalResult copyStorage(mlir::Operation *op, const FieldStorage &from,
                                  FieldStorage &to);
  char *getElement(mlir::Operation *op, FieldStorage &storage,
                   mlir::ValueRange indices);
  mlir::LogicalResult evaluateExternalLoad(ExternalLoadOp op);
  mlir::LogicalResult evaluateExternalStore(ExternalStoreOp op);
  mlir::LogicalResult evaluateLoad(LoadOp op);
  mlir::LogicalResult evaluateStore(StoreOp op);

  // Values (ValueOps.cpp).
  mlir::LogicalResult evaluateApply(ApplyOp op);
  mlir::LogicalResult setUp(Evaluation &evaluation, ApplyOp op);
  mlir::LogicalResult run(Evaluation &evaluation);
  mlir::LogicalResult bindInputs(Evaluation &evaluation, ApplyOp op,
                                 llvm::SmallVectorImpl<RuntimeValue> &inputs);
  mlir::LogicalResult bindResults(Evaluation &evaluation, ApplyOp op,
                                  llvm::ArrayRef<RuntimeValue> inputs,
                                  llvm::SmallVectorImpl<TempValue> &results);
  mlir::LogicalResult bindDestinations(Evaluation &evaluation, ApplyOp op);
  FieldValue *findDirectStore(const Evaluation &evaluation, ApplyOp op,
                              unsigned result,
                              llvm::ArrayRef<RuntimeValue> inputs);
  mlir::LogicalResult evaluateCombine(CombineOp op);
  mlir::LogicalResult evaluateCopy(mlir::Value from, mlir::Value to);
  mlir::LogicalResult evaluateAccumulate(AccumulateOp op);

  // Boundary.cpp, Fold.cpp.
  mlir::LogicalResult fillHalo(mlir::Operation *op, mlir::ArrayAttr conditions,
                               const ArrayView &view, mlir::Type elementType,
                               const Box &interior, unsigned firstAxis = 0);
  mlir::LogicalResult evaluateBoundary(BoundaryOp op);
  mlir::LogicalResult evaluateWindow(WindowOp op);
  mlir::FailureOr<TempValue>
  fillWindow(mlir::Operation *op, const ArrayView &from, const Box &box,
             const Box &interior, mlir::ArrayAttr conditions,
             mlir::Type elementType, const ArrayView *outside = nullptr);
  mlir::LogicalResult evaluateFold(FoldOp op);

  // Kernels of tiles (TileKernel.cpp, TileLists.cpp, TileMemory.cpp,
  // TileValues.cpp).
  mlir::LogicalResult evaluateKernel(tile::KernelOp op);
  mlir::LogicalResult prepareKernel(tile::KernelOp op, const Box &domain);
  mlir::LogicalResult evaluateTileOp(mlir::Operation *op);
  mlir::LogicalResult evaluateList(tile::KernelOp op);
  mlir::LogicalResult evaluateTurn(tile::TurnOp op);
  mlir::LogicalResult evaluateHalo(tile::HaloOp op);
  mlir::LogicalResult evaluateListStore(tile::StoreOp op);
  mlir::LogicalResult evaluateFold(tile::FoldOp op);
  mlir::LogicalResult evaluateWalk(tile::WalkOp op);
  mlir::LogicalResult evaluateWhere(tile::WhereOp op);
  mlir::FailureOr<Box> getNeeded(mlir::Operation *op, BoundsAttr needs);
  Box getNeededPlanes(BoundsAttr needs) const;
  mlir::LogicalResult evaluateRing(tile::RingOp op);
  mlir::LogicalResult evaluateCopy(tile::CopyOp op, int64_t plane,
                                   int64_t iteration);
  mlir::LogicalResult evaluateWait(tile::WaitOp op);
  mlir::LogicalResult evaluateFringe(tile::FringeOp op, int64_t plane);
  mlir::LogicalResult evaluatePatch(tile::PatchOp op, int64_t plane,
                                    int64_t iteration);
  mlir::LogicalResult evaluateAtEdge(tile::AtEdgeOp op);
  mlir::LogicalResult copyInside(tile::CopyOp op, const FieldValue &field,
                                 const ArrayView &view, const ArrayView &states,
                                 int64_t plane);
  mlir::FailureOr<const TempValue *> getBoundaryWindow(tile::PatchOp op);
  mlir::LogicalResult evaluatePut(tile::PutOp op);
  mlir::LogicalResult evaluateTake(tile::TakeOp op);
  void fillRing(Ring &ring, int64_t number, Ring::Plane filled);
  mlir::LogicalResult evaluateSource(tile::SourceOp op);
  mlir::LogicalResult evaluateStore(tile::StoreOp op);
  void storeImages(tile::StoreOp op, const ArrayView &field, const Box &region);
  mlir::LogicalResult evaluateJoin(tile::JoinOp op);
  mlir::LogicalResult evaluateShift(tile::ShiftOp op);
  mlir::LogicalResult evaluatePoison(mlir::ub::PoisonOp op);
  mlir::LogicalResult evaluateStage(ApplyOp op);
  mlir::FailureOr<std::optional<int64_t>> findPlane(ApplyOp stage);
  mlir::FailureOr<Ring::Plane *>
  findPlane(mlir::Operation *reader, const SourceValue &source, int64_t plane);
  mlir::FailureOr<TempValue> readRing(mlir::Operation *reader,
                                      const SourceValue &source, int64_t lower,
                                      int64_t upper);
  mlir::FailureOr<TileValue> readStored(tile::StoreOp op,
                                        const SourceValue &source);
  mlir::LogicalResult bindSource(Evaluation &evaluation, unsigned index,
                                 const SourceValue &source,
                                 llvm::SmallVectorImpl<RuntimeValue> &inputs);
  mlir::LogicalResult
  bindTileInputs(Evaluation &evaluation, int64_t plane,
                 llvm::SmallVectorImpl<RuntimeValue> &inputs);
  mlir::FailureOr<TileValue> makeTileValue(mlir::Operation *op,
                                           mlir::Type type);
  /// Null, with an error at `op`, if it is something else.
  TileValue *getTileValue(mlir::Operation *op, mlir::Value value);

  // Values by kind. A verified program has a value of that kind there; a temp
  // that is not known is an error at `op`.
  RuntimeValue &get(mlir::Value value) { return activation->values[value]; }
  const Scalar &getScalar(mlir::Value value) {
    return std::get<Scalar>(get(value));
  }
  int64_t getInteger(mlir::Value value) {
    const Scalar &scalar = getScalar(value);
    return scalar.cell.getInteger(scalar.kind);
  }
  FieldValue &getField(mlir::Value value) {
    return std::get<FieldValue>(get(value));
  }
  TempValue *getTemp(mlir::Operation *op, mlir::Value value);
  mlir::FailureOr<TempValue> makeTemp(mlir::Operation *op, Kind kind,
                                      const Box &box, bool isMasked);
  mlir::LogicalResult prepareWrite(mlir::Operation *op, FieldStorage &storage);

  /// Zeros; null if there is not as much memory.
  MemoryPool::Block allocateErrors(int64_t points);
  /// The error of a result of an elementwise op.
  void propagateError(mlir::Operation *op, unsigned index, Scalar &result);
  /// Counts a branch that rounding decides.
  void noteBranch(mlir::Value condition);

  const InterpreterOptions &options;
  std::optional<ErrorAnalysis> analysis;
  MemoryPool pool;
  ThreadTeam team;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Program>> programs;
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<ElementOp, 2>> elementOps;
  llvm::DenseMap<mlir::Block *, llvm::DenseMap<mlir::Operation *,
                                               llvm::SmallVector<mlir::Value>>>
      deaths;
  llvm::DenseMap<mlir::Operation *, bool> checked;
  Activation *activation = nullptr;
  /// Null outside of kernels of tiles.
  TileBlock *block = nullptr;
  /// Of the kernel that runs: what fields are with a boundary, as far as it is
  /// needed.
  std::map<std::tuple<const FieldStorage *, const void *, const void *>,
           TempValue>
      boundaryWindows;
  unsigned callDepth = 0;
  unsigned loopDepth = 0;
  std::chrono::steady_clock::time_point lastReport;
};

/// Emits that an array of this box does not fit in the memory.
mlir::LogicalResult emitTooLarge(mlir::Operation *op, const Box &box,
                                 Kind kind);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_EVALUATOR_H
