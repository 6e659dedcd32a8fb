// Windows of the second group of inputs lie where those of the first were: all threads are done with these before, and
// the copy engine, which alone needs a fence, is told so by the thread that asks it.
// DEFINE: %{prefetch} = tma
// DEFINE: %{convert} = sed 's/PREFETCH/%{prefetch}/' %s | stencil-opt --stencil-stream-windows --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --cse
// DEFINE: %{run} = sed 's/PREFETCH/%{prefetch}/' %s | stencil-run - --arg 0=random:1 --arg 1=random:2 --arg 2=zeros --target emulator --chip sm_90 --verify
// RUN: %{convert} | FileCheck %s
// RUN: %{run}
// REDEFINE: %{prefetch} = async
// RUN: %{convert} | FileCheck %s --check-prefix=ASYNC --implicit-check-not=nvvm.fence.proxy
// RUN: %{run}

// CHECK-LABEL: gpu.func @groups_pipeline0
// CHECK: %[[WINDOW:.*]] = memref.view %{{.*}} to memref<192xf64
// CHECK: nvgpu.tma.async.load %arg3
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK-COUNT-2: memref.load %[[WINDOW]]
// CHECK: gpu.barrier
// CHECK-NEXT: scf.if
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>
// CHECK-NOT: gpu.barrier
// CHECK: nvgpu.tma.async.load %arg4
// CHECK: nvgpu.mbarrier.try_wait.parity
// CHECK-COUNT-2: memref.load %[[WINDOW]]

// ASYNC-LABEL: gpu.func @groups_pipeline0
// ASYNC: nvgpu.device_async_copy %arg0
// ASYNC: gpu.barrier
// ASYNC-COUNT-2: memref.load
// ASYNC: gpu.barrier
// ASYNC: nvgpu.device_async_copy %arg1
// ASYNC: gpu.barrier
// ASYNC-COUNT-2: memref.load

#schedule = #stencil.schedule<block = [4, 32], window = shared, groups = [1], prefetch = PREFETCH>
!field = !stencil.field<[-1,31]x[-1,33]xf64>
func.func @groups(%u: !field, %v: !field, %o: !field) {
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #schedule} {
    %a = stencil.access %x[-1, 0] : !field
    %b = stencil.access %x[0, 1] : !field
    %c = stencil.access %y[1, 0] : !field
    %d = stencil.access %y[0, -1] : !field
    %e = arith.addf %a, %b : f64
    %f = arith.addf %c, %d : f64
    %g = arith.mulf %e, %f : f64
    stencil.return %g : f64
  } to <[0, 0], [30, 32]>
  return
}
