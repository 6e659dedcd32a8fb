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

#include "Regions/RegionLaunches.h"
#include "StagedSteps.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/HaloRule.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Where T steps of several states are
//
// T steps read all states around a tile, while other tiles are stored: they
// store to other fields than they read. After an even number of times, the
// states are where the program has them; the steps that are left make all that
// T steps at once do not.
//
//===----------------------------------------------------------------------===//

/// In the end each field has been stored to again, but those that T steps
/// store to, and its boundary has been set.
static bool findTail(StagedSteps &plan, FieldAliasAnalysis &aliases,
                     NoTimeLoop &why) {
  TimeLoop &time = plan.time;
  size_t count = time.next.size();
  SmallVector<bool> isRight(count, true);
  for (unsigned position = 0; position < count; ++position)
    isRight[position] = !plan.isState[position] || plan.isLive[position];
  unsigned taken = 0;
  for (; llvm::is_contained(isRight, false); ++taken) {
    if (taken > count)
      return why.refuse(time.loop, "no step stores to one of its fields");
    for (StoreOp store : time.stores)
      isRight[*time.getPosition(store.getField(), aliases)] = true;
    SmallVector<bool> after(count);
    for (unsigned position = 0; position < count; ++position)
      after[time.next[position]] = isRight[position];
    isRight = after;
  }
  plan.tail = std::max(1U, taken);
  for (BoundaryOp boundary : time.boundaries) {
    unsigned start = *time.getPosition(boundary.getField(), aliases);
    unsigned length = 1;
    for (unsigned at = time.next[start]; at != start; at = time.next[at])
      ++length;
    plan.tail = std::max(plan.tail, length);
  }
  return true;
}

/// Where T steps write to: not where others still read.
static bool findFields(StagedSteps &plan, NoTimeLoop &why) {
  TimeLoop &time = plan.time;
  size_t count = time.next.size();
  plan.others.resize(count);
  plan.needsOther.assign(count, false);
  auto all = llvm::seq<unsigned>(0, count);
  plan.writesApart = llvm::none_of(all, [&](unsigned position) {
    return plan.isLive[position] && plan.isLive[plan.origins[position]];
  });
  if (plan.writesApart)
    return true;
  for (unsigned position = 0; position < count; ++position)
    if (plan.isState[position] && plan.moved[plan.moved[position]] != position)
      return why.refuse(
          time.loop,
          "its fields take turns in " + Twine(time.period) +
              " steps, expected a number of steps of which that is a "
              "divisor");
  plan.needsOther = plan.isLive;
  if (plan.keepsHalos()) {
    for (const StagedValue &value : plan.values)
      if (value.keepsHalo())
        plan.needsOther[*value.owner] = true;
    return true;
  }
  for (unsigned level : all)
    for (unsigned other : all)
      if (plan.needsOther[level] && plan.isState[other] &&
          !plan.isLive[other] &&
          !llvm::is_contained(plan.others, std::optional(other)) &&
          time.fields[other].getType() == time.fields[level].getType()) {
        plan.others[level] = other;
        plan.needsOther[level] = false;
        break;
      }
  return true;
}

bool stencil::placeStates(StagedSteps &plan, FieldAliasAnalysis &aliases,
                          NoTimeLoop &why) {
  return findTail(plan, aliases, why) && findFields(plan, why);
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

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
                     const Stage &stage, const StageInput &input,
                     int64_t axis) {
  int64_t &lower = value.rim.lower[axis], &upper = value.rim.upper[axis];
  int64_t low = std::max<int64_t>(0, -input.reads.lower[axis]);
  int64_t high = std::max<int64_t>(0, input.reads.upper[axis]);
  if (stage.rim.lower[axis] > 0)
    lower = std::max(lower, stage.rim.lower[axis] + high);
  if (stage.rim.upper[axis] > 0)
    upper = std::max(upper, stage.rim.upper[axis] + low);
  BoundaryOp boundary = value.boundary;
  if (!input.isLoaded || !boundary ||
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
  plan.rim = AxisWidths(rank);
  for (int64_t axis = 0; axis < rank; ++axis) {
    // A step may read on one side only.
    int64_t before =
        std::max<int64_t>(0, -plan.time.lower[axis]) * int64_t(plan.steps);
    int64_t after =
        std::max<int64_t>(0, plan.time.upper[axis]) * int64_t(plan.steps);
    if (!isWhole && !wraps(plan, axis))
      continue;
    if (!hasMorePoints(plan.time, axis, before + after, why))
      return false;
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
      stage.rim.join(plan.values[result].rim);
    for (const StageInput &input : stage.inputs)
      if (input.value && !input.reads.isEmpty())
        for (int64_t axis = 0; axis < rank; ++axis)
          addNeeds(plan, plan.values[*input.value], stage, input, axis);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

void stencil::copyHalo(const StagedSteps &plan, OpBuilder &builder, Value field,
                       Value source) {
  Location loc = source.getLoc();
  Value halo = LoadOp::create(builder, loc, source);
  BoundsAttr box = getBounds(field);
  for (BoundsAttr slab : AxisWidths(box, plan.time.interior).getSlabs(box)) {
    ApplyOp made = makeCopy(builder, loc, halo, slab);
    StoreOp::create(builder, loc, made.getRes().front(), field, slab);
  }
}

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

void StagedRim::copy(Value source, BoundsAttr box, Value field) {
  ApplyOp made = makeCopy(builder, builder.getLoc(), source, box);
  setLaunch(made, RegionLaunch::Launch);
  StoreOp::create(builder, made.getRes().front(), field, box);
}

/// A stage on a box. What it does not read of fields is computed for it.
ApplyOp StagedRim::compute(unsigned number, BoundsAttr box,
                           ArrayRef<Value> rim) {
  const Stage &stage = plan.stages[number];
  ApplyOp original = stage.op;
  const IRMapping &mapping = scalars[stage.step];
  SmallVector<Value> args;
  for (auto [argument, input] :
       llvm::zip_equal(original.getArgs(), stage.inputs)) {
    auto load = argument.getDefiningOp<LoadOp>();
    if (input.value && !input.isLoaded) {
      const StagedValue &value = plan.values[*input.value];
      BoundsAttr around = OffsetBox::ofBounds(box)
                              .shifted(input.reads)
                              .toBounds(builder.getContext());
      args.push_back(compute(*value.stage, around, rim).getRes()[value.result]);
    } else if (input.value) {
      args.push_back(
          LoadOp::create(builder, rim[*getPosition(load.getField())]));
    } else if (input.owner) {
      args.push_back(LoadOp::create(builder, from[*input.owner]));
    } else if (load) {
      args.push_back(
          LoadOp::create(builder, mapping.lookupOrDefault(load.getField())));
    } else {
      args.push_back(mapping.lookupOrDefault(argument));
    }
  }
  ApplyOp apply = copyApply(builder, builder.getLoc(), original,
                            original.getTempTypes(box), args);
  // Slabs of one step are one launch.
  setLaunch(apply, RegionLaunch::Launch);
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
        StoreOp::create(builder, apply.getRes()[result], field, box);
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
      Value state = LoadOp::create(builder, from[*value.owner]);
      for (BoundsAttr box : value.rim.getSlabs(plan.time.interior))
        copy(state, box, rim[*value.owner]);
    }
  for (unsigned step = 1; step <= plan.steps; ++step)
    runStep(rim);
  for (auto [position, last] : llvm::enumerate(plan.last)) {
    if (!last)
      continue;
    Value state = LoadOp::create(builder, rim[position]);
    for (BoundsAttr box : plan.rim.getSlabs(plan.time.interior))
      copy(state, box, targets[position]);
  }
}
