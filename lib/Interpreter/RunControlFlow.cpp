//===- RunControlFlow.cpp - Instructions that run others ------------------===//

#include "Errors.h"
#include "Instructions.h"

using namespace stencil;
using namespace stencil::interp;

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

bool If::runBranches(Frame &frame, const uint8_t *holds) const {
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

/// What is chosen by a value that is not specified is not specified, either.
static void markResults(Frame &frame, llvm::ArrayRef<unsigned> results,
                        llvm::ArrayRef<uint8_t> lanes) {
  for (unsigned reg : results)
    for (int64_t lane = 0; lane < frame.n; ++lane)
      frame.unspecified[reg][lane] |= lanes[lane];
}

/// The active lanes in which one of `operands` is not specified.
static std::vector<uint8_t> findUnspecified(const Frame &frame,
                                            llvm::ArrayRef<unsigned> operands) {
  std::vector<uint8_t> lanes(frame.n);
  if (!frame.unspecified.empty())
    for (unsigned operand : operands)
      for (int64_t lane = 0; lane < frame.n; ++lane)
        lanes[lane] |= frame.isActive(lane) ? frame.unspecified[operand][lane]
                                            : uint8_t(0);
  return lanes;
}

bool If::run(Frame &frame) const {
  if (!frame.unspecified.empty())
    return runFollowed(frame);
  if (!runBranches(frame, frame.get<uint8_t>(condition)))
    return false;
  if (analysis)
    runOpenLanes(frame);
  return true;
}

bool If::runFollowed(Frame &frame) const {
  std::vector<uint8_t> open = findUnspecified(frame, {condition});
  if (!runBranches(frame, frame.get<uint8_t>(condition)))
    return false;
  markResults(frame, results, open);
  if (!analysis)
    return true;
  // The other branch is run for its errors alone.
  std::vector<std::vector<uint8_t>> kept;
  for (unsigned reg : results)
    kept.emplace_back(frame.unspecified[reg], frame.unspecified[reg] + frame.n);
  runOpenLanes(frame);
  for (auto [reg, marks] : llvm::zip_equal(results, kept))
    std::memcpy(frame.unspecified[reg], marks.data(), marks.size());
  return true;
}

/// Where rounding decides which branch is taken, the results may be those of
/// the other one.
void If::runOpenLanes(Frame &frame) const {
  const Shadow &shadow = frame.shadows[condition];
  const auto *holds = frame.get<uint8_t>(condition);
  std::vector<uint8_t> open(frame.n), others(frame.n);
  bool isAnyOpen = false;
  for (int64_t lane = 0; lane < frame.n; ++lane) {
    open[lane] = frame.isActive(lane) && shadow.linear[lane] > 0;
    others[lane] = holds[lane] == 0;
    isAnyOpen |= open[lane] != 0;
  }
  if (!isAnyOpen)
    return;
  // What the branch that is taken has left.
  struct Kept {
    std::vector<char> bytes;
    std::vector<double> numbers, linear, quadratic, magnitude;
  };
  auto widen = [&](size_t position) {
    unsigned reg = results[position];
    Kind kind = kinds[position];
    std::vector<double> numbers(frame.n);
    for (int64_t lane = 0; lane < frame.n; ++lane) {
      Cell cell;
      std::memcpy(cell.bytes, frame.registers[reg] + lane * getSize(kind),
                  getSize(kind));
      numbers[lane] = isFloat(kind)
                          ? static_cast<double>(cell.getFloat(kind))
                          : static_cast<double>(cell.getInteger(kind));
    }
    return numbers;
  };
  std::vector<Kept> kept;
  for (auto [position, reg] : llvm::enumerate(results)) {
    const Shadow &errors = frame.shadows[reg];
    Kind kind = kinds[position];
    const char *values = frame.registers[reg];
    kept.push_back({{values, values + frame.n * getSize(kind)},
                    widen(position),
                    {errors.linear, errors.linear + frame.n},
                    {errors.quadratic, errors.quadratic + frame.n},
                    {errors.magnitude, errors.magnitude + frame.n}});
  }
  bool isDone;
  {
    MaskScope scope(frame);
    scope.activate(open.data(), [&](int64_t lane) { return open[lane] != 0; });
    isDone = runBranches(frame, others.data());
  }
  // What fails there would not have been computed.
  if (!isDone)
    frame.fault = Fault();
  for (auto [position, reg] : llvm::enumerate(results)) {
    const Kept &first = kept[position];
    const Shadow &errors = frame.shadows[reg];
    std::vector<double> second = widen(position);
    for (int64_t lane = 0; lane < frame.n; ++lane) {
      if (!open[lane])
        continue;
      double distance =
          isDone ? getDistance(first.numbers[lane], second[lane]) : kUnknown;
      errors.linear[lane] = std::max(errors.linear[lane], first.linear[lane]) +
                            distance / analysis->factor;
      errors.quadratic[lane] = std::max(
          {errors.quadratic[lane], first.quadratic[lane], kLeastError});
      errors.magnitude[lane] =
          std::max(errors.magnitude[lane], first.magnitude[lane]);
      // Whatever becomes of it, it is no smaller by what cancels here.
      errors.coherent[lane] = errors.random[lane] =
          errors.linear[lane] + errors.quadratic[lane];
    }
    std::memcpy(frame.registers[reg], first.bytes.data(), first.bytes.size());
  }
}

/// Marks the results of a loop whose number of turns rounding decides.
static void markUnknown(Frame &frame, llvm::ArrayRef<unsigned> results,
                        llvm::ArrayRef<uint8_t> lanes) {
  for (unsigned reg : results)
    for (int64_t lane = 0; lane < frame.n; ++lane)
      if (lanes[lane])
        frame.shadows[reg].linear[lane] = kUnknown;
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
  std::vector<uint8_t> open = findUnspecified(frame, {lower, upper, step});
  for (int64_t lane = 0; lane < frame.n; ++lane) {
    count[lane] = 0;
    if (!frame.isActive(lane) || open[lane])
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
  std::vector<uint8_t> open(frame.n);
  if (!frame.shadows.empty()) {
    for (int64_t lane = 0; lane < frame.n; ++lane) {
      for (unsigned reg : {lower, upper, step})
        open[lane] |=
            frame.isActive(lane) && frame.shadows[reg].getError(lane) > 0;
      frame.shadows[counter].linear[lane] = 0;
      frame.shadows[counter].quadratic[lane] = 0;
    }
  }
  std::vector<uint8_t> unspecified =
      findUnspecified(frame, {lower, upper, step});
  const auto *count = frame.get<uint64_t>(trips);
  auto *active = frame.get<uint8_t>(mask);
  unsigned size = getSize(kind);
  MaskScope scope(frame);
  for (uint64_t trip = 0;; ++trip) {
    if (scope.activate(active,
                       [&](int64_t lane) { return trip < count[lane]; }) == 0) {
      if (!frame.shadows.empty())
        markUnknown(frame, results, open);
      if (!frame.unspecified.empty())
        markResults(frame, results, unspecified);
      return true;
    }
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
    frame.spreadUnspecified(counter, {});
    if (!body.run(frame))
      return false;
  }
}

bool While::run(Frame &frame) const {
  const auto *holds = frame.get<uint8_t>(condition);
  auto *active = frame.get<uint8_t>(mask);
  MaskScope scope(frame);
  scope.activate(active, [](int64_t) { return true; });
  std::vector<uint8_t> open(frame.n), unspecified(frame.n);
  while (true) {
    if (!before.run(frame))
      return false;
    for (auto [mark, lane] :
         llvm::zip_equal(unspecified, findUnspecified(frame, {condition})))
      mark |= lane;
    if (!frame.shadows.empty())
      for (int64_t lane = 0; lane < frame.n; ++lane)
        open[lane] |=
            frame.isActive(lane) && frame.shadows[condition].getError(lane) > 0;
    // Lanes that have left stay out: frame.mask is what was active until now.
    const uint8_t *until = frame.mask;
    if (scope.activate(active, [&](int64_t lane) {
          return (!until || until[lane]) && holds[lane] && !unspecified[lane];
        }) == 0) {
      if (!frame.shadows.empty())
        markUnknown(frame, results, open);
      if (!frame.unspecified.empty())
        markResults(frame, results, unspecified);
      return true;
    }
    if (!after.run(frame))
      return false;
  }
}
