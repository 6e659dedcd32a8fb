//===- PadFields.cpp - Time loops in fields with whole sectors ------------===//
//
// stencil-pad-fields: a caller's arrays on a GPU have rows without gaps. With
// the halo, rows begin anywhere then, are read value by value, and the copy
// engine cannot begin where tiles do. A time loop of many steps takes them in
// fields of its own, whose halo is wider along rows, so that these, and the
// interior, begin at whole sectors of memory:
//
//   m = (number of steps), a multiple of the period; 0 if there are few
//   if m > 0: {
//     the program's fields to own ones, halos included
//     the loop as it was, for m steps, on these
//     the states back to the program's fields, halos included
//   }
//   the loop as it was, for the remaining steps
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/HaloRule.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Remarks.h"
#include "StencilDialect/Transforms/Passes.h"
#include "StepBodies.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILPADFIELDS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {
struct PadFields : stencil::impl::StencilPadFieldsBase<PadFields> {
  using StencilPadFieldsBase::StencilPadFieldsBase;

  void runOnOperation() override;
};

/// A time loop, and the fields that it gets.
class PaddedLoop {
public:
  PaddedLoop(TimeLoop loop, FieldAliasAnalysis &aliases)
      : time(std::move(loop)), aliases(aliases) {
    findFields();
  }

  /// Whether nothing is gained; else why it cannot be done, empty if it can.
  bool isWhole() const { return own.empty(); }
  std::string findObstacle(uint64_t leastBytes, uint64_t mostBytes) const;
  void build(int64_t fewestSteps);

private:
  void findFields();
  void addField(Value field);
  /// The field of the program that is at a position before the loop.
  Value getFirst(unsigned position) const;
  bool isState(unsigned position) const;
  scf::ForOp copyLoop(ImplicitLocOpBuilder &builder, Value end);
  void copyAll(ImplicitLocOpBuilder &builder, Value source, Value target,
               BoundsAttr box) const;

  TimeLoop time;
  FieldAliasAnalysis &aliases;
  /// Of the program's fields, those that get others, and their types; later
  /// the fields themselves.
  llvm::MapVector<Value, FieldType> own;
  IRMapping padded;
};
} // namespace

//===----------------------------------------------------------------------===//
// Which fields
//===----------------------------------------------------------------------===//

/// The type with rows, and a column 0, at whole sectors; nothing if its extents
/// are not known, or it has none to align.
static std::optional<FieldType> padRows(FieldType type) {
  constexpr int64_t kSectorBytes = 32;
  BoundsAttr bounds = type.getBounds();
  if (!bounds || bounds.getRank() < 2 || bounds.isSymbolic() ||
      !type.getElementType().isIntOrFloat())
    return std::nullopt;
  int64_t sector = kSectorBytes / getElementBytes(type.getElementType());
  int64_t last = bounds.getRank() - 1;
  int64_t lower = bounds.getLb()[last], upper = bounds.getUb()[last];
  if (sector <= 1)
    return std::nullopt;
  // Floor, and ceiling.
  int64_t begin = lower - llvm::mod(lower, sector);
  int64_t end = begin + llvm::alignTo(upper - begin, sector);
  return FieldType::get(bounds.withAxis(last, begin, end),
                        type.getElementType());
}

Value PaddedLoop::getFirst(unsigned position) const {
  scf::ForOp loop = time.loop;
  size_t carried = loop.getInitArgs().size();
  return position < carried ? loop.getInitArgs()[position]
                            : time.fields[position];
}

void PaddedLoop::addField(Value field) {
  auto type = dyn_cast<FieldType>(field.getType());
  if (!type)
    return;
  std::optional<FieldType> wide = padRows(type);
  if (wide && *wide != type)
    own.insert({field, *wide});
}

void PaddedLoop::findFields() {
  for (unsigned position = 0; position < time.fields.size(); ++position)
    addField(getFirst(position));
  scf::ForOp loop = time.loop;
  for (LoadOp load : time.loads)
    if (loop.isDefinedOutsideOfLoop(load.getField()))
      addField(load.getField());
}

/// Whether something is stored where the field comes to be, or its halo is set.
bool PaddedLoop::isState(unsigned position) const {
  auto isChanged = [&](unsigned at) {
    auto isAt = [&](Value field) {
      return time.getPosition(field, aliases) == at;
    };
    return llvm::any_of(
               time.stores,
               [&](StoreOp store) { return isAt(store.getField()); }) ||
           llvm::any_of(time.boundaries, [&](BoundaryOp boundary) {
             return isAt(boundary.getField());
           });
  };
  unsigned at = position;
  do {
    if (isChanged(at))
      return true;
    at = time.next[at];
  } while (at != position);
  return false;
}

std::string PaddedLoop::findObstacle(uint64_t leastBytes,
                                     uint64_t mostBytes) const {
  uint64_t bytes = 0;
  for (auto [field, type] : own) {
    uint64_t size = getElementBytes(type.getElementType());
    for (int64_t extent : type.getBounds().getShape())
      size = llvm::SaturatingMultiply<uint64_t>(size, extent);
    bytes = llvm::SaturatingAdd(bytes, size);
  }
  if (bytes < leastBytes)
    return "the fields are so small that little is gained";
  if (bytes > mostBytes)
    return "copies of the fields would be too large";
  // A wider halo is set like the others, of points that have to be there.
  int64_t last = time.interior.getRank() - 1;
  for (BoundaryOp boundary : time.boundaries) {
    auto *padded =
        own.find(getFirst(*time.getPosition(boundary.getField(), aliases)));
    if (padded == own.end())
      continue;
    AxisWidths halo(padded->second.getBounds(), time.interior);
    for (bool isUpper : {false, true}) {
      HaloRule rule = getHaloRule(boundary.getCondition(last, isUpper));
      int64_t width = (isUpper ? halo.upper : halo.lower)[last];
      if (time.interior.getShape()[last] < rule.countInterior(width))
        return "rows are shorter than a wider halo needs";
    }
  }
  scf::ForOp loop = time.loop;
  if (loop.getUnsignedCmp())
    return "its bounds are unsigned";
  return "";
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

void PaddedLoop::copyAll(ImplicitLocOpBuilder &builder, Value source,
                         Value target, BoundsAttr box) const {
  Value value = LoadOp::create(builder, source);
  ApplyOp copied = makeCopy(builder, builder.getLoc(), value, box);
  StoreOp::create(builder, copied.getRes().front(), target, box);
}

/// The steps up to a number, on other fields.
scf::ForOp PaddedLoop::copyLoop(ImplicitLocOpBuilder &builder, Value end) {
  scf::ForOp loop = time.loop;
  SmallVector<Value> inits;
  for (Value init : loop.getInitArgs())
    inits.push_back(padded.lookupOrDefault(init));
  auto moved = scf::ForOp::create(builder, loop.getLowerBound(), end,
                                  loop.getStep(), inits);
  moved->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  if (inits.empty())
    moved.getBody()->getTerminator()->erase();
  copyStep(loop, moved, padded);
  return moved;
}

void PaddedLoop::build(int64_t fewestSteps) {
  scf::ForOp loop = time.loop;
  ImplicitLocOpBuilder builder(loop.getLoc(), loop);
  auto makeConstant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, value).getResult();
  };
  StepCount count(loop, builder);
  // Of whole periods, behind which each field is in its place.
  auto period = static_cast<unsigned>(time.period);
  Value periods = count.countIterations(period, /*tail=*/0, /*isEven=*/false);
  Value areMany = builder.createOrFold<arith::CmpIOp>(
      arith::CmpIPredicate::uge, periods,
      makeConstant(llvm::divideCeil(fewestSteps, period)));
  periods =
      builder.createOrFold<arith::SelectOp>(areMany, periods, makeConstant(0));
  Value end = count.getNumber(periods, period, /*further=*/0);
  auto branch = scf::IfOp::create(builder, areMany);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(branch.thenBlock());
    for (auto [field, type] : own)
      padded.map(field, AllocOp::create(builder, type).getResult());
    for (auto [field, type] : own)
      copyAll(builder, field, padded.lookup(field), getBounds(field));
    copyLoop(builder, end);
    llvm::SmallPtrSet<Value, 4> copied;
    for (unsigned position = 0; position < time.fields.size(); ++position)
      if (Value field = getFirst(position); isState(position) &&
                                            own.contains(field) &&
                                            copied.insert(field).second)
        copyAll(builder, padded.lookup(field), field, getBounds(field));
  }
  loop.getLowerBoundMutable().assign(end);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether a loop is within another one that has stores of its own.
static bool isInTimeLoop(scf::ForOp loop) {
  for (auto around = loop->getParentOfType<scf::ForOp>(); around;
       around = around->getParentOfType<scf::ForOp>())
    if (!around.getBody()->getOps<StoreOp>().empty())
      return true;
  return false;
}

void PadFields::runOnOperation() {
  if (!hasDeviceArrays(getOperation()))
    return;
  auto loops = listWithin(getOperation(), [&](scf::ForOp loop) {
    return !loop.getBody()->getOps<StoreOp>().empty() && !isInTimeLoop(loop);
  });
  for (scf::ForOp loop : loops) {
    // What is known of fields is of the program before.
    FieldAliasAnalysis aliases;
    NoTimeLoop why;
    std::optional<TimeLoop> time =
        findTimeLoop(loop, aliases, why, StoredFields::CarriedOrFixed);
    if (!time)
      continue;
    int64_t rank = time->interior.getRank();
    std::optional<APInt> taken = loop.getStaticTripCount();
    KernelNumbers numbers(FormFacts("padded fields", rank), FormDevice());
    int64_t fewest = fewestSteps;
    if (fewest == 0)
      fewest = numbers.findCount("fewest_steps").value_or(0);
    PaddedLoop padded(std::move(*time), aliases);
    if (fewest == 0 || padded.isWhole() || (taken && taken->slt(fewest)))
      continue;
    uint64_t least =
        leastBytes ? leastBytes.getValue() : numbers.getCount("fewest_bytes");
    std::string obstacle =
        padded.findObstacle(least, numbers.getCount("most_bytes"));
    if (!obstacle.empty()) {
      remarkMissed(loop.getLoc(), "Steps", "Padded",
                   "steps are taken in arrays whose rows begin at no whole "
                   "sectors: " +
                       obstacle);
      continue;
    }
    remarkPassed(loop.getLoc(), "Steps", "Padded",
                 llvm::formatv("{0} steps and more are taken in fields whose "
                               "rows begin at whole sectors",
                               fewest));
    padded.build(fewest);
  }
}
