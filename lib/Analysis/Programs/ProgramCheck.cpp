//===- ProgramCheck.cpp - What must hold before a program is run ----------===//

#include "StencilDialect/Analysis/ProgramCheck.h"
#include "Recursion.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;
using namespace stencil;

namespace {
/// Checks a whole program. Every member emits what it finds and returns failure
/// if that is anything.
class ProgramChecker {
public:
  LogicalResult check(Operation *op);

private:
  LogicalResult checkControlFlow(FunctionOpInterface function);
  LogicalResult checkExtentsAreBound(FunctionOpInterface function);
  LogicalResult checkCarriedFields(Operation *loop);
  LogicalResult checkDistinct(Operation *op, ValueRange values, StringRef what);
  LogicalResult checkTemps(Operation *op);
  LogicalResult checkKernels(FunctionOpInterface function);
  LogicalResult checkBody(ApplyOp apply);
  LogicalResult checkEmptyResults(ApplyOp apply);

  FieldAliasAnalysis alias;
};
} // namespace

static bool isStencilOp(Operation *op) {
  return isa_and_nonnull<StencilDialect>(op->getDialect());
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

LogicalResult ProgramChecker::checkControlFlow(FunctionOpInterface function) {
  Operation *branch = nullptr, *stencilOp = nullptr;
  function->walk([&](Operation *op) {
    if (!branch && op->getNumSuccessors() > 0)
      branch = op;
    if (!stencilOp && isStencilOp(op))
      stencilOp = op;
  });
  if (!branch || !stencilOp)
    return success();
  return withNote(
      branch->emitOpError(
          "expected structured control flow (scf) in a stencil program"),
      stencilOp->getLoc(), "a stencil op is here");
}

/// Calls `callback` with every axis to whose extent a bound is relative.
static void forEachSymbolicAxis(BoundsAttr bounds,
                                llvm::function_ref<void(int64_t)> callback) {
  if (!bounds)
    return;
  for (int64_t axis = 0; axis < bounds.getRank(); ++axis)
    if (isSymbolic(bounds.getLb()[axis]) || isSymbolic(bounds.getUb()[axis]))
      callback(axis);
}

LogicalResult
ProgramChecker::checkExtentsAreBound(FunctionOpInterface function) {
  llvm::SmallDenseSet<int64_t> bound;
  // The extent of [-4,N+4) tells N; that of [N-4,N+4) does not.
  auto bind = [&](Type type) {
    auto field = dyn_cast<FieldType>(type);
    if (!field || !field.getBounds())
      return;
    for (auto [axis, lower, upper] :
         llvm::enumerate(field.getBounds().getLb(), field.getBounds().getUb()))
      if (!isSymbolic(lower) && isSymbolic(upper))
        bound.insert(axis);
  };
  Block &entry = function.getFunctionBody().front();
  llvm::for_each(entry.getArgumentTypes(), bind);
  for (CastOp cast : entry.getOps<CastOp>()) {
    auto source = dyn_cast<BlockArgument>(alias.getSource(cast.getField()));
    if (source && source.getOwner() == &entry)
      bind(cast.getResult().getType());
  }

  bool failed = false;
  function->walk([&](Operation *op) {
    auto use = [&](int64_t axis) {
      if (!bound.insert(axis).second)
        return;
      failed = true;
      InFlightDiagnostic diag =
          op->emitOpError("has bounds relative to the extent of axis ")
          << axis << ", which nothing binds";
      diag.attachNote(function.getLoc())
          << "expected an argument with such bounds on axis " << axis
          << ", or a stencil.cast of an argument to such bounds at the top "
             "level of this function";
    };
    for (Type type : op->getResultTypes())
      if (auto grid = dyn_cast<GridType>(type))
        forEachSymbolicAxis(grid.getBounds(), use);
    forEachSymbolicAxis(op->getAttrOfType<BoundsAttr>("bounds"), use);
  });
  return failure(failed);
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

LogicalResult ProgramChecker::checkDistinct(Operation *op, ValueRange values,
                                            StringRef what) {
  for (auto [i, a] : llvm::enumerate(values)) {
    if (!isa<FieldType>(a.getType()))
      continue;
    for (auto [j, b] : llvm::enumerate(values.take_front(i)))
      if (isa<FieldType>(b.getType()) && alias.mayAlias(a, b))
        return op->emitOpError("expected distinct fields, but ")
               << what << ' ' << j << " and " << i
               << (alias.mustAlias(a, b) ? " are the same"
                                         : " may be the same");
  }
  return success();
}

LogicalResult ProgramChecker::checkCarriedFields(Operation *loop) {
  const CarriedFields &carried = alias.getCarriedFields(loop);
  if (llvm::none_of(carried.args,
                    [](Value arg) { return isa<FieldType>(arg.getType()); }))
    return success();
  if (!carried.permutes) {
    OpOperand *culprit = carried.culprit;
    InFlightDiagnostic diag =
        culprit->getOwner()->emitOpError(
            "expected a permutation of the fields that the loop carries, but "
            "operand ")
        << culprit->getOperandNumber();
    Value source = alias.getSource(culprit->get());
    bool isCarried = carried.find(source) >= 0;
    diag << (isCarried ? " is yielded twice" : " is none of them");
    diag.attachNote(loop->getLoc()) << "the loop is here";
    return diag;
  }
  return checkDistinct(loop, carried.inits, "initial fields");
}

//===----------------------------------------------------------------------===//
// Temps
//===----------------------------------------------------------------------===//

LogicalResult ProgramChecker::checkTemps(Operation *op) {
  // Terminators: the op around them is to blame, by its results.
  if (isa<scf::YieldOp, scf::ConditionOp, func::ReturnOp>(op))
    return success();
  auto isTemp = [](Type type) { return isa<TempType>(type); };
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    if (llvm::any_of(function.getArgumentTypes(), isTemp) ||
        llvm::any_of(function.getResultTypes(), isTemp))
      return op->emitOpError(
          "a value cannot cross a function boundary; pass a field");
    return success();
  }
  if (auto buffer = dyn_cast<BufferOp>(op);
      buffer && !isTemp(buffer.getRes().getType()))
    return op->emitOpError("expected a value as the result, got ")
           << buffer.getRes().getType();
  if (op->hasTrait<InBody>() || op->hasTrait<HandlesValues>())
    return success();
  bool holdsTemp = llvm::any_of(op->getOperandTypes(), isTemp) ||
                   llvm::any_of(op->getResultTypes(), isTemp);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      holdsTemp |= llvm::any_of(block.getArgumentTypes(), isTemp);
  if (!holdsTemp)
    return success();
  if (isa<LoopLikeOpInterface>(op))
    return op->emitOpError(
        "a value cannot be carried by a loop; store it to a field");
  if (isa<RegionBranchOpInterface>(op))
    return op->emitOpError(
        "a value cannot be returned by a branch; store it to a field");
  if (isa<CallOpInterface>(op))
    return op->emitOpError(
        "a value cannot cross a function boundary; pass a field");
  return op->emitOpError("expected values of !stencil.temp to be made and used "
                         "by stencil ops");
}

/// The first kernel of tiles; null if there is none.
static Operation *findKernel(Operation *function) {
  Operation *found = nullptr;
  function->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tile::KernelOp>(op)) {
      found = op;
      return WalkResult::interrupt();
    }
    return isa<ApplyOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return found;
}

bool stencil::hasKernel(Operation *function) {
  return findKernel(function) != nullptr;
}

LogicalResult ProgramChecker::checkKernels(FunctionOpInterface function) {
  Operation *kernel = findKernel(function);
  if (!kernel)
    return success();
  return checkWithin<WalkOrder::PreOrder>(
      *function, [&](Operation *op) -> WalkResult {
        if (op->hasTrait<KernelLike>() && op->getNumResults() == 0)
          return WalkResult::skip();
        if (!llvm::any_of(op->getResultTypes(), llvm::IsaPred<TempType>))
          return WalkResult::advance();
        InFlightDiagnostic diag =
            op->emitOpError("expected no values outside of ")
            << kernel->getName()
            << " in a function that has one: make it after stencil-bufferize";
        diag.attachNote(kernel->getLoc())
            << "the " << kernel->getName() << " is here";
        return diag;
      });
}

LogicalResult ProgramChecker::checkBody(ApplyOp apply) {
  bool failed = false;
  Footprint(apply).forEachRead([&](const InputRead &read) {
    auto type = cast<GridType>(read.input.getType());
    bool isReported = false;
    forEachSymbolicAxis(type.getBounds(), [&](int64_t axis) {
      if (read.axes[axis] == axis || isReported)
        return;
      isReported = failed = true;
      read.op->emitOpError("expected static bounds on axis ")
          << axis << " of the input, which is axis " << read.axes[axis]
          << " of the apply, got " << Type(type);
    });
  });
  if (BoundsAttr domain = apply.getDomain())
    failed |= checkUnroll(apply, domain).failed();
  return failure(failed);
}

LogicalResult stencil::checkUnroll(ApplyOp apply, BoundsAttr domain) {
  SmallVector<int64_t> shape = domain.getShape();
  for (auto [axis, extent, factor] :
       llvm::enumerate(shape, apply.getUnrollFactors())) {
    bool isKnown = !ShapedType::isDynamic(extent);
    if (factor == 1 || (isKnown && extent % factor == 0))
      continue;
    InFlightDiagnostic diag =
        apply.getBodyBlock()->getTerminator()->emitOpError(
            "expected the extent of axis ")
        << axis << " to be a multiple of the unroll factor " << factor;
    if (isKnown)
      diag << ", got " << extent;
    else
      diag << ", but it is not known at compile time";
    diag.attachNote(apply.getLoc()) << "evaluated on " << domain << " here";
    return diag;
  }
  return success();
}

Value stencil::getCombined(CombineOp combine, unsigned operand) {
  unsigned pairs = combine.getLower().size();
  return combine.getResult(operand < pairs ? operand : operand - pairs);
}

ValueRange stencil::getReturned(ApplyOp apply, unsigned output) {
  ValueRange all = apply.getBodyBlock()->getTerminator()->getOperands();
  size_t points = all.size() / apply.getNumOutputs();
  return all.slice(output * points, points);
}

/// The op that may leave `returned`, an operand of stencil.return, without a
/// value; null if it has one for sure.
static Operation *findEmptyResult(Value returned) {
  llvm::SetVector<Value> worklist;
  worklist.insert(returned);
  for (size_t i = 0; i < worklist.size(); ++i) {
    Value value = worklist[i];
    if (!isa<ResultType>(value.getType()))
      continue;
    Operation *op = value.getDefiningOp();
    if (auto storeResult = dyn_cast_or_null<StoreResultOp>(op)) {
      if (!storeResult.getArg())
        return op;
    } else if (auto ifOp = dyn_cast_or_null<scf::IfOp>(op)) {
      unsigned number = cast<OpResult>(value).getResultNumber();
      worklist.insert(ifOp.thenYield().getOperand(number));
      worklist.insert(ifOp.elseYield().getOperand(number));
    } else if (auto select = dyn_cast_or_null<arith::SelectOp>(op)) {
      worklist.insert(select.getTrueValue());
      worklist.insert(select.getFalseValue());
    } else {
      return op ? op : value.getParentBlock()->getParentOp();
    }
  }
  return nullptr;
}

bool stencil::mayBeEmpty(OpResult result) {
  return llvm::any_of(
      getReturned(cast<ApplyOp>(result.getOwner()), result.getResultNumber()),
      findEmptyResult);
}

LogicalResult ProgramChecker::checkEmptyResults(ApplyOp apply) {
  if (apply.isBufferised())
    return success();
  llvm::SetVector<Value> partial;
  Operation *empty = nullptr;
  for (OpResult result : apply->getResults())
    for (Value value : getReturned(apply, result.getResultNumber()))
      if (Operation *op = findEmptyResult(value); op && partial.insert(result))
        empty = op;
  for (size_t i = 0; i < partial.size(); ++i) {
    for (OpOperand &use : partial[i].getUses()) {
      Operation *user = use.getOwner();
      if (isa<StoreOp>(user))
        continue;
      if (auto combine = dyn_cast<CombineOp>(user)) {
        partial.insert(getCombined(combine, use.getOperandNumber()));
        continue;
      }
      if (auto reader = dyn_cast<ApplyOp>(user)) {
        BlockArgument argument =
            reader.getBodyBlock()->getArgument(use.getOperandNumber());
        if (argument.use_empty())
          continue;
        user = *argument.user_begin();
      }
      InFlightDiagnostic diag = user->emitOpError(
          "reads a value that is not there at some points; expected it to be "
          "stored first");
      diag.attachNote(empty->getLoc()) << "no value may be returned here";
      return diag;
    }
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The whole program
//===----------------------------------------------------------------------===//

LogicalResult ProgramChecker::check(Operation *op) {
  bool failed = checkTemps(op).failed();
  if (auto function = dyn_cast<FunctionOpInterface>(op);
      function && !function.isExternal()) {
    failed |= checkControlFlow(function).failed();
    failed |= checkExtentsAreBound(function).failed();
    failed |= checkKernels(function).failed();
  } else if (isa<scf::ForOp, scf::WhileOp>(op)) {
    failed |= checkCarriedFields(op).failed();
  } else if (auto call = dyn_cast<CallOpInterface>(op)) {
    failed |= checkDistinct(op, call.getArgOperands(), "arguments").failed();
  } else if (auto apply = dyn_cast<ApplyOp>(op)) {
    failed |= checkBody(apply).failed();
    failed |= checkEmptyResults(apply).failed();
  } else if (isa<ReduceOp>(op)) {
    op->emitOpError("has no result and cannot be run; use stencil.fold");
    failed = true;
  } else if (isa<ub::PoisonOp>(op)) {
    op->emitOpError("has no value and cannot be run");
    failed = true;
  }
  return failure(failed);
}

LogicalResult stencil::checkProgram(Operation *root) {
  ProgramChecker checker;
  CallWalker calls;
  bool failed = false;
  for (Region &region : root->getRegions())
    for (auto function : region.getOps<FunctionOpInterface>())
      failed =
          failed ||
          calls.walk(function, [](auto, auto) { return success(); }).failed();
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    failed |= checker.check(op).failed();
    // What values are made of and who reads them, its verifier knows.
    return isa<tile::KernelOp>(op) ? WalkResult::skip() : WalkResult::advance();
  });
  return failure(failed);
}
