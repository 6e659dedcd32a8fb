//===- GroupStages.cpp - Stages for groups of inputs ----------------------===//
//
//   %a = access %x [0, 1]        %x is of group 0, %y of group 1
//   %b = access %y [1, 0]
//   %e = math.exp %a
//   %s = addf %e, %b
//   return %s
//
// becomes a stage that reads %x and computes %e, and a stage that reads %y and
// computes %s from %b and the %e that it gets from the thread.
//
// An op stands in the stage of the first group after which all its operands are
// known: there is then one value to hand on instead of several. It waits for
// its users where that takes less to be handed on. What is cheap to compute is
// computed in every stage that needs it.
//
//===----------------------------------------------------------------------===//

#include "MakePipeline.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/Remarks.h"
#include "Sums/SumBodies.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Where an op of the body is computed.
struct Place {
  /// The first group after which all that it reads is known; whether it reads
  /// nothing of any group.
  unsigned earliest = 0;
  bool isFree = true;
  /// Whether each stage that needs it computes it.
  bool isCopied = false;
  /// The stages that need it, and those that compute it.
  llvm::SmallBitVector wanted, stages;
};

/// Which inputs of the apply are in which group.
using InputGroups = llvm::DenseMap<unsigned, unsigned>;

class GroupBuilder {
public:
  GroupBuilder(PipelineDraft &draft, ApplyOp apply, const InputGroups &groups);

  void run();

private:
  void hoistReads();
  void findEarliest(Operation &op);
  void findStages(Operation &op);
  bool isCheap(Operation &op) const;
  bool mayWait(Operation &op, unsigned until) const;
  /// Calls `visit` with the ops of the body that an op reads results of, also
  /// within its regions.
  void forEachOperand(Operation &op,
                      llvm::function_ref<void(OpResult)> visit) const;
  bool isHandedOn(OpResult value) const;
  bool isMadeBefore(Value result) const;
  void replaceWhole(ValueRange last);
  void addStage(unsigned number);
  const Place &getPlace(Operation *op) const { return places.at(op); }

  PipelineDraft &draft;
  /// The stage that is cut.
  ApplyOp apply;
  Block &body;
  /// Groups that the stage reads.
  unsigned count = 0;
  /// Of the arguments of the body that are in groups, which of these; and of
  /// queues, those of their inputs.
  llvm::DenseMap<Value, unsigned> groupOf, groupOfQueue;
  llvm::DenseMap<Operation *, Place> places;
  /// What stages make of values that later ones read.
  llvm::DenseMap<Value, Value> made;
  /// Those that one of the stages reads.
  llvm::DenseSet<Value> handedOn;
};

} // namespace

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

/// In a walk, a group has one plane of each input at a time. A queue has older
/// ones, but none that is newer.
static LogicalResult checkPlanes(PipelineDraft &draft, ApplyOp stage,
                                 unsigned input) {
  std::optional<int64_t> oldest, newest;
  Footprint footprint(stage);
  for (BlockArgument argument : stage.getBodyBlock()->getArguments()) {
    bool isQueue = draft.getQueued(argument) == input;
    if (!isQueue && argument.getArgNumber() != input)
      continue;
    footprint.forEachRead(argument.getArgNumber(), [&](const InputRead &read) {
      PlaneRange planes =
          getPlanes(read, *draft.axis).value_or(PlaneRange{0, 0});
      newest = std::max(newest.value_or(planes.last), planes.last);
      if (!isQueue)
        oldest = std::min(oldest.value_or(planes.first), planes.first);
    });
  }
  if (oldest == newest)
    return success();
  bool isScattered = addsByPlane(draft.schedule);
  return stage.emitOpError("expected reads of one plane of input ")
         << input << " for 'groups' with 'stream = " << *draft.axis
         << "', as its memory is that of the next group in the same iteration; "
            "got reads of planes "
         << *oldest << " to " << *newest
         << (isScattered ? ", which are not added plane by plane"
                         : ", which 'accumulate = scatter' takes one by one "
                           "where they are sums");
}

/// Whether a stage before another one reads an input from a queue, which has to
/// be filled before that.
static bool isQueuedBefore(PipelineDraft &draft, ApplyOp stage,
                           unsigned input) {
  return llvm::any_of(draft.getStages(), [&](ApplyOp other) {
    return other->isBeforeInBlock(stage) &&
           llvm::any_of(other.getBodyBlock()->getArguments(),
                        [&](BlockArgument argument) {
                          return draft.getQueued(argument) == input;
                        });
  });
}

/// Gives the inputs with shared windows that one stage reads their groups.
static FailureOr<InputGroups> dealInputs(PipelineDraft &draft) {
  ArrayRef<int64_t> sizes = draft.schedule.getGroups();
  int64_t room = 0;
  unsigned count = 0;
  InputGroups groups;
  auto isRead = [](ApplyOp stage, unsigned input) {
    return !stage.getBodyBlock()->getArgument(input).use_empty();
  };
  for (ApplyOp stage : draft.getStages())
    for (unsigned input = 0; input < draft.apply.getArgs().size(); ++input) {
      if (!isa<GridType>(draft.apply.getArgs()[input].getType()) ||
          draft.getWindow(input) != Space::Shared || !isRead(stage, input) ||
          llvm::count_if(draft.getStages(),
                         [&](ApplyOp other) { return isRead(other, input); }) !=
              1 ||
          isQueuedBefore(draft, stage, input))
        continue;
      if (draft.axis && failed(checkPlanes(draft, stage, input)))
        return failure();
      if (room == 0) {
        room = sizes[std::min<size_t>(count, sizes.size() - 1)];
        ++count;
      }
      --room;
      groups[input] = count - 1;
      draft.setGroup(input, count - 1);
    }
  return groups;
}

GroupBuilder::GroupBuilder(PipelineDraft &draft, ApplyOp apply,
                           const InputGroups &groups)
    : draft(draft), apply(apply), body(*apply.getBodyBlock()) {
  // They come in the order of the groups.
  std::optional<unsigned> last;
  for (BlockArgument argument : body.getArguments()) {
    auto known = groups.find(argument.getArgNumber());
    if (known == groups.end() || argument.use_empty())
      continue;
    count += last != known->second;
    last = known->second;
    groupOf[argument] = count - 1;
  }
  for (BlockArgument argument : body.getArguments())
    if (std::optional<unsigned> input = draft.getQueued(argument))
      if (auto known = groupOf.find(body.getArgument(*input));
          known != groupOf.end())
        groupOfQueue[argument] = known->second;
}

/// What the branches of the body read of groups is read before them, where it
/// still is there. Reading has no effect but that.
void GroupBuilder::hoistReads() {
  for (Operation &op : body)
    for (Region &region : op.getRegions())
      region.walk([&](AccessOp access) {
        if (groupOf.contains(access.getTemp()))
          access->moveBefore(&op);
      });
}

void GroupBuilder::forEachOperand(
    Operation &op, llvm::function_ref<void(OpResult)> visit) const {
  op.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (auto result = dyn_cast<OpResult>(operand);
          result && result.getOwner()->getBlock() == &body)
        visit(result);
  });
}

//===----------------------------------------------------------------------===//
// Where ops are computed
//===----------------------------------------------------------------------===//

/// Whether an op is read again, or computed of constants and scalars again,
/// rather than kept.
bool GroupBuilder::isCheap(Operation &op) const {
  if (op.getNumRegions() != 0 || !isMemoryEffectFree(&op))
    return false;
  if (auto access = dyn_cast<AccessOp>(op))
    return !groupOf.contains(access.getTemp());
  return llvm::all_of(op.getOperands(), [&](Value operand) {
    Operation *def = operand.getDefiningOp();
    if (!def)
      return !isa<GridType>(operand.getType());
    return def->getBlock() != &body ||
           (!isa<AccessOp>(def) && getPlace(def).isFree &&
            getPlace(def).isCopied);
  });
}

void GroupBuilder::findEarliest(Operation &op) {
  Place place;
  place.wanted.resize(count);
  place.stages.resize(count);
  if (auto access = dyn_cast<AccessOp>(op)) {
    place.isFree = false;
    if (auto known = groupOf.find(access.getTemp()); known != groupOf.end())
      place.earliest = known->second;
    else if (auto queue = groupOfQueue.find(access.getTemp());
             queue != groupOfQueue.end())
      place.earliest = queue->second;
    else
      place.isFree = true;
  }
  forEachOperand(op, [&](OpResult operand) {
    const Place &read = getPlace(operand.getOwner());
    place.earliest = std::max(place.earliest, read.earliest);
    place.isFree &= read.isFree;
  });
  // Of other types, stages hand nothing on.
  bool isHandable = llvm::all_of(op.getResultTypes(),
                                 [](Type type) { return type.isIntOrFloat(); });
  place.isCopied = !isHandable || isCheap(op);
  places[&op] = std::move(place);
}

/// Whether fewer values are handed on if an op waits for the first of its
/// users.
bool GroupBuilder::mayWait(Operation &op, unsigned until) const {
  auto access = dyn_cast<AccessOp>(op);
  if (access && groupOf.contains(access.getTemp()))
    return false;
  bool allAreKept = true;
  forEachOperand(op, [&](OpResult operand) {
    const Place &read = getPlace(operand.getOwner());
    allAreKept &=
        read.isCopied || read.wanted.find_last() >= static_cast<int>(until);
  });
  return allAreKept || getPlace(&op).isFree;
}

/// All who read the op have their stages.
void GroupBuilder::findStages(Operation &op) {
  Place &place = places[&op];
  if (op.hasTrait<OpTrait::IsTerminator>())
    place.wanted.set(count - 1);
  if (place.wanted.none())
    return;
  if (place.isCopied) {
    place.stages = place.wanted;
  } else {
    unsigned first = place.wanted.find_first();
    place.stages.set(
        first > place.earliest && mayWait(op, first) ? first : place.earliest);
  }
  forEachOperand(op, [&](OpResult operand) {
    places[operand.getOwner()].wanted |= place.stages;
  });
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// Whether a later stage than the one that computes a value reads it.
bool GroupBuilder::isHandedOn(OpResult value) const {
  const Place &place = getPlace(value.getOwner());
  if (place.isCopied || place.stages.none())
    return false;
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    const Place &reader = getPlace(body.findAncestorOpInBlock(*user));
    return reader.stages.find_last() > place.stages.find_first();
  });
}

/// Whether a result is computed by a stage before the last one.
bool GroupBuilder::isMadeBefore(Value result) const {
  auto value = dyn_cast<OpResult>(result);
  return value && value.getOwner()->getBlock() == &body &&
         !getPlace(value.getOwner()).stages.test(count - 1);
}

/// Puts the stages in the place of the one that is cut. `last` are the results
/// of the last one.
void GroupBuilder::replaceWhole(ValueRange last) {
  SmallVector<Value> results;
  for (Value result : body.getTerminator()->getOperands()) {
    if (isMadeBefore(result)) {
      results.push_back(made.lookup(result));
      continue;
    }
    results.push_back(last.front());
    last = last.drop_front();
  }
  draft.replaceStage(apply, results);
}

void GroupBuilder::addStage(unsigned number) {
  bool isLast = number + 1 == count;
  SmallVector<Operation *> ops;
  SmallVector<Value> results;
  llvm::SetVector<Value> read;
  Operation *terminator = body.getTerminator();
  for (Operation &op : body.without_terminator()) {
    if (!getPlace(&op).stages.test(number))
      continue;
    ops.push_back(&op);
    forEachOperand(op, [&](OpResult operand) {
      if (!getPlace(operand.getOwner()).stages.test(number))
        read.insert(operand);
    });
    for (OpResult result : op.getResults())
      if (isHandedOn(result))
        results.push_back(result);
  }
  if (isLast)
    // What an earlier stage has made is its result.
    for (Value result : terminator->getOperands())
      if (!isMadeBefore(result))
        results.push_back(result);
  if (results.empty())
    return isLast ? replaceWhole({}) : void();

  handedOn.insert_range(read);
  SmallVector<Type> types = draft.getTempTypes(results);
  SmallVector<Value> more = llvm::map_to_vector(
      read, [&](Value value) { return made.lookup(value); });
  ApplyOp stage = draft.addStage(apply, types, more);
  OpBuilder &builder = draft.builder;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(stage.getBodyBlock());
    IRMapping mapping = draft.mapInto(apply, stage, read.getArrayRef());
    for (Operation *op : ops)
      builder.clone(*op, mapping);
    stencil::ReturnOp::create(builder, apply.getLoc(),
                              llvm::map_to_vector(results, [&](Value value) {
                                return mapping.lookup(value);
                              }));
  }
  if (isLast)
    return replaceWhole(stage.getRes());
  for (auto [value, result] : llvm::zip_equal(results, stage.getRes()))
    made[value] = result;
}

void GroupBuilder::run() {
  // A stage that reads none of the windows, or those of one group, stays one.
  if (count <= 1)
    return;
  hoistReads();
  for (Operation &op : body)
    findEarliest(op);
  for (Operation &op : llvm::reverse(body))
    findStages(op);
  for (unsigned number = 0; number < count; ++number)
    addStage(number);
  remarkPassed(apply.getLoc(), "Schedule", "Groups",
               std::to_string(count) + " groups of inputs, " +
                   std::to_string(handedOn.size()) +
                   " values of a point are handed on between them");
}

/// Terms are added when the stages that make them are done, not when all groups
/// are: a thread has fewer of them at once.
static void addTermsEarly(Block &pipeline) {
  SmallVector<AccumulateOp> sums(pipeline.getOps<AccumulateOp>());
  for (AccumulateOp sum : llvm::reverse(sums)) {
    Operation *last = nullptr;
    for (Value term : sum.getTerms())
      if (!last || last->isBeforeInBlock(term.getDefiningOp()))
        last = term.getDefiningOp();
    sum->moveAfter(last);
  }
}

LogicalResult stencil::groupStages(PipelineDraft &draft) {
  // What a sum reads of several groups is then in the stages of these. The body
  // is another one after that.
  for (ApplyOp stage : draft.getStages())
    if (failed(expandWeightedSums(stage)))
      return failure();
  FailureOr<InputGroups> groups = dealInputs(draft);
  if (failed(groups))
    return failure();
  for (ApplyOp stage : llvm::to_vector(draft.getStages()))
    GroupBuilder(draft, stage, *groups).run();
  addTermsEarly(*draft.getStages().back()->getBlock());
  return success();
}
