//===- StagedFields.cpp - Where T steps of several states are -------------===//
//
// T steps read all states around a tile, while other tiles are stored: they
// store to other fields than they read. After an even number of times, the
// states are where the program has them; the steps that are left make all that
// T steps at once do not.
//
//===----------------------------------------------------------------------===//

#include "StagedSteps.h"

using namespace mlir;
using namespace stencil;

static bool fail(Operation *op, NoTimeLoop &why, const Twine &reason) {
  why.reason = reason.str();
  why.culprit = op;
  return false;
}

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
      return fail(time.loop, why, "no step stores to one of its fields");
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
      return fail(time.loop, why,
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
