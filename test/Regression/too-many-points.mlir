// Points per thread beyond all that a kernel can have were counted one by one, for ever.
// RUN: not stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros --schedule '#stencil.schedule<points = [1048576, 1048576]>' 2>&1 | FileCheck %s
// CHECK: too-many-points.mlir:[[#@LINE+4]]:3: error: 'stencil.apply' op expected at most 256 points per thread, got 1099511627776

!field = !stencil.field<[0,8]x[0,8]xf64>
func.func @copy(%a: !field, %b: !field) {
  stencil.apply(%x = %a : !field) outs (%b : !field) {
    %v = stencil.access %x[0, 0] : !field
    stencil.return %v : f64
  } to <[0, 0], [8, 8]>
  return
}
