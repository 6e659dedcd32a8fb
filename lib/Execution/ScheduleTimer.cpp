//===- ScheduleTimer.cpp - Times schedules of an apply --------------------===//

#include "ScheduleTimer.h"
#include "ExecutableOptions.h"
#include "ImageCompilation.h"
#include "StencilDialect/Execution/Arguments.h"
#include "StencilDialect/Execution/DeviceTarget.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/Support/Element.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilRuntime/Backend.h"
#include "TimedProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"

#include <chrono>
#include <cmath>

using namespace stencil;
using runtime::Backend;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// The device, and what the functions are called with there. Their last
/// argument says how often they are to do what is timed.
class ScheduleTimer::Device {
public:
  Device(Backend &backend, CallSignature signature)
      : backend(backend), signature(std::move(signature)) {
    if (!this->signature.deviceArrays)
      return;
    stream = backend.createStream();
    begin = backend.createEvent(true);
    end = backend.createEvent(true);
  }
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  ~Device() {
    for (void *field : fields)
      backend.free(field, nullptr);
    if (!stream)
      return;
    backend.destroyEvent(end);
    backend.destroyEvent(begin);
    backend.destroyStream(stream);
  }

  /// Makes the arguments, unless they are there.
  llvm::Error prepare();
  /// The device's seconds for a call, what fills the fields included.
  llvm::Expected<double> call(const LoadedObject &object, unsigned count);
  /// For once of `count` times: what is left without filling them.
  llvm::Expected<double> time(const LoadedObject &object, unsigned count);
  /// An idle device is slow for a while after it is given work.
  llvm::Error warmUp(const LoadedObject &object);

private:
  llvm::Error addField(const ExecutableParameter &parameter);

  Backend &backend;
  CallSignature signature;
  std::vector<ExecutableArgument> arguments;
  std::vector<void *> fields;
  /// For functions that take arrays of the device and wait for nothing; others
  /// have their device time taken by the runtime.
  void *stream = nullptr, *begin = nullptr, *end = nullptr;
};

ScheduleTimer::ScheduleTimer(ApplyOp apply, const GPUCompileOptions &device)
    : apply(apply), options(device) {}
ScheduleTimer::~ScheduleTimer() = default;

llvm::Error
ScheduleTimer::Device::addField(const ExecutableParameter &parameter) {
  // Several times what a second-level cache holds: random enough.
  constexpr uint64_t kBlock = uint64_t(1) << 26;
  uint64_t bytes = getElementSize(parameter.element);
  for (int64_t extent : parameter.shape)
    bytes *= static_cast<uint64_t>(extent);
  uint64_t free = 0, total = 0;
  backend.getMemoryInfo(free, total);
  void *field = bytes && bytes <= free ? backend.allocate(bytes, nullptr, false)
                                       : nullptr;
  if (!field)
    return llvm::createStringError(
        "the device has no room for fields of its own");
  fields.push_back(field);
  std::vector<char> block(std::min(bytes, kBlock));
  uint64_t count = block.size() / getElementSize(parameter.element);
  for (uint64_t i = 0; i < count; ++i)
    storeElement(parameter.element, block.data(), static_cast<int64_t>(i),
                 getRandomElement(fields.size(), i, parameter.element));
  for (uint64_t done = 0; done < bytes; done += block.size())
    backend.copy(static_cast<char *>(field) + done, block.data(),
                 std::min<uint64_t>(block.size(), bytes - done), nullptr);
  backend.synchronizeStream(nullptr);
  arguments.emplace_back(ArrayArgument{parameter.element,
                                       field,
                                       parameter.shape,
                                       {},
                                       /*onDevice=*/true,
                                       /*isReadOnly=*/false});
  return llvm::Error::success();
}

llvm::Error ScheduleTimer::Device::prepare() {
  if (!arguments.empty())
    return llvm::Error::success();
  for (const CallParameter &parameter : signature.parameters) {
    const ExecutableParameter &description = parameter.description;
    if (description.isArray) {
      if (auto error = addField(description))
        return error;
      continue;
    }
    // Nothing divides by it, and it is no index that is out of any range.
    arguments.emplace_back(isFloatKind(description.element)
                               ? ScalarArgument(0.375)
                               : ScalarArgument(int64_t(1)));
  }
  return llvm::Error::success();
}

llvm::Expected<double> ScheduleTimer::Device::call(const LoadedObject &object,
                                                   unsigned count) {
  arguments.back() = ScalarArgument(int64_t(count));
  CallWords packed;
  if (auto error = packArguments(signature, arguments, packed))
    return std::move(error);
  llvm::SmallVector<void *, 8> pointers;
  for (size_t start : packed.starts)
    pointers.push_back(packed.words.data() + start);
  std::vector<char> results(std::max<uint64_t>(signature.resultSize, 1));
  if (stream)
    backend.recordEvent(begin, stream);
  else
    runtime::takeDeviceSeconds();
  if (auto error = object.call(pointers.data(), results.data(), stream))
    return std::move(error);
  if (!stream)
    return runtime::takeDeviceSeconds();
  backend.recordEvent(end, stream);
  backend.synchronizeEvent(end);
  return backend.getElapsedSeconds(begin, end);
}

llvm::Expected<double> ScheduleTimer::Device::time(const LoadedObject &object,
                                                   unsigned count) {
  auto once = call(object, 1);
  if (!once)
    return once.takeError();
  auto more = call(object, 1 + count);
  if (!more)
    return more.takeError();
  // A clock is no finer than that.
  constexpr double kTick = 1e-7;
  return std::max((*more - *once) / count, kTick);
}

llvm::Error ScheduleTimer::Device::warmUp(const LoadedObject &object) {
  constexpr std::chrono::milliseconds kEnough(300);
  auto start = std::chrono::steady_clock::now();
  for (unsigned count = 1; std::chrono::steady_clock::now() - start < kEnough;
       count = std::min(2 * count, 64u))
    if (auto seconds = call(object, count); !seconds)
      return seconds.takeError();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

llvm::Expected<ExecutableImage>
ScheduleTimer::compile(llvm::StringRef program) const {
  ExecutableOptions given;
  given.target = options.target->name.str();
  given.chip = options.chip;
  given.math = getMathModeName(options.algebra.math).str();
  given.toolkit = options.toolkit;
  // Of what fills fields; the apply has its own.
  given.schedule = "default";
  // Rows of the caller's arrays lie otherwise than those of its own fields.
  given.deviceArrays = options.deviceArrays;
  auto read = readOptions(given);
  if (!read)
    return read.takeError();
  read->compile.device->algebra.enabled = options.algebra.enabled;
  return compileImage(llvm::MemoryBuffer::getMemBufferCopy(program, "timed"),
                      given, std::move(*read));
}

static TimedSchedule makeTimed(ScheduleAttr schedule,
                               const CompiledObject &object) {
  TimedSchedule result;
  result.schedule = schedule;
  if (!object.kernels.empty()) {
    result.registers = countRegisters(object.kernels);
    result.spilledBytes = countSpilled(object.kernels);
  }
  return result;
}

llvm::Error ScheduleTimer::compile(llvm::ArrayRef<ScheduleAttr> schedules,
                                   unsigned count) {
  llvm::SmallVector<ScheduleAttr> left;
  for (ScheduleAttr schedule : schedules)
    if (!tried.contains(schedule))
      left.push_back(schedule);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(getNumUsableCpus()));
  size_t end = timed.size() + count;
  for (size_t next = 0; next < left.size() && timed.size() < end;) {
    // What is spoilt is replaced by what comes next, in another round.
    llvm::ArrayRef<ScheduleAttr> round =
        llvm::ArrayRef(left).drop_front(next).take_front(end - timed.size());
    tried.insert(round.begin(), round.end());
    std::vector<std::optional<llvm::Expected<ExecutableImage>>> made(
        round.size());
    for (size_t i = 0; i < round.size(); ++i)
      pool.async(
          [this, &place = made[i],
           program = makeTimedProgram(apply, round[i], options.deviceArrays)] {
            place.emplace(compile(program));
          });
    pool.wait();
    std::string problem;
    for (size_t i = 0; i < round.size(); ++i) {
      llvm::Expected<ExecutableImage> &image = *made[i];
      bool isFirst = timed.empty() && i == 0;
      if (!image) {
        std::string message = llvm::toString(image.takeError());
        if (isFirst)
          problem = message.empty() ? "it does not compile" : message;
        continue;
      }
      bool spills =
          llvm::any_of(image->object.kernels,
                       [](const KernelResources &k) { return k.spills(); });
      if (!problem.empty() || (spills && !isFirst))
        continue;
      auto object = LoadedObject::load(image->object);
      if (!object) {
        problem = llvm::toString(object.takeError());
        continue;
      }
      timed.push_back(makeTimed(round[i], image->object));
      loaded.push_back(std::move(*object));
      if (!device)
        device = std::make_unique<Device>(
            runtime::getBackend(getBackendKind(*options.target)),
            std::move(image->signature));
    }
    if (!problem.empty())
      return llvm::createStringError(problem);
    next += round.size();
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

/// Those from `first` on, with the fastest of those before.
llvm::Error ScheduleTimer::measure(size_t first) {
  /// Long enough for the clock of the events, and calls that get in the way of
  /// each other; what is so much slower than the best is not called again.
  constexpr double kLeast = 3e-3, kHopeless = 1.3;
  constexpr unsigned kMostCalls = 100, kTurns = 4;
  llvm::SmallVector<size_t> numbers;
  if (first > 0)
    numbers.push_back(&getBest() - timed.data());
  llvm::append_range(numbers, llvm::seq(first, timed.size()));
  if (auto error = device->prepare())
    return error;
  // The first call loads the kernels.
  for (size_t number : numbers)
    if (auto seconds = device->call(*loaded[number], 1); !seconds)
      return seconds.takeError();
  if (!options.target->isEmulator())
    if (auto error = device->warmUp(*loaded[numbers.front()]))
      return error;
  std::vector<llvm::SmallVector<double>> times(timed.size());
  double best = 0;
  for (unsigned turn = 0; turn < kTurns; ++turn) {
    // To and fro: whoever is first in one turn is last in the next.
    if (turn > 0)
      std::reverse(numbers.begin(), numbers.end());
    for (size_t number : numbers) {
      TimedSchedule &schedule = timed[number];
      bool isNew = times[number].empty();
      if (!isNew && number && schedule.seconds > kHopeless * best)
        continue;
      double wanted = isNew ? 2 : std::ceil(kLeast / schedule.seconds);
      auto seconds = device->time(
          *loaded[number],
          static_cast<unsigned>(std::clamp<double>(wanted, 2, kMostCalls)));
      if (!seconds)
        return seconds.takeError();
      times[number].push_back(*seconds);
      schedule.seconds = *seconds;
      best = best > 0 ? std::min(best, *seconds) : *seconds;
    }
  }
  for (size_t number : numbers) {
    llvm::SmallVector<double> &found = times[number];
    // The first one was short.
    if (found.size() > 1)
      found.erase(found.begin());
    llvm::sort(found);
    timed[number].seconds = found[found.size() / 2];
    timed[number].runs = static_cast<unsigned>(found.size());
  }
  return llvm::Error::success();
}

llvm::Error ScheduleTimer::time(llvm::ArrayRef<ScheduleAttr> schedules,
                                unsigned count) {
  size_t first = timed.size();
  if (auto error = compile(schedules, count))
    return error;
  return first == timed.size() ? llvm::Error::success() : measure(first);
}

const TimedSchedule &ScheduleTimer::getBest() const {
  // By which two timings of one kernel differ.
  constexpr double kNoise = 0.01;
  const TimedSchedule *best = &timed.front();
  for (const TimedSchedule &other : timed)
    if (other.seconds > 0 && other.seconds < best->seconds)
      best = &other;
  bool isClear = best->seconds < (1 - kNoise) * timed.front().seconds;
  return isClear ? *best : timed.front();
}
