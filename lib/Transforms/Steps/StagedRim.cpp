//===- StagedRim.cpp - Near a boundary, step by step ----------------------===//
//
//   the slabs of the states to fields of the rim
//   for each of T steps, in these fields:
//     the boundary ops and the applies of the program, over slabs
//   the slabs of the states to the fields that the core is stored to
//
// A periodic end is there as the program has it: both slabs are in one field.
//
//===----------------------------------------------------------------------===//

#include "StagedSteps.h"
#include "StencilDialect/Conversion/BoundaryMath.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/HaloRule.h"
#include "StencilDialect/IR/Schedule.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

bool AxisWidths::isEmpty() const {
  auto isZero = [](int64_t width) { return width == 0; };
  return llvm::all_of(lower, isZero) && llvm::all_of(upper, isZero);
}

SmallVector<BoundsAttr> AxisWidths::getSlabs(BoundsAttr interior) const {
  MLIRContext *context = interior.getContext();
  GridBox rest(interior);
  SmallVector<BoundsAttr> boxes;
  for (size_t axis = 0; axis < rest.lb.size(); ++axis) {
    int64_t lb = rest.lb[axis], ub = rest.ub[axis];
    if (lower[axis] + upper[axis] == 0)
      continue;
    if (isSymbolic(lb) == isSymbolic(ub) &&
        ub - lb <= lower[axis] + upper[axis]) {
      boxes.push_back(BoundsAttr::get(context, rest.lb, rest.ub));
      return boxes;
    }
    GridBox slab = rest;
    slab.ub[axis] = rest.lb[axis] = lb + lower[axis];
    if (lower[axis] > 0)
      boxes.push_back(BoundsAttr::get(context, slab.lb, slab.ub));
    slab.lb[axis] = rest.ub[axis] = ub - upper[axis];
    slab.ub[axis] = ub;
    if (upper[axis] > 0)
      boxes.push_back(BoundsAttr::get(context, slab.lb, slab.ub));
  }
  return boxes;
}

BoundsAttr StagedSteps::getCore() const {
  GridBox box(time.interior);
  for (size_t axis = 0; axis < box.lb.size(); ++axis) {
    box.lb[axis] += rim.lower[axis];
    box.ub[axis] -= rim.upper[axis];
  }
  return BoundsAttr::get(time.interior.getContext(), box.lb, box.ub);
}

SmallVector<int64_t> StagedSteps::getExtents() const {
  SmallVector<int64_t> extents(getRank(), 0);
  auto add = [&](const AxisWidths &widths) {
    for (int64_t axis = 0; axis < getRank(); ++axis)
      extents[axis] =
          std::max(extents[axis], widths.lower[axis] + widths.upper[axis]);
  };
  add(rim);
  for (const StagedValue &value : values)
    add(value.rim);
  return extents;
}

/// Whether the boundary of some value wraps along an axis along which it is
/// read.
static bool wraps(const StagedSteps &plan, int64_t axis) {
  return llvm::any_of(plan.values, [&](const StagedValue &value) {
    BoundaryOp boundary = value.boundary;
    return value.needsHalo && boundary &&
           (value.reads.lower[axis] < 0 || value.reads.upper[axis] > 0) &&
           getHaloRule(boundary.getCondition(axis, false)).wraps();
  });
}

/// Of a value, for a stage that reads it along an axis: what the points of the
/// stage read, and what the halo is made of.
static void addNeeds(const StagedSteps &plan, StagedValue &value,
                     const Stage &stage, const OffsetBox &reads, bool isLoaded,
                     int64_t axis) {
  int64_t &lower = value.rim.lower[axis], &upper = value.rim.upper[axis];
  int64_t low = std::max<int64_t>(0, -reads.lower[axis]);
  int64_t high = std::max<int64_t>(0, reads.upper[axis]);
  if (stage.rim.lower[axis] > 0)
    lower = std::max(lower, stage.rim.lower[axis] + high);
  if (stage.rim.upper[axis] > 0)
    upper = std::max(upper, stage.rim.upper[axis] + low);
  BoundaryOp boundary = value.boundary;
  if (!isLoaded || !boundary ||
      plan.rim.lower[axis] + plan.rim.upper[axis] == 0)
    return;
  HaloRule before = getHaloRule(boundary.getCondition(axis, false));
  HaloRule after = getHaloRule(boundary.getCondition(axis, true));
  if (before.wraps()) {
    lower = std::max(lower, high);
    upper = std::max(upper, low);
    return;
  }
  if (low > 0)
    lower = std::max(lower, before.countSources(low));
  if (high > 0)
    upper = std::max(upper, after.countSources(high));
}

bool stencil::planRim(StagedSteps &plan, bool isWhole, NoTimeLoop &why) {
  int64_t rank = plan.getRank();
  BoundsAttr interior = plan.time.interior;
  plan.rim = AxisWidths(rank);
  for (int64_t axis = 0; axis < rank; ++axis) {
    // A step may read on one side only.
    int64_t before =
        std::max<int64_t>(0, -plan.time.lower[axis]) * int64_t(plan.steps);
    int64_t after =
        std::max<int64_t>(0, plan.time.upper[axis]) * int64_t(plan.steps);
    if (!isWhole && !wraps(plan, axis))
      continue;
    int64_t lb = interior.getLb()[axis], ub = interior.getUb()[axis];
    if (isSymbolic(lb) == isSymbolic(ub) && ub - lb <= before + after) {
      why.culprit = plan.time.loop;
      why.reason =
          ("the interior has " + Twine(ub - lb) + " points along axis " +
           Twine(axis) + ", expected more than " + Twine(before + after))
              .str();
      return false;
    }
    plan.rim.lower[axis] = before;
    plan.rim.upper[axis] = after;
  }
  for (StagedValue &value : plan.values)
    value.rim = AxisWidths(rank);
  for (const std::optional<unsigned> &last : plan.last)
    if (last)
      plan.values[*last].rim = plan.rim;
  if (!plan.hasRim())
    return true;
  if (!plan.whyNoRim.reason.empty()) {
    why = plan.whyNoRim;
    return false;
  }
  for (Stage &stage : llvm::reverse(plan.stages)) {
    stage.rim = AxisWidths(rank);
    for (unsigned result : stage.results)
      for (int64_t axis = 0; axis < rank; ++axis) {
        const AxisWidths &own = plan.values[result].rim;
        stage.rim.lower[axis] =
            std::max(stage.rim.lower[axis], own.lower[axis]);
        stage.rim.upper[axis] =
            std::max(stage.rim.upper[axis], own.upper[axis]);
      }
    for (unsigned number = 0; number < stage.inputs.size(); ++number)
      if (stage.inputs[number] && !stage.reads[number].isEmpty())
        for (int64_t axis = 0; axis < rank; ++axis)
          addNeeds(plan, plan.values[*stage.inputs[number]], stage,
                   stage.reads[number], stage.isLoaded[number], axis);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

void stencil::fillZeros(OpBuilder &builder, Value field) {
  Location loc = field.getLoc();
  auto type = cast<GridType>(field.getType());
  Type element = type.getElementType();
  BoundsAttr box = type.getBounds();
  auto apply = ApplyOp::create(
      builder, loc, TypeRange(TempType::get(box, element)), ValueRange());
  OpBuilder body = OpBuilder::atBlockEnd(apply.getBodyBlock());
  Value zero = arith::ConstantOp::create(
      body, loc, convertNumber(builder.getI64IntegerAttr(0), element));
  ReturnOp::create(body, loc, ValueRange(zero), stencil::IndexAttr());
  StoreOp::create(builder, loc, apply.getRes().front(), field, box);
}

static Value loadField(OpBuilder &builder, Location loc, Value field) {
  auto type = cast<GridType>(field.getType());
  return LoadOp::create(builder, loc,
                        TempType::get(type.getRank(), type.getElementType()),
                        field);
}

void stencil::copyHalo(const StagedSteps &plan, OpBuilder &builder, Value field,
                       Value source) {
  Location loc = source.getLoc();
  Value halo = loadField(builder, loc, source);
  auto copy = [&](const GridBox &slab) {
    auto box = BoundsAttr::get(builder.getContext(), slab.lb, slab.ub);
    ApplyOp made = makeCopy(builder, loc, halo, box);
    StoreOp::create(builder, loc, made.getRes().front(), field, box);
  };
  GridBox rest(cast<GridType>(field.getType()).getBounds());
  GridBox interior(plan.time.interior);
  for (size_t along = 0; along < rest.lb.size(); ++along) {
    GridBox slab = rest;
    slab.ub[along] = interior.lb[along];
    if (slab.lb[along] < slab.ub[along])
      copy(slab);
    slab.lb[along] = interior.ub[along];
    slab.ub[along] = rest.ub[along];
    if (slab.lb[along] < slab.ub[along])
      copy(slab);
    rest.lb[along] = interior.lb[along];
    rest.ub[along] = interior.ub[along];
  }
}

StagedRim::StagedRim(const StagedSteps &plan, OpBuilder &builder)
    : plan(plan), builder(builder), loc(scf::ForOp(plan.time.loop).getLoc()) {}

SmallVector<Value> StagedRim::makeFields(ValueRange program) {
  SmallVector<Value> fields(program.size());
  for (auto [position, field] : llvm::enumerate(program)) {
    if (!plan.isState[position])
      continue;
    fields[position] =
        makeFieldBefore(plan.time.loop, builder, field.getType());
    if (plan.keepsHalos())
      copyHalo(plan, builder, fields[position], field);
  }
  return fields;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// Slabs of one step are one launch.
static void setLaunch(ApplyOp apply) {
  ScheduleKeys keys;
  keys.regions = RegionLaunch::Launch;
  apply->setAttr(ScheduleAttr::kAttrName, keys.get(apply.getContext()));
}

void StagedRim::copy(Value source, BoundsAttr box, Value field) {
  ApplyOp made = makeCopy(builder, loc, source, box);
  setLaunch(made);
  StoreOp::create(builder, loc, made.getRes().front(), field, box);
}

/// A stage on a box. What it does not read of fields is computed for it.
ApplyOp StagedRim::compute(unsigned number, BoundsAttr box,
                           ArrayRef<Value> rim) {
  const Stage &stage = plan.stages[number];
  ApplyOp original = stage.op;
  const IRMapping &mapping = scalars[stage.step];
  SmallVector<Value> args;
  for (auto [i, argument] : llvm::enumerate(original.getArgs())) {
    auto input = argument.getDefiningOp<LoadOp>();
    if (stage.inputs[i] && !stage.isLoaded[i]) {
      const StagedValue &value = plan.values[*stage.inputs[i]];
      GridBox around(box);
      for (size_t axis = 0; axis < around.lb.size(); ++axis) {
        around.lb[axis] += stage.reads[i].lower[axis];
        around.ub[axis] += stage.reads[i].upper[axis];
      }
      auto whole = BoundsAttr::get(builder.getContext(), around.lb, around.ub);
      args.push_back(compute(*value.stage, whole, rim).getRes()[value.result]);
    } else if (stage.inputs[i]) {
      args.push_back(
          loadField(builder, loc, rim[*getPosition(input.getField())]));
    } else if (stage.owners[i]) {
      args.push_back(loadField(builder, loc, from[*stage.owners[i]]));
    } else if (input) {
      args.push_back(
          loadField(builder, loc, mapping.lookupOrDefault(input.getField())));
    } else {
      args.push_back(mapping.lookupOrDefault(argument));
    }
  }
  SmallVector<Type> types;
  for (unsigned i = 0; i < original.getNumOutputs(); ++i)
    types.push_back(TempType::get(box, original.getOutputElementType(i)));
  ApplyOp apply = copyApply(builder, loc, original, types, args);
  setLaunch(apply);
  return apply;
}

void StagedRim::runStep(SmallVectorImpl<Value> &rim) {
  llvm::DenseMap<Value, std::pair<unsigned, unsigned>> made;
  for (Operation &op : *scf::ForOp(plan.time.loop).getBody()) {
    if (auto boundary = dyn_cast<BoundaryOp>(op)) {
      BoundaryOp::create(builder, boundary.getLoc(),
                         rim[*getPosition(boundary.getField())],
                         boundary.getBounds(), boundary.getConditions());
    } else if (auto apply = dyn_cast<ApplyOp>(op)) {
      for (OpResult result : apply->getResults())
        made[result] = {next, result.getResultNumber()};
      ++next;
    } else if (auto store = dyn_cast<StoreOp>(op)) {
      auto [stage, result] = made.lookup(store.getTemp());
      Value field = rim[*getPosition(store.getField())];
      for (BoundsAttr box :
           plan.stages[stage].rim.getSlabs(plan.time.interior)) {
        ApplyOp apply = compute(stage, box, rim);
        StoreOp::create(builder, loc, apply.getRes()[result], field, box);
      }
    }
  }
  SmallVector<Value> after(rim.begin(), rim.end());
  for (auto [position, moved] : llvm::enumerate(plan.time.next))
    after[moved] = rim[position];
  rim.assign(after.begin(), after.end());
}

void StagedRim::build(ArrayRef<Value> source, ArrayRef<Value> targets,
                      SmallVectorImpl<Value> &rim,
                      ArrayRef<IRMapping> scalarsOfSteps) {
  from = source;
  scalars = scalarsOfSteps;
  next = 0;
  for (const StagedValue &value : plan.values)
    if (value.isFirst() && !value.rim.isEmpty()) {
      Value state = loadField(builder, loc, from[*value.owner]);
      for (BoundsAttr box : value.rim.getSlabs(plan.time.interior))
        copy(state, box, rim[*value.owner]);
    }
  for (unsigned step = 1; step <= plan.steps; ++step)
    runStep(rim);
  for (auto [position, last] : llvm::enumerate(plan.last)) {
    if (!last)
      continue;
    Value state = loadField(builder, loc, rim[position]);
    for (BoundsAttr box : plan.rim.getSlabs(plan.time.interior))
      copy(state, box, targets[position]);
  }
}
