//===- CopyTest.h - Kernels that copy asynchronously --------------*- C++
//-*-===//

#ifndef STENCIL_UNITTESTS_EMULATOR_COPYTEST_H
#define STENCIL_UNITTESTS_EMULATOR_COPYTEST_H

#include "../../runtime/emulator/Launch.h"
#include "EmulatorTest.h"

namespace stencil::runtime {

/// Each test runs with copies that arrive late, early, and at random.
class CopyTest : public EmulatorTest,
                 public testing::WithParamInterface<const char *> {
protected:
  /// The buffers in global memory, and the tiles in shared memory.
  static constexpr int kTileBytes = 128, kNumTiles = 3;

  CopyTest() : EmulatorTest(GetParam()) {
    for (int i = 0; i < kNumTiles; ++i) {
      buffers[i] = backend->allocate(kTileBytes, nullptr, /*hostShared=*/true);
      maps[i] =
          backend->allocate(kTensorMapBytes, nullptr, /*hostShared=*/true);
      static const uint64_t extents[] = {16};
      static const uint32_t box[] = {16}, steps[] = {1};
      TensorMapRequest request;
      request.dataType = 8; // F64.
      request.rank = 1;
      request.address = buffers[i];
      request.extents = extents;
      request.box = box;
      request.elementStrides = steps;
      backend->encodeTensorMap(maps[i], request);
    }
  }
  ~CopyTest() override {
    for (int i = 0; i < kNumTiles; ++i) {
      backend->free(buffers[i], nullptr);
      backend->free(maps[i], nullptr);
    }
  }

  // Barriers lie in front of the tiles.
  static char *getBarrier(int i) { return getShared(8 * i); }
  static char *getTile(int i) { return getShared(kTileBytes * (1 + i)); }

  static void access(const void *address, bool isWrite) {
    stencilEmulatorCheck(address, 8, 8, isWrite ? AccessWrite : 0, "access");
  }
  static void sync() { stencilEmulatorBarrier("sync"); }
  static void fenceProxy() { stencilEmulatorFenceProxy(1, 1, "fence"); }
  static void expect(int barrier, int64_t bytes = kTileBytes) {
    stencilEmulatorMBarrierArrive(getBarrier(barrier), 1, bytes, "expect");
  }
  static bool wait(int barrier, int parity = 0, bool waits = true) {
    return stencilEmulatorMBarrierWait(getBarrier(barrier), parity, 1, waits,
                                       "wait");
  }
  void load(int tile, int buffer, int barrier) {
    const int64_t at[] = {0};
    stencilEmulatorTmaLoad(getTile(tile), maps[buffer], getBarrier(barrier), at,
                           1, "load");
  }
  void store(int tile, int buffer) {
    const int64_t at[] = {0};
    stencilEmulatorTmaStore(getTile(tile), maps[buffer], at, 1, "store");
    stencilEmulatorBulkCommit();
  }
  static void waitForStores(bool isRead = false) {
    stencilEmulatorBulkWait(0, isRead, "wait");
  }
  /// Thread 0 makes barriers and gives values to tiles.
  static void prepare() {
    if (getThread() == 0) {
      for (int i = 0; i < 2; ++i)
        stencilEmulatorMBarrierInit(getBarrier(i), 1, "init");
      stencilEmulatorCheck(getTile(0), kNumTiles * kTileBytes, 8, AccessWrite,
                           "prepare");
      std::memset(getTile(0), 0, kNumTiles * kTileBytes);
      fenceProxy();
    }
    sync();
  }
  /// Lets the others run until `turn` has come; orders nothing.
  static void waitForTurn(const int &turn, int own) {
    while (turn != own)
      emulator::Launch::getCurrent()->getBlock().yield();
  }

  void *buffers[kNumTiles], *maps[kNumTiles];
};

} // namespace stencil::runtime

#endif // STENCIL_UNITTESTS_EMULATOR_COPYTEST_H
