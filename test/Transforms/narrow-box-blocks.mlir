// Layers that are narrower than a row of a warp: its lanes compute other planes, not nothing.
// RUN: stencil-translate %s --to-ptx --chip sm_90 -o - | FileCheck %s
// RUN: stencil-run %s --arg 0=random:1 --arg 1=zeros --target emulator --chip gfx942 --verify=0

!field = !stencil.field<[-1,33]x[-1,33]x[-1,65]xf32>
!temp = !stencil.temp<?x?x?xf32>

// CHECK-LABEL: entry layer_apply0
// CHECK: .maxntid 8, 8, 4
func.func @layer(%a: !field, %b: !field) {
  %t = stencil.load %a : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %l = stencil.access %x[-1, 0, 0] : !temp
    %u = stencil.access %x[1, 0, 0] : !temp
    %s = arith.addf %l, %u : f32
    stencil.return %s : f32
  }
  stencil.store %r to %b(<[0, 0, 0], [32, 32, 28]>) : !temp to !field
  return
}
