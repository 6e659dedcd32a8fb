//===- TileKernelOp.cpp - Kernels -----------------------------------------===//

#include "../Dialect/BodyOps.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Tile/Tile.h"
#include "StencilDialect/Tile/ValueLayouts.h"
#include "TileChecks.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

ParseResult tile::parseOtherAttributes(OpAsmParser &parser,
                                       OperationState &result,
                                       ArrayRef<StringRef> taken) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (StringRef name : taken)
    if (result.attributes.get(name))
      return parser.emitError(loc, "expected '")
             << name << "' before the attributes only";
  return success();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  StringAttr name;
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  GridAttr grid;
  ListAttr list;
  if (parser.parseSymbolName(name))
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  if (parseBindings(parser, arguments, operands, types) ||
      parser.parseKeyword("grid") ||
      parser.parseCustomAttributeWithFallback(grid) ||
      (succeeded(parser.parseOptionalKeyword("list")) &&
       parser.parseCustomAttributeWithFallback(list)) ||
      parseOtherAttributes(parser, result, {"name", "grid", "list"}) ||
      parser.parseRegion(*result.addRegion(), arguments,
                         /*enableNameShadowing=*/true) ||
      parser.resolveOperands(operands, types, loc, result.operands))
    return failure();
  Properties &properties = result.getOrAddProperties<Properties>();
  properties.name = name;
  properties.grid = grid;
  if (list)
    properties.list = list;
  if (result.regions.front()->empty())
    result.regions.front()->emplaceBlock();
  return success();
}

void KernelOp::print(OpAsmPrinter &printer) {
  printer << ' ';
  printer.printSymbolName(getName());
  printer << '(';
  llvm::interleaveComma(
      llvm::zip_equal(getBodyBlock()->getArguments(), getArgs()), printer,
      [&](auto pair) {
        auto [argument, operand] = pair;
        printer << argument << " = " << operand << " : " << operand.getType();
      });
  printer << ") grid ";
  printer.printStrippedAttrOrType(getGrid());
  if (getList()) {
    printer << " list ";
    printer.printStrippedAttrOrType(getListAttr());
  }
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(),
                                           {"name", "grid", "list"});
  printer << ' ';
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

LogicalResult KernelOp::verify() {
  for (Operation *outer = (*this)->getParentOp(); outer;
       outer = outer->getParentOp())
    if (outer->hasTrait<KernelLike>())
      return withNote(emitOpError("expected to be outside of a ")
                          << outer->getName(),
                      outer->getLoc(), "it is here");
  if (getName().empty())
    return emitOpError("expected a name, got an empty one");
  if (failed(verifyBindings(*this, *getBodyBlock(), getArgs())))
    return failure();
  for (Value operand : getArgs()) {
    auto field = dyn_cast<FieldType>(operand.getType());
    if (field && !field.getBounds())
      return emitOpError("expected fields with bounds, got ")
             << operand.getType();
    if (field && field.getRank() > getGrid().getRank())
      return emitOpError("expected fields of at most rank ")
             << getGrid().getRank() << ", that of the grid, got "
             << operand.getType();
    auto memory = dyn_cast<MemRefType>(operand.getType());
    if (!field && !operand.getType().isIntOrIndexOrFloat() &&
        !(memory && memory.getRank() == 1))
      return emitOpError("expected fields, numbers, indices and memory with "
                         "one axis, got ")
             << operand.getType();
  }
  return success();
}

Value KernelOp::getOperandOf(Value argument) {
  auto known = dyn_cast<BlockArgument>(argument);
  return known && known.getOwner() == getBodyBlock()
             ? getArgs()[known.getArgNumber()]
             : Value();
}

/// Whether ops of some kinds use a field, or the one whose turn it is.
template <typename... Ops> static bool isUsedBy(Value field) {
  return llvm::any_of(field.getUsers(), [](Operation *user) {
    auto turn = dyn_cast<TurnOp>(user);
    return isa<Ops...>(user) || (turn && isUsedBy<Ops...>(turn.getRes()));
  });
}

bool KernelOp::isRead(Value argument) {
  return isUsedBy<CopyOp, SourceOp, HaloOp, FringeOp, PatchOp>(argument);
}

bool KernelOp::isStored(Value argument) {
  return isUsedBy<tile::StoreOp>(argument);
}

LayoutAttr KernelOp::getLayout() { return getGrid().getHeldLayout(); }

bool KernelOp::copiesPastRegisters() {
  return llvm::any_of(getBodyBlock()->getOps<RingOp>(), [](RingOp ring) {
    return llvm::is_contained({Fill::Async, Fill::Tma},
                              cast<RingType>(ring.getType()).getFill());
  });
}

int64_t KernelOp::getSharedBytes() {
  int64_t own = 0, largest = 0;
  llvm::SmallDenseMap<int64_t, int64_t> overlays;
  for (auto ring : getBodyBlock()->getOps<RingOp>()) {
    int64_t bytes = ring.getBytes();
    auto overlay = ring.getOverlay();
    int64_t &sum = overlay ? overlays[*overlay] : own;
    sum += bytes;
    if (overlay)
      largest = std::max(largest, sum);
  }
  return own + largest;
}

void KernelOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (auto [operand, argument] :
       llvm::zip_equal(getArgsMutable(), getBodyBlock()->getArguments())) {
    if (isa<MemRefType>(argument.getType()))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    if (!isa<FieldType>(argument.getType()))
      continue;
    if (isRead(argument))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isStored(argument))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

/// That a layout has a register for each point of a stage's box.
static LogicalResult verifyCover(ApplyOp stage, LayoutAttr layout,
                                 KernelOp kernel) {
  BoundsAttr box = stage.getDomain();
  if (layout.getRank() != box.getRank())
    return stage.emitOpError("expected a layout of rank ")
           << box.getRank() << ", that of the grid, got " << layout.getRank();
  if (int64_t threads = kernel.getGrid().getHeldLayout().countThreads();
      layout.countThreads() != threads)
    return stage.emitOpError("expected a layout for the ")
           << threads << " threads of the kernel, got one for "
           << layout.countThreads();
  for (int64_t axis = 0; axis < box.getRank(); ++axis)
    if (int64_t extent = box.getUb()[axis] - box.getLb()[axis];
        extent > layout.getExtent(axis))
      return stage.emitOpError("expected a box that its layout covers: ")
             << layout.getExtent(axis) << " points along axis " << axis
             << ", got " << extent;
  return success();
}

/// That a stage computes the tile, and beside it nothing that its layout does
/// not have.
static LogicalResult verifyRim(ApplyOp stage, CoreAndRimAttr layout,
                               KernelOp kernel) {
  if (layout.getCore() != kernel.getLayout())
    return stage.emitOpError("expected the kernel's layout as the core, ")
           << kernel.getLayout() << ", got " << layout.getCore();
  if (llvm::product_of(stage.getUnrollFactors()) != 1)
    return stage.emitOpError("expected a body that returns one point, as the "
                             "rim is computed point by point, got one that "
                             "returns ")
           << llvm::product_of(stage.getUnrollFactors());
  BoundsAttr box = stage.getDomain(), tile = kernel.getGrid().getTileBox();
  std::optional<int64_t> walk = kernel.getGrid().getWalk();
  for (int64_t axis = 0; axis < box.getRank(); ++axis) {
    int64_t lower = box.getLb()[axis], upper = box.getUb()[axis];
    int64_t first = layout.getBox().getLb()[axis];
    int64_t end = layout.getBox().getUb()[axis];
    if (axis == walk) {
      if (first != 0 || end != 1 || upper - lower != 1)
        return stage.emitOpError("expected one plane, and a layout of [0,1] "
                                 "along axis ")
               << axis << ", got [" << lower << "," << upper << "] and ["
               << first << "," << end << "]";
      continue;
    }
    if (lower < first || upper > end || lower > 0 || upper < tile.getUb()[axis])
      return stage.emitOpError("expected a box that has the tile and lies in "
                               "that of its layout: from [0,")
             << tile.getUb()[axis] << "] to [" << first << "," << end
             << "] along axis " << axis << ", got [" << lower << "," << upper
             << "]";
  }
  return success();
}

/// Who reads a ring whose rows have gaps has asked for them.
static LogicalResult verifyGaps(ApplyOp stage, EngineAttrInterface engine) {
  for (auto [number, input] : llvm::enumerate(stage.getArgs())) {
    auto source = input.getDefiningOp<SourceOp>();
    auto ring =
        source ? dyn_cast<RingType>(source.getMemory().getType()) : RingType();
    if (!ring || ring.getGap() == 0)
      continue;
    OperandAccess access =
        engine.getOperandAccess(stage, static_cast<unsigned>(number));
    if (access.rowGap != ring.getGap() ||
        access.rowSegment != ring.getSegment())
      return stage.emitOpError("expected a ring ")
             << (access.rowGap == 0
                     ? std::string("without gaps")
                     : "with gaps of " + std::to_string(access.rowGap) +
                           " behind " + std::to_string(access.rowSegment))
             << " for its engine, got " << ring;
  }
  return success();
}

/// A stage's values are held by threads: each of its points by one.
static LogicalResult verifyStage(ApplyOp stage, KernelOp kernel,
                                 StageReads &reads) {
  if (stage.isBufferised())
    return stage.emitOpError("expected results, not fields, in a tile.kernel");
  EngineAttrInterface engine = getEngine(stage);
  if (failed(engine.check(stage, kernel)) || failed(verifyGaps(stage, engine)))
    return failure();
  BoundsAttr box = stage.getDomain();
  if (!box || box.isSymbolic() || box.getRank() != kernel.getGrid().getRank())
    return stage.emitOpError("expected results on a box of rank ")
           << kernel.getGrid().getRank() << " in a tile.kernel, got "
           << stage.getRes().front().getType();
  Attribute given = getLayout(stage);
  LogicalResult isCovered =
      isa_and_nonnull<CoreAndRimAttr>(given)
          ? verifyRim(stage, cast<CoreAndRimAttr>(given), kernel)
          : verifyCover(stage, engine.getResultLayout(stage, kernel), kernel);
  if (failed(isCovered) || failed(verifyOwnPoints(stage, kernel, reads)))
    return failure();
  return verifyFieldReads(stage, kernel, reads);
}

/// That the stages in a tile.where are computed by the same threads, and for
/// the same plane if the condition is one of planes.
static LogicalResult verifyWhere(WhereOp where, KernelOp kernel) {
  ApplyOp first;
  return checkWithin<WalkOrder::PreOrder>(where.getBody(), [&](Operation *op) {
    auto stage = dyn_cast<ApplyOp>(op);
    if (!stage)
      return WalkResult::advance();
    if (!first)
      first = stage;
    auto refuse = [&](const Twine &what) {
      return WalkResult(withNote(stage.emitOpError("expected the ")
                                     << what
                                     << " of the first stage in the tile.where",
                                 first.getLoc(), "the first stage is this"));
    };
    if (getLayout(first) != getLayout(stage))
      return refuse("layout");
    std::optional<int64_t> axis = kernel.getGrid().getWalk();
    if (where.getIteration() && axis &&
        first.getDomain().getLb()[*axis] != stage.getDomain().getLb()[*axis])
      return refuse("plane");
    return WalkResult::skip();
  });
}

LogicalResult KernelOp::verifyRegions() {
  StageReads reads;
  if (failed(verifyStructure(*this, reads)))
    return failure();
  if (getList())
    return verifyListed(*this);
  unsigned walks = 0;
  SmallVector<WhereOp> wheres;
  auto isRight = getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto stage = dyn_cast<ApplyOp>(op))
      return failed(verifyStage(stage, *this, reads)) ? WalkResult::interrupt()
                                                      : WalkResult::skip();
    if (isa<WalkOp, SegmentOp>(op))
      ++walks;
    if (auto where = dyn_cast<WhereOp>(op))
      wheres.push_back(where);
    if (isa_and_nonnull<StencilDialect>(op->getDialect()))
      return WalkResult(
          op->emitOpError("expected to be outside of a tile.kernel"));
    return WalkResult::advance();
  });
  if (isRight.wasInterrupted())
    return failure();
  for (WhereOp where : wheres)
    if (failed(verifyWhere(where, *this)))
      return failure();
  bool expectsWalk = getGrid().getWalk().has_value();
  if (walks != (expectsWalk ? 1 : 0))
    return emitOpError(expectsWalk
                           ? "expected one tile.walk or tile.segment, as its "
                             "grid has a walk, got "
                           : "expected no tile.walk and no tile.segment, as "
                             "its grid has no walk, got ")
           << walks;
  if (failed(verifyRings(*this)) || failed(verifyRelay(*this)))
    return failure();
  for (auto walk : getBodyBlock()->getOps<WalkOp>())
    if (failed(verifyPlanes(walk)))
      return failure();
  if (failed(ValueLayouts(*this).verify()) || failed(verifyFilled(*this)))
    return failure();
  return verifyStored(*this, reads);
}
