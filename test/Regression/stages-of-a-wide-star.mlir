// `stages` went to 8, so that a star of radius 8, of which 17 planes are read, could not say what it needs. What limits it is shared memory.

// RUN: stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros --verify \
// RUN:     --schedule '#stencil.schedule<block = [1, 4, 16], points = [1, 1, 1], stream = 0, window = shared, prefetch = tma, stages = 19>'
// RUN: stencil-run %s --target emulator --chip gfx942 --arg 0=random:1 --arg 1=zeros --verify \
// RUN:     --schedule '#stencil.schedule<block = [1, 4, 8], points = [1, 1, 1], stream = 0, window = shared, stages = 17>'
// RUN: not stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros \
// RUN:     --schedule '#stencil.schedule<block = [1, 4, 16], points = [1, 1, 1], stream = 0, window = shared, prefetch = tma, stages = 17>' 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: 'stencil.apply' op expected 'stages' of at least 18: planes -8 to 8 of input 0 are read, and one is on its way; got 17
// RUN: not stencil-run %s --target emulator --chip sm_90 --arg 0=random:1 --arg 1=zeros \
// RUN:     --schedule '#stencil.schedule<block = [1, 4, 16], points = [1, 1, 1], stream = 0, window = shared, prefetch = tma, stages = 200>' 2>&1 | FileCheck %s --check-prefix=MANY
// MANY: error: {{.*}}expected windows of at most 232448 bytes, the shared memory of a block on sm_90, got

!f = !stencil.field<[-8,20]x[-8,16]x[-8,24]xf64>
!t = !stencil.temp<?x?x?xf64>
func.func @star(%a: !f, %b: !f) {
  %0 = stencil.load %a : !f -> !t
  %1 = stencil.apply(%x = %0 : !t) -> (!t) {
    %s = stencil.weighted_sum %x
        offsets [[-8, 0, 0], [8, 0, 0], [0, -8, 0], [0, 8, 0], [0, 0, -8], [0, 0, 8], [0, 0, 0]]
        weights dense<[0.25, 0.125, 0.5, 0.75, 0.375, 0.625, 0.1]> : tensor<7xf64> : !t
    stencil.return %s : f64
  }
  stencil.store %1 to %b(<[0, 0, 0], [12, 8, 16]>) : !t to !f
  return
}
