//===- FatalErrors.cpp - What LLVM ends a process for ---------------------===//

#include "StencilDialect/Support/FatalErrors.h"
#include "StencilDialect/Support/CrashReport.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <mutex>
#include <string>
#include <utility>

using namespace llvm;

namespace {

/// What the process has one of.
struct Handlers {
  std::mutex mutex;
  fatal_error_handler_t outside = nullptr;
  /// Threads within catchFatalErrors.
  unsigned users = 0;
  /// Whether recovery was enabled here, and not by the program around us.
  bool enabled = false;
};

} // namespace

static Handlers &getHandlers() {
  static Handlers handlers;
  return handlers;
}

/// Where the reason goes; null outside of catchFatalErrors.
static thread_local std::string *reasonOfThread = nullptr;

static void handle(void *, const char *reason, bool crash) {
  CrashRecoveryContext *context = CrashRecoveryContext::GetCurrent();
  if (reasonOfThread && context) {
    *reasonOfThread = reason;
    context->HandleExit(EXIT_FAILURE);
  }
  // Of another thread.
  Handlers &handlers = getHandlers();
  fatal_error_handler_t outside = nullptr;
  {
    std::lock_guard<std::mutex> lock(handlers.mutex);
    outside = handlers.outside;
  }
  if (outside)
    return outside(nullptr, reason, crash);
  errs() << "LLVM ERROR: " << reason << "\n";
  if (crash)
    std::abort();
}

static void install(fatal_error_handler_t handler) {
  remove_fatal_error_handler();
  if (handler)
    install_fatal_error_handler(handler);
}

void stencil::setFatalErrorHandler(fatal_error_handler_t handler) {
  Handlers &handlers = getHandlers();
  std::lock_guard<std::mutex> lock(handlers.mutex);
  handlers.outside = handler;
  if (handlers.users == 0)
    install(handler);
}

/// LLVM does not say otherwise whether recovery is enabled.
static bool isRecoveryEnabled() {
  bool enabled = false;
  CrashRecoveryContext().RunSafely(
      [&] { enabled = CrashRecoveryContext::GetCurrent() != nullptr; });
  return enabled;
}

namespace {

class HandlerScope {
public:
  HandlerScope() {
    Handlers &handlers = getHandlers();
    std::lock_guard<std::mutex> lock(handlers.mutex);
    if (handlers.users++ > 0)
      return;
    install(handle);
    handlers.enabled = !isRecoveryEnabled();
    CrashRecoveryContext::Enable();
  }
  ~HandlerScope() {
    Handlers &handlers = getHandlers();
    std::lock_guard<std::mutex> lock(handlers.mutex);
    if (--handlers.users > 0)
      return;
    if (handlers.enabled)
      CrashRecoveryContext::Disable();
    install(handlers.outside);
  }
};

} // namespace

Error stencil::catchFatalErrors(function_ref<void()> work) {
  HandlerScope scope;
  std::string reason;
  std::string *before = std::exchange(reasonOfThread, &reason);
  CrashRecoveryContext context;
  bool done = context.RunSafely(work);
  reasonOfThread = before;
  if (done)
    return Error::success();
  if (reason.empty()) {
    reason = "a crash in LLVM";
    writeCrashReport();
  }
  return createStringError(reason);
}
