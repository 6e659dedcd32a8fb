// RUN: stencil-opt %s --verify-diagnostics --stencil-attach-target=chip=sm_90 --stencil-stream-windows --stencil-tile-registers

!field = !stencil.field<[-3,515]x[-3,515]x[-3,515]xf64>

// Two fields of 16 x 16 x 64 points and their halos are too many, one by one
// they are still: 22 x 22 x 72 doubles.
func.func @large(%u: !field, %v: !field, %o: !field) {
  // expected-error@+1 {{expected windows of at most 232448 bytes, the shared memory of a block on sm_90, got 278784}}
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 4, 64], points = [4, 4, 1], window = shared, groups = [1]>} {
    %s = stencil.weighted_sum %x offsets [[-3, 0, 0], [0, -3, -3], [0, 3, 3], [3, 0, 0]] weights dense<0.25> : tensor<4xf64> : !field
    %t = stencil.weighted_sum %y offsets [[-3, 0, 0], [0, -3, -3], [0, 3, 3], [3, 0, 0]] weights dense<0.25> : tensor<4xf64> : !field
    %r = arith.mulf %s, %t : f64
    stencil.return %r : f64
  } to <[0, 0, 0], [512, 512, 512]>
  return
}
