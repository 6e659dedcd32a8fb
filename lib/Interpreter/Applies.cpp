//===- Applies.cpp - Applies and their bodies -----------------------------===//

#include "Applies.h"
#include "NonFinite.h"
#include "Translator.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

namespace {

/// One evaluation of an apply.
class ApplyRun {
public:
  ApplyRun(RunState &state, BodyPrograms &bodies, ApplyOp op,
           ArrayRef<Value> dying)
      : state(state), bodies(bodies), op(op), dying(dying) {}

  LogicalResult run();

private:
  LogicalResult bindInputs();
  LogicalResult bindDestinations();
  LogicalResult bindResults();
  FieldValue *findDirectStore(unsigned result);

  RunState &state;
  BodyPrograms &bodies;
  ApplyOp op;
  ArrayRef<Value> dying;
  Evaluation evaluation;
  /// They live as long as the apply runs.
  SmallVector<RuntimeValue> inputs;
  SmallVector<TempValue> results;
};

} // namespace

LogicalResult BodyPrograms::setUp(Evaluation &evaluation, ApplyOp op) {
  evaluation.op = op;
  std::unique_ptr<Program> &program = programs[op];
  if (!program) {
    program = Translator(op, state.options.precision,
                         state.analysis ? &*state.analysis : nullptr)
                  .translate();
    if (!program)
      return failure();
  }
  evaluation.program = program.get();
  if (state.analysis)
    evaluation.salt = mixSalt(++state.analysis->evaluations);
  for (const Program::Scalar &scalar : program->scalars) {
    const Scalar &value = state.getScalar(op.getArgs()[scalar.argument]);
    evaluation.scalars.push_back(value.cell);
    evaluation.scalarErrors.push_back(value.error);
  }
  return success();
}

LogicalResult BodyPrograms::run(Evaluation &evaluation) {
  std::vector<std::vector<uint8_t>> sources;
  if (state.analysis)
    sources = findNonFinite(evaluation, *state.analysis);
  if (failed(evaluate(evaluation, state.team, state.pool)))
    return failure();
  if (!sources.empty())
    spreadNonFinite(evaluation, sources);
  return success();
}

LogicalResult ApplyRun::run() {
  if (op.isBufferised()) {
    std::optional<Box> domain = state.resolve(*op.getBounds(), op);
    if (!domain)
      return failure();
    evaluation.domain = *domain;
  } else {
    for (Value result : op.getRes())
      evaluation.domain.include(state.getDemand(result));
  }
  // No store needs it.
  if (evaluation.domain.isEmpty())
    return success();
  if (failed(bodies.setUp(evaluation, op)))
    return failure();

  // Writes to the destinations come first: they may move what was loaded.
  if (op.isBufferised() && failed(bindDestinations()))
    return failure();
  if (failed(bindInputs()) || failed(checkAccesses(evaluation)))
    return failure();
  if (!op.isBufferised() && failed(bindResults()))
    return failure();
  if (failed(bodies.run(evaluation)))
    return failure();
  for (auto [result, temp] : llvm::zip(op.getRes(), results))
    state.get(result) = std::move(temp);
  return success();
}

/// True if the program reads `input` at its own point only.
static bool isReadPointwise(const Program &program, unsigned input) {
  if (llvm::any_of(program.ranges, [&](const Program::Range &range) {
        return range.input == input;
      }))
    return false;
  return llvm::all_of(program.accesses, [&](const Program::Access &access) {
    const Program::View &view = program.views[access.view];
    return view.input != input ||
           (view.axes.size() == program.rank &&
            llvm::all_of(access.offset,
                         [](int64_t offset) { return offset == 0; }));
  });
}

LogicalResult ApplyRun::bindInputs() {
  for (auto [index, argument] : llvm::enumerate(evaluation.program->inputs)) {
    Value value = op.getArgs()[argument];
    BoundInput &bound = evaluation.inputs.emplace_back();
    if (isa<FieldType>(value.getType())) {
      FieldValue &field = state.getField(value);
      if (field.box.isEmpty())
        return op.emitError("expected a field with bounds, got ")
               << value.getType();
      bound.array = field.getView();
      for (BoundOutput &output : evaluation.outputs) {
        if (output.array.data != bound.array.data)
          continue;
        if (!isReadPointwise(*evaluation.program, index) ||
            !(output.array.box == bound.array.box))
          return op.emitError("reads an output of its bufferised apply at a "
                              "non-zero offset");
        output.isAliased = true;
      }
      inputs.push_back(field);
    } else {
      TempValue *temp = state.getTemp(op, value);
      if (!temp)
        return failure();
      bound.array = temp->getView();
      bound.mask = temp->mask.get();
      inputs.push_back(*temp);
    }
    bound.strides = bound.array.getStrides();
  }
  return success();
}

LogicalResult ApplyRun::bindDestinations() {
  for (Value dest : op.getDest()) {
    FieldValue &field = state.getField(dest);
    if (field.box.isEmpty())
      return op.emitError("expected a field with bounds, got ")
             << dest.getType();
    if (!field.box.contains(evaluation.domain)) {
      return op.emitError("expected the bounds ")
             << *op.getBounds() << " to lie in the destination, "
             << llvm::to_string(field.box);
    }
    for (const BoundOutput &other : evaluation.outputs)
      if (other.array.data == field.storage->data)
        return op.emitError("expected distinct destinations");
    if (failed(state.prepareWrite(op, *field.storage)))
      return failure();
    evaluation.outputs.push_back({field.getView(), nullptr, false});
  }
  return success();
}

/// The field that a result may be written to right away, because nobody can
/// tell the difference: its only use stores all of it, further down in this
/// block; nothing in between looks at the field, or has looked before and still
/// keeps a snapshot, but for inputs that die here and are read at offset zero.
FieldValue *ApplyRun::findDirectStore(unsigned result) {
  Value value = op.getRes()[result];
  if (evaluation.program->isMasked(result) || !value.hasOneUse())
    return nullptr;
  auto store = dyn_cast<StoreOp>(*value.user_begin());
  if (!store || store->getBlock() != op->getBlock())
    return nullptr;
  auto known = state.activation->values.find(store.getField());
  std::optional<Box> box = state.resolve(store.getBounds());
  if (known == state.activation->values.end() || !box ||
      !(*box == evaluation.domain))
    return nullptr;
  auto *field = std::get_if<FieldValue>(&known->second);
  if (!field || !field->box.contains(*box))
    return nullptr;
  FieldStorage &storage = *field->storage;
  for (Operation *between = op->getNextNode(); between != store;
       between = between->getNextNode()) {
    if (auto other = dyn_cast<StoreOp>(between)) {
      // Of a value that is known to be in another field.
      auto otherField = state.activation->values.find(other.getField());
      if (otherField == state.activation->values.end() ||
          std::get<FieldValue>(otherField->second).storage.get() == &storage)
        return nullptr;
    } else if (!isMemoryEffectFree(between)) {
      return nullptr;
    }
  }
  for (const BoundOutput &output : evaluation.outputs)
    if (output.array.data == storage.data)
      return nullptr;
  long holders = 0;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    const auto *temp = std::get_if<TempValue>(&input);
    if (!temp || temp->contents != storage.current)
      continue;
    Value operand = op.getArgs()[evaluation.program->inputs[index]];
    bool diesHere = llvm::is_contained(dying, operand);
    if (!diesHere || !isReadPointwise(*evaluation.program, index) ||
        !(temp->box == field->box))
      return nullptr;
    // One reference in `inputs`; the others are counted once per value.
    ++holders;
    bool isFirst = true;
    for (unsigned before = 0; before < index; ++before)
      isFirst &= op.getArgs()[evaluation.program->inputs[before]] != operand;
    holders += isFirst ? 1 : 0;
  }
  return storage.isShared(holders) ? nullptr : field;
}

LogicalResult ApplyRun::bindResults() {
  for (unsigned i = 0; i < op.getRes().size(); ++i) {
    FailureOr<Kind> kind = state.requireKind(op, op.getOutputElementType(i));
    if (failed(kind))
      return failure();
    if (FieldValue *field = findDirectStore(i)) {
      TempValue &temp = results.emplace_back();
      temp.box = evaluation.domain;
      temp.kind = *kind;
      temp.isStored = true;
      // An input that shares the memory is read before its point is written.
      evaluation.outputs.push_back({field->getView(), nullptr, true});
      continue;
    }
    bool isMasked = evaluation.program->isMasked(i);
    FailureOr<TempValue> temp =
        state.makeTemp(op, *kind, evaluation.domain, isMasked);
    if (failed(temp))
      return failure();
    evaluation.outputs.push_back({temp->getView(), temp->mask.get(), false});
    results.push_back(std::move(*temp));
  }
  return success();
}

LogicalResult interp::evaluate(RunState &state, BodyPrograms &bodies,
                               ApplyOp op, ArrayRef<Value> dying) {
  return ApplyRun(state, bodies, op, dying).run();
}
