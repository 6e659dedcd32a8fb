//===- FakeDevice.h - A device that is host memory --------------*- C++ -*-===//
//
// What the stand-ins for libcuda.so.1 and libamdhip64.so have in common: they
// write down the calls they get, do them in host memory at once (or, during a
// capture, when the graph is launched), and fail when told to.
//
//   FAKE_FAIL=cuMemAlloc_v2=2   this function returns this code
//   FAKE_DEVICES=0              how many devices there are (1)
//   FAKE_MEMORY=1000            bytes of device memory (1 MiB)
//   FAKE_NAME=NAME              of the device, of CUDA (Fake H200)
//   FAKE_MULTIPROCESSORS=7      how many it has, of CUDA (132)
//   FAKE_LOG=FILE               the calls are also appended to this file
//   FAKE_POOLS=0                no allocations in the order of a stream
//   FAKE_CURRENT=1              the thread has made this device its own (none)
//   FAKE_OWNER=1                the device whose memory all memory is (0)
//   FAKE_BUSY=1                 events are never over unless they are waited
//   for
//
// They are written down twice: as short as most tests want them, and with every
// argument. There, pointers have names: of what the driver has made, numbered
// by kind, and of memory that the test has named.
//
// Kernel "increment" adds 1 to the int that its first argument points to;
// others do nothing. "heavy" may have 256 threads, "shared" has 1024 bytes of
// static shared memory, and "missing" does not exist.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_UNITTESTS_RUNTIME_FAKEDEVICE_H
#define STENCIL_UNITTESTS_RUNTIME_FAKEDEVICE_H

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace fake {

/// An argument of a call, as text.
inline std::string show(const char *text) { return text; }
inline std::string show(const std::string &text) { return text; }
inline std::string show(uint64_t number) { return std::to_string(number); }

struct Name {
  std::string text;
  size_t bytes;
};

/// The names of memory, by its address.
inline std::map<const void *, Name> &getNames() {
  static std::map<const void *, Name> names;
  return names;
}

/// Of an address in named memory, the name and the distance; of others "*".
inline std::string showPointer(const void *address) {
  if (!address)
    return "null";
  auto found = getNames().upper_bound(address);
  if (found == getNames().begin())
    return "*";
  --found;
  auto distance = static_cast<size_t>(static_cast<const char *>(address) -
                                      static_cast<const char *>(found->first));
  if (distance >= found->second.bytes)
    return "*";
  return found->second.text + (distance ? "+" + std::to_string(distance) : "");
}

template <typename T> std::string showAll(T value) {
  if constexpr (std::is_pointer_v<T>) {
    return showPointer(reinterpret_cast<const void *>(value));
  } else if constexpr (std::is_same_v<T, unsigned long long>) {
    // An address of CUDA, unless it is a small number.
    constexpr unsigned long long small = 4096;
    return value < small ? std::to_string(value)
                         : showPointer(reinterpret_cast<const void *>(value));
  } else {
    return std::to_string(static_cast<long long>(value));
  }
}

struct Function {
  std::string name;
};

struct Stream {
  bool capturing = false;
  std::vector<std::function<void()>> recorded;
  /// The stream whose capture this one has joined, if any.
  Stream *origin = nullptr;

  /// Who records what this one does; null if nobody does.
  Stream *getRecorder() {
    Stream *recorder = origin ? origin : this;
    return recorder->capturing ? recorder : nullptr;
  }
};

struct Graph {
  std::vector<std::function<void()>> work;
};

struct Event {
  double milliseconds = 0;
  /// Who has recorded it for a graph.
  Stream *recorder = nullptr;
};

class Device {
public:
  /// Notes a call. Returns the code with which it has to fail, or 0.
  template <typename... Args>
  unsigned enter(const char *function, const Args &...args) {
    std::string line = function;
    ((line += " " + show(args)), ...);
    log += line + "\n";
    if (const char *path = std::getenv("FAKE_LOG"))
      std::ofstream(path, std::ios::app) << line << "\n";
    return getFailure(function);
  }

  /// Notes a call with all its arguments.
  template <typename... Args>
  void noteAll(const char *function, const Args &...args) {
    arguments += function;
    ((arguments += " " + showAll(args)), ...);
    arguments += "\n";
  }
  /// Names something that the driver makes; returns it.
  template <typename T> T *made(const char *kind, T *object) {
    int number = ++numMade[kind];
    getNames()[object] = {kind + std::to_string(number), 1};
    return object;
  }
  std::string takeArguments() {
    numMade.clear();
    return std::exchange(arguments, {});
  }

  /// The code with which a function has to fail, or 0.
  static unsigned getFailure(const char *function) {
    const char *fail = std::getenv("FAKE_FAIL");
    if (!fail)
      return 0;
    size_t length = std::strlen(function);
    if (std::strncmp(fail, function, length) != 0 || fail[length] != '=')
      return 0;
    return static_cast<unsigned>(std::strtoul(fail + length + 1, nullptr, 10));
  }

  static uint64_t getNumber(const char *variable, uint64_t otherwise) {
    const char *text = std::getenv(variable);
    return text ? std::strtoull(text, nullptr, 10) : otherwise;
  }

  static uint64_t getMemory() { return getNumber("FAKE_MEMORY", 1 << 20); }
  uint64_t getFreeMemory() const { return getMemory() - used; }

  /// Null if there is not enough.
  void *allocate(uint64_t bytes) {
    if (bytes > getFreeMemory())
      return nullptr;
    void *address = std::malloc(bytes);
    allocations[address] = bytes;
    used += bytes;
    return address;
  }

  /// False if there is no such memory.
  bool free(void *address) {
    auto found = allocations.find(address);
    if (found == allocations.end())
      return false;
    used -= found->second;
    allocations.erase(found);
    std::free(address);
    return true;
  }

  /// The start of the allocation that the address is in; null if it is in none.
  void *findAllocation(void *address) const {
    auto found = allocations.upper_bound(address);
    if (found == allocations.begin())
      return nullptr;
    --found;
    auto distance = static_cast<uint64_t>(static_cast<char *>(address) -
                                          static_cast<char *>(found->first));
    return distance < found->second ? found->first : nullptr;
  }

  void submit(void *stream, std::function<void()> work) {
    if (Stream *recorder = getRecorder(stream))
      recorder->recorded.push_back(std::move(work));
    else
      work();
  }

  /// Null also for the driver's default streams, which have small numbers.
  static Stream *getRecorder(void *stream) {
    return reinterpret_cast<uintptr_t>(stream) <= 2
               ? nullptr
               : static_cast<Stream *>(stream)->getRecorder();
  }

  /// An event that is recorded while a graph is captured is of that graph, and
  /// who waits for it is captured, too.
  void record(void *event, void *stream) {
    auto *known = static_cast<Event *>(event);
    known->recorder = getRecorder(stream);
    submit(stream, [this, known] { known->milliseconds = milliseconds; });
  }
  static void wait(void *stream, void *event) {
    bool isDefault = reinterpret_cast<uintptr_t>(stream) <= 2;
    auto *queue = isDefault ? nullptr : static_cast<Stream *>(stream);
    Stream *recorder = static_cast<Event *>(event)->recorder;
    if (queue && recorder && recorder->capturing && recorder != queue)
      queue->origin = recorder;
  }

  /// Each kernel takes a millisecond.
  void launch(const Function &function, void *stream, void **params) {
    std::function<void()> work = [this] { milliseconds += 1; };
    if (function.name == "increment") {
      int *address = *static_cast<int **>(params[0]);
      work = [this, address] {
        milliseconds += 1;
        ++*address;
      };
    }
    submit(stream, work);
  }

  /// Large ones take a millisecond, too.
  void copyRows(void *dst, size_t dstPitch, const void *src, size_t srcPitch,
                size_t width, size_t rows, void *stream) {
    constexpr size_t kLarge = size_t(1) << 26;
    submit(stream, [=] {
      if (width * rows >= kLarge)
        milliseconds += 1;
      for (size_t row = 0; row < rows; ++row)
        std::memcpy(static_cast<char *>(dst) + row * dstPitch,
                    static_cast<const char *>(src) + row * srcPitch, width);
    });
  }

  template <typename T>
  void fill(void *dst, T value, size_t count, void *stream) {
    submit(stream, [=] {
      for (size_t i = 0; i < count; ++i)
        static_cast<T *>(dst)[i] = value;
    });
  }

  std::string log;
  double milliseconds = 0;

private:
  std::string arguments;
  std::map<std::string, int> numMade;
  std::map<void *, uint64_t> allocations;
  uint64_t used = 0;
};

/// Of this stand-in: both of them may be in the process.
__attribute__((visibility("hidden"))) extern Device device;

/// "2x1x1".
inline std::string dim(unsigned x, unsigned y, unsigned z) {
  return std::to_string(x) + "x" + std::to_string(y) + "x" + std::to_string(z);
}

} // namespace fake

#endif // STENCIL_UNITTESTS_RUNTIME_FAKEDEVICE_H
