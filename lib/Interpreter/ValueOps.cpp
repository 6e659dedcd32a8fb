//===- ValueOps.cpp - Applies, combines and copies ------------------------===//

#include "Evaluator.h"
#include "NonFinite.h"
#include "Translator.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Apply
//===----------------------------------------------------------------------===//

/// The program of an apply, and its scalars.
LogicalResult Evaluator::setUp(Evaluation &evaluation, ApplyOp op) {
  evaluation.op = op;
  std::unique_ptr<Program> &program = programs[op];
  if (!program) {
    program = Translator(op, options.precision, analysis ? &*analysis : nullptr)
                  .translate();
    if (!program)
      return failure();
  }
  evaluation.program = program.get();
  if (analysis)
    evaluation.salt = mixSalt(++analysis->evaluations);
  for (const Program::Scalar &scalar : program->scalars) {
    const Scalar &value = getScalar(op.getArgs()[scalar.argument]);
    evaluation.scalars.push_back(value.cell);
    evaluation.scalarErrors.push_back(value.error);
  }
  return success();
}

LogicalResult Evaluator::run(Evaluation &evaluation) {
  std::vector<std::vector<uint8_t>> sources;
  if (analysis)
    sources = findNonFinite(evaluation, *analysis);
  if (failed(evaluate(evaluation, team, pool)))
    return failure();
  if (!sources.empty())
    spreadNonFinite(evaluation, sources);
  return success();
}

LogicalResult Evaluator::evaluateApply(ApplyOp op) {
  Evaluation evaluation;
  if (op.isBufferised()) {
    std::optional<Box> domain =
        activation->extents.resolve(*op.getBounds(), op);
    if (!domain)
      return failure();
    evaluation.domain = *domain;
  } else {
    for (Value result : op.getRes())
      evaluation.domain.include(activation->demand.lookup(result));
  }
  // No store needs it.
  if (evaluation.domain.isEmpty())
    return success();
  if (failed(setUp(evaluation, op)))
    return failure();

  // Writes to the destinations come first: they may move what was loaded.
  if (op.isBufferised() && failed(bindDestinations(evaluation, op)))
    return failure();
  SmallVector<RuntimeValue> inputs;
  if (failed(bindInputs(evaluation, op, inputs)) ||
      failed(checkAccesses(evaluation)))
    return failure();
  SmallVector<TempValue> results;
  if (!op.isBufferised() &&
      failed(bindResults(evaluation, op, inputs, results)))
    return failure();
  if (failed(run(evaluation)))
    return failure();
  for (auto [result, temp] : llvm::zip(op.getRes(), results))
    get(result) = std::move(temp);
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

/// `inputs` keeps the values alive while the apply runs.
LogicalResult Evaluator::bindInputs(Evaluation &evaluation, ApplyOp op,
                                    SmallVectorImpl<RuntimeValue> &inputs) {
  for (auto [index, argument] : llvm::enumerate(evaluation.program->inputs)) {
    Value value = op.getArgs()[argument];
    BoundInput &bound = evaluation.inputs.emplace_back();
    if (isa<FieldType>(value.getType())) {
      FieldValue &field = getField(value);
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
      TempValue *temp = getTemp(op, value);
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

LogicalResult Evaluator::bindDestinations(Evaluation &evaluation, ApplyOp op) {
  for (Value dest : op.getDest()) {
    FieldValue &field = getField(dest);
    if (field.box.isEmpty())
      return op.emitError("expected a field with bounds, got ")
             << dest.getType();
    if (!field.box.contains(evaluation.domain)) {
      std::string text;
      llvm::raw_string_ostream(text) << field.box;
      return op.emitError("expected the bounds ")
             << *op.getBounds() << " to lie in the destination, " << text;
    }
    for (const BoundOutput &other : evaluation.outputs)
      if (other.array.data == field.storage->data)
        return op.emitError("expected distinct destinations");
    if (failed(prepareWrite(op, *field.storage)))
      return failure();
    evaluation.outputs.push_back({field.getView(), nullptr, false});
  }
  return success();
}

/// The field that a result may be written to right away, because nobody can
/// tell the difference: its only use stores all of it, further down in this
/// block; nothing in between looks at the field, or has looked before and still
/// keeps a snapshot, but for inputs that die here and are read at offset zero.
FieldValue *Evaluator::findDirectStore(const Evaluation &evaluation, ApplyOp op,
                                       unsigned result,
                                       ArrayRef<RuntimeValue> inputs) {
  Value value = op.getRes()[result];
  if (evaluation.program->isMasked(result) || !value.hasOneUse())
    return nullptr;
  auto store = dyn_cast<StoreOp>(*value.user_begin());
  if (!store || store->getBlock() != op->getBlock())
    return nullptr;
  auto known = activation->values.find(store.getField());
  std::optional<Box> box = activation->extents.resolve(store.getBounds());
  if (known == activation->values.end() || !box || !(*box == evaluation.domain))
    return nullptr;
  auto *field = std::get_if<FieldValue>(&known->second);
  if (!field || !field->box.contains(*box))
    return nullptr;
  FieldStorage &storage = *field->storage;
  for (Operation *between = op->getNextNode(); between != store;
       between = between->getNextNode()) {
    if (auto other = dyn_cast<StoreOp>(between)) {
      // Of a value that is known to be in another field.
      auto otherField = activation->values.find(other.getField());
      if (otherField == activation->values.end() ||
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
    bool diesHere = llvm::is_contained(
        deaths.find(op->getBlock())->second.lookup(op), operand);
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

LogicalResult Evaluator::bindResults(Evaluation &evaluation, ApplyOp op,
                                     ArrayRef<RuntimeValue> inputs,
                                     SmallVectorImpl<TempValue> &results) {
  for (unsigned i = 0; i < op.getRes().size(); ++i) {
    FailureOr<Kind> kind =
        requireKind(op, op.getOutputElementType(i), options.precision);
    if (failed(kind))
      return failure();
    if (FieldValue *field = findDirectStore(evaluation, op, i, inputs)) {
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
        makeTemp(op, *kind, evaluation.domain, isMasked);
    if (failed(temp))
      return failure();
    evaluation.outputs.push_back({temp->getView(), temp->mask.get(), false});
    results.push_back(std::move(*temp));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Combine
//===----------------------------------------------------------------------===//

LogicalResult Evaluator::evaluateCombine(CombineOp op) {
  unsigned axis = op.getDim().getZExtValue();
  int64_t position = op.getIndex().getSExtValue();
  size_t pairs = op.getLower().size(), lowerExtras = op.getLowerext().size();
  for (auto [index, result] : llvm::enumerate(op.getResults())) {
    Box box = activation->demand.lookup(result);
    if (box.isEmpty())
      continue;
    // What each side comes from; null where nothing is stored.
    Value sides[2];
    if (index < pairs) {
      sides[0] = op.getLower()[index];
      sides[1] = op.getUpper()[index];
    } else if (index < pairs + lowerExtras) {
      sides[0] = op.getLowerext()[index - pairs];
    } else {
      sides[1] = op.getUpperext()[index - pairs - lowerExtras];
    }
    Box regions[2] = {box.below(axis, position), box.from(axis, position)};
    const TempValue *temps[2] = {};
    bool isMasked = false;
    for (unsigned side : {0, 1}) {
      if (regions[side].isEmpty())
        continue;
      if (sides[side]) {
        temps[side] = getTemp(op, sides[side]);
        if (!temps[side])
          return failure();
      }
      isMasked |= !temps[side] || temps[side]->mask;
      if (!temps[side] || temps[side]->box.contains(regions[side]))
        continue;
      std::string needed, got;
      llvm::raw_string_ostream(needed) << regions[side];
      llvm::raw_string_ostream(got) << temps[side]->box;
      return op.emitError("expected the ")
             << (side == 0 ? "lower" : "upper") << " operand to contain "
             << needed << ", got " << got;
    }
    FailureOr<Kind> kind =
        requireKind(op, cast<GridType>(result.getType()).getElementType(),
                    options.precision);
    if (failed(kind))
      return failure();
    FailureOr<TempValue> joined = makeTemp(op, *kind, box, isMasked);
    if (failed(joined))
      return failure();
    ArrayView target = joined->getView();
    ArrayView mask = {joined->mask.get(), Kind::I1, box};
    if (isMasked)
      std::memset(mask.data, 0, *box.getNumPoints());
    for (unsigned side : {0, 1}) {
      const TempValue *temp = temps[side];
      if (!temp)
        continue;
      copyRegion(target, temp->getView(), regions[side]);
      if (temp->mask) {
        copyRegion(mask, {temp->mask.get(), Kind::I1, temp->box},
                   regions[side]);
      } else if (isMasked) {
        int64_t n = regions[side].getExtent(box.getRank() - 1);
        forEachRow(regions[side], [&](ArrayRef<int64_t> point) {
          std::memset(mask.at(point), 1, n);
        });
      }
    }
    get(result) = std::move(*joined);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

/// The value of a buffer or window: what is computed is in memory anyhow.
LogicalResult Evaluator::evaluateCopy(Value from, Value to) {
  RuntimeValue value = get(from);
  get(to) = std::move(value);
  return success();
}

/// The errors of a sum of rows at different planes.
static void addErrors(const ArrayView &target, ArrayRef<ArrayView> terms,
                      ArrayRef<int64_t> planes, int64_t axis,
                      const ErrorAnalysis &analysis, Rounding rounding) {
  int64_t n = target.box.getExtent(target.box.getRank() - 1);
  std::vector<double> numbers(n), magnitude(n);
  forEachRow(target.box, [&](ArrayRef<int64_t> point) {
    PointError *errors = target.errors + target.getIndex(point);
    llvm::fill(magnitude, 0);
    for (auto [term, plane] : llvm::zip_equal(terms, planes)) {
      SmallVector<int64_t, 4> from(point);
      from[axis] += plane;
      const PointError *added = term.errors + term.getIndex(from);
      toDouble(numbers.data(), term.at(from), term.kind, n);
      for (int64_t i = 0; i < n; ++i) {
        errors[i].bound += std::fabs(added[i].bound);
        errors[i].coherent += added[i].coherent;
        errors[i].random += added[i].random;
        magnitude[i] += std::fabs(numbers[i]);
      }
    }
    for (int64_t i = 0; i < n; ++i)
      if (errors[i].bound > 0 || analysis.math != MathMode::Strict ||
          analysis.roundsAlways())
        addRounding(errors[i], rounding.epsilon * magnitude[i] + rounding.tiny,
                    i);
  });
}

/// ((t0 + t1) + t2) + ... of the terms, each at its own plane; every sum is
/// rounded.
LogicalResult Evaluator::evaluateAccumulate(AccumulateOp op) {
  Box box = activation->demand.lookup(op.getRes());
  if (box.isEmpty())
    return success();
  auto pipeline = cast<PipelineOp>(op->getParentOp());
  int64_t axis = *pipeline.getWalkAxis();
  FailureOr<Kind> kind =
      requireKind(op, cast<GridType>(op.getRes().getType()).getElementType(),
                  options.precision);
  if (failed(kind))
    return failure();
  Kernel add = isFloat(*kind) ? getFloatKernel("arith.addf", *kind)
                              : getIntegerKernel("arith.addi", *kind);
  if (!add)
    return emitUnknownOp(op);
  SmallVector<ArrayView> terms;
  for (Value value : op.getTerms()) {
    TempValue *term = getTemp(op, value);
    if (!term)
      return failure();
    terms.push_back(term->getView());
  }
  FailureOr<TempValue> sum = makeTemp(op, *kind, box, /*isMasked=*/false);
  if (failed(sum))
    return failure();
  ArrayView target = sum->getView();
  int64_t n = box.getExtent(box.getRank() - 1);
  std::vector<char> partial(n * getSize(*kind));
  if (analysis)
    addErrors(
        target, terms, op.getPlanes(), axis, *analysis,
        getRounding(cast<GridType>(op.getRes().getType()).getElementType(),
                    *analysis));
  forEachRow(box, [&](ArrayRef<int64_t> point) {
    char *to = target.at(point);
    for (auto [i, term, plane] : llvm::enumerate(terms, op.getPlanes())) {
      SmallVector<int64_t, 4> from(point);
      from[axis] += plane;
      if (i == 0) {
        std::memcpy(to, term.at(from), partial.size());
        continue;
      }
      std::memcpy(partial.data(), to, partial.size());
      add(to, partial.data(), term.at(from), nullptr, n);
    }
  });
  get(op.getRes()) = std::move(*sum);
  return success();
}
