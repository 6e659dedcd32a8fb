//===- Options.cpp - How a program is compiled ----------------------------===//

#include "Options.h"
#include "Handles.h"
#include "Status.h"

#include <mutex>

using namespace stencil;

namespace {

/// Options that threads may set and read.
struct SharedOptions {
  std::mutex mutex;
  ExecutableOptions options;
};

} // namespace

using OptionsTable = capi::HandleTable<SharedOptions>;

std::optional<ExecutableOptions> capi::getOptions(uint64_t handle) {
  if (handle == 0)
    return ExecutableOptions();
  std::shared_ptr<SharedOptions> shared = OptionsTable::get().find(handle);
  if (!shared)
    return std::nullopt;
  std::lock_guard<std::mutex> lock(shared->mutex);
  return shared->options;
}

/// Changes one option.
template <typename Change>
static int32_t change(StencilOptions handle, Change apply) {
  std::shared_ptr<SharedOptions> shared = OptionsTable::get().find(handle);
  if (!shared)
    return capi::failHandle("options", handle);
  std::lock_guard<std::mutex> lock(shared->mutex);
  apply(shared->options);
  return STENCIL_STATUS_OK;
}

static int32_t setText(StencilOptions handle,
                       std::string ExecutableOptions::*member,
                       const char *text) {
  if (!text)
    return capi::fail(STENCIL_STATUS_INVALID_ARGUMENT,
                      "expected a text as an option, got a null pointer");
  return change(handle,
                [&](ExecutableOptions &options) { options.*member = text; });
}

StencilOptions stencilOptionsCreate(void) {
  return OptionsTable::get().add(std::make_shared<SharedOptions>());
}

int32_t stencilOptionsDestroy(StencilOptions options) {
  return OptionsTable::get().release(options)
             ? int32_t(STENCIL_STATUS_OK)
             : capi::failHandle("options", options);
}

int32_t stencilOptionsSetTarget(StencilOptions options, const char *target) {
  return setText(options, &ExecutableOptions::target, target);
}

int32_t stencilOptionsSetChip(StencilOptions options, const char *chip) {
  return setText(options, &ExecutableOptions::chip, chip);
}

int32_t stencilOptionsSetEntry(StencilOptions options, const char *entry) {
  return setText(options, &ExecutableOptions::entry, entry);
}

int32_t stencilOptionsSetMath(StencilOptions options, const char *math) {
  return setText(options, &ExecutableOptions::math, math);
}

int32_t stencilOptionsSetSchedule(StencilOptions options,
                                  const char *schedule) {
  return setText(options, &ExecutableOptions::schedule, schedule);
}

int32_t stencilOptionsSetTuningDatabase(StencilOptions options,
                                        const char *path) {
  return setText(options, &ExecutableOptions::tuningDatabase, path);
}

int32_t stencilOptionsSetToolkit(StencilOptions options, const char *path) {
  return setText(options, &ExecutableOptions::toolkit, path);
}

int32_t stencilOptionsSetCacheDirectory(StencilOptions options,
                                        const char *path) {
  return setText(options, &ExecutableOptions::cacheDirectory, path);
}

const char *stencilGetDefaultCacheDirectory(void) {
  static thread_local std::string directory;
  directory = getDefaultCacheDirectory();
  return directory.c_str();
}

int32_t stencilOptionsSetThreads(StencilOptions options, uint32_t threads) {
  return change(options,
                [&](ExecutableOptions &set) { set.threads = threads; });
}

int32_t stencilOptionsSetExtents(StencilOptions options, intptr_t count,
                                 const int64_t *extents) {
  if (count < 0 || count > capi::kMaxRank || (count > 0 && !extents))
    return capi::fail(STENCIL_STATUS_INVALID_ARGUMENT,
                      "expected an extent for each axis, got " +
                          llvm::Twine(count) + " of them" +
                          (extents ? "" : " and a null pointer"));
  return change(options, [&](ExecutableOptions &set) {
    set.extents.assign(extents, extents + count);
  });
}

int32_t stencilOptionsSetDeviceArrays(StencilOptions options,
                                      bool deviceArrays) {
  return change(options, [&](ExecutableOptions &set) {
    set.deviceArrays = deviceArrays;
  });
}
