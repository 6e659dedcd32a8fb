//===- TileValues.cpp - Stages of kernels, and values that threads hold ---===//

#include "NonFinite.h"
#include "StencilDialect/Tile/TilePlane.h"
#include "TileOps.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

TileValue *interp::getTileValue(RunState &state, Operation *op, Value value) {
  RuntimeValue &known = state.get(value);
  if (auto *values = std::get_if<TileValue>(&known))
    return values;
  InFlightDiagnostic diag = op->emitError("expected values that threads hold");
  if (auto *source = std::get_if<SourceValue>(&known))
    diag.attachNote(source->op.getLoc())
        << "this names memory: only a stage reads it";
  return nullptr;
}

FailureOr<TempValue> interp::makeUnspecified(RunState &state, Operation *op,
                                             Kind kind, const Box &box) {
  FailureOr<TempValue> values =
      state.makeTemp(op, kind, box, /*isMasked=*/true);
  if (failed(values))
    return failure();
  uint64_t points = *box.getNumPoints();
  std::memset(values->contents->data, 0, points * getSize(kind));
  std::memset(values->mask.get(), PointState::Unspecified, points);
  return values;
}

void interp::copyCommon(const TempValue &target, const TempValue &source) {
  Box region = source.box.intersect(target.box);
  copyRegion(target.getView(), source.getView(), region);
  copyRegion(target.getStates(), source.getStates(), region);
}

FailureOr<TileValue> interp::makeTileValue(RunState &state, Operation *op,
                                           Type type) {
  auto grid = dyn_cast<TempType>(type);
  if (!grid || !grid.getBounds() || grid.getBounds().isSymbolic())
    return op->emitError("the interpreter expects values on a box, got ")
           << type;
  FailureOr<Kind> kind = state.requireKind(op, grid.getElementType());
  if (failed(kind))
    return failure();
  FailureOr<TempValue> values =
      makeUnspecified(state, op, *kind, getStaticBox(grid.getBounds()));
  if (failed(values))
    return failure();
  return TileValue{std::move(*values), std::nullopt, false};
}

LogicalResult interp::evaluate(RunState &state, ub::PoisonOp op) {
  FailureOr<TileValue> poison = makeTileValue(state, op, op.getType());
  if (failed(poison))
    return failure();
  poison->isPoison = true;
  state.get(op) = std::move(*poison);
  return success();
}

LogicalResult interp::evaluate(RunState &state, TileBlock &block,
                               tile::ShiftOp op) {
  TileValue *values = getTileValue(state, op, op.getValues());
  if (!values)
    return failure();
  TileValue shifted = *values;
  shifted.values.box.move(*block.walkAxis, -1);
  if (shifted.plane)
    ++*shifted.plane;
  state.get(op.getRes()) = std::move(shifted);
  return success();
}

LogicalResult interp::evaluate(RunState &state, tile::JoinOp op) {
  FailureOr<TileValue> joined = makeTileValue(state, op, op.getRes().getType());
  if (failed(joined))
    return failure();
  joined->isPoison = true;
  for (Value part : op.getPlanes()) {
    TileValue *values = getTileValue(state, op, part);
    if (!values)
      return failure();
    copyCommon(joined->values, values->values);
    joined->isPoison &= values->isPoison;
    // What is carried may be for the iteration before.
    joined->plane = std::max(joined->plane, values->plane);
  }
  state.get(op.getRes()) = std::move(*joined);
  return success();
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {

/// One evaluation of a stage.
class StageRun {
public:
  StageRun(RunState &state, BodyPrograms &bodies, TileBlock &block, ApplyOp op)
      : state(state), bodies(bodies), block(block), op(op) {}

  LogicalResult run();

private:
  FailureOr<std::optional<int64_t>> findPlane();
  LogicalResult bindSource(unsigned index, const SourceValue &source);
  LogicalResult bindInputs(int64_t plane);

  RunState &state;
  BodyPrograms &bodies;
  TileBlock &block;
  ApplyOp op;
  Evaluation evaluation;
  /// They live as long as the stage runs.
  SmallVector<RuntimeValue> inputs;
};

} // namespace

/// The plane that a stage is for: that of the iteration, or what it is told, or
/// what its sources say, or else its values; nothing if they do not.
FailureOr<std::optional<int64_t>> StageRun::findPlane() {
  std::optional<int64_t> plane = block.plane, newest;
  const SourceValue *known = nullptr;
  if (Value own = tile::getPlaneOf(op))
    plane = state.getInteger(own);
  for (Value operand : op.getArgs()) {
    if (auto *values = std::get_if<TileValue>(&state.get(operand)))
      newest = std::max(newest, values->plane);
    const auto *source = std::get_if<SourceValue>(&state.get(operand));
    if (!source)
      continue;
    if (plane && *plane != source->plane)
      return withNote(op.emitOpError("reads sources for plane ")
                          << source->plane << " in "
                          << (known ? "a stage" : "the iteration")
                          << " for plane " << *plane << block.describe(),
                      tile::SourceOp(source->op).getLoc(),
                      "it is read as this");
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

LogicalResult StageRun::bindSource(unsigned index, const SourceValue &source) {
  BoundInput &bound = evaluation.inputs.emplace_back();
  if (!source.ring) {
    bound.array = source.field.getView();
    bound.strides = bound.array.getStrides();
    inputs.push_back(source.field);
    return success();
  }
  std::pair<int64_t, int64_t> planes = {0, 1};
  if (block.walkAxis) {
    unsigned axis = *block.walkAxis;
    Box box = block.place(source.box, source.plane);
    const Box &domain = evaluation.domain;
    // All, relative to the first point and to the last one.
    planes = getPlanes(
        *evaluation.program, index, axis,
        {box.lb[axis] - domain.lb[axis], box.ub[axis] - domain.ub[axis]});
    planes = {std::max(domain.lb[axis] + planes.first, box.lb[axis]),
              std::min(domain.ub[axis] + planes.second, box.ub[axis])};
  }
  FailureOr<TempValue> read =
      readRing(state, block, op, source, planes.first, planes.second);
  if (failed(read))
    return failure();
  bound.array = read->getView();
  bound.mask = read->mask.get();
  bound.strides = bound.array.getStrides();
  inputs.push_back(std::move(*read));
  return success();
}

LogicalResult StageRun::bindInputs(int64_t plane) {
  for (auto [index, argument] : llvm::enumerate(evaluation.program->inputs)) {
    Value operand = op.getArgs()[argument];
    if (auto *source = std::get_if<SourceValue>(&state.get(operand))) {
      if (failed(bindSource(index, *source)))
        return failure();
      continue;
    }
    TileValue *values = getTileValue(state, op, operand);
    if (!values)
      return failure();
    BoundInput &bound = evaluation.inputs.emplace_back();
    bound.array = values->values.getView();
    bound.array.box = block.place(bound.array.box, plane);
    bound.mask = values->values.mask.get();
    bound.strides = bound.array.getStrides();
    inputs.push_back(values->values);
  }
  return success();
}

LogicalResult StageRun::run() {
  FailureOr<std::optional<int64_t>> plane = findPlane();
  if (failed(plane) || failed(bodies.setUp(evaluation, op)))
    return failure();
  SmallVector<TileValue> results;
  for (Type type : op.getResultTypes()) {
    FailureOr<TileValue> result = makeTileValue(state, op, type);
    if (failed(result))
      return failure();
    result->plane = *plane;
    results.push_back(std::move(*result));
  }
  bool isPlaced = !block.walkAxis || *plane;
  // Legs before the last one are ahead of the block.
  int64_t legs = block.kernel.getGrid().getRelay();
  int64_t ahead = (legs - 1 - block.leg) * tile::getLag(block.kernel);
  int64_t here = plane->value_or(0) + ahead;
  evaluation.domain = block.place(results.front().values.box, here);
  if (!block.needed.empty())
    evaluation.domain = evaluation.domain.intersect(block.needed.back());
  bool isPoison = !isPlaced && llvm::any_of(op.getArgs(), [&](Value operand) {
    const auto *values = std::get_if<TileValue>(&state.get(operand));
    return values && values->isPoison;
  });
  if (!isPlaced && !isPoison &&
      (!block.needed.empty() || tile::usesCoordinates(op)))
    return op.emitOpError("expected a source of the plane that it is for: its "
                          "coordinate cannot be known otherwise in a loop over "
                          "tile.segment");
  if (!evaluation.domain.isEmpty() && !isPoison) {
    if (failed(bindInputs(here)) || failed(checkAccesses(evaluation)))
      return failure();
    for (const TileValue &result : results) {
      ArrayView view = result.values.getView();
      view.box = block.place(view.box, here);
      evaluation.outputs.push_back({view, result.values.mask.get(), false});
    }
    if (failed(bodies.run(evaluation)))
      return failure();
  }
  for (auto [value, result] : llvm::zip_equal(op.getRes(), results))
    state.get(value) = std::move(result);
  return success();
}

LogicalResult interp::evaluateStage(RunState &state, BodyPrograms &bodies,
                                    TileBlock &block, ApplyOp op) {
  return StageRun(state, bodies, block, op).run();
}
