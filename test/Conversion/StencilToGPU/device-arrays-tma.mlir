// TMA needs rows of a multiple of 16 bytes: of arrays of the caller the extents
// have to say so. What is asked for and cannot be had is an error.
// DEFINE: %{lower} = --stencil-request-device-arrays --stencil-infer-shapes --stencil-bufferize --stencil-attach-target=chip=sm_90 --stencil-stream-windows="schedule=#stencil.schedule<block=[1,32],window=[shared],stream=0,prefetch=tma>" --convert-stencil-to-gpu
// RUN: sed -e s/ROW/66/ %s | not stencil-opt %{lower} 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: sed -e s/ROW/?/ %s | not stencil-opt %{lower} 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: sed -e s/ROW/67/ %s | stencil-opt %{lower} | FileCheck %s
// ODD: error: {{.*}}expected rows of a multiple of 16 bytes for {{.*}}tma{{.*}}, got an array of the caller with rows of 268 bytes
// OPEN: error: {{.*}}got an array of the caller with rows of an extent that is known at run time only
// CHECK: nvgpu.tma.async.load
// CHECK: call @stencilCheckArray(%{{.*}}, %{{.*}}, %c16)
// CHECK: nvgpu.tma.create.descriptor

!field = !stencil.field<[-1,65]x[-1,ROW]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @star(%u: !field, %v: !field) {
  %old = stencil.load %u : !field -> !temp
  %new = stencil.apply(%x = %old : !temp) -> (!temp) {
    %a = stencil.access %x[-1, 0] : !temp
    %b = stencil.access %x[0, 1] : !temp
    %sum = arith.addf %a, %b : f32
    stencil.return %sum : f32
  }
  stencil.store %new to %v(<[0, 0], [64, 64]>) : !temp to !field
  return
}
