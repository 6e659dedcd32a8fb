// RUN: stencil-opt %s --split-input-file --verify-diagnostics --stencil-attach-target=chip=sm_90 --stencil-stream-windows=math=reassociate --stencil-tile-registers

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

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>

// In a walk, the memory of a group has its newest plane only.
func.func @gather(%u: !field, %v: !field, %o: !field) {
  // expected-error@+1 {{expected reads of one plane of input 0 for 'groups' with 'stream = 0', as its memory is that of the next group in the same iteration; got reads of planes -1 to 1, which 'accumulate = scatter' takes one by one where they are sums}}
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, groups = [1]>} {
    %a = stencil.weighted_sum %x offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !field
    %b = stencil.weighted_sum %y offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !field
    %c = arith.mulf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>

// The queue wants a plane that is newer than what neighbours are read of.
func.func @shift(%u: !field, %v: !field, %o: !field) {
  // expected-error@+1 {{expected reads of one plane of input 0 for 'groups' with 'stream = 0', as its memory is that of the next group in the same iteration; got reads of planes 0 to 1}}
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, groups = [1], accumulate = shift>} {
    %n = stencil.access %x[0, 1] : !field
    %a = stencil.weighted_sum %x offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !field
    %b = stencil.weighted_sum %y offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !field
    %m = arith.mulf %a, %b : f64
    %c = arith.mulf %m, %n : f64
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!bits = !stencil.field<[-2,66]x[-2,66]xi1>

// Bits have no sums, in which one plane would wait for another.
func.func @bits(%u: !field, %v: !bits, %o: !field) {
  // expected-error@+1 {{expected reads of one plane of input 1 for 'groups' with 'stream = 0', as its memory is that of the next group in the same iteration; got reads of planes -1 to 1, which are not added plane by plane}}
  stencil.apply(%x = %u : !field, %y = %v : !bits) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, groups = [1], accumulate = scatter>} {
    %a = stencil.access %x[0, 1] : !field
    %b = stencil.access %x[0, 0] : !field
    %p = stencil.access %y[-1, 0] : !bits
    %q = stencil.access %y[1, 0] : !bits
    %r = arith.xori %p, %q : i1
    %c = arith.select %r, %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>

// A ring that groups share has one plane of each.
func.func @stages(%u: !field, %v: !field, %o: !field) {
  // expected-error@+1 {{expected 'stages = 1': the windows are all in groups, which have one plane of each input at a time; got 4}}
  stencil.apply(%x = %u : !field, %y = %v : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, groups = [1], accumulate = scatter, stages = 4>} {
    %a = stencil.weighted_sum %x offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !field
    %b = stencil.weighted_sum %y offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !field
    %c = arith.mulf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>

// Of a group there is one plane at a time.
func.func @step(%u: !field, %o: !field) {
  // expected-error@+1 {{expected 'step = 1' for 'groups' in a walk, whose windows have one plane at a time, got 2}}
  stencil.apply(%x = %u : !field) outs (%o : !field) attributes {stencil.schedule = #stencil.schedule<stream = 0, window = shared, groups = [1], accumulate = scatter, step = 2>} {
    %s = stencil.weighted_sum %x offsets [[-1, 0], [0, 1], [1, 0]] weights dense<0.25> : tensor<3xf64> : !field
    stencil.return %s : f64
  } to <[0, 0], [64, 64]>
  return
}
