//===- WorkCount.cpp - What a call of a program has to do -----------------===//

#include "StencilDialect/Execution/Benchmark.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Follows the control flow of a function after shape inference. Only scalars
/// that follow from the arguments are known; whoever needs another one gives
/// up.
class WorkCounter {
public:
  WorkCounter(const Extents &extents) : extents(extents) {}

  void bind(Value value, Attribute constant) { constants[value] = constant; }

  /// The work of one execution of a block.
  std::optional<Work> countBlock(Block &block);

private:
  std::optional<Work> countOp(Operation &op, llvm::SetVector<Value> &reads);
  std::optional<Work> countFor(scf::ForOp loop);
  std::optional<Work> countIf(scf::IfOp op);
  std::optional<uint64_t> countBytes(GridType type, BoundsAttr bounds);
  void foldConstants(Operation &op);

  std::optional<int64_t> getConstant(Value value) {
    auto attribute = dyn_cast_or_null<IntegerAttr>(constants.lookup(value));
    if (!attribute)
      return std::nullopt;
    return attribute.getValue().sextOrTrunc(64).getSExtValue();
  }

  const Extents &extents;
  llvm::DenseMap<Value, Attribute> constants;
};

} // namespace

static bool add(std::optional<Work> &total, std::optional<Work> more,
                uint64_t times = 1) {
  if (!more) {
    total = std::nullopt;
    return false;
  }
  total->pointUpdates = llvm::SaturatingMultiplyAdd(more->pointUpdates, times,
                                                    total->pointUpdates);
  total->bytes = llvm::SaturatingMultiplyAdd(more->bytes, times, total->bytes);
  return true;
}

std::optional<uint64_t> WorkCounter::countBytes(GridType type,
                                                BoundsAttr bounds) {
  std::optional<ElementKind> kind = getElementKind(type.getElementType());
  std::optional<int64_t> points;
  if (bounds)
    points = extents.countPoints(bounds);
  if (!kind || !points)
    return std::nullopt;
  return *points * getElementSize(*kind);
}

void WorkCounter::foldConstants(Operation &op) {
  if (op.getNumRegions() != 0 || op.getNumResults() == 0 || !isPure(&op))
    return;
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands()) {
    Attribute constant = constants.lookup(operand);
    if (!constant)
      return;
    operands.push_back(constant);
  }
  SmallVector<OpFoldResult> results;
  if (failed(op.fold(operands, results)) ||
      results.size() != op.getNumResults())
    return;
  for (auto [value, result] : llvm::zip_equal(op.getResults(), results)) {
    if (auto constant = dyn_cast<Attribute>(result))
      constants[value] = constant;
    else if (Attribute same = constants.lookup(cast<Value>(result)))
      constants[value] = same;
  }
}

std::optional<Work> WorkCounter::countFor(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstant(loop.getLowerBound());
  std::optional<int64_t> upper = getConstant(loop.getUpperBound());
  std::optional<int64_t> step = getConstant(loop.getStep());
  if (!lower || !upper || !step || *step <= 0)
    return std::nullopt;
  if (*upper <= *lower)
    return Work();
  uint64_t trips = llvm::divideCeil(static_cast<uint64_t>(*upper) -
                                        static_cast<uint64_t>(*lower),
                                    static_cast<uint64_t>(*step));

  // Most loops do the same in every iteration.
  std::optional<Work> total = Work();
  if (std::optional<Work> body = countBlock(*loop.getBody())) {
    add(total, body, trips);
    return total;
  }
  constexpr uint64_t patience = 100000;
  if (trips > patience)
    return std::nullopt;
  Type type = loop.getInductionVar().getType();
  for (uint64_t trip = 0; trip < trips; ++trip) {
    bind(loop.getInductionVar(),
         IntegerAttr::get(type, *lower + static_cast<int64_t>(trip) * *step));
    if (!add(total, countBlock(*loop.getBody())))
      break;
  }
  constants.erase(loop.getInductionVar());
  return total;
}

std::optional<Work> WorkCounter::countIf(scf::IfOp op) {
  std::optional<int64_t> condition = getConstant(op.getCondition());
  auto countRegion = [&](Region &region) {
    return region.empty() ? Work() : countBlock(region.front());
  };
  if (condition)
    return countRegion(*condition ? op.getThenRegion() : op.getElseRegion());
  std::optional<Work> thenWork = countRegion(op.getThenRegion());
  std::optional<Work> elseWork = countRegion(op.getElseRegion());
  if (thenWork && elseWork && thenWork->bytes == elseWork->bytes &&
      thenWork->pointUpdates == elseWork->pointUpdates)
    return thenWork;
  return std::nullopt;
}

std::optional<Work> WorkCounter::countOp(Operation &op,
                                         llvm::SetVector<Value> &reads) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return countFor(loop);
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return countIf(conditional);
  if (op.hasTrait<HandlesValues>())
    for (Value operand : op.getOperands())
      if (isa<TempType>(operand.getType()) && operand.getDefiningOp<LoadOp>())
        reads.insert(operand);
  if (auto store = dyn_cast<StoreOp>(op)) {
    auto bytes = countBytes(cast<GridType>(store.getField().getType()),
                            store.getBounds());
    auto points = extents.countPoints(store.getBounds());
    if (!bytes || !points)
      return std::nullopt;
    return Work{static_cast<uint64_t>(*points), *bytes};
  }
  if (auto apply = dyn_cast<ApplyOp>(op); apply && apply.isBufferised()) {
    std::optional<int64_t> points;
    if (apply.getDomain())
      points = extents.countPoints(apply.getDomain());
    if (!points)
      return std::nullopt;
    Work work{*points * apply.getDest().size(), 0};
    for (Value field : llvm::concat<Value>(SmallVector<Value>(apply.getArgs()),
                                           SmallVector<Value>(apply.getDest())))
      if (auto type = dyn_cast<GridType>(field.getType()))
        if (auto bytes = countBytes(type, apply.getDomain()))
          work.bytes += *bytes;
    return work;
  }
  // What else has stencils inside cannot be followed.
  if (op.getNumRegions() != 0 && !isa<ApplyOp>(op)) {
    bool inside = op.walk([](StoreOp) {
                      return WalkResult::interrupt();
                    }).wasInterrupted();
    if (inside)
      return std::nullopt;
  }
  if (isa<func::CallOp>(op) && llvm::any_of(op.getOperandTypes(), isFieldLike))
    return std::nullopt;
  foldConstants(op);
  return Work();
}

std::optional<Work> WorkCounter::countBlock(Block &block) {
  std::optional<Work> total = Work();
  llvm::SetVector<Value> reads;
  for (Operation &op : block)
    if (!add(total, countOp(op, reads)))
      return std::nullopt;
  for (Value read : reads) {
    auto type = cast<GridType>(read.getType());
    std::optional<uint64_t> bytes = countBytes(type, type.getBounds());
    if (!bytes)
      return std::nullopt;
    total->bytes += *bytes;
  }
  return total;
}

std::optional<Work>
stencil::countWork(func::FuncOp entry, const Extents &extents,
                   llvm::ArrayRef<InterpreterArgument> arguments) {
  MLIRContext *context = entry.getContext();
  OwningOpRef<ModuleOp> module = entry->getParentOfType<ModuleOp>().clone();
  auto copy = module->lookupSymbol<func::FuncOp>(entry.getName());
  {
    // Whoever runs the program hears of what is wrong with it.
    ScopedDiagnosticHandler silence(context, [](Diagnostic &) {});
    PassManager manager(context);
    manager.addPass(createStencilInferShapes());
    if (failed(manager.run(*module)))
      return std::nullopt;
  }
  if (!llvm::hasSingleElement(copy.getBody()))
    return std::nullopt;
  WorkCounter counter(extents);
  for (auto [value, argument] :
       llvm::zip_equal(copy.getArguments(), arguments)) {
    const auto *scalar = std::get_if<ScalarValue>(&argument);
    if (!scalar)
      continue;
    Type type = value.getType();
    if (const auto *integer = std::get_if<int64_t>(scalar))
      counter.bind(value, IntegerAttr::get(type, *integer));
    else
      counter.bind(value,
                   FloatAttr::get(type, static_cast<double>(
                                            std::get<long double>(*scalar))));
  }
  return counter.countBlock(copy.getBody().front());
}
