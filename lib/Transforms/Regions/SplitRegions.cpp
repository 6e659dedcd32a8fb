//===- SplitRegions.cpp - Applies without branches on the point -----------===//
//
// The region decomposition of seismic codes: an apply that branches on where
// its point is becomes one apply per box of points that go the same way.
//
//===----------------------------------------------------------------------===//

#include "Bodies/BodyPruning.h"
#include "RegionSplitter.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILSPLITREGIONS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// A body some branches of which are taken
//===----------------------------------------------------------------------===//

void SpecializedBody::copy(Block &block, OpBuilder &builder) {
  for (Operation &op : block)
    copy(op, builder);
}

void SpecializedBody::copy(Operation &op, OpBuilder &builder) {
  if (auto it = decided.find(&op); it != decided.end()) {
    bool isTrue = it->second;
    if (auto select = dyn_cast<arith::SelectOp>(op)) {
      mapping.map(select.getResult(),
                  mapping.lookupOrDefault(isTrue ? select.getTrueValue()
                                                 : select.getFalseValue()));
      return;
    }
    auto ifOp = cast<scf::IfOp>(op);
    Block *taken = isTrue ? ifOp.thenBlock() : ifOp.elseBlock();
    if (!taken)
      return;
    for (Operation &inner : taken->without_terminator())
      copy(inner, builder);
    for (auto [result, value] : llvm::zip_equal(
             ifOp.getResults(), taken->getTerminator()->getOperands()))
      mapping.map(result, mapping.lookupOrDefault(value));
    return;
  }
  if (op.getNumResults() == 1)
    if (auto it = known.find(op.getResult(0)); it != known.end()) {
      mapping.map(op.getResult(0),
                  arith::ConstantOp::create(builder, op.getLoc(),
                                            builder.getBoolAttr(it->second)));
      return;
    }
  Operation *created = builder.cloneWithoutRegions(op, mapping);
  for (auto [from, to] :
       llvm::zip_equal(op.getRegions(), created->getRegions())) {
    // Structured control flow: a block at most.
    if (!from.hasOneBlock()) {
      from.cloneInto(&to, mapping);
      continue;
    }
    OpBuilder::InsertionGuard guard(builder);
    Block *block = builder.createBlock(&to);
    for (BlockArgument argument : from.getArguments())
      mapping.map(argument,
                  block->addArgument(argument.getType(), argument.getLoc()));
    copy(from.front(), builder);
  }
}

SpecializedBody::SpecializedBody(ApplyOp apply,
                                 llvm::DenseMap<Operation *, bool> decided,
                                 llvm::DenseMap<Value, bool> known)
    : apply(apply), decided(std::move(decided)), known(std::move(known)) {
  OpBuilder builder(apply.getContext());
  Block *block = builder.createBlock(&region);
  for (BlockArgument argument : apply.getBodyBlock()->getArguments())
    mapping.map(argument,
                block->addArgument(argument.getType(), argument.getLoc()));
  copy(*apply.getBodyBlock(), builder);
}

SmallVector<Value> SpecializedBody::getReturned(unsigned result) {
  ValueRange returned = region.front().getTerminator()->getOperands();
  size_t lanes = returned.size() / apply.getNumOutputs();
  return llvm::to_vector(returned.slice(result * lanes, lanes));
}

bool SpecializedBody::isEmpty(unsigned result) {
  return llvm::all_of(getReturned(result), [](Value value) {
    auto stored = value.getDefiningOp<StoreResultOp>();
    return stored && !stored.getArg();
  });
}

void SpecializedBody::keep(ArrayRef<unsigned> results) {
  SmallVector<Value> returned;
  for (unsigned result : results) {
    SmallVector<Value> values = getReturned(result);
    bool isStored = llvm::all_of(values, [](Value value) {
      auto stored = value.getDefiningOp<StoreResultOp>();
      return stored && stored.getArg();
    });
    for (Value value : values)
      returned.push_back(
          isStored ? value.getDefiningOp<StoreResultOp>().getArg() : value);
  }
  region.front().getTerminator()->setOperands(returned);
  eraseUnusedOps(region);
}

void SpecializedBody::moveTo(ApplyOp created) {
  Block *body = created.getBodyBlock();
  for (auto [from, to] :
       llvm::zip_equal(region.front().getArguments(), body->getArguments()))
    from.replaceAllUsesWith(to);
  body->getOperations().splice(body->end(), region.front().getOperations());
  dropUnusedOperands(created);
}

namespace {
struct SplitRegions : stencil::impl::StencilSplitRegionsBase<SplitRegions> {
  using StencilSplitRegionsBase::StencilSplitRegionsBase;

  void runOnOperation() override;

private:
  LogicalResult split(ApplyOp apply, const ShapeInference &shapes,
                      FieldAliasAnalysis &aliases,
                      ArrayRef<int64_t> minimalExtents);
};

} // namespace

static std::optional<RegionMode> parseMode(StringRef name) {
  return llvm::StringSwitch<std::optional<RegionMode>>(name)
      .Case("all", RegionMode::All)
      .Case("two", RegionMode::Two)
      .Case("keep", RegionMode::Keep)
      .Default(std::nullopt);
}

LogicalResult SplitRegions::split(ApplyOp apply, const ShapeInference &shapes,
                                  FieldAliasAnalysis &aliases,
                                  ArrayRef<int64_t> minimalExtents) {
  std::optional<RegionMode> mode = parseMode(regions);
  bool isDemanded = false;
  if (auto wanted = apply->getAttrOfType<StringAttr>(kRegionsAttr)) {
    mode = parseMode(wanted);
    isDemanded = mode != RegionMode::Keep;
  }
  if (mode == RegionMode::Keep)
    return success();
  // What an apply says itself holds for it alone.
  ArrayRef<int64_t> cut = axes;
  if (auto own = apply->getAttrOfType<DenseI64ArrayAttr>(kRegionAxesAttr))
    cut = own.asArrayRef();
  RegionSplitter splitter(apply, *mode, shapes, aliases, minimalExtents, cut);
  if (splitter.plan(maxRegions)) {
    splitter.rewrite();
    return success();
  }
  if (isDemanded && !splitter.reason.empty()) {
    InFlightDiagnostic diag =
        apply.emitOpError("cannot be split into regions: ") << splitter.reason;
    if (splitter.culprit && splitter.culprit != apply)
      diag.attachNote(splitter.culprit->getLoc()) << "the branch is here";
    return diag;
  }
  if (splitter.culprit)
    remarkMissed(apply.getLoc(), "Regions", "NotSplit",
                 "not split into regions: " + splitter.reason);
  return success();
}

void SplitRegions::runOnOperation() {
  if (!parseMode(regions)) {
    emitError(getStart(getOperation()),
              "expected regions=all, regions=two or regions=keep, got '")
        << regions << "'";
    return signalPassFailure();
  }
  if (maxRegions < 2 || maxRegions > 4096) {
    emitError(getStart(getOperation()),
              "expected max-regions from 2 to 4096, got ")
        << maxRegions.getValue();
    return signalPassFailure();
  }
  llvm::SmallDenseSet<int64_t> seen;
  for (int64_t axis : axes)
    if (axis < 0 || !seen.insert(axis).second) {
      emitError(getStart(getOperation()),
                "expected different axes from 0 on, got axis ")
          << axis << (axis < 0 ? "" : " twice");
      return signalPassFailure();
    }
  if (failed(checkProgram(getOperation())))
    return signalPassFailure();
  FailureOr<ShapeInference> shapes = ShapeInference::compute(getOperation());
  if (failed(shapes))
    return signalPassFailure();
  // Users of an apply's results come later in the text: they are still there
  // when it is split.
  SmallVector<std::pair<ApplyOp, Operation *>> applies;
  llvm::DenseMap<Operation *, SmallVector<int64_t>> minimal;
  getOperation()->walk([&](ApplyOp apply) {
    if (isa<PipelineOp>(apply->getParentOp()) ||
        apply->getParentOfType<tile::KernelOp>())
      return;
    auto function = apply->getParentOfType<FunctionOpInterface>();
    applies.push_back({apply, function});
    if (function && !minimal.contains(function))
      minimal[function] = minimalExtents(function);
  });
  // Neither loops nor branches around applies change.
  FieldAliasAnalysis aliases;
  for (auto [apply, function] : applies)
    if (failed(split(apply, *shapes, aliases, minimal[function])))
      return signalPassFailure();
}
