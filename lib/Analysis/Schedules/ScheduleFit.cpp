//===- ScheduleFit.cpp - What a schedule takes of a GPU -------------------===//
//
// Windows as stencil-stream-windows is going to plan them (PipelineDraft.cpp),
// and the limits that the passes behind it check.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/PipelineSize.h"
#include "StencilDialect/Analysis/ScheduleSpace.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

static SmallVector<int64_t> getTile(ScheduleAttr schedule) {
  return getTilePoints(schedule.getBlock(), schedule.getPoints());
}

bool stencil::addsByPlane(ScheduleAttr schedule) {
  auto accumulate = schedule.getAccumulate().value_or(Accumulation::Gather);
  return accumulate == Accumulation::Scatter ||
         accumulate == Accumulation::Semi;
}

/// True if the column of an input is read from a queue in registers.
static bool hasQueue(const ProfiledInput &input, ScheduleAttr schedule) {
  auto accumulate = schedule.getAccumulate().value_or(Accumulation::Gather);
  return accumulate == Accumulation::Shift && input.column.count > 1;
}

/// The oldest and the newest plane of a shared window that are read.
static std::pair<int64_t, int64_t> getPlanes(const ProfiledInput &input,
                                             ScheduleAttr schedule) {
  if (addsByPlane(schedule)) {
    int64_t newest = std::max<int64_t>(0, input.upper.front());
    return {newest, newest};
  }
  if (!hasQueue(input, schedule))
    return {input.lower.front(), input.upper.front()};
  // The queue is filled from the newest plane of the column.
  if (input.beside.count == 0)
    return {input.column.last, input.column.last};
  int64_t source = std::max(input.column.last, input.beside.first);
  return {std::min(input.beside.first, source),
          std::max(input.beside.last, source)};
}

static bool isAsync(ScheduleAttr schedule) {
  Prefetch prefetch = schedule.getPrefetch().value_or(Prefetch::None);
  return prefetch == Prefetch::Async || prefetch == Prefetch::Tma;
}

/// Calls `visit` with every input that has a shared window.
static void
forEachShared(const KernelProfile &profile, ScheduleAttr schedule,
              llvm::function_ref<void(const ProfiledInput &)> visit) {
  for (auto [number, input] : llvm::enumerate(profile.inputs))
    if (input.isRead() && schedule.getWindowOf(number) == Space::Shared)
      visit(input);
}

static SharedPlane getPlane(const ProfiledInput &input, ScheduleAttr schedule) {
  OffsetBox box;
  box.lower.assign(input.lower.begin(), input.lower.end());
  box.upper.assign(input.upper.begin(), input.upper.end());
  return {box, getTile(schedule), schedule.getStream(), input.bytes};
}

/// The planes that the widest window is read at, less one.
static int64_t getWidestSpan(const KernelProfile &profile,
                             ScheduleAttr schedule) {
  int64_t span = 0;
  forEachShared(profile, schedule, [&](const ProfiledInput &input) {
    auto [oldest, newest] = getPlanes(input, schedule);
    span = std::max(span, newest - oldest);
  });
  return span;
}

SharedWindows stencil::getSharedWindows(const KernelProfile &profile,
                                        ScheduleAttr schedule) {
  constexpr int64_t kPlanesAhead = 2;
  SharedWindows windows;
  bool walks = schedule.getStream().has_value();
  int64_t span = walks ? getWidestSpan(profile, schedule) : 0;
  if (walks) {
    windows.depth = schedule.getStages().value_or(
        isAsync(schedule) ? span + 1 + kPlanesAhead : span + 2);
    windows.ahead = windows.depth - span - 1;
  }
  // An iteration of several planes has as many more in each ring.
  int64_t step = walks ? schedule.getStep().value_or(1) : 1;
  forEachShared(profile, schedule, [&](const ProfiledInput &input) {
    int64_t bytes = getPlane(input, schedule).elements * input.bytes;
    int64_t depth = walks ? windows.depth : 1;
    // Without stages, each window that is not asynchronous is as deep as it
    // has to be.
    if (walks && !schedule.getStages() && !isAsync(schedule)) {
      auto [oldest, newest] = getPlanes(input, schedule);
      depth = newest - oldest + 2;
    }
    windows.planeBytes += bytes;
    windows.bytes += (depth + step - 1) * bytes;
  });
  return windows;
}

bool stencil::loopsOverTaps(const KernelProfile &profile,
                            ScheduleAttr schedule) {
  bool hasWindow = false;
  forEachShared(profile, schedule,
                [&](const ProfiledInput &) { hasWindow = true; });
  return profile.tapRow > 0 && !schedule.getStream() && hasWindow;
}

int64_t stencil::countWindowRegisters(const KernelProfile &profile,
                                      ScheduleAttr schedule) {
  if (!schedule.getStream())
    return 0;
  int64_t points = llvm::product_of(schedule.getPoints()), perPoint = 0;
  auto countWords = [](int64_t bytes) { return llvm::divideCeil(bytes, 4); };
  for (auto [number, input] : llvm::enumerate(profile.inputs)) {
    if (!input.isRead())
      continue;
    int64_t words = countWords(input.bytes);
    if (schedule.getWindowOf(number) == Space::Registers)
      perPoint += words * input.getSpan(*schedule.getStream()) *
                  static_cast<int64_t>(input.beside.count > 0 ? 2 : 1);
    else if (hasQueue(input, schedule))
      perPoint += words * input.column.getSpan();
    // What is read of the point itself waits for its sum.
    else if (addsByPlane(schedule) && input.getRadius() > 0 &&
             profile.inputs.size() > 1)
      perPoint += words * (input.upper.front() + 1);
  }
  if (addsByPlane(schedule) && !profile.outputBytes.empty())
    perPoint += countWords(profile.outputBytes.front()) * profile.scatterSpan *
                profile.scatterSums;
  return points * perPoint;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

static std::string checkThreads(const KernelProfile &profile,
                                ScheduleAttr schedule,
                                const TargetInfo &target) {
  constexpr int64_t kMaxPoints = 256;
  ArrayRef<int64_t> block = schedule.getBlock();
  // Each leg of a relay has threads of its own.
  int64_t threads = llvm::product_of(block) * schedule.getRelay().value_or(1);
  int64_t limit = target.threadsPerBlock;
  if (threads > limit)
    return llvm::formatv("{0} threads of at most {1}", threads, limit);
  if (schedule.getChain() == Space::Shuffle &&
      target.warpSize % block.back() != 0)
    return llvm::formatv("rows of {0} threads, which are in no warp of {1}",
                         block.back(), target.warpSize);
  if (profile.rank > 3 &&
      llvm::any_of(block.drop_back(3), [](int64_t n) { return n != 1; }))
    return "threads along more than three axes";
  if (profile.rank >= 3 && block[profile.rank - 3] > target.threadsAlongZ)
    return llvm::formatv("{0} threads of at most {1} along axis {2}",
                         block[profile.rank - 3], target.threadsAlongZ,
                         profile.rank - 3);
  if (llvm::product_of(schedule.getPoints()) > kMaxPoints)
    return llvm::formatv("more than {0} points per thread", kMaxPoints);
  int64_t blocks = schedule.getLaunchBounds();
  if (blocks * threads > target.threadsPerMultiprocessor ||
      blocks > target.blocksPerMultiprocessor)
    return llvm::formatv("{0} blocks of {1} threads on a multiprocessor",
                         blocks, threads);
  return {};
}

static std::string checkInputs(const KernelProfile &profile,
                               ScheduleAttr schedule, const TargetInfo &) {
  if (!profile.isKnown && schedule.needsPipeline())
    return "a body that is not known";
  for (auto [number, input] : llvm::enumerate(profile.inputs))
    if (schedule.getWindowOf(number) != Space::Cache && !input.fitsWindow)
      return llvm::formatv("input {0} fits no window", input.number);
  return {};
}

static std::string checkWalk(const KernelProfile &profile,
                             ScheduleAttr schedule, const TargetInfo &) {
  if (!schedule.getStream())
    return {};
  int64_t axis = *schedule.getStream();
  if (addsByPlane(schedule) && (axis != 0 || profile.scatterSums == 0))
    return "no sums that may be added plane by plane";
  if (schedule.getStep().value_or(1) > 1 && !schedule.getGroups().empty())
    return "groups in iterations of several planes";
  int64_t segments = schedule.countSegments(profile.shape[axis]);
  if (!schedule.getTail().empty() && !schedule.getPlanes())
    segments = std::max(segments, schedule.getTail().back());
  int64_t halo = profile.getHalo(axis);
  int64_t length = llvm::divideCeil(profile.shape[axis], segments);
  if (segments > 1 && length < std::max<int64_t>(1, halo))
    return llvm::formatv("segments shorter than a halo of {0}", halo);
  if (segments > 1)
    for (const ProfiledInput &input : profile.inputs)
      if (input.isStored && (input.lower[axis] != 0 || input.upper[axis] != 0))
        return "segments that read what others store";
  return {};
}

static std::string checkPrefetch(const KernelProfile &profile,
                                 ScheduleAttr schedule,
                                 const TargetInfo &target) {
  constexpr int64_t kMaxBox = 256;
  Prefetch prefetch = schedule.getPrefetch().value_or(Prefetch::None);
  if (prefetch == Prefetch::Async && !target.replacesAsyncCopies &&
      !target.hasAsyncCopy(AsyncCopyElements))
    return "no asynchronous copies";
  if (prefetch == Prefetch::Tma && !target.hasAsyncCopy(AsyncCopyTensor))
    return "no tensor memory accelerator";
  if (prefetch == Prefetch::L2 && !target.hasL2Prefetch)
    return "no prefetch into the second-level cache";
  ArrayRef<int64_t> order = schedule.getOrder();
  if (prefetch == Prefetch::L2 &&
      (order.empty() ? 0 : order.back()) == profile.rank - 1)
    return "no other axis than that of rows to ask ahead along";
  std::string why;
  int64_t last = profile.rank - 1;
  SmallVector<int64_t> tile = getTile(schedule);
  forEachShared(profile, schedule, [&](const ProfiledInput &input) {
    constexpr int64_t kNarrowest = 4;
    if (prefetch == Prefetch::Async && input.bytes < kNarrowest)
      why = llvm::formatv("elements of {0} bytes", input.bytes);
    if (prefetch != Prefetch::Tma)
      return;
    if (!input.fitsTensorMap)
      why = llvm::formatv("input {0} fits no tensor map", input.number);
    SharedPlane plane = getPlane(input, schedule);
    for (int64_t extent : plane.shape)
      if (extent > kMaxBox)
        why = llvm::formatv("a box of {0} points along an axis", extent);
    if (input.isStored && schedule.getStream() != last &&
        plane.shape[last] != tile[last])
      why = "tiles that reach into what others store";
  });
  return why;
}

static std::string checkMemory(const KernelProfile &profile,
                               ScheduleAttr schedule,
                               const TargetInfo &target) {
  if (!schedule.needsPipeline())
    return {};
  SharedWindows windows = getSharedWindows(profile, schedule);
  if (schedule.getStream() && windows.bytes > 0 &&
      windows.ahead < (isAsync(schedule) ? 1 : 0))
    return llvm::formatv("{0} stages", windows.depth);
  if (int64_t limit = static_cast<int64_t>(target.sharedPerBlock);
      windows.bytes > limit)
    return llvm::formatv("{0} bytes of shared memory of at most {1}",
                         windows.bytes, limit);
  if (int64_t registers = countWindowRegisters(profile, schedule),
      limit = target.registersPerThread;
      registers > limit)
    return llvm::formatv("{0} registers for windows and sums of at most {1}",
                         registers, limit);
  return {};
}

std::string stencil::findMisfit(const KernelProfile &profile,
                                ScheduleAttr schedule,
                                const TargetInfo &target) {
  for (auto *check :
       {checkThreads, checkInputs, checkWalk, checkPrefetch, checkMemory})
    if (std::string why = check(profile, schedule, target); !why.empty())
      return why;
  return {};
}
