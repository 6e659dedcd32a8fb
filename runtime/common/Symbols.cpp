//===- Symbols.cpp - The entry points by name -----------------------------===//

#include "StencilRuntime/Symbols.h"
#include "StencilRuntime/Runtime.h"
#ifdef STENCIL_RUNTIME_EMULATOR
#include "StencilRuntime/EmulatorCalls.h"
#endif

using namespace stencil::runtime;

const Symbol *stencil::runtime::getSymbols() {
#define SYMBOL(name)                                                           \
  {                                                                            \
    #name, reinterpret_cast<void *>(&(name))                                   \
  }
  static const Symbol symbols[] = {
      SYMBOL(mgpuModuleLoad),
      SYMBOL(mgpuModuleLoadJIT),
      SYMBOL(mgpuModuleUnload),
      SYMBOL(mgpuModuleGetFunction),
      SYMBOL(mgpuLaunchKernel),
      SYMBOL(mgpuLaunchClusterKernel),
      SYMBOL(mgpuStreamCreate),
      SYMBOL(stencilCreatePriorStream),
      SYMBOL(mgpuStreamDestroy),
      SYMBOL(mgpuStreamSynchronize),
      SYMBOL(mgpuStreamWaitEvent),
      SYMBOL(mgpuEventCreate),
      SYMBOL(mgpuEventDestroy),
      SYMBOL(mgpuEventSynchronize),
      SYMBOL(mgpuEventRecord),
      SYMBOL(mgpuMemAlloc),
      SYMBOL(mgpuMemFree),
      SYMBOL(mgpuMemcpy),
      SYMBOL(mgpuMemset16),
      SYMBOL(mgpuMemset32),
      SYMBOL(mgpuMemHostRegister),
      SYMBOL(mgpuMemHostUnregister),
      SYMBOL(mgpuMemHostRegisterMemRef),
      SYMBOL(mgpuMemHostUnregisterMemRef),
      SYMBOL(mgpuMemGetDeviceMemRef1dFloat),
      SYMBOL(mgpuMemGetDeviceMemRef1dInt32),
      SYMBOL(mgpuSetDefaultDevice),
      SYMBOL(mgpuTensorMapEncodeTiled),
      SYMBOL(mgpuTensorMapEncodeTiledMemref),
      SYMBOL(stencilSelectBackend),
      SYMBOL(stencilMatchDevice),
      SYMBOL(stencilSetErrorHandler),
      SYMBOL(stencilTakeStatus),
      SYMBOL(stencilKeepMessages),
      SYMBOL(stencilTakeMessage),
      SYMBOL(stencilFail),
      SYMBOL(stencilReserveMemory),
      SYMBOL(stencilMemcpy2D),
      SYMBOL(stencilBeginCapture),
      SYMBOL(stencilEndCapture),
      SYMBOL(stencilLaunchGraph),
      SYMBOL(stencilDestroyGraph),
      SYMBOL(stencilRetireGraph),
      SYMBOL(stencilMayCapture),
      SYMBOL(stencilSetStream),
      SYMBOL(stencilOpenStream),
      SYMBOL(stencilFinishStream),
      SYMBOL(stencilCloseStream),
      SYMBOL(stencilExpectWait),
      SYMBOL(stencilCheckArray),
      SYMBOL(stencilBeginSteps),
      SYMBOL(stencilCountSteps),
      SYMBOL(stencilCountLaunchedSteps),
      SYMBOL(stencilEndSteps),
      SYMBOL(stencilBeginTiming),
      SYMBOL(stencilEndTiming),
#ifdef STENCIL_RUNTIME_EMULATOR
      SYMBOL(stencilEmulatorAsyncCommit),
      SYMBOL(stencilEmulatorAsyncCopy),
      SYMBOL(stencilEmulatorAsyncWait),
      SYMBOL(stencilEmulatorBarrier),
      SYMBOL(stencilEmulatorBulkCommit),
      SYMBOL(stencilEmulatorBulkWait),
      SYMBOL(stencilEmulatorCheck),
      SYMBOL(stencilEmulatorDynamicShared),
      SYMBOL(stencilEmulatorDynamicSharedBytes),
      SYMBOL(stencilEmulatorElect),
      SYMBOL(stencilEmulatorFence),
      SYMBOL(stencilEmulatorFenceMBarrierInit),
      SYMBOL(stencilEmulatorFenceProxy),
      SYMBOL(stencilEmulatorHasValue),
      SYMBOL(stencilEmulatorId),
      SYMBOL(stencilEmulatorLdMatrix),
      SYMBOL(stencilEmulatorMBarrierArrive),
      SYMBOL(stencilEmulatorMBarrierInit),
      SYMBOL(stencilEmulatorMBarrierWait),
      SYMBOL(stencilEmulatorMatch),
      SYMBOL(stencilEmulatorMfma),
      SYMBOL(stencilEmulatorMma),
      SYMBOL(stencilEmulatorMoveValue),
      SYMBOL(stencilEmulatorNamedBarrier),
      SYMBOL(stencilEmulatorRedux),
      SYMBOL(stencilEmulatorSharedArray),
      SYMBOL(stencilEmulatorShuffle),
      SYMBOL(stencilEmulatorShuffleSync),
      SYMBOL(stencilEmulatorSyncWarp),
      SYMBOL(stencilEmulatorTmaLoad),
      SYMBOL(stencilEmulatorTmaStore),
      SYMBOL(stencilEmulatorVote),
#endif
      {nullptr, nullptr},
  };
#undef SYMBOL
  return symbols;
}
