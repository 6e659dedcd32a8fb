// RUN: stencil-opt %s --stencil-stream-windows --split-input-file --verify-diagnostics

!field = !stencil.field<[-4,68]x[-4,68]xf64>

func.func @shallow(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 'stages' of at least 7: planes -2 to 3 of input 0 are read, and one is on its way; got 6}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, prefetch = async, stages = 6>} {
    %s = stencil.weighted_sum %x offsets [[-2, 0], [3, 0]] weights dense<2.0> : tensor<2xf64> : !field
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>

func.func @shallow_without_prefetch(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 'stages' of at least 6: planes -2 to 3 of input 0 are read; got 5}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, stages = 5>} {
    %s = stencil.weighted_sum %x offsets [[-2, 0], [3, 0]] weights dense<2.0> : tensor<2xf64> : !field
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>

func.func @order(%u: !field, %v: !field) {
  // expected-error@+1 {{expected math=reassociate, or the flag 'reassoc' on sums over several planes, for an 'accumulate' that adds plane by plane}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = scatter>} {
    // expected-note@+1 {{may not be computed in another order}}
    %s = stencil.weighted_sum %x offsets [[-2, 0], [3, 0]] weights dense<2.0> : tensor<2xf64> : !field
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>

// Along axis 1 it is in one plane.
func.func @order_in_plane(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 1, window = shared, accumulate = scatter>} {
    %s = stencil.weighted_sum %x offsets [[-2, 0], [3, 0]] weights dense<2.0> : tensor<2xf64> : !field
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>

func.func @not_linear(%u: !field, %v: !field) {
  // expected-error@+1 {{expected no sum over a value that is not linear in what is read of several planes for an 'accumulate' that adds plane by plane}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = scatter>} {
    %a = stencil.access %x[-1, 0] : !field
    %b = stencil.access %x[1, 0] : !field
    %p = arith.mulf %a, %b : f64
    // expected-note@+1 {{this sum}}
    %s = stencil.weighted_sum %p offsets [[0, -1], [0, 1]] weights dense<2.0> : tensor<2xf64> : f64
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>

// A stage that is ahead would read the second input where it need not be.
func.func @reach(%u: !field, %w: !field, %v: !field) {
  // expected-error@+1 {{expected inputs that are all read at planes -1 to 2 in a sum over a value for an 'accumulate' that adds plane by plane, got such as are read at planes -1 to 1}}
  stencil.apply(%x = %u : !field, %y = %w : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, accumulate = semi>} {
    %a = stencil.weighted_sum %x fastmath<reassoc> offsets [[-1, 0], [2, 0]] weights dense<2.0> : tensor<2xf64> : !field
    %b = stencil.weighted_sum %y fastmath<reassoc> offsets [[-1, 0], [1, 0]] weights dense<2.0> : tensor<2xf64> : !field
    %p = arith.addf %a, %b fastmath<reassoc> : f64
    // expected-note@+1 {{this sum}}
    %s = stencil.weighted_sum %p fastmath<reassoc> offsets [[0, -1], [0, 1]] weights dense<2.0> : tensor<2xf64> : f64
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>
!row = !stencil.field<[-4,68]xf64>

func.func @lower_rank(%u: !field, %c: !row, %v: !field) {
  // expected-error@+1 {{expected 'window = cache' for input 1, which has 1 of 2 axes, got 'shared'}}
  stencil.apply(%x = %u : !field, %y = %c : !row) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared>} {
    %a = stencil.access %x[0, 1] : !field
    %b = stencil.access %y[_, 1] : !row
    %p = arith.mulf %a, %b : f64
    stencil.return %p : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>

func.func @computed(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 'window = cache' for input 0, which is read at computed coordinates, got 'registers'}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = registers>} {
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[0, 0]>
    %a = stencil.dyn_access %x[%i, %j] in <[0, 0]> : <[0, 0]> : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>

func.func @unrolled(%u: !field, %v: !field) {
  // expected-error@+1 {{expected no 'unroll' for a schedule with windows}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0>} {
    %a = stencil.access %x[0, 0] : !field
    %b = stencil.access %x[0, 1] : !field
    stencil.return %a, %b unroll <[1, 2]> : f64, f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @values(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  // expected-error@+1 {{expected a bufferised apply for a schedule with windows; run stencil-bufferize before stencil-stream-windows}}
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<stream = 0>} {
    %a = stencil.access %x[0, 0] : !temp
    stencil.return %a : f64
  }
  stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  return
}

// -----

!field = !stencil.field<[-4,68]x[-4,68]xf64>

func.func @rank(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a 'stream' axis from 0 to 1, got 2}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 2>} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-3,67]x[-3,67]xf64>

func.func @chain(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 'chain = shared': with 'chain = registers' a thread has what it computes at its own points only, and neighbours along axis 1 are read of what this body computes}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, chain = registers>} {
    %l = stencil.weighted_sum %x offsets [[0, -1], [0, 1]] weights dense<0.25> : tensor<2xf64> : !field
    %s = stencil.weighted_sum %l offsets [[0, -1], [0, 1]] weights dense<0.5> : tensor<2xf64> : f64
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-3,67]x[-3,67]x[-3,67]xf64>

// Rows are those of the axis before the last.
func.func @chain_of_planes(%u: !field, %v: !field) {
  // expected-error@+1 {{expected 'chain = shared': with 'chain = shuffle' a thread has what the threads of its row compute only, and neighbours along axis 0 are read of what this body computes}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<stream = 1, chain = shuffle>} {
    %l = stencil.weighted_sum %x offsets [[-1, 0, 0], [1, 0, 0]] weights dense<0.25> : tensor<2xf64> : !field
    %s = stencil.weighted_sum %l offsets [[-1, 0, 0], [1, 0, 0]] weights dense<0.5> : tensor<2xf64> : f64
    stencil.return %s : f64
  } to <[0, 0, 0], [64, 64, 64]>
  return
}
