//===- Instructions.cpp - What programs are made of -----------------------===//

#include "Instructions.h"
#include "Errors.h"

using namespace stencil;
using namespace stencil::interp;

bool Frame::fail(FaultKind kind, mlir::Operation *op, int64_t lane,
                 llvm::ArrayRef<int64_t> values) {
  fault.kind = kind;
  fault.op = op;
  fault.point = point;
  fault.point.back() += lane * laneStep;
  fault.values.assign(values.begin(), values.end());
  return false;
}

double *Frame::getScratch(unsigned slot) {
  if (scratch.size() <= slot)
    scratch.resize(slot + 1);
  scratch[slot].resize(chunk);
  return scratch[slot].data();
}

//===----------------------------------------------------------------------===//
// Straight-line instructions
//===----------------------------------------------------------------------===//

void Frame::spreadUnspecified(unsigned result,
                              llvm::ArrayRef<unsigned> operands) {
  if (unspecified.empty())
    return;
  uint8_t *marks = unspecified[result];
  std::memset(marks, 0, n);
  for (unsigned operand : operands)
    for (int64_t lane = 0; lane < n; ++lane)
      marks[lane] |= unspecified[operand][lane];
}

/// Fails where an op that can do so depends on what is not specified.
static bool checkSpecified(Frame &frame, llvm::ArrayRef<unsigned> operands,
                           mlir::Operation *op) {
  if (frame.unspecified.empty())
    return true;
  for (unsigned operand : operands)
    for (int64_t lane = 0; lane < frame.n; ++lane)
      if (frame.isActive(lane) && frame.unspecified[operand][lane] != 0)
        return frame.fail(FaultKind::Unspecified, op, lane);
  return true;
}

bool Compute::run(Frame &frame) const {
  const void *operands[3] = {};
  for (unsigned i = 0; i < count; ++i)
    operands[i] = frame.registers[args[i]];
  kernel(frame.registers[result], operands[0], operands[1], operands[2],
         frame.n);
  frame.spreadUnspecified(result, llvm::ArrayRef(args).take_front(count));
  return true;
}

bool ComputeChecked::run(Frame &frame) const {
  frame.spreadUnspecified(result, {lhs, rhs});
  if (!checkSpecified(frame, {result}, op))
    return false;
  FaultKind fault = FaultKind::None;
  int64_t lane = kernel(frame.registers[result], frame.registers[lhs],
                        frame.registers[rhs], frame.mask, frame.n, fault);
  return lane == frame.n || frame.fail(fault, op, lane);
}

/// Copies the errors of active lanes.
static void blendErrors(Frame &frame, const Shadow &to, const Shadow &from) {
  for (int64_t lane = 0; lane < frame.n; ++lane)
    if (frame.isActive(lane)) {
      to.linear[lane] = from.linear[lane];
      to.quadratic[lane] = from.quadratic[lane];
      to.magnitude[lane] = from.magnitude[lane];
      to.coherent[lane] = from.coherent[lane];
      to.random[lane] = from.random[lane];
    }
}

bool Blend::run(Frame &frame) const {
  if (!frame.shadows.empty())
    blendErrors(frame, frame.shadows[result], frame.shadows[source]);
  if (!frame.unspecified.empty())
    for (int64_t lane = 0; lane < frame.n; ++lane)
      if (frame.isActive(lane))
        frame.unspecified[result][lane] = frame.unspecified[source][lane];
  unsigned size = getSize(kind);
  char *to = frame.registers[result];
  const char *from = frame.registers[source];
  if (!frame.mask) {
    std::memcpy(to, from, frame.n * size);
    return true;
  }
  for (int64_t lane = 0; lane < frame.n; ++lane)
    if (frame.mask[lane])
      std::memcpy(to + lane * size, from + lane * size, size);
  return true;
}

bool Coordinate::run(Frame &frame) const {
  auto *r = frame.get<int64_t>(result);
  int64_t first = frame.point[axis] + offset;
  int64_t step = axis + 1 == frame.point.size() ? frame.laneStep : 0;
  for (int64_t lane = 0; lane < frame.n; ++lane)
    r[lane] = first + lane * step;
  frame.spreadUnspecified(result, {});
  return true;
}

bool SelectUnspecified::run(Frame &frame) const {
  const auto *holds = frame.get<uint8_t>(condition);
  const auto &marks = frame.unspecified;
  for (int64_t lane = 0; lane < frame.n; ++lane)
    marks[result][lane] =
        marks[condition][lane] | marks[holds[lane] != 0 ? a : b][lane];
  return true;
}

bool Poison::run(Frame &frame) const {
  std::memset(frame.unspecified[result], 1, frame.n);
  return true;
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

bool CheckSet::run(Frame &frame) const {
  const BoundInput &bound = frame.inputs[input];
  // Else the register of the access says what is not to be read.
  if (!bound.mask || !frame.unspecified.empty())
    return true;
  int64_t index = 0;
  for (auto [i, axis] : llvm::enumerate(axes))
    index += (frame.point[axis] + offset[i] - bound.array.box.lb[i]) *
             bound.strides[i];
  bool alongRow = axes.back() + 1 == static_cast<int64_t>(frame.point.size());
  int64_t step = alongRow ? frame.laneStep : 0;
  for (int64_t lane = 0; lane < frame.n; ++lane)
    if (frame.isActive(lane) && !bound.mask[index + lane * step])
      return frame.fail(FaultKind::UnsetPoint, op, lane);
  return true;
}

static void setError(const Shadow &shadow, int64_t lane,
                     const PointError &error) {
  shadow.linear[lane] = std::fabs(error.bound);
  shadow.coherent[lane] = error.coherent;
  shadow.random[lane] = error.random;
  shadow.quadratic[lane] = shadow.magnitude[lane] = 0;
}

/// A point of an input, with what is known of it, for one lane.
static bool readPoint(Frame &frame, const BoundInput &bound, int64_t index,
                      unsigned result, int64_t lane, mlir::Operation *op) {
  unsigned size = getSize(bound.array.kind);
  std::memcpy(frame.registers[result] + lane * size,
              bound.array.data + index * size, size);
  if (!frame.unspecified.empty())
    frame.unspecified[result][lane] =
        bound.mask && bound.mask[index] != PointState::Set;
  else if (bound.mask && !bound.mask[index])
    return frame.fail(FaultKind::UnsetPoint, op, lane);
  if (!frame.shadows.empty())
    setError(frame.shadows[result], lane, bound.array.errors[index]);
  return true;
}

bool DynAccess::run(Frame &frame) const {
  const BoundInput &bound = frame.inputs[input];
  unsigned rank = coordinates.size();
  if (!checkSpecified(frame, coordinates, op))
    return false;
  frame.spreadUnspecified(result, {});
  for (int64_t lane = 0; lane < frame.n; ++lane) {
    if (!frame.isActive(lane))
      continue;
    int64_t index = 0;
    for (unsigned axis = 0; axis < rank; ++axis) {
      int64_t here =
          frame.point[axis] + (axis + 1 == rank ? lane * frame.laneStep : 0);
      int64_t wanted = frame.get<int64_t>(coordinates[axis])[lane];
      if (wanted < here + lower[axis] || wanted > here + upper[axis]) {
        llvm::SmallVector<int64_t, 4> values;
        for (unsigned reg : coordinates)
          values.push_back(frame.get<int64_t>(reg)[lane]);
        return frame.fail(FaultKind::OutOfRange, op, lane, values);
      }
      index += (wanted - bound.array.box.lb[axis]) * bound.strides[axis];
    }
    if (!readPoint(frame, bound, index, result, lane, op))
      return false;
    for (unsigned reg : coordinates)
      if (!frame.shadows.empty() && frame.shadows[reg].getError(lane) > 0)
        frame.shadows[result].linear[lane] = kUnknown;
  }
  return true;
}

bool MatrixTap::run(Frame &frame) const {
  const BoundInput &bound = frame.inputs[input];
  unsigned size = getSize(kind);
  if (!checkSpecified(frame, {row}, op))
    return false;
  frame.spreadUnspecified(weight, {});
  frame.spreadUnspecified(value, {});
  const auto *rows = frame.get<int64_t>(row);
  const Cell none = Cell::ofFloat(-0.0L, kind);
  for (int64_t lane = 0; lane < frame.n; ++lane) {
    if (!frame.isActive(lane))
      continue;
    int64_t number =
        std::clamp<int64_t>(rows[lane], 0, int64_t(elements.size()) - 1);
    const Cell &element = elements[number];
    std::memcpy(frame.registers[weight] + lane * size, element.bytes, size);
    bool isTap = element.getFloat(kind) != 0;
    int64_t at = frame.point[0] + lane * frame.laneStep - number + offset;
    int64_t index = (at - bound.array.box.lb[0]) * bound.strides[0];
    if (isTap) {
      if (!readPoint(frame, bound, index, value, lane, op))
        return false;
      continue;
    }
    std::memcpy(frame.registers[value] + lane * size, none.bytes, size);
    if (!frame.shadows.empty())
      setError(frame.shadows[value], lane, PointError());
  }
  return true;
}
