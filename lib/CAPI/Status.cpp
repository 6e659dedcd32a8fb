//===- Status.cpp - Codes and texts of errors -----------------------------===//

#include "Status.h"
#include "Handles.h"
#include "StencilDialect-c/Executable.h"
#include "StencilDialect/Support/ProgramError.h"
#include "StencilRuntime/Runtime.h"

#include <atomic>
#include <string>

using namespace stencil;

static_assert(
    static_cast<int>(STENCIL_STATUS_OK) == STENCIL_OK &&
    static_cast<int>(STENCIL_STATUS_CHECK_FAILED) == STENCIL_CHECK_FAILED &&
    static_cast<int>(STENCIL_STATUS_OUT_OF_MEMORY) == STENCIL_OUT_OF_MEMORY &&
    static_cast<int>(STENCIL_STATUS_DEVICE_FAILED) == STENCIL_DEVICE_FAILED);

static std::string &getText() {
  static thread_local std::string text;
  return text;
}

const char *stencilGetLastError(void) { return getText().c_str(); }

int32_t capi::fail(int32_t code, const llvm::Twine &message) {
  std::string text = message.str();
  getText() = std::move(text);
  return code;
}

int32_t capi::fail(int32_t code, llvm::Error error) {
  std::string text;
  llvm::handleAllErrors(
      std::move(error),
      [&](const ProgramError &program) {
        code = program.getCode();
        text = program.message();
      },
      [&](const llvm::ErrorInfoBase &other) { text = other.message(); });
  return fail(code, llvm::StringRef(text).rtrim('\n'));
}

int32_t capi::failHandle(llvm::StringRef what, uint64_t handle) {
  return fail(STENCIL_STATUS_INVALID_HANDLE,
              "expected a handle of " + what + ", got " + llvm::Twine(handle) +
                  ": it was released, or never was one");
}

uint64_t capi::makeHandle() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}
