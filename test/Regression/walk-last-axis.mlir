// A walk along the last axis began where vectors of that axis are aligned, not
// with the first plane.
// RUN: stencil-run %s --target emulator --chip sm_80 --arg 0=random:1 --arg 1=zeros --verify --schedule '#stencil.schedule<stream = 0>'
// RUN: stencil-run %s --target emulator --chip sm_80 --arg 0=random:1 --arg 1=zeros --verify --schedule '#stencil.schedule<stream = 0, segments = 3, window = shared, accumulate = shift>'
func.func @main(%u: !stencil.field<[0,100]xf32>, %v: !stencil.field<[0,100]xf32>) {
  %t = stencil.load %u : !stencil.field<[0,100]xf32> -> !stencil.temp<?xf32>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf32>) -> (!stencil.temp<?xf32>) {
    %a = stencil.access %x[-1] : !stencil.temp<?xf32>
    %b = stencil.access %x[0] : !stencil.temp<?xf32>
    %c = arith.mulf %a, %b : f32
    stencil.return %c : f32
  }
  stencil.store %r to %v(<[1], [99]>) : !stencil.temp<?xf32> to !stencil.field<[0,100]xf32>
  return
}
