//===- BodyOrder.cpp - An order of a body that holds few values -----------===//
//
// List scheduling, as of machine instructions, for the fewest registers. What
// it chooses between are operators: trees of ops over the points of one input,
// of which nobody else sees a part. An operator that lets its user, or values
// that were waiting for it, go on comes first; else one of an input that has
// been begun; else another input is begun: the one after which the fewest
// values wait. Then inputs change places for as long as that helps.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/BodyOrder.h"
#include "BodyGraph.h"
#include "llvm/ADT/BitVector.h"

#include <map>
#include <set>

using namespace mlir;
using namespace stencil;

/// Orders of inputs are tried for as long as this many ops take.
static constexpr int64_t kSearchedOps = 200000;

namespace {

/// Orders the items of a graph.
class Scheduler {
public:
  /// The inputs are begun in this order, those that are not listed by choice.
  Scheduler(const BodyGraph &graph, llvm::ArrayRef<unsigned> inputs);
  std::vector<unsigned> run();
  /// The order in which inputs were begun.
  llvm::ArrayRef<unsigned> getInputs() const { return opened; }

private:
  /// What is known of an item on the way.
  struct State {
    /// Operands that are to come; loads come when they are needed.
    unsigned pending = 0;
    /// Users that are to come. What is returned has one that never comes.
    unsigned uses = 0;
    bool isDone = false;
    int64_t score = 0;
  };

  int64_t getChange(unsigned number) const;
  int64_t getScore(unsigned number) const;
  bool isOpen(unsigned input) const { return openInputs.test(input); }
  bool canLoad(unsigned number) const;
  bool hasLoads(unsigned number) const;
  void touch(unsigned number);
  void touchAround(unsigned number);
  void finish(unsigned number);
  void openInput();
  unsigned chooseInput() const;
  std::vector<unsigned> findMissing() const;

  const BodyGraph &graph;
  llvm::ArrayRef<BodyItem> items;
  std::vector<State> states;
  llvm::SmallVector<unsigned> wanted, opened;
  llvm::BitVector openInputs;
  /// Items of which all operands are there, or can be loaded: of inputs that
  /// have been begun, by score, then by place.
  std::set<std::pair<int64_t, unsigned>> ready;
  std::vector<unsigned> order;
};

} // namespace

Scheduler::Scheduler(const BodyGraph &graph, ArrayRef<unsigned> inputs)
    : graph(graph), items(graph.getItems()), states(items.size()),
      wanted(inputs), openInputs(graph.getInputs().back() + 1) {
  for (auto [item, state] : llvm::zip_equal(items, states)) {
    state.uses = item.users.size() + item.isReturned;
    for (unsigned operand : item.operands)
      state.pending += !items[operand].isLoad();
  }
}

//===----------------------------------------------------------------------===//
// Choice
//===----------------------------------------------------------------------===//

/// By how many registers the live values grow if the item comes next.
int64_t Scheduler::getChange(unsigned number) const {
  int64_t change = states[number].uses > 0 ? items[number].registers : 0;
  for (unsigned operand : items[number].operands) {
    const State &state = states[operand];
    int64_t registers = items[operand].registers;
    if (items[operand].isLoad() && !state.isDone)
      change += state.uses > 1 ? registers : 0;
    else if (state.uses == 1)
      change -= registers;
  }
  return change;
}

/// As above, or, if fewer, with the user that waits for nothing else.
int64_t Scheduler::getScore(unsigned number) const {
  int64_t change = getChange(number);
  const BodyItem &item = items[number];
  if (item.users.size() != 1 || item.isReturned)
    return change;
  unsigned user = item.users.front();
  if (states[user].pending != 1 || !canLoad(user))
    return change;
  return std::min(change, change + getChange(user));
}

/// True if it loads only of inputs that have been begun.
bool Scheduler::canLoad(unsigned number) const {
  return llvm::all_of(items[number].operands, [&](unsigned operand) {
    return !items[operand].isLoad() || states[operand].isDone ||
           isOpen(items[operand].input);
  });
}

bool Scheduler::hasLoads(unsigned number) const {
  return llvm::any_of(items[number].operands, [&](unsigned operand) {
    return items[operand].isLoad();
  });
}

/// Brings the score of an item up to date.
void Scheduler::touch(unsigned number) {
  State &state = states[number];
  if (items[number].isLoad() || state.isDone || state.pending > 0 ||
      !canLoad(number))
    return;
  ready.erase({state.score, number});
  state.score = getScore(number);
  ready.insert({state.score, number});
}

/// The same for what the state of an item matters to.
void Scheduler::touchAround(unsigned number) {
  for (unsigned user : items[number].users) {
    if (states[user].isDone)
      continue;
    touch(user);
    if (states[user].pending == 1)
      for (unsigned operand : items[user].operands)
        touch(operand);
  }
}

/// The inputs that each item waits for: none, one, or several.
std::vector<unsigned> Scheduler::findMissing() const {
  std::vector<unsigned> missing(items.size(), kNoInput);
  for (auto [number, item] : llvm::enumerate(items)) {
    if (states[number].isDone)
      continue;
    if (item.isLoad() && !isOpen(item.input))
      missing[number] = item.input;
    for (unsigned operand : item.operands)
      missing[number] = joinInputs(missing[number], missing[operand]);
  }
  return missing;
}

/// The input after which the fewest values wait for others.
unsigned Scheduler::chooseInput() const {
  std::vector<unsigned> missing = findMissing();
  std::map<unsigned, int64_t> changes;
  for (unsigned input : graph.getInputs())
    if (!isOpen(input))
      changes[input] = 0;
  for (auto [number, item] : llvm::enumerate(items)) {
    const State &state = states[number];
    if (state.isDone && state.uses == 0)
      continue;
    // Those of its users that one more input lets go on.
    llvm::SmallSetVector<unsigned, 4> groups;
    for (unsigned user : item.users)
      if (!states[user].isDone && missing[user] != kNoInput)
        groups.insert(missing[user]);
    unsigned own = state.isDone ? kNoInput : missing[number];
    bool staysBehind = item.isReturned || groups.size() > 1 ||
                       (groups.size() == 1 && groups.front() != own);
    if (state.isDone && !item.isReturned && groups.size() == 1) {
      if (auto it = changes.find(groups.front()); it != changes.end())
        it->second -= item.registers;
    } else if (auto it = changes.find(own);
               !state.isDone && it != changes.end() && staysBehind) {
      it->second += item.registers;
    }
  }
  return llvm::min_element(
             changes,
             [](const auto &a, const auto &b) { return a.second < b.second; })
      ->first;
}

void Scheduler::openInput() {
  unsigned input =
      opened.size() < wanted.size() ? wanted[opened.size()] : chooseInput();
  opened.push_back(input);
  openInputs.set(input);
  for (unsigned load : graph.getLoads(input))
    touchAround(load);
}

//===----------------------------------------------------------------------===//
// The schedule
//===----------------------------------------------------------------------===//

void Scheduler::finish(unsigned number) {
  const BodyItem &item = items[number];
  ready.erase({states[number].score, number});
  order.push_back(number);
  states[number].isDone = true;
  for (unsigned user : item.users)
    --states[user].pending;
  for (unsigned operand : item.operands) {
    --states[operand].uses;
    if (items[operand].isLoad())
      states[operand].isDone = true;
  }
  for (unsigned operand : item.operands)
    if (states[operand].uses <= 1 || items[operand].isLoad())
      touchAround(operand);
  touchAround(number);
}

std::vector<unsigned> Scheduler::run() {
  // Constants and the like stay at the front.
  for (unsigned number = 0; number < items.size(); ++number)
    if (items[number].registers == 0 && items[number].operands.empty())
      finish(number);
  for (unsigned number = 0; number < items.size(); ++number)
    touch(number);
  while (true) {
    // What only grows waits, unless it has to do with an input at hand.
    auto next = ready.begin();
    if (next == ready.end() || next->first > 0) {
      auto loads = llvm::find_if(
          ready, [&](const auto &entry) { return hasLoads(entry.second); });
      if (loads != ready.end()) {
        next = loads;
      } else if (opened.size() < graph.getInputs().size()) {
        openInput();
        continue;
      }
    }
    if (next == ready.end())
      return order;
    finish(next->second);
  }
}

//===----------------------------------------------------------------------===//
// The order of the inputs
//===----------------------------------------------------------------------===//

int64_t stencil::countLiveRegisters(ApplyOp apply) {
  BodyGraph graph(apply);
  return graph.measure(graph.getWritten()).most;
}

OpOrder stencil::findShortOrder(ApplyOp apply, LiveRegisters &live) {
  BodyGraph graph(apply);
  if (graph.getInputs().empty()) {
    live = graph.measure(graph.getWritten());
    return graph.getOps(graph.getWritten());
  }
  Scheduler greedy(graph, {});
  std::vector<unsigned> best = graph.listOps(greedy.run());
  live = graph.measure(best);
  SmallVector<unsigned> inputs(greedy.getInputs());
  int64_t tries = kSearchedOps / std::max<int64_t>(1, best.size());
  for (bool isBetter = true; std::exchange(isBetter, false);)
    for (unsigned from = 0; from < inputs.size(); ++from)
      for (unsigned to = 0; to < inputs.size() && tries > 0; ++to) {
        if (to == from)
          continue;
        SmallVector<unsigned> moved(inputs);
        moved.erase(moved.begin() + from);
        moved.insert(moved.begin() + to, inputs[from]);
        --tries;
        std::vector<unsigned> order =
            graph.listOps(Scheduler(graph, moved).run());
        LiveRegisters cost = graph.measure(order);
        if (!(cost < live))
          continue;
        live = cost;
        best = std::move(order);
        inputs = std::move(moved);
        isBetter = true;
      }
  return graph.getOps(best);
}
