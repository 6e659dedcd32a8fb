//===- EmulatorTest.h - Kernels written in C++ --------------------*- C++
//-*-===//

#ifndef STENCIL_UNITTESTS_EMULATOR_EMULATORTEST_H
#define STENCIL_UNITTESTS_EMULATOR_EMULATORTEST_H

#include "StencilRuntime/Backend.h"
#include "StencilRuntime/EmulatorCalls.h"
#include "StencilRuntime/EmulatorImage.h"
#include "StencilRuntime/Error.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

namespace stencil::runtime {

/// Runs functions as kernels. They call the emulator as compiled kernels do,
/// but only the accesses that they report are checked.
class EmulatorTest : public ::testing::Test {
protected:
  using Kernel = std::function<void()>;

  /// Without a seed: that of the environment.
  explicit EmulatorTest(const char *seed = nullptr)
      : backend(createEmulatorBackend()) {
    previous = stencilSetErrorHandler([](int32_t, const char *message) {
      throw std::runtime_error(message);
    });
    const char *given = std::getenv(kSeed);
    std::string before = given ? given : "1";
    if (seed)
      setenv(kSeed, seed, /*overwrite=*/1);
    EXPECT_EQ(backend->initialize(0), "");
    setenv(kSeed, before.c_str(), /*overwrite=*/1);
  }
  ~EmulatorTest() override { stencilSetErrorHandler(previous); }

  static constexpr char kSeed[] = "STENCIL_EMULATOR_SEED";
  /// Bytes of shared memory of the kernels.
  static constexpr uint64_t kSharedBytes = 1024;

  void launch(Dim3 grid, Dim3 block, uint32_t warpSize, const Kernel &body,
              void *stream = nullptr) {
    static const EmulatorArray arrays[] = {{kSharedBytes, 128}};
    static const uint64_t paramBytes[] = {sizeof(void *)};
    // Functions and images live as long as what was captured of them.
    static std::vector<std::unique_ptr<EmulatorImage>> images;
    static const EmulatorKernel kernel = {"test", callBody, arrays, paramBytes,
                                          1,      1,        1,      0};
    auto &image = *images.emplace_back(std::make_unique<EmulatorImage>());
    std::memcpy(image.magic, kEmulatorImageMagic, sizeof(image.magic));
    image.version = kEmulatorVersion;
    image.warpSize = warpSize;
    image.maxThreads = 1024;
    image.maxSharedBytes = 2048;
    image.kernels = &kernel;
    image.numKernels = 1;
    void *module = backend->loadModule(&image, sizeof(image), -1);
    const Kernel *address = &body;
    void *params[] = {static_cast<void *>(&address)};
    LaunchConfig config;
    config.grid = grid;
    config.block = block;
    config.params = params;
    config.numParams = 1;
    config.stream = stream;
    backend->launch(backend->getFunction(module, "test"), "test", config);
  }

  /// One block of `threads`; returns the error's message, empty if there is
  /// none.
  std::string run(uint32_t threads, uint32_t warpSize, const Kernel &body) {
    try {
      launch({1, 1, 1}, {threads, 1, 1}, warpSize, body);
    } catch (const std::runtime_error &error) {
      return error.what();
    }
    return {};
  }

  static int getId(EmulatorId id) {
    return static_cast<int>(stencilEmulatorId(static_cast<int32_t>(id)));
  }
  static int getThread() { return getId(EmulatorId::Thread); }
  static char *getShared(int offset) {
    return static_cast<char *>(stencilEmulatorSharedArray(0)) + offset;
  }

  std::unique_ptr<Backend> backend;

private:
  static void callBody(void **params) {
    (**static_cast<const Kernel **>(params[0]))();
  }

  StencilErrorHandler previous;
};

} // namespace stencil::runtime

#endif // STENCIL_UNITTESTS_EMULATOR_EMULATORTEST_H
