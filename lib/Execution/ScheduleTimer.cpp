//===- ScheduleTimer.cpp - Times schedules of an apply --------------------===//

#include "ScheduleTimer.h"
#include "ExecutableOptions.h"
#include "ImageCompilation.h"
#include "RandomBits.h"
#include "StencilDialect/Execution/DeviceTarget.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/Support/Element.h"
#include "StencilDialect/Support/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"

#include <cmath>

using namespace stencil;
using runtime::Backend;

//===----------------------------------------------------------------------===//
// Compiling
//===----------------------------------------------------------------------===//

llvm::Expected<ExecutableImage>
ScheduleTimer::compile(llvm::StringRef schedule) const {
  ExecutableOptions options;
  options.target = device.target->name.str();
  options.chip = device.chip;
  options.math = getMathModeName(device.algebra.math).str();
  options.toolkit = device.toolkit;
  options.schedule = schedule.str();
  options.deviceArrays = true;
  auto read = readOptions(options);
  if (!read)
    return read.takeError();
  read->compile.device->algebra.enabled = device.algebra.enabled;
  return compileImage(llvm::MemoryBuffer::getMemBufferCopy(program, "timed"),
                      options, std::move(*read));
}

static TimedSchedule makeTimed(llvm::StringRef schedule,
                              const CompiledObject &object) {
  TimedSchedule result;
  result.schedule = schedule.str();
  for (const KernelResources &kernel : object.kernels) {
    result.registers =
        std::max<unsigned>(result.registers.value_or(0), kernel.registers);
    result.spilledBytes = result.spilledBytes.value_or(0) + kernel.spillStores +
                          kernel.spillLoads;
  }
  return result;
}

llvm::Error ScheduleTimer::compile(llvm::ArrayRef<std::string> schedules,
                                   unsigned count) {
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(getNumUsableCpus()));
  for (size_t next = 0; next < schedules.size() && timed.size() < count;) {
    // What is spoilt is replaced by what comes next, in another round.
    llvm::ArrayRef<std::string> round =
        schedules.drop_front(next).take_front(count - timed.size());
    std::vector<std::optional<llvm::Expected<ExecutableImage>>> made(
        round.size());
    for (size_t i = 0; i < round.size(); ++i)
      pool.async([&, i] { made[i].emplace(compile(round[i])); });
    pool.wait();
    std::string problem;
    for (size_t i = 0; i < round.size(); ++i) {
      llvm::Expected<ExecutableImage> &image = *made[i];
      bool isFirst = next + i == 0;
      if (!image) {
        std::string message = llvm::toString(image.takeError());
        if (isFirst)
          problem = message.empty() ? "it does not compile" : message;
        continue;
      }
      bool spills = llvm::any_of(
          image->object.kernels,
          [](const KernelResources &kernel) { return kernel.spills(); });
      if (spills && !isFirst)
        continue;
      timed.push_back(makeTimed(round[i], image->object));
      images.push_back(std::move(*image));
    }
    if (!problem.empty())
      return llvm::createStringError(problem);
    next += round.size();
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

namespace {

/// What the function is called with, in the memory of the device.
class DeviceFields {
public:
  explicit DeviceFields(Backend &backend) : backend(backend) {}
  DeviceFields(const DeviceFields &) = delete;
  DeviceFields &operator=(const DeviceFields &) = delete;
  ~DeviceFields() {
    for (void *field : fields)
      backend.free(field, nullptr);
  }

  llvm::Error fill(const CallSignature &signature);

  std::vector<ExecutableArgument> arguments;

private:
  llvm::Error add(const ExecutableParameter &parameter);

  Backend &backend;
  std::vector<void *> fields;
};

} // namespace

/// Random values: from 1/64 to 1, or small whole numbers.
static void setRandom(ElementKind kind, std::vector<char> &block,
                      uint64_t seed) {
  auto count = static_cast<int64_t>(block.size() / getElementSize(kind));
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = getRandomBits(seed, i);
    constexpr double kScale = 0x1p-53;
    storeElement(kind, block.data(), i,
                 isFloatKind(kind)
                     ? (1 + 63 * static_cast<double>(bits >> 11) * kScale) / 64
                 : kind == ElementKind::I1 ? static_cast<double>(bits & 1)
                                           : static_cast<double>(1 + bits % 7));
  }
}

llvm::Error DeviceFields::add(const ExecutableParameter &parameter) {
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
  setRandom(parameter.element, block, fields.size());
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

llvm::Error DeviceFields::fill(const CallSignature &signature) {
  for (const CallParameter &parameter : signature.parameters) {
    const ExecutableParameter &description = parameter.description;
    if (!description.isArray) {
      // Nothing divides by it, and it is no index that is out of any range.
      if (isFloatKind(description.element))
        arguments.emplace_back(ScalarArgument(0.375));
      else
        arguments.emplace_back(ScalarArgument(int64_t(1)));
    } else if (auto error = add(description)) {
      return error;
    }
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

namespace {

/// A function that is called in a stream of its own.
class TimedCalls {
public:
  TimedCalls(Backend &backend, const CallSignature &signature,
             llvm::ArrayRef<ExecutableArgument> arguments)
      : backend(backend), signature(signature), arguments(arguments),
        stream(backend.createStream()), begin(backend.createEvent(true)),
        end(backend.createEvent(true)) {}
  TimedCalls(const TimedCalls &) = delete;
  TimedCalls &operator=(const TimedCalls &) = delete;
  ~TimedCalls() {
    backend.destroyEvent(end);
    backend.destroyEvent(begin);
    backend.destroyStream(stream);
  }

  /// The device's seconds for one of `count` calls one after the other.
  llvm::Expected<double> time(const LoadedObject &object, unsigned count);

private:
  Backend &backend;
  const CallSignature &signature;
  llvm::ArrayRef<ExecutableArgument> arguments;
  void *stream, *begin, *end;
};

} // namespace

llvm::Expected<double> TimedCalls::time(const LoadedObject &object,
                                        unsigned count) {
  CallWords packed;
  if (auto error = packArguments(signature, arguments, packed))
    return std::move(error);
  llvm::SmallVector<void *, 8> pointers;
  for (size_t start : packed.starts)
    pointers.push_back(packed.words.data() + start);
  std::vector<char> results(std::max<uint64_t>(signature.resultSize, 1));
  backend.recordEvent(begin, stream);
  for (unsigned i = 0; i < count; ++i)
    if (auto error = object.call(pointers.data(), results.data(), stream))
      return std::move(error);
  backend.recordEvent(end, stream);
  backend.synchronizeEvent(end);
  return backend.getElapsedSeconds(begin, end) / count;
}

llvm::Error ScheduleTimer::measure() {
  /// Long enough for the clock of the events, and calls that get in the way of
  /// each other; what is so much slower than the best is not called again.
  constexpr double kLeast = 2e-3, kHopeless = 1.3;
  constexpr unsigned kMostCalls = 100, kTurns = 3;
  Backend &backend = runtime::getBackend(getBackendKind(*device.target));
  const CallSignature &signature = images.front().signature;
  DeviceFields fields(backend);
  if (auto error = fields.fill(signature))
    return error;
  TimedCalls calls(backend, signature, fields.arguments);
  std::vector<std::unique_ptr<LoadedObject>> loaded;
  double best = 0;
  for (auto [image, schedule] : llvm::zip_equal(images, timed)) {
    auto object = LoadedObject::load(image.object);
    if (!object)
      return object.takeError();
    loaded.push_back(std::move(*object));
    // The first call loads the kernel.
    for (int call = 0; call < 2; ++call) {
      auto seconds = calls.time(*loaded.back(), 1);
      if (!seconds)
        return seconds.takeError();
      schedule.seconds = *seconds;
    }
    schedule.runs = 1;
    best = best > 0 ? std::min(best, schedule.seconds) : schedule.seconds;
  }
  std::vector<llvm::SmallVector<double>> times(timed.size());
  for (unsigned turn = 0; turn < kTurns; ++turn)
    for (auto [object, schedule, found] :
         llvm::zip_equal(loaded, timed, times)) {
      if (schedule.seconds > kHopeless * best && &schedule != &timed.front())
        continue;
      double wanted = std::ceil(kLeast / std::max(schedule.seconds, 1e-9));
      auto seconds = calls.time(
          *object,
          static_cast<unsigned>(std::clamp<double>(wanted, 1, kMostCalls)));
      if (!seconds)
        return seconds.takeError();
      found.push_back(*seconds);
    }
  for (auto [schedule, found] : llvm::zip_equal(timed, times)) {
    if (found.empty())
      continue;
    llvm::sort(found);
    schedule.seconds = found[found.size() / 2];
    schedule.runs = static_cast<unsigned>(found.size());
  }
  return llvm::Error::success();
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
