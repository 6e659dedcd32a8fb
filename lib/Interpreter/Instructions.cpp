//===- Instructions.cpp - What programs are made of -----------------------===//

#include "Instructions.h"

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

//===----------------------------------------------------------------------===//
// Straight-line instructions
//===----------------------------------------------------------------------===//

bool Compute::run(Frame &frame) const {
  const void *operands[3] = {};
  for (unsigned i = 0; i < count; ++i)
    operands[i] = frame.registers[args[i]];
  kernel(frame.registers[result], operands[0], operands[1], operands[2],
         frame.n);
  return true;
}

bool ComputeChecked::run(Frame &frame) const {
  FaultKind fault = FaultKind::None;
  int64_t lane = kernel(frame.registers[result], frame.registers[lhs],
                        frame.registers[rhs], frame.mask, frame.n, fault);
  return lane == frame.n || frame.fail(fault, op, lane);
}

bool Blend::run(Frame &frame) const {
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
  return true;
}

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

bool CheckSet::run(Frame &frame) const {
  const BoundInput &bound = frame.inputs[input];
  if (!bound.mask)
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

bool DynAccess::run(Frame &frame) const {
  const BoundInput &bound = frame.inputs[input];
  unsigned size = getSize(bound.array.kind);
  char *r = frame.registers[result];
  unsigned rank = coordinates.size();
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
    if (bound.mask && !bound.mask[index])
      return frame.fail(FaultKind::UnsetPoint, op, lane);
    std::memcpy(r + lane * size, bound.array.data + index * size, size);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

namespace {
/// Restores the mask of the frame at the end of a scope.
class MaskScope {
public:
  explicit MaskScope(Frame &frame) : frame(frame), outer(frame.mask) {}
  ~MaskScope() { frame.mask = outer; }
  MaskScope(const MaskScope &) = delete;
  MaskScope &operator=(const MaskScope &) = delete;

  /// Activates the lanes of `mask` for which `isActive(lane)` holds among those
  /// that are active outside; returns their number.
  template <typename Predicate>
  int64_t activate(uint8_t *mask, Predicate isActive) {
    int64_t active = 0;
    for (int64_t lane = 0; lane < frame.n; ++lane) {
      mask[lane] = (!outer || outer[lane]) && isActive(lane);
      active += mask[lane];
    }
    // All lanes: the masks of blends and checks need not be looked at.
    frame.mask = active == frame.n ? nullptr : mask;
    return active;
  }

private:
  Frame &frame;
  const uint8_t *outer;
};
} // namespace

bool If::run(Frame &frame) const {
  const auto *holds = frame.get<uint8_t>(condition);
  auto *active = frame.get<uint8_t>(mask);
  MaskScope scope(frame);
  if (scope.activate(active, [&](int64_t lane) { return holds[lane] != 0; }) !=
          0 &&
      !thenBody.run(frame))
    return false;
  return scope.activate(active,
                        [&](int64_t lane) { return holds[lane] == 0; }) == 0 ||
         elseBody.run(frame);
}

bool For::countTrips(Frame &frame) const {
  auto *count = frame.get<uint64_t>(trips);
  unsigned size = getSize(kind);
  auto read = [&](unsigned reg, int64_t lane) {
    Cell cell;
    std::memcpy(cell.bytes, frame.registers[reg] + lane * size, size);
    return isUnsigned ? static_cast<__int128>(cell.get<uint64_t>())
                      : static_cast<__int128>(cell.getInteger(kind));
  };
  for (int64_t lane = 0; lane < frame.n; ++lane) {
    count[lane] = 0;
    if (!frame.isActive(lane))
      continue;
    __int128 first = read(lower, lane), end = read(upper, lane);
    __int128 by = read(step, lane);
    if (by <= 0)
      return frame.fail(FaultKind::BadStep, op, lane,
                        {static_cast<int64_t>(by)});
    if (first < end)
      count[lane] = static_cast<uint64_t>((end - first + by - 1) / by);
  }
  return true;
}

bool For::run(Frame &frame) const {
  if (!countTrips(frame))
    return false;
  const auto *count = frame.get<uint64_t>(trips);
  auto *active = frame.get<uint8_t>(mask);
  unsigned size = getSize(kind);
  MaskScope scope(frame);
  for (uint64_t trip = 0;; ++trip) {
    if (scope.activate(active,
                       [&](int64_t lane) { return trip < count[lane]; }) == 0)
      return true;
    for (int64_t lane = 0; lane < frame.n; ++lane) {
      Cell first, by;
      std::memcpy(first.bytes, frame.registers[lower] + lane * size, size);
      std::memcpy(by.bytes, frame.registers[step] + lane * size, size);
      Cell value =
          Cell::ofInteger(static_cast<int64_t>(first.get<uint64_t>() +
                                               trip * by.get<uint64_t>()),
                          kind);
      std::memcpy(frame.registers[counter] + lane * size, value.bytes, size);
    }
    if (!body.run(frame))
      return false;
  }
}

bool While::run(Frame &frame) const {
  const auto *holds = frame.get<uint8_t>(condition);
  auto *active = frame.get<uint8_t>(mask);
  MaskScope scope(frame);
  scope.activate(active, [](int64_t) { return true; });
  while (true) {
    if (!before.run(frame))
      return false;
    // Lanes that have left stay out: frame.mask is what was active until now.
    const uint8_t *until = frame.mask;
    if (scope.activate(active, [&](int64_t lane) {
          return (!until || until[lane]) && holds[lane];
        }) == 0)
      return true;
    if (!after.run(frame))
      return false;
  }
}
