//===- TileValues.cpp - Stages of kernels, and values that threads hold ---===//

#include "Evaluator.h"
#include "NonFinite.h"
#include "StencilDialect/Tile/TilePlane.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

TileValue *Evaluator::getTileValue(Operation *op, Value value) {
  RuntimeValue &known = get(value);
  if (auto *values = std::get_if<TileValue>(&known))
    return values;
  InFlightDiagnostic diag = op->emitError("expected values that threads hold");
  if (auto *source = std::get_if<SourceValue>(&known))
    diag.attachNote(source->op.getLoc())
        << "this names memory: only a stage reads it";
  return nullptr;
}

/// Values on the box of a type, specified nowhere.
FailureOr<TileValue> Evaluator::makeTileValue(Operation *op, Type type) {
  auto grid = dyn_cast<TempType>(type);
  if (!grid || !grid.getBounds() || grid.getBounds().isSymbolic())
    return op->emitError("the interpreter expects values on a box, got ")
           << type;
  FailureOr<Kind> kind =
      requireKind(op, grid.getElementType(), options.precision);
  if (failed(kind))
    return failure();
  Box box{SmallVector<int64_t, 4>(grid.getBounds().getLb()),
          SmallVector<int64_t, 4>(grid.getBounds().getUb())};
  FailureOr<TempValue> values = makeTemp(op, *kind, box, /*isMasked=*/true);
  if (failed(values))
    return failure();
  clear(*values);
  return TileValue{std::move(*values), std::nullopt, false};
}

LogicalResult Evaluator::evaluatePoison(ub::PoisonOp op) {
  FailureOr<TileValue> poison = makeTileValue(op, op.getType());
  if (failed(poison))
    return failure();
  poison->isPoison = true;
  get(op) = std::move(*poison);
  return success();
}

LogicalResult Evaluator::evaluateShift(tile::ShiftOp op) {
  TileValue *values = getTileValue(op, op.getValues());
  if (!values)
    return failure();
  TileValue shifted = *values;
  --shifted.values.box.lb[*block->walkAxis];
  --shifted.values.box.ub[*block->walkAxis];
  if (shifted.plane)
    ++*shifted.plane;
  get(op.getRes()) = std::move(shifted);
  return success();
}

LogicalResult Evaluator::evaluateJoin(tile::JoinOp op) {
  FailureOr<TileValue> joined = makeTileValue(op, op.getRes().getType());
  if (failed(joined))
    return failure();
  TempValue &to = joined->values;
  ArrayView states = {to.mask.get(), Kind::I1, to.box};
  joined->isPoison = true;
  for (Value part : op.getPlanes()) {
    TileValue *values = getTileValue(op, part);
    if (!values)
      return failure();
    const TempValue &from = values->values;
    copyRegion(to.getView(), from.getView(), from.box);
    copyRegion(states, {from.mask.get(), Kind::I1, from.box}, from.box);
    joined->isPoison &= values->isPoison;
    // What is carried may be for the iteration before.
    joined->plane = std::max(joined->plane, values->plane);
  }
  get(op.getRes()) = std::move(*joined);
  return success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

/// The plane that a stage is for: that of the iteration, or what it is told, or
/// what its sources say, or else its values; nothing if they do not.
FailureOr<std::optional<int64_t>> Evaluator::findPlane(ApplyOp stage) {
  std::optional<int64_t> plane = block->plane, newest;
  const SourceValue *known = nullptr;
  if (Value own = tile::getPlaneOf(stage))
    plane = getInteger(own);
  for (Value operand : stage.getArgs()) {
    if (auto *values = std::get_if<TileValue>(&get(operand)))
      newest = std::max(newest, values->plane);
    const auto *source = std::get_if<SourceValue>(&get(operand));
    if (!source)
      continue;
    if (plane && *plane != source->plane) {
      InFlightDiagnostic diag = stage.emitOpError("reads sources for plane ")
                                << source->plane << " in "
                                << (known ? "a stage" : "the iteration")
                                << " for plane " << *plane << block->describe();
      diag.attachNote(tile::SourceOp(source->op).getLoc())
          << "it is read as this";
      return diag;
    }
    known = source;
    plane = source->plane;
  }
  return plane ? plane : newest;
}

/// The first and last plane, with those between, that a program reads of an
/// input, relative to a point's own; all of them if it turns the axes.
static std::pair<int64_t, int64_t> getPlanes(const Program &program,
                                             unsigned input, int64_t axis,
                                             std::pair<int64_t, int64_t> all) {
  std::optional<std::pair<int64_t, int64_t>> planes;
  auto add = [&](int64_t lower, int64_t upper) {
    planes = planes ? std::pair(std::min(planes->first, lower),
                                std::max(planes->second, upper))
                    : std::pair(lower, upper);
  };
  for (const Program::Access &access : program.accesses) {
    const Program::View &view = program.views[access.view];
    if (view.input != input)
      continue;
    if (view.axes[axis] != axis)
      return all;
    add(access.offset[axis], access.offset[axis]);
  }
  for (const Program::Range &range : program.ranges)
    if (range.input == input)
      add(range.lower[axis], range.upper[axis]);
  return planes.value_or(all);
}

LogicalResult Evaluator::bindSource(Evaluation &evaluation, unsigned index,
                                    const SourceValue &source,
                                    SmallVectorImpl<RuntimeValue> &inputs) {
  BoundInput &bound = evaluation.inputs.emplace_back();
  if (!source.ring) {
    bound.array = source.field.getView();
    bound.strides = bound.array.getStrides();
    inputs.push_back(source.field);
    return success();
  }
  std::pair<int64_t, int64_t> planes = {0, 1};
  if (block->walkAxis) {
    unsigned axis = *block->walkAxis;
    Box box = block->place(source.box, source.plane);
    const Box &domain = evaluation.domain;
    // All, relative to the first point and to the last one.
    planes = getPlanes(
        *evaluation.program, index, axis,
        {box.lb[axis] - domain.lb[axis], box.ub[axis] - domain.ub[axis]});
    planes = {std::max(domain.lb[axis] + planes.first, box.lb[axis]),
              std::min(domain.ub[axis] + planes.second, box.ub[axis])};
  }
  FailureOr<TempValue> read =
      readRing(evaluation.op, source, planes.first, planes.second);
  if (failed(read))
    return failure();
  bound.array = read->getView();
  bound.mask = read->mask.get();
  bound.strides = bound.array.getStrides();
  inputs.push_back(std::move(*read));
  return success();
}

/// `inputs` keeps the values alive while the stage runs.
LogicalResult Evaluator::bindTileInputs(Evaluation &evaluation, int64_t plane,
                                        SmallVectorImpl<RuntimeValue> &inputs) {
  for (auto [index, argument] : llvm::enumerate(evaluation.program->inputs)) {
    Value operand = evaluation.op.getArgs()[argument];
    if (auto *source = std::get_if<SourceValue>(&get(operand))) {
      if (failed(bindSource(evaluation, index, *source, inputs)))
        return failure();
      continue;
    }
    TileValue *values = getTileValue(evaluation.op, operand);
    if (!values)
      return failure();
    BoundInput &bound = evaluation.inputs.emplace_back();
    bound.array = values->values.getView();
    bound.array.box = block->place(bound.array.box, plane);
    bound.mask = values->values.mask.get();
    bound.strides = bound.array.getStrides();
    inputs.push_back(values->values);
  }
  return success();
}

LogicalResult Evaluator::evaluateStage(ApplyOp op) {
  Evaluation evaluation;
  FailureOr<std::optional<int64_t>> plane = findPlane(op);
  if (failed(plane) || failed(setUp(evaluation, op)))
    return failure();
  SmallVector<TileValue> results;
  for (Type type : op.getResultTypes()) {
    FailureOr<TileValue> result = makeTileValue(op, type);
    if (failed(result))
      return failure();
    result->plane = *plane;
    results.push_back(std::move(*result));
  }
  bool isPlaced = !block->walkAxis || *plane;
  int64_t here = plane->value_or(0);
  evaluation.domain = block->place(results.front().values.box, here);
  if (!block->needed.empty())
    evaluation.domain = evaluation.domain.intersect(block->needed.back());
  bool isPoison = !isPlaced && llvm::any_of(op.getArgs(), [&](Value operand) {
    const auto *values = std::get_if<TileValue>(&get(operand));
    return values && values->isPoison;
  });
  if (!isPlaced && !isPoison &&
      (!block->needed.empty() || tile::usesCoordinates(op)))
    return op.emitOpError("expected a source of the plane that it is for: its "
                          "coordinate cannot be known otherwise in a loop over "
                          "tile.segment");
  SmallVector<RuntimeValue> inputs;
  if (!evaluation.domain.isEmpty() && !isPoison) {
    if (failed(bindTileInputs(evaluation, here, inputs)) ||
        failed(checkAccesses(evaluation)))
      return failure();
    for (const TileValue &result : results) {
      ArrayView view = result.values.getView();
      view.box = block->place(view.box, here);
      evaluation.outputs.push_back({view, result.values.mask.get(), false});
    }
    if (failed(run(evaluation)))
      return failure();
  }
  for (auto [value, result] : llvm::zip_equal(op.getRes(), results))
    get(value) = std::move(result);
  return success();
}
