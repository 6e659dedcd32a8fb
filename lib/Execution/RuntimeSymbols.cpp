//===- RuntimeSymbols.cpp - What compiled programs call -------------------===//

#include "RuntimeSymbols.h"
#include "StencilDialect/Support/Element.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilRuntime/Symbols.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <string>
#include <sys/mman.h>
#include <vector>

using namespace stencil;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Nothing that is destroyed, as in the runtime library (Failure.cpp).
static thread_local char allocationFailure[256];

std::string stencil::takeAllocationFailure() {
  std::string message = allocationFailure;
  allocationFailure[0] = '\0';
  return message;
}

static void noteAllocationFailure(llvm::StringRef message) {
  message = message.take_front(sizeof(allocationFailure) - 1);
  std::memcpy(allocationFailure, message.data(), message.size());
  allocationFailure[message.size()] = '\0';
}

/// Memory that `free` takes back; a field in huge pages, as those that are
/// given to a program are. It is not touched: a page is to lie near the thread
/// that computes what is in it.
static void *allocate(size_t bytes) {
  constexpr size_t hugePage = size_t(2) << 20;
  if (bytes < 2 * hugePage || bytes > SIZE_MAX - hugePage)
    return std::malloc(bytes);
  size_t total = (bytes + hugePage - 1) / hugePage * hugePage;
  void *memory = std::aligned_alloc(hugePage, total);
  if (memory)
    madvise(memory, total, MADV_HUGEPAGE);
  return memory;
}

static void *checkedMalloc(size_t bytes) {
  // Small ones cannot fail in a way that we could report.
  constexpr size_t small = size_t(1) << 20;
  if (bytes > small)
    if (auto error = checkFitsInMemory(bytes, "a buffer of the program")) {
      noteAllocationFailure(llvm::toString(std::move(error)));
      return nullptr;
    }
  void *memory = allocate(bytes);
  if (!memory && bytes > 0)
    noteAllocationFailure("out of memory in the program");
  return memory;
}

//===----------------------------------------------------------------------===//
// Half precision
//===----------------------------------------------------------------------===//

// f16 travels in the register of a float.
static _Float16 fromBits(uint16_t bits) {
  _Float16 value;
  std::memcpy(&value, &bits, sizeof(bits));
  return value;
}

static _Float16 truncDoubleToHalf(double value) {
  return fromBits(doubleToF16(value));
}
static _Float16 truncFloatToHalf(float value) {
  return fromBits(doubleToF16(value));
}
static float extendHalf(_Float16 value) {
  uint16_t bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return static_cast<float>(f16ToDouble(bits));
}

//===----------------------------------------------------------------------===//
// Timers
//===----------------------------------------------------------------------===//

/// Seconds since some moment.
static double startTimer() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

static double endTimer(double start) { return startTimer() - start; }

llvm::ArrayRef<RuntimeSymbol> stencil::getRuntimeSymbols() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  static const std::vector<RuntimeSymbol> symbols = [&] {
    std::vector<RuntimeSymbol> symbols = {
        {"malloc", address(checkedMalloc)},
        {"free", address(std::free)},
        {"__truncdfhf2", address(truncDoubleToHalf)},
        {"__truncsfhf2", address(truncFloatToHalf)},
        {"__extendhfsf2", address(extendHalf)},
        {"timer_start", address(startTimer)},
        {"timer_end", address(endTimer)},
        {"sched_yield", address(sched_yield)},
    };
    for (const auto *symbol = runtime::getSymbols(); symbol->name; ++symbol)
      symbols.push_back({symbol->name, symbol->address});
    return symbols;
  }();
  return symbols;
}
