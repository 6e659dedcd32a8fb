//===- Machine.cpp - What the machine at hand can do ----------------------===//

#include "StencilDialect/Support/Machine.h"
#include "SystemFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <limits>
#include <sys/sysinfo.h>

using namespace stencil;
using llvm::StringRef;
using llvm::Twine;

static constexpr uint64_t kGiB = uint64_t(1) << 30;

std::string stencil::readSystemFile(const Twine &path) {
  // Their size is not known beforehand: to be read as a stream.
  auto file = llvm::MemoryBuffer::getFileAsStream(path);
  return file ? (*file)->getBuffer().trim().str() : std::string();
}

std::optional<uint64_t> stencil::parseNumber(StringRef text) {
  uint64_t value;
  if (text.trim().consumeInteger(10, value))
    return std::nullopt;
  return value;
}

/// The number in the line "KEY 123 ..." of a text.
static std::optional<uint64_t> findNumber(StringRef text, StringRef key) {
  for (StringRef line : llvm::split(text, '\n'))
    if (line.consume_front(key))
      return parseNumber(line);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// What the limit in a control group's directory leaves. File pages that were
/// not used of late count as used, but the kernel gives them back.
static uint64_t getGroupLimit(const Twine &directory, StringRef limitName,
                              StringRef usageName, StringRef cacheKey) {
  std::optional<uint64_t> limit =
      parseNumber(readSystemFile(directory + "/" + limitName));
  std::optional<uint64_t> usage =
      parseNumber(readSystemFile(directory + "/" + usageName));
  if (!limit || !usage)
    return std::numeric_limits<uint64_t>::max();
  std::string statistics = readSystemFile(directory + "/memory.stat");
  uint64_t cache = findNumber(statistics, cacheKey).value_or(0);
  uint64_t used = *usage - std::min(cache, *usage);
  return *limit - std::min(used, *limit);
}

uint64_t stencil::getAvailableMemory() {
  uint64_t available;
  if (auto kilobytes =
          findNumber(readSystemFile("/proc/meminfo"), "MemAvailable:")) {
    available = *kilobytes * 1024;
  } else {
    struct sysinfo info;
    available = sysinfo(&info) == 0 ? uint64_t(info.freeram) * info.mem_unit
                                    : std::numeric_limits<uint64_t>::max();
  }

  available =
      std::min(available,
               getGroupLimit("/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                             "memory.usage_in_bytes", "total_inactive_file "));
  // Version 2: our group and all those around it have limits.
  std::string groups = readSystemFile("/proc/self/cgroup");
  for (StringRef line : llvm::split(groups, '\n')) {
    if (!line.consume_front("0::"))
      continue;
    for (StringRef group = line; !group.empty();
         group = llvm::sys::path::parent_path(group)) {
      available = std::min(available,
                           getGroupLimit("/sys/fs/cgroup" + group, "memory.max",
                                         "memory.current", "inactive_file "));
      if (group == "/")
        break;
    }
  }
  return available;
}

llvm::Error stencil::checkFitsInMemory(uint64_t bytes, const Twine &what) {
  uint64_t available = getAvailableMemory();
  // Whoever fills the memory to the last page is killed, not refused.
  uint64_t limit = available - available / 16;
  if (bytes <= limit)
    return llvm::Error::success();
  auto print = [](uint64_t size) {
    std::string text;
    llvm::raw_string_ostream(text)
        << llvm::format("%.1f GiB", double(size) / double(kGiB));
    return text;
  };
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 what + ": expected at most " + print(limit) +
                                     " of memory, got " + print(bytes));
}

std::optional<uint64_t> stencil::getByteSize(llvm::ArrayRef<int64_t> shape,
                                             unsigned elementSize) {
  // Without elements, other extents may be as large as they like.
  bool isEmpty = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      return std::nullopt;
    isEmpty |= extent == 0;
  }
  if (isEmpty)
    return 0;
  uint64_t bytes = elementSize;
  for (int64_t extent : shape)
    bytes = llvm::SaturatingMultiply(bytes, uint64_t(extent));
  if (bytes > uint64_t(std::numeric_limits<int64_t>::max()))
    return std::nullopt;
  return bytes;
}

unsigned stencil::getNumUsableCpus() {
  return std::max(1u, llvm::hardware_concurrency().compute_thread_count());
}
