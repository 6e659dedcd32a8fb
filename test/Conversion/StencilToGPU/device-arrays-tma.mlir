// TMA needs rows of a multiple of 16 bytes, and copies that begin at such a
// one: of arrays of the caller the extents have to say so. What is asked for and
// cannot be had is an error.
// DEFINE: %{lower} = --stencil-request-device-arrays --stencil-infer-shapes --stencil-bufferize --stencil-attach-target=chip=sm_90 --stencil-stream-windows="schedule=#stencil.schedule<block=[1,32],window=[shared],stream=0,prefetch=tma>" --convert-stencil-to-gpu
// RUN: sed -e s/FIRST/4/ -e s/ROW/65/ %s | not stencil-opt %{lower} 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: sed -e s/FIRST/4/ -e s/ROW/?/ %s | not stencil-opt %{lower} 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: sed -e s/FIRST/1/ -e s/ROW/67/ %s | not stencil-opt %{lower} 2>&1 | FileCheck %s --check-prefix=START
// RUN: sed -e s/FIRST/4/ -e s/ROW/68/ %s | stencil-opt %{lower} | FileCheck %s
// ODD: error: {{.*}}expected rows of a multiple of 16 bytes for {{.*}}tma{{.*}}, got an array of the caller with rows of 276 bytes
// OPEN: error: {{.*}}got an array of the caller with rows of an extent that is known at run time only
// START: error: {{.*}}expected tiles and halos that begin at multiples of 16 bytes of a row for {{.*}}tma{{.*}}, got an array of the caller with 4 bytes before the domain
// CHECK: nvgpu.tma.async.load
// CHECK: call @stencilCheckArray(%{{.*}}, %{{.*}}, %c16)
// CHECK: nvgpu.tma.create.descriptor

!field = !stencil.field<[-1,65]x[-FIRST,ROW]xf32>
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
