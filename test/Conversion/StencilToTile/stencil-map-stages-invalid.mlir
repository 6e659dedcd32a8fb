// What cannot be mapped.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics --stencil-attach-target=chip=sm_80 --stencil-map-stages

// RUN: not stencil-opt %s --split-input-file --stencil-map-stages 2>&1 | FileCheck %s --check-prefix=CHIP
// CHIP: error: expected a module with the attribute stencil.target

func.func @fold(%u: !stencil.field<[0,8]xf64>) -> f64 {
  %x = stencil.load %u : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  // expected-error@+1 {{'stencil.fold' op expected fields; run stencil-bufferize}}
  %m = stencil.fold %x(<[0], [8]>) max : !stencil.temp<?xf64>
  return %m : f64
}

// -----

func.func @fold_open(%u: !stencil.field<?xf64>) -> f64 {
  // expected-error@+1 {{no GPU lowering for a field of type '!stencil.field<?xf64>'}}
  %m = stencil.fold %u(<[0], [8]>) max : !stencil.field<?xf64>
  return %m : f64
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>
func.func @values(%u: !field, %v: !field) {
  %x = stencil.load %u : !field -> !temp
  // expected-error@+1 {{expected a bufferised apply; run stencil-bufferize}}
  %r = stencil.apply(%a = %x : !temp) -> (!temp) {
    %c = stencil.access %a[1] : !temp
    stencil.return %c : f64
  }
  stencil.store %r to %v(<[0], [64]>) : !temp to !field
  return
}

// -----

// Threads of a row have what a stage makes from each other: they are in one warp.
!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @two_warps(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [64]>} {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[1] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{expected rows of threads that are in one warp, 32 or a part of that along axis 0, as it is of what a stage makes, got 64}}
    %w = stencil.window shuffle %t : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

// Tiles overlap by what is read beyond a row: something of them has to be left.
!field = !stencil.field<[-6,70]xf64>
!temp = !stencil.temp<?xf64>
func.func @nothing_left(%u: !field, %v: !field) {
  // expected-error@+1 {{expected tiles of more than 8 points along axis 0, by which they overlap, got 8}}
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4], points = [2]>} {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[1] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shuffle %t : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[-3] : !temp
      %d = stencil.access %a[3] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

// What one block reads in its margin, another one stores.
!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @in_place(%u: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32]>} {
    // expected-error@+1 {{has no lowering: a field that the pipeline stores to, in tiles that overlap}}
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) {
      %i = stencil.index 0 <[0]>
      %j = arith.index_cast %i : index to i64
      %c = arith.sitofp %j : i64 to f64
      stencil.return %c : f64
    }
    %w = stencil.window shuffle %t : !temp
    %r = stencil.apply(%a = %w : !temp, %b = %x : !temp) -> (!temp) {
      %c = stencil.access %a[1] : !temp
      %d = stencil.access %b[0] : !temp
      %e = arith.addf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %u(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

// Along the walk other threads have nothing.
!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @along_rows(%u: !field, %v: !field) {
  stencil.pipeline axis 1 attributes {stencil.schedule = #stencil.schedule<block = [32, 1]>} {
    %x = stencil.load %u : !field -> !temp
    %t = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{has no lowering: neighbours along the axis of the walk in other threads}}
    %w = stencil.window shuffle %t depth 2 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, -1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// Neighbours that a thread has in its registers, and nobody else any more: they are inputs, one by one, of what reads one by one.
!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @lost(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %q = stencil.window registers %w depth 2 lead 0 : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      // expected-error@+1 {{has no lowering here; run stencil-expand-weighted-sums}}
      %c = stencil.weighted_sum %a offsets [[-1, 1], [0, 0]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// Two names of one field.
!open = !stencil.field<?xf64>
!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @stored(%o: !open) {
  %u = stencil.cast %o : !open -> !field
  %v = stencil.cast %o : !open -> !field
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32]>} {
    // expected-error@+1 {{has no lowering: neighbours are read of a field that the pipeline stores to}}
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @chip(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a GPU with the tensor memory accelerator for prefetch = tma, got sm_80}}
    %w = stencil.window shared %x depth 2 lead 1 prefetch tma : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @ahead(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected a lead beyond plane p + 1, the newest that is read, for prefetch = async, got 1}}
    %w = stencil.window shared %x depth 2 lead 1 prefetch async : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[1, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @memory(%u: !field, %v: !field) {
  // expected-error@+1 {{expected windows of at most 166912 bytes, the shared memory of a block on sm_80, got 262144}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1024 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// Nothing that the cache could keep but what is stored.
!field = !stencil.field<[0,64]x[0,64]xf64>
func.func @in_place(%u: !field) {
  // expected-error@+1 {{expected an input that is apart from what is stored for 'eviction = last', got none}}
  stencil.apply(%x = %u : !field) outs (%u : !field) attributes {stencil.schedule = #stencil.schedule<block = [4, 32], points = [1, 2], eviction = last>} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @walk_in_place(%u: !field) {
  // expected-error@+1 {{expected an input that is apart from what is stored for 'eviction = last', got none}}
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32], eviction = last>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %u(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

// A walk has the planes of a sum in different slots.
!field = !stencil.field<[-2,66]x[-2,66]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @taps(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shared %x depth 1 lead 0 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      // expected-error@+1 {{expected a pipeline without a walk for a loop over taps}}
      %c = stencil.weighted_sum %a offsets [[0, 0], [0, 1]] weights dense<2.0> : tensor<2xf64> attributes {stencil.tap_loop} : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!open = !stencil.field<?xf64>
!field = !stencil.field<[0,64]xf64>
func.func @bounds(%u: !open, %v: !field) {
  stencil.apply(%x = %u : !open) outs (%v : !field) {
    // expected-error@+1 {{no GPU lowering for a field of type '!stencil.field<?xf64>'}}
    %a = stencil.access %x[0] : !open
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[-2,66]xf64>
!temp = !stencil.temp<?xf64>
func.func @sum(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32]>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shuffle %x : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      // expected-error@+1 {{has no lowering here; run stencil-expand-weighted-sums}}
      %c = stencil.weighted_sum %a offsets [[0], [1]] weights dense<2.0> : tensor<2xf64> : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0], [64]>) : !temp to !field
  }
  return
}

// -----

// What is left open is chosen before.
!field = !stencil.field<[-1,65]xf64>
func.func @open(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a schedule with 'block' and 'points'; run stencil-tile-applies}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [64]>} {
    %a = stencil.access %x[1] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

// Plane p of the field is read when plane p + 1 of it has been stored.
!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @stored_over(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{has no lowering: plane p + 0 is read of a field whose plane p + 1 the pipeline stores in the same iteration}}
    %y = stencil.load %v : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    %t = stencil.apply(%a = %y : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-note@+1 {{it is stored to here}}
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
    stencil.store %t to %w(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @neighbours_of_others(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 1]>} {
    %x = stencil.load %u : !field -> !temp
    %s = stencil.apply(%a = %x : !temp) -> (!temp) {
      %c = stencil.access %a[0, 0] : !temp
      stencil.return %c : f64
    }
    // expected-error@+1 {{has no lowering here: neighbours are read that other threads have; run stencil-share-neighbours}}
    %q = stencil.window registers %s : !temp
    %r = stencil.apply(%a = %q : !temp) -> (!temp) {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @skew(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [4, 8], points = [1, 1]>} {
    %x = stencil.load %u : !field -> !temp
    // expected-error@+1 {{expected stencil-skew-stages before, for its skew}}
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0, skew = [0, 1]>} {
      %c = stencil.access %a[0, 1] : !temp
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
