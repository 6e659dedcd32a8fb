//===- DeviceFile.cpp - Devices that were measured ------------------------===//

#include "StencilDialect/Execution/DeviceTarget.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <system_error>

using namespace stencil;
namespace json = llvm::json;

static constexpr llvm::StringLiteral kFormat = "stencil-devices";
static constexpr int64_t kVersion = 1;

static bool readDevice(const json::Value &value, RememberedDevice &device,
                       json::Path path) {
  json::ObjectMapper map(value, path);
  Product &product = device.product;
  int64_t multiprocessors = 0, l2Bytes = 0, memoryBytes = 0;
  if (!map || !map.map("device", device.device) ||
      !map.map("chip", product.chip) ||
      !map.map("multiprocessors", multiprocessors) ||
      !map.map("clock", product.clock) || !map.map("l2_bytes", l2Bytes) ||
      !map.map("memory_bytes", memoryBytes) ||
      !map.map("peak_bandwidth", product.dramBandwidth) ||
      !map.map("copy_bandwidth", product.measuredBandwidth) ||
      !map.map("fp64", product.measuredFp64) ||
      !map.map("fp32", product.measuredFp32))
    return false;
  constexpr int64_t kMost = 1 << 16;
  if (multiprocessors < 1 || multiprocessors > kMost || l2Bytes < 0 ||
      memoryBytes < 0 || !(product.clock > 0) || !(product.dramBandwidth > 0) ||
      !(product.measuredBandwidth > 0) || !(product.measuredFp64 >= 0) ||
      !(product.measuredFp32 >= 0)) {
    path.report("expected positive figures");
    return false;
  }
  product.multiprocessors = static_cast<unsigned>(multiprocessors);
  product.l2Bytes = static_cast<uint64_t>(l2Bytes);
  product.dramBytes = static_cast<uint64_t>(memoryBytes);
  return true;
}

llvm::Expected<std::vector<RememberedDevice>>
stencil::readDevices(llvm::StringRef path) {
  std::vector<RememberedDevice> devices;
  auto fail = [&](const llvm::Twine &why) {
    return llvm::createStringError("'" + path + "': " + why);
  };
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer && buffer.getError() == std::errc::no_such_file_or_directory)
    return devices;
  if (!buffer)
    return fail(buffer.getError().message());
  llvm::Expected<json::Value> document = json::parse((*buffer)->getBuffer());
  if (!document)
    return fail(llvm::toString(document.takeError()));
  const json::Object *root = document->getAsObject();
  const json::Array *list = root ? root->getArray("devices") : nullptr;
  if (!list || root->getString("format") != kFormat ||
      root->getInteger("version") != kVersion)
    return fail("expected a file of measured devices");
  for (const json::Value &value : *list) {
    json::Path::Root place("devices");
    RememberedDevice device;
    if (!readDevice(value, device, place))
      return fail(llvm::toString(place.getError()));
    devices.push_back(std::move(device));
  }
  return devices;
}

llvm::Error stencil::writeDevices(llvm::StringRef path,
                                  llvm::ArrayRef<RememberedDevice> devices) {
  json::Array list;
  for (const RememberedDevice &device : devices) {
    const Product &product = device.product;
    list.push_back(
        json::Object{{"device", json::fixUTF8(device.device)},
                     {"chip", product.chip},
                     {"multiprocessors", product.multiprocessors},
                     {"clock", product.clock},
                     {"l2_bytes", static_cast<int64_t>(product.l2Bytes)},
                     {"memory_bytes", static_cast<int64_t>(product.dramBytes)},
                     {"peak_bandwidth", product.dramBandwidth},
                     {"copy_bandwidth", product.measuredBandwidth},
                     {"fp64", product.measuredFp64},
                     {"fp32", product.measuredFp32}});
  }
  json::Value document = json::Object{
      {"format", kFormat}, {"version", kVersion}, {"devices", std::move(list)}};
  return writeFileAtomically(path, [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}", document) << "\n";
    return llvm::Error::success();
  });
}
