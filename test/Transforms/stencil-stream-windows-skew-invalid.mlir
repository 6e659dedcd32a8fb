// RUN: stencil-opt %s --stencil-stream-windows --split-input-file --verify-diagnostics

!field = !stencil.field<[-4,68]x[-4,68]xf64>

// The schedule does not know how many axes there are.
func.func @walk(%u: !field, %v: !field) {
  // expected-error@+1 {{expected another axis of 'stream' than 1, the last one, for 'skew'}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 1, chain = shared, skew = -1>} {
    %l = stencil.weighted_sum %x offsets [[0, -1], [0, 1]] weights dense<0.25> : tensor<2xf64> : !field
    %e = stencil.weighted_sum %l offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : f64
    stencil.return %e : f64
  } to <[0, 0], [64, 64]>
  return
}
