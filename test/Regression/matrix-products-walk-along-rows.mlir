// A walk along rows: the tile that is chosen has points along the other axes.
// RUN: stencil-opt %s --stencil-to-tiles="chip=sm_90 math=reassociate" | FileCheck %s
// RUN: stencil-run %s --target emulator --chip sm_90 --math reassociate --verify --arg 0=random:1 --arg 1=zeros
// CHECK: grid <domain = <[0, 0], [37, 53]>, block = [128, 1], points = [16, 1], {{.*}}walk = 1
// CHECK: tile.engine = #tile.mma<shape = [16, 8, 4], patch = [8, 1], along = 0>
!field = !stencil.field<[-1,38]x[-1,54]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @rows(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<window = shared, stream = 1, engine = mma>} {
    %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[1.0, 2.0, 3.0, 5.0, 7.0]> : tensor<5xf64> : !temp
    stencil.return %s : f64
  }
  stencil.store %r to %v(<[0, 0], [37, 53]>) : !temp to !field
  return
}
