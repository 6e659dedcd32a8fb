//===- Device.cpp - The GPU that stencil-run runs on ----------------------===//

#include "Device.h"
#include "StencilRuntime/Backend.h"
#include "llvm/ADT/STLExtras.h"

using namespace stencil;

static GPUTarget getTarget(RunTarget target) {
  switch (target) {
  case RunTarget::CUDA:
    return GPUTarget::CUDA;
  case RunTarget::HIP:
    return GPUTarget::HIP;
  default:
    return GPUTarget::Emulator;
  }
}

static runtime::BackendKind getBackend(GPUTarget target) {
  return target == GPUTarget::HIP ? runtime::BackendKind::HIP
                                  : runtime::BackendKind::CUDA;
}

llvm::Expected<Device> stencil::openDevice(const RunOptions &options,
                                           const Signature &signature,
                                           const Extents &extents) {
  Device device;
  device.target.target = getTarget(options.target);
  device.target.chip = options.chip;
  device.target.schedule = options.schedule;
  device.target.tuningDatabase = options.tuningDatabase;
  device.target.algebra = options.algebra;
  device.target.deviceArrays = options.deviceArrays;
  // Without a field that has bounds --extents are of whole arrays: not of an
  // interior, which functions that are called may give them.
  bool hasInterior =
      llvm::any_of(signature.parameters, [](const Parameter &parameter) {
        return parameter.field && !parameter.field->boxes.empty();
      });
  if (!options.anyExtents && hasInterior)
    for (std::optional<int64_t> extent : extents.interior)
      device.target.extents.push_back(extent.value_or(0));
  if (options.target == RunTarget::Emulator)
    return device;
  std::string problem =
      runtime::queryDevice(getBackend(device.target.target), device.info);
  if (!problem.empty())
    return llvm::createStringError("--target " + getTargetName(options.target) +
                                   ": " + problem);
  if (device.target.chip.empty())
    device.target.chip = device.info.chip;
  return device;
}

double stencil::measureCopyBandwidth(GPUTarget target) {
  if (target == GPUTarget::Emulator)
    return 0;
  runtime::Backend &backend = runtime::getBackend(getBackend(target));
  uint64_t freeBytes = 0, totalBytes = 0;
  backend.getMemoryInfo(freeBytes, totalBytes);
  // Several times the cache of any GPU, but not all of its memory.
  uint64_t bytes = std::min<uint64_t>(uint64_t(2) << 30, freeBytes / 4);
  constexpr uint64_t kChunk = uint64_t(64) << 20;
  bytes -= bytes % kChunk;
  if (bytes == 0)
    return 0;
  void *stream = backend.createStream();
  void *from = backend.allocate(bytes, stream, /*hostShared=*/false);
  void *to = from ? backend.allocate(bytes, stream, false) : nullptr;
  double best = 0;
  if (to) {
    // Numbers without a pattern, such as fields have.
    std::vector<uint64_t> numbers(kChunk / sizeof(uint64_t));
    for (auto [index, number] : llvm::enumerate(numbers))
      number = (index + 1) * 0x9e3779b97f4a7c15;
    for (uint64_t offset = 0; offset < bytes; offset += kChunk)
      backend.copy(static_cast<char *>(from) + offset, numbers.data(), kChunk,
                   stream);
    void *begin = backend.createEvent(/*timing=*/true);
    void *end = backend.createEvent(/*timing=*/true);
    for (int run = 0; run < 10; ++run) {
      backend.recordEvent(begin, stream);
      backend.copy(to, from, bytes, stream);
      backend.recordEvent(end, stream);
      backend.synchronizeEvent(end);
      double seconds = backend.getElapsedSeconds(begin, end);
      if (seconds > 0)
        best = std::max(best, 2 * static_cast<double>(bytes) / seconds);
    }
    backend.destroyEvent(begin);
    backend.destroyEvent(end);
    backend.free(to, stream);
  }
  if (from)
    backend.free(from, stream);
  backend.destroyStream(stream);
  return best;
}
