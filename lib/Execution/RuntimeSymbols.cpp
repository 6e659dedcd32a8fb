//===- RuntimeSymbols.cpp - What compiled programs call -------------------===//

#include "RuntimeSymbols.h"
#include "StencilDialect/Support/Element.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilRuntime/Error.h"
#include "StencilRuntime/Symbols.h"
#include "llvm/ADT/StringExtras.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <vector>

using namespace stencil;

/// Splits "FILE:LINE:COLUMN: text" behind the colon; other messages have no
/// place.
static std::pair<llvm::StringRef, llvm::StringRef>
splitPlace(llvm::StringRef message) {
  size_t end = message.find(": ");
  if (end == llvm::StringRef::npos)
    return {"", message};
  auto [fileAndLine, column] = message.take_front(end).rsplit(':');
  auto [file, line] = fileAndLine.rsplit(':');
  auto isNumber = [](llvm::StringRef text) {
    return !text.empty() && llvm::all_of(text, llvm::isDigit);
  };
  if (file.empty() || !isNumber(line) || !isNumber(column))
    return {"", message};
  return {message.take_front(end + 2), message.drop_front(end + 2)};
}

/// Ends the process from any thread, also from a signal handler: no
/// destructors, no allocation.
[[noreturn]] static void fail(llvm::StringRef message) {
  // The line may have a progress bar on it.
  constexpr llvm::StringLiteral erase = "\r\033[K";
  auto write = [](llvm::StringRef text) {
    while (!text.empty()) {
      ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
      if (written <= 0)
        break;
      text = text.drop_front(written);
    }
  };
  if (isatty(STDERR_FILENO))
    write(erase);
  auto [place, text] = splitPlace(message);
  write(place);
  write("error: ");
  write(text);
  write("\n");
  std::_Exit(1);
}

//===----------------------------------------------------------------------===//
// Failing checks
//===----------------------------------------------------------------------===//

/// A failing check calls puts(message), then abort().
static int putsMessage(const char *message) { fail(message); }

[[noreturn]] static void abortProgram() { fail("the program aborted"); }

static void *checkedMalloc(size_t bytes) {
  // Small ones cannot fail in a way that we could report.
  constexpr size_t small = size_t(1) << 20;
  if (bytes > small)
    if (auto error = checkFitsInMemory(bytes, "a buffer of the program"))
      fail(llvm::toString(std::move(error)));
  void *memory = std::malloc(bytes);
  if (!memory)
    fail("out of memory in the program");
  return memory;
}

static void handleFault(int signal) {
  if (signal == SIGFPE)
    fail("integer division by zero, or overflow of one, in the program");
  fail("access outside of any memory, in the program");
}

static constexpr int kFaults[] = {SIGFPE, SIGSEGV, SIGBUS};
static struct sigaction previousActions[std::size(kFaults)];

FaultGuard::FaultGuard() {
  struct sigaction action = {};
  action.sa_handler = handleFault;
  // The stack may be what is full.
  action.sa_flags = SA_ONSTACK;
  for (size_t i = 0; i < std::size(kFaults); ++i)
    sigaction(kFaults[i], &action, &previousActions[i]);
}

FaultGuard::~FaultGuard() {
  for (size_t i = 0; i < std::size(kFaults); ++i)
    sigaction(kFaults[i], &previousActions[i], nullptr);
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

llvm::ArrayRef<RuntimeSymbol> stencil::getRuntimeSymbols() {
  auto address = [](auto *function) {
    return reinterpret_cast<void *>(function);
  };
  static const std::vector<RuntimeSymbol> symbols = [&] {
    std::vector<RuntimeSymbol> symbols = {
        {"puts", address(putsMessage)},
        {"abort", address(abortProgram)},
        {"malloc", address(checkedMalloc)},
        {"free", address(std::free)},
        {"__truncdfhf2", address(truncDoubleToHalf)},
        {"__truncsfhf2", address(truncFloatToHalf)},
        {"__extendhfsf2", address(extendHalf)},
    };
    // What programs for GPUs call, whose errors look like those of the others.
    for (const auto *symbol = runtime::getSymbols(); symbol->name; ++symbol)
      symbols.push_back({symbol->name, symbol->address});
    stencilSetErrorHandler([](int32_t, const char *message) { fail(message); });
    return symbols;
  }();
  return symbols;
}
