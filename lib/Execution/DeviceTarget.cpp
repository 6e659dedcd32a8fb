//===- DeviceTarget.cpp - Which product a device is -----------------------===//

#include "StencilDialect/Execution/DeviceTarget.h"
#include "StencilDialect/Execution/Executable.h"
#include "StencilRuntime/Backend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace stencil;

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

double stencil::measureCopyBandwidth(const GPUTarget &target) {
  if (target.isEmulator())
    return 0;
  runtime::Backend &backend = runtime::getBackend(getBackendKind(target));
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

/// Multiply-adds of a point, one after the other: so many that memory is no
/// limit.
static constexpr int kChain = 512;

static std::string makeChains(llvm::StringRef type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "!field = !stencil.field<[0,?]x" << type << ">\n"
     << "!temp = !stencil.temp<?x" << type << ">\n"
     << "func.func @chains(%u: !field, %v: !field) {\n"
     << "  %x = stencil.load %u : !field -> !temp\n"
     << "  %y = stencil.apply(%p = %x : !temp) -> (!temp) {\n"
     << "    %a = arith.constant 0.999 : " << type << "\n"
     << "    %b = arith.constant 0.001 : " << type << "\n"
     << "    %s0 = stencil.access %p[0] : !temp\n";
  for (int i = 0; i < kChain; ++i)
    os << "    %s" << i + 1 << " = math.fma %s" << i << ", %a, %b : " << type
       << "\n";
  os << "    stencil.return %s" << kChain << " : " << type << "\n  }\n"
     << "  stencil.store %y to %v(<[0], [?]>) : !temp to !field\n"
     << "  return\n}\n";
  return text;
}

/// Operations per second of multiply-adds; 0 if that cannot be measured.
static double measureArithmetic(const GPUTarget &target, llvm::StringRef chip,
                                llvm::StringRef toolkit, ElementKind kind) {
  constexpr int64_t kPoints = 1 << 22;
  constexpr int kRuns = 5;
  ExecutableOptions options;
  options.target = target.name.str();
  options.chip = chip.str();
  options.toolkit = toolkit.str();
  options.schedule = "default";
  bool isDouble = kind == ElementKind::F64;
  auto program = Executable::compile(makeChains(isDouble ? "f64" : "f32"),
                                     "<chains>", options);
  if (!program) {
    llvm::consumeError(program.takeError());
    return 0;
  }
  std::vector<char> in(kPoints * getElementSize(kind)), out(in.size());
  ExecutableArgument arguments[] = {
      ArrayArgument{kind, in.data(), kPoints, {}, false, false},
      ArrayArgument{kind, out.data(), kPoints, {}, false, false}};
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    std::vector<ScalarArgument> results;
    runtime::takeDeviceSeconds();
    if (auto error = (*program)->call(arguments, results)) {
      llvm::consumeError(std::move(error));
      return 0;
    }
    double seconds = runtime::takeDeviceSeconds();
    if (seconds > 0)
      best = std::max(best, 2.0 * kChain * kPoints / seconds);
  }
  return best;
}

//===----------------------------------------------------------------------===//
// Remembering
//===----------------------------------------------------------------------===//

/// "NVIDIA RTX A2000", of 26 multiprocessors: "nvidia-rtx-a2000-26". Parts of a
/// device have its name.
static std::string makeName(llvm::StringRef device, unsigned multiprocessors) {
  std::string name;
  for (char c : device)
    if (llvm::isAlnum(c))
      name += llvm::toLower(c);
    else if (!name.empty() && name.back() != '-')
      name += '-';
  return name + (name.empty() || name.back() == '-' ? "" : "-") +
         std::to_string(multiprocessors);
}

/// What the driver says and what is measured; nothing if that is not enough.
static std::optional<Product> measure(const GPUTarget &target,
                                      const runtime::DeviceInfo &info,
                                      llvm::StringRef toolkit) {
  Product product;
  product.chip = info.chip;
  product.multiprocessors = info.multiprocessors;
  product.clock = 1e3 * static_cast<double>(info.clockKHz);
  product.l2Bytes = info.l2Bytes;
  product.dramBytes = info.totalBytes;
  product.measuredBandwidth = measureCopyBandwidth(target);
  product.dramBandwidth = product.measuredBandwidth;
  product.measuredFp64 =
      measureArithmetic(target, info.chip, toolkit, ElementKind::F64);
  product.measuredFp32 =
      measureArithmetic(target, info.chip, toolkit, ElementKind::F32);
  if (product.multiprocessors == 0 || product.clock == 0 ||
      product.measuredBandwidth == 0)
    return std::nullopt;
  return product;
}

static std::string getDevicesFile() {
  llvm::SmallString<128> path(getDefaultCacheDirectory());
  llvm::sys::path::append(path, "devices.json");
  return path.str().str();
}

static bool isKnown(llvm::StringRef name) {
  auto info = getTargetInfo(name);
  if (!info)
    llvm::consumeError(info.takeError());
  return static_cast<bool>(info);
}

bool stencil::recallTarget(llvm::StringRef name) {
  if (isKnown(name))
    return true;
  auto devices = readDevices(getDevicesFile());
  if (!devices) {
    llvm::consumeError(devices.takeError());
    return false;
  }
  for (RememberedDevice &device : *devices) {
    device.product.name =
        makeName(device.device, device.product.multiprocessors);
    if (device.product.name == name)
      llvm::consumeError(addProduct(device.product));
  }
  return isKnown(name);
}

DeviceTarget stencil::findDeviceTarget(const GPUTarget &target,
                                       const runtime::DeviceInfo &info,
                                       llvm::StringRef toolkit) {
  DeviceTarget found;
  DriverFigures figures{info.chip, info.name, info.multiprocessors,
                        info.memoryClockKHz, info.memoryBusBits};
  found.name = info.chip;
  if (const Product *product = findProduct(figures)) {
    found.name = product->name;
    return found;
  }
  if (!hasArchitecture(info.chip) || info.name.empty())
    return found;
  std::string name = makeName(info.name, info.multiprocessors);
  // Measured earlier in this process.
  if (isKnown(name)) {
    found.name = name;
    return found;
  }
  auto warn = [&](llvm::Error error) {
    if (error)
      found.warnings.push_back(llvm::toString(std::move(error)));
  };
  std::string directory = getDefaultCacheDirectory();
  std::string path = getDevicesFile();
  std::vector<RememberedDevice> devices;
  if (!directory.empty()) {
    auto read = readDevices(path);
    if (read)
      devices = std::move(*read);
    else
      found.warnings.push_back(llvm::toString(read.takeError()) +
                               "; the device is measured anew");
  }
  auto remembered = llvm::find_if(devices, [&](const RememberedDevice &device) {
    return device.device == info.name && device.product.chip == info.chip &&
           device.product.multiprocessors == info.multiprocessors;
  });
  std::optional<Product> product;
  if (remembered != devices.end()) {
    product = remembered->product;
  } else {
    product = measure(target, info, toolkit);
    if (!product)
      return found;
    devices.push_back({info.name, *product});
    if (!directory.empty()) {
      if (std::error_code code = llvm::sys::fs::create_directories(
              directory, /*IgnoreExisting=*/true, llvm::sys::fs::owner_all))
        warn(llvm::createStringError("'" + directory + "': " + code.message()));
      else
        warn(writeDevices(path, devices));
    }
  }
  product->name = name;
  if (auto error = addProduct(*product)) {
    warn(std::move(error));
    return found;
  }
  found.name = name;
  return found;
}
