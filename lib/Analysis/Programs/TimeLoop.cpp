//===- TimeLoop.cpp - Loops over time steps -------------------------------===//

#include "StencilDialect/Analysis/TimeLoop.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

using namespace mlir;
using namespace stencil;

namespace {

/// How a value of the step comes from the state at its beginning.
struct Origin {
  /// Offsets from which it is computed; empty if it does not depend on the
  /// state.
  OffsetBox from;
  /// Stores of this step that it has gone through.
  unsigned depth = 0;

  void join(const Origin &other) {
    from.join(other.from);
    depth = std::max(depth, other.depth);
  }
};

class Finder {
public:
  Finder(scf::ForOp loop, FieldAliasAnalysis &aliases, NoTimeLoop &why,
         StoredFields allowed)
      : aliases(aliases), carried(aliases.getCarriedFields(loop)), why(why),
        allowed(allowed) {
    found.loop = loop;
  }
  bool find();
  TimeLoop take() { return std::move(found); }

private:
  bool fail(Operation *op, const Twine &reason) {
    return why.refuse(op, reason);
  }
  bool checkCarried();
  bool addFixed(Value field);
  bool findFixed();
  void findRotation();
  bool visit(Operation *op);
  bool visitLoad(LoadOp load);
  bool visitApply(ApplyOp apply);
  bool visitStore(StoreOp store);
  bool visitBoundary(BoundaryOp boundary);
  bool checkInterior(Operation *op, BoundsAttr box);
  bool checkCoefficients();
  std::optional<unsigned> getPosition(Value field) {
    return found.getPosition(field, aliases);
  }

  FieldAliasAnalysis &aliases;
  const CarriedFields &carried;
  NoTimeLoop &why;
  StoredFields allowed;
  TimeLoop found;
  /// Of what is stored, how far from its point it is computed.
  OffsetBox radius;
  /// The op that settled the interior.
  Operation *settled = nullptr;
  llvm::DenseMap<Value, Origin> origins;
  /// Of the contents of fields that this step has stored to, by position.
  llvm::DenseMap<unsigned, Origin> stored;
  /// Positions in whose cycle something is stored.
  llvm::DenseSet<unsigned> stateful;
  llvm::DenseMap<unsigned, LoadOp> loaded;
  llvm::DenseSet<Value> stepDependent;
};

} // namespace

std::optional<unsigned>
TimeLoop::getPosition(Value field, FieldAliasAnalysis &aliases) const {
  // The source of an argument that keeps its field is outside of the loop.
  for (auto [position, known] : llvm::enumerate(fields))
    if (aliases.mustAlias(field, known))
      return position;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

bool Finder::checkCarried() {
  scf::ForOp loop = found.loop;
  if (carried.args.empty() && allowed == StoredFields::Carried)
    return fail(loop, "it carries no fields");
  for (Value argument : loop.getRegionIterArgs())
    if (!isa<FieldType>(argument.getType()))
      return fail(loop, "it carries a value of type " +
                            llvm::Twine(isa<MemRefType>(argument.getType())
                                            ? "memref"
                                            : "scalar") +
                            " besides fields");
  if (!carried.args.empty() && !carried.permutes)
    return fail(carried.culprit->getOwner(),
                "it does not yield a permutation of its fields");
  found.fields = carried.args;
  return allowed == StoredFields::Carried || findFixed();
}

/// A field of outside that a step stores to, or sets the halo of.
bool Finder::addFixed(Value field) {
  scf::ForOp loop = found.loop;
  if (getPosition(field) || !loop.isDefinedOutsideOfLoop(field))
    return true;
  for (Value other : llvm::concat<const Value>(carried.inits, found.fields))
    if (aliases.mayAlias(field, other))
      return fail(loop, "a field is stored to that may be another one that is");
  found.fields.push_back(field);
  return true;
}

bool Finder::findFixed() {
  for (Operation &op : *found.loop.getBody()) {
    Value field;
    if (auto store = dyn_cast<StoreOp>(op))
      field = store.getField();
    else if (auto boundary = dyn_cast<BoundaryOp>(op))
      field = boundary.getField();
    if (field && !addFixed(field))
      return false;
  }
  return true;
}

void Finder::findRotation() {
  size_t count = found.fields.size();
  for (unsigned position = 0; position < count; ++position)
    found.next.push_back(position);
  for (auto [i, yield] : llvm::enumerate(carried.yields))
    if (std::optional<unsigned> position = getPosition(yield->get()))
      found.next[*position] = i;
  llvm::DenseSet<unsigned> written;
  for (StoreOp store : found.loop.getBody()->getOps<StoreOp>())
    if (std::optional<unsigned> position = getPosition(store.getField()))
      written.insert(*position);
  std::vector<bool> seen(count, false);
  for (unsigned start = 0; start < count; ++start) {
    SmallVector<unsigned> cycle;
    for (unsigned at = start; !seen[at]; at = found.next[at]) {
      seen[at] = true;
      cycle.push_back(at);
    }
    if (cycle.empty())
      continue;
    found.period = std::lcm(found.period, uint64_t(cycle.size()));
    if (llvm::none_of(cycle, [&](unsigned i) { return written.contains(i); }))
      continue;
    found.buffers = std::max<unsigned>(found.buffers, cycle.size());
    stateful.insert_range(cycle);
  }
}

//===----------------------------------------------------------------------===//
// The step
//===----------------------------------------------------------------------===//

bool Finder::checkInterior(Operation *op, BoundsAttr box) {
  if (!found.interior) {
    found.interior = box;
    settled = op;
    return true;
  }
  if (found.interior == box)
    return true;
  std::string text;
  llvm::raw_string_ostream(text) << "it is not on one interior: " << box
                                 << ", and elsewhere " << found.interior;
  return fail(op, text);
}

bool Finder::visitLoad(LoadOp load) {
  found.loads.push_back(load);
  std::optional<unsigned> position = getPosition(load.getField());
  if (!position || !stateful.contains(*position)) {
    found.coefficients.push_back(load.getField());
    return true;
  }
  if (auto it = stored.find(*position); it != stored.end()) {
    Origin &origin = origins[load.getRes()] = it->second;
    ++origin.depth;
    return true;
  }
  int64_t rank = cast<GridType>(load.getField().getType()).getRank();
  origins[load.getRes()].from = OffsetBox::zero(rank);
  if (loaded.try_emplace(*position, load).second)
    found.levels.push_back(*position);
  return true;
}

bool Finder::visitApply(ApplyOp apply) {
  if (apply.isBufferised())
    return fail(apply, "a bufferised apply is in it");
  found.applies.push_back(apply);
  int64_t rank = apply.getRank();
  Footprint footprint(apply);
  Origin result;
  for (auto [i, input] : llvm::enumerate(apply.getArgs())) {
    found.isStepDependent |= stepDependent.contains(input);
    auto it = origins.find(input);
    if (it == origins.end() || it->second.from.isEmpty())
      continue;
    const Origin &origin = it->second;
    if (static_cast<int64_t>(origin.from.lower.size()) != rank)
      return fail(apply, "a state of lower rank is read");
    footprint.forEachRead(i, [&](const InputRead &read) {
      OffsetBox box = OffsetBox::ofRead(read, rank);
      result.join({origin.from.shifted(box), origin.depth});
    });
  }
  for (Value value : apply.getRes())
    origins[value] = result;
  return true;
}

bool Finder::visitStore(StoreOp store) {
  std::optional<unsigned> position = getPosition(store.getField());
  if (!position)
    return fail(store, "a field that it does not carry is stored to");
  if (!checkInterior(store, store.getBounds()))
    return false;
  found.stores.push_back(store);
  const Origin &origin = origins[store.getTemp()];
  stored[*position] = origin;
  found.stages = std::max(found.stages, origin.depth + 1);
  radius.join(origin.from);
  return true;
}

bool Finder::visitBoundary(BoundaryOp boundary) {
  std::optional<unsigned> position = getPosition(boundary.getField());
  if (!position)
    return fail(boundary, "the halo of a field that it does not carry is set");
  if (loaded.contains(*position) && !stored.contains(*position))
    return fail(boundary, "the halo of a field is set after it was read");
  if (!checkInterior(boundary, boundary.getBounds()))
    return false;
  found.boundaries.push_back(boundary);
  return true;
}

bool Finder::visit(Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return visitLoad(load);
  if (auto apply = dyn_cast<ApplyOp>(op))
    return visitApply(apply);
  if (auto store = dyn_cast<StoreOp>(op))
    return visitStore(store);
  if (auto boundary = dyn_cast<BoundaryOp>(op))
    return visitBoundary(boundary);
  if (isa<FoldOp>(op))
    return fail(op, "a value is folded, on which others may depend");
  if (op->hasTrait<ForwardsValues>()) {
    Origin origin;
    for (Value operand : op->getOperands())
      if (auto it = origins.find(operand);
          it != origins.end() && !it->second.from.isEmpty())
        origin.join(it->second);
    for (Value result : op->getResults()) {
      if (isa<FieldType>(result.getType()))
        return fail(op, "a value becomes a field");
      origins[result] = origin;
    }
    return true;
  }
  if (isa<CastOp, scf::YieldOp>(op))
    return true;
  if (op->getNumRegions() != 0)
    return fail(op, "a branch or another loop is in it");
  if (!isMemoryEffectFree(op))
    return fail(op, "an op with side effects is in it");
  if (llvm::any_of(op->getOperands(), [&](Value operand) {
        return stepDependent.contains(operand);
      }))
    stepDependent.insert_range(op->getResults());
  return true;
}

/// What is only read is surely not written in some step.
bool Finder::checkCoefficients() {
  for (Value field : found.coefficients)
    for (unsigned position : stateful)
      if (aliases.mayAlias(field, found.fields[position]) ||
          (position < carried.inits.size() &&
           aliases.mayAlias(field, carried.inits[position]))) {
        Operation *reader = nullptr;
        for (LoadOp load : found.loads)
          if (load.getField() == field)
            reader = load;
        return fail(reader,
                    "a field is read that may be one that is stored to");
      }
  return true;
}

bool Finder::find() {
  if (!checkCarried())
    return false;
  findRotation();
  stepDependent.insert(found.loop.getInductionVar());
  for (Operation &op : *found.loop.getBody())
    if (!visit(&op))
      return false;
  if (found.stores.empty())
    return fail(found.loop, "it stores nothing");
  if (radius.isEmpty())
    radius = OffsetBox::zero(found.interior.getRank());
  llvm::append_range(found.lower, radius.lower);
  llvm::append_range(found.upper, radius.upper);
  for (unsigned position : stateful)
    if (cast<GridType>(found.fields[position].getType()).getRank() !=
        found.interior.getRank())
      return fail(found.loop, "its fields are not of one rank");
  return checkCoefficients();
}

std::optional<TimeLoop> stencil::findTimeLoop(scf::ForOp loop,
                                              FieldAliasAnalysis &aliases,
                                              NoTimeLoop &why,
                                              StoredFields allowed) {
  Finder finder(loop, aliases, why, allowed);
  if (!finder.find())
    return std::nullopt;
  return finder.take();
}
