//===- StagedSteps.cpp - T steps of several states as stages --------------===//
//
// The plan: the step is run T times on names of values. A load names the value
// that its field has then, a store gives its field another one, and the yield
// moves fields to other positions. What comes of it is a list of stages, which
// needs no fields but those at the beginning and those at the end.
//
//===----------------------------------------------------------------------===//

#include "StagedSteps.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/HaloRule.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace stencil;

/// A stage each, and as many leads.
static constexpr int64_t kFarthest = 256;
static constexpr size_t kMostStages = 256;

namespace {
class StagePlanner {
public:
  StagePlanner(const StagesRequest &request, FieldAliasAnalysis &aliases,
               NoTimeLoop &why)
      : request(request), aliases(aliases), why(why) {
    plan.steps = request.steps;
    plan.inPipeline = request.inPipeline;
  }
  bool run(scf::ForOp loop);
  StagedSteps take() { return std::move(plan); }

private:
  /// What a position has at some time.
  struct Field {
    /// None: what does not change.
    std::optional<unsigned> value;
    /// The position of the field at the beginning.
    unsigned owner = 0;
    /// Since the value was stored.
    BoundaryOp boundary;
  };
  /// What a value of the program is in a step.
  struct Name : StageInput {
    /// Of a load: what it finds around the interior.
    BoundaryOp boundary;
  };

  bool fail(Operation *op, const Twine &reason) {
    return why.refuse(op, reason);
  }
  bool checkLoop();
  bool checkApply(ApplyOp apply);
  void findStates();
  void findLive();
  bool runStep(unsigned step);
  void visitLoad(LoadOp load);
  bool visitBoundary(BoundaryOp boundary);
  bool visitApply(ApplyOp apply, unsigned step);
  bool visitStore(StoreOp store);
  bool addRead(const Name &name, const InputRead &read, OffsetBox &reads);
  void checkHeld(const Stage &stage, unsigned position);
  bool checkElements();
  void findReach();
  bool findLeads();

  const StagesRequest &request;
  FieldAliasAnalysis &aliases;
  NoTimeLoop &why;
  StagedSteps plan;
  SmallVector<Field> fields;
  /// By position: whether a boundary is set for fields that come there.
  SmallVector<bool> givenHalos;
  llvm::DenseMap<Value, Name> names;
  /// The fields before the results of the stage that was stored last: it reads
  /// what it stores over, if that is the same point.
  SmallVector<Field> before;
  std::optional<unsigned> stored;
};
} // namespace

bool stencil::hasSeveralStates(const TimeLoop &time) {
  return time.levels.size() != 1 || time.stages != 1 ||
         time.applies.size() != 1 || time.stores.size() != 1 ||
         time.next.size() != 2 || time.period != 2 ||
         time.boundaries.size() > 1 || time.isStepDependent;
}

static bool isKept(BoundaryOp boundary, int64_t axis, bool upper) {
  return !boundary || getHaloRule(boundary.getCondition(axis, upper)).isKept();
}

bool StagedValue::keepsHalo() const {
  if (!needsHalo)
    return false;
  for (size_t axis = 0; axis < reads.lower.size(); ++axis)
    if ((reads.lower[axis] < 0 && isKept(boundary, axis, false)) ||
        (reads.upper[axis] > 0 && isKept(boundary, axis, true)))
      return true;
  return false;
}

bool StagedSteps::keepsHalos() const {
  return llvm::any_of(
      values, [](const StagedValue &value) { return value.keepsHalo(); });
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

bool StagePlanner::checkApply(ApplyOp apply) {
  auto terminator = cast<ReturnOp>(apply.getBodyBlock()->getTerminator());
  if (terminator.getUnroll())
    return fail(apply, "the step is unrolled");
  if (apply.getRank() != plan.getRank())
    return fail(apply, "an apply of it is of another rank than the state");
  for (auto [number, value] : llvm::enumerate(terminator.getArgs()))
    if (value.getType() != apply.getOutputElementType(number))
      return fail(apply, "the step stores nothing at some points");
  return true;
}

bool StagePlanner::checkLoop() {
  scf::ForOp loop = plan.time.loop;
  if (loop.getUnsignedCmp())
    return fail(loop, "its bounds are unsigned");
  for (ApplyOp apply : plan.time.applies)
    if (!checkApply(apply))
      return false;
  if (plan.time.applies.size() * plan.steps > kMostStages)
    return fail(loop, "the steps would be more than " + Twine(kMostStages) +
                          " stages");
  for (Value field : plan.time.fields)
    if (!getBounds(field))
      return fail(loop, "a field of it has no bounds");
  for (Operation &op : *loop.getBody())
    if (op.hasTrait<ForwardsValues>())
      return fail(&op, "a value of it is put together from others, or is in "
                       "memory of its own");
  return true;
}

/// What fields steps store to, and set halos of: with each that takes turns
/// with it.
void StagePlanner::findStates() {
  TimeLoop &time = plan.time;
  size_t count = time.next.size();
  plan.isState.assign(count, false);
  givenHalos.assign(count, false);
  auto mark = [&](SmallVectorImpl<bool> &marks, Value field) {
    unsigned start = *time.getPosition(field, aliases);
    for (unsigned at = start; !marks[at]; at = time.next[at])
      marks[at] = true;
  };
  for (StoreOp store : time.stores)
    mark(plan.isState, store.getField());
  for (BoundaryOp boundary : time.boundaries)
    mark(givenHalos, boundary.getField());
  for (unsigned position = 0; position < count; ++position) {
    Field &field = fields.emplace_back();
    field.owner = position;
    if (plan.isState[position]) {
      field.value = plan.values.size();
      plan.values.emplace_back().owner = position;
    }
  }
}

/// What is read at the beginning of this step, or of a later one if none
/// before it stores there.
void StagePlanner::findLive() {
  TimeLoop &time = plan.time;
  size_t count = time.next.size();
  SmallVector<bool> isStored(count, false);
  for (StoreOp store : time.stores)
    isStored[*time.getPosition(store.getField(), aliases)] = true;
  plan.isLive.assign(count, false);
  for (unsigned level : time.levels)
    plan.isLive[level] = true;
  for (bool changes = true; std::exchange(changes, false);)
    for (unsigned at = 0; at < count; ++at)
      if (plan.isState[at] && !plan.isLive[at] && !isStored[at] &&
          plan.isLive[time.next[at]])
        plan.isLive[at] = changes = true;
}

void StagePlanner::visitLoad(LoadOp load) {
  Name &name = names[load.getRes()];
  name.isLoaded = true;
  if (std::optional<unsigned> position =
          plan.time.getPosition(load.getField(), aliases)) {
    const Field &field = fields[*position];
    name.value = field.value;
    name.boundary = field.boundary;
    name.owner = field.owner;
  }
}

bool StagePlanner::visitBoundary(BoundaryOp boundary) {
  Field &field = fields[*plan.time.getPosition(boundary.getField(), aliases)];
  if (!field.value)
    return fail(boundary, "the halo of a field is set that no step stores to");
  StagedValue &value = plan.values[*field.value];
  auto isSame = [&](BoundaryOp other) {
    return other && other.getConditions() == boundary.getConditions();
  };
  if ((value.needsHalo || field.boundary) && !isSame(field.boundary))
    return fail(boundary, "the halo of one state is set in two ways");
  if (value.isFirst() && !isSame(value.boundary))
    plan.boundaries.emplace_back(boundary, field.owner);
  field.boundary = value.boundary = boundary;
  return true;
}

/// Notes where a stage reads a value, and what is around the interior then.
bool StagePlanner::addRead(const Name &name, const InputRead &read,
                           OffsetBox &reads) {
  StagedValue &value = plan.values[*name.value];
  if (readsComputedPoints(read.op))
    return fail(read.op, "a step reads the state at computed coordinates, or "
                         "all of a row");
  if (static_cast<int64_t>(read.axes.size()) != plan.getRank())
    return fail(read.op, "a state of lower rank is read");
  OffsetBox box = OffsetBox::ofRead(read, plan.getRank());
  value.reads.join(box);
  reads.join(box);
  value.isRead = true;
  if (box.isZero())
    return true;
  if (!name.isLoaded) {
    value.isReadBare = true;
  } else {
    if (!name.boundary && givenHalos[*name.owner])
      return fail(read.op, "it reads a halo that an earlier step has set");
    value.needsHalo = true;
  }
  if (value.isReadBare && value.needsHalo)
    return fail(read.op, "a value is read around a point both as it is and "
                         "with the halo of its field");
  return true;
}

bool StagePlanner::visitApply(ApplyOp apply, unsigned step) {
  Stage stage;
  stage.op = apply;
  stage.step = step;
  Footprint footprint(apply);
  for (auto [number, argument] : llvm::enumerate(apply.getArgs())) {
    StageInput &input = stage.inputs.emplace_back();
    if (!isa<GridType>(argument.getType()))
      continue;
    auto known = names.find(argument);
    if (known == names.end())
      return fail(apply, "input " + Twine(number) +
                             " of the step is a value of outside of the loop");
    const Name &name = known->second;
    input = name;
    bool isFine = true;
    if (name.value)
      footprint.forEachRead(number, [&](const InputRead &read) {
        isFine = isFine && addRead(name, read, input.reads);
      });
    if (!isFine)
      return false;
  }
  for (auto [number, result] : llvm::enumerate(apply.getRes())) {
    names[result].value = plan.values.size();
    stage.results.push_back(plan.values.size());
    StagedValue &value = plan.values.emplace_back();
    value.stage = plan.stages.size();
    value.result = number;
  }
  plan.stages.push_back(stage);
  return true;
}

/// Whether a stage can be computed slab by slab when its result is stored at a
/// position: what it reads is still in fields, and not overwritten by others.
void StagePlanner::checkHeld(const Stage &stage, unsigned position) {
  for (const StageInput &input : stage.inputs) {
    if (!input.value)
      continue;
    if (!input.isLoaded) {
      checkHeld(plan.stages[*plan.values[*input.value].stage], position);
      continue;
    }
    auto *held = llvm::find_if(
        before, [&](const Field &field) { return field.value == input.value; });
    bool isLost = held == before.end() ||
                  (held - before.begin() == position &&
                   !input.reads.isEmpty() && !input.reads.isZero());
    if (isLost)
      plan.whyNoRim = {"what is near a boundary cannot be computed step by "
                       "step: a step is stored over a state that is read "
                       "around other points",
                       stage.op};
  }
}

bool StagePlanner::visitStore(StoreOp store) {
  Field &field = fields[*plan.time.getPosition(store.getField(), aliases)];
  auto known = names.find(store.getTemp());
  if (known == names.end() || known->second.isLoaded)
    return fail(store, "a step stores what no apply of it has made");
  unsigned number = *known->second.value;
  StagedValue &value = plan.values[number];
  if (value.owner)
    return fail(store, "a step stores a value to two fields");
  value.owner = field.owner;
  if (stored != value.stage)
    before = fields;
  stored = value.stage;
  checkHeld(plan.stages[*value.stage], &field - fields.begin());
  field.value = number;
  field.boundary = {};
  return true;
}

bool StagePlanner::runStep(unsigned step) {
  names.clear();
  for (Operation &op : *plan.time.loop.getBody()) {
    bool isFine = true;
    if (auto load = dyn_cast<LoadOp>(op))
      visitLoad(load);
    else if (auto boundary = dyn_cast<BoundaryOp>(op))
      isFine = visitBoundary(boundary);
    else if (auto apply = dyn_cast<ApplyOp>(op))
      isFine = visitApply(apply, step);
    else if (auto store = dyn_cast<StoreOp>(op))
      isFine = visitStore(store);
    if (!isFine)
      return false;
  }
  SmallVector<Field> after(fields.size());
  for (auto [position, next] : llvm::enumerate(plan.time.next))
    after[next] = fields[position];
  fields = std::move(after);
  return true;
}

//===----------------------------------------------------------------------===//
// Halos and leads
//===----------------------------------------------------------------------===//

/// What windows cannot have around an interior, and bodies at other points.
bool StagePlanner::checkElements() {
  for (const StagedValue &value : plan.values) {
    if (value.isFirst() || value.reads.isEmpty() || value.reads.isZero())
      continue;
    ApplyOp maker = plan.stages[*value.stage].op;
    Type element = maker.getOutputElementType(value.result);
    if (value.needsHalo && isa<IndexType>(element))
      return fail(maker, "no boundary condition is one of indices");
    if (!plan.inPipeline && !WeightedSumOp::isSummable(element))
      return fail(maker, "expected a state of floats, or of integers of more "
                         "than one bit and without a sign");
  }
  return true;
}

void StagePlanner::findReach() {
  plan.below.assign(plan.getRank(), 0);
  plan.above.assign(plan.getRank(), 0);
  for (const StagedValue &value : plan.values)
    for (size_t along = 0; along < value.reads.lower.size(); ++along) {
      plan.below[along] =
          std::max(plan.below[along], -value.reads.lower[along]);
      plan.above[along] = std::max(plan.above[along], value.reads.upper[along]);
    }
}

/// Each stage is as far ahead as it is read; windows keep the planes down to
/// the last one that is.
bool StagePlanner::findLeads() {
  for (const std::optional<unsigned> &value : plan.last)
    if (value)
      plan.values[*value].reads.join(OffsetBox::zero(plan.getRank()));
  if (isZero(plan.below) && isZero(plan.above))
    return fail(plan.time.loop, "a step reads one point");
  int64_t along = request.axis.value_or(0);
  auto read = [&](unsigned number, int64_t lead, const OffsetBox &box) {
    StagedValue &value = plan.values[number];
    value.lead = std::max(value.lead, lead + box.upper[along]);
    value.oldest = std::min(value.oldest, lead + box.lower[along]);
  };
  for (StagedValue &value : plan.values)
    value.oldest = 2 * kFarthest;
  for (const std::optional<unsigned> &value : plan.last)
    if (value)
      read(*value, 0, OffsetBox::zero(plan.getRank()));
  for (Stage &stage : llvm::reverse(plan.stages)) {
    for (unsigned result : stage.results)
      stage.lead = std::max(stage.lead, plan.values[result].lead);
    if (stage.lead > kFarthest)
      return fail(plan.time.loop, "the steps would read more than " +
                                      Twine(kFarthest) +
                                      " points around theirs");
    for (unsigned result : stage.results)
      plan.values[result].lead = stage.lead;
    for (const StageInput &input : stage.inputs)
      if (input.value && !input.reads.isEmpty())
        read(*input.value, stage.lead, input.reads);
  }
  for (StagedValue &value : plan.values)
    value.needsWindow =
        !value.isFirst() && !value.reads.isEmpty() &&
        (!value.reads.isZero() || (request.axis && value.oldest != value.lead));
  return true;
}

bool StagePlanner::run(scf::ForOp loop) {
  std::optional<TimeLoop> time =
      findTimeLoop(loop, aliases, why, StoredFields::CarriedOrFixed);
  if (!time)
    return false;
  plan.time = std::move(*time);
  if (!loop->getParentOfType<FunctionOpInterface>())
    return fail(loop, "it is not in a function");
  if (!checkLoop())
    return false;
  findStates();
  findLive();
  for (unsigned step = 1; step <= plan.steps; ++step)
    if (!runStep(step))
      return false;
  plan.last.resize(fields.size());
  plan.moved.resize(fields.size());
  for (auto [position, field] : llvm::enumerate(fields)) {
    plan.origins.push_back(field.owner);
    plan.moved[field.owner] = position;
    if (plan.isLive[position])
      plan.last[position] = field.value;
  }
  findReach();
  return checkElements() && findLeads() && placeStates(plan, aliases, why) &&
         planRim(plan, request.hasWholeRim, why);
}

std::optional<StagedSteps> stencil::planStages(scf::ForOp loop,
                                               const StagesRequest &request,
                                               FieldAliasAnalysis &aliases,
                                               NoTimeLoop &why) {
  StagePlanner planner(request, aliases, why);
  if (!planner.run(loop))
    return std::nullopt;
  return planner.take();
}
