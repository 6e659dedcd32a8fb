// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu --split-input-file --verify-diagnostics
// RUN: not stencil-opt %s --split-input-file --convert-stencil-to-gpu 2>&1 | FileCheck %s --check-prefix=NO-TARGET
// RUN: not stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu=schedule=3 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// RUN: not stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu="schedule=#stencil.schedule<points=[1,1,1]>" 2>&1 | FileCheck %s --check-prefix=AXES
// AXES: error: the schedule is for 3 axes, which no stencil.apply has: #stencil.schedule<points = [1, 1, 1]>
// RUN: not stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu="schedule=#stencil.schedule<stream=2,window=[cache,shared]>" 2>&1 | FileCheck %s --check-prefix=SUITS
// SUITS: error: the schedule is for at least 3 axes and 2 inputs, which no stencil.apply has: #stencil.schedule<stream = 2, window = [cache, shared]>
// NO-TARGET: error: expected a module with the attribute stencil.target; stencil-attach-target="chip=sm_90" sets it
// SCHEDULE: error: expected a #stencil.schedule, got 3 : i64

func.func @threads(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{expected a block of at most 1024 threads, which sm_90 can run, got 2048}}
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%v : !stencil.field<[0,64]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [2048]>} {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

func.func @stream(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{expected a schedule without 'stream' and with no window but 'cache' for an apply that is no stencil.pipeline, got 'stream = 0'; stencil-stream-windows makes pipelines}}
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%v : !stencil.field<[0,64]xf64>) attributes {stencil.schedule = #stencil.schedule<stream = 0>} {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

func.func @window(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{got 'window = shuffle'; stencil-stream-windows makes pipelines}}
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%v : !stencil.field<[0,64]xf64>) attributes {stencil.schedule = #stencil.schedule<window = shuffle>} {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

func.func @points(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{expected at most 256 points per thread, got 1024}}
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%v : !stencil.field<[0,64]xf64>) attributes {stencil.schedule = #stencil.schedule<points = [1024]>} {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

func.func @resident(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{expected launch_bounds that a multiprocessor of sm_90 can hold (32 blocks, 2048 threads), got 3 blocks of 1024 threads}}
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%v : !stencil.field<[0,64]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [1024], launch_bounds = 3>} {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[0,2]x[0,2]x[0,2]x[0,8]xf64>
func.func @outer_axis(%u: !field, %v: !field) {
  // expected-error@+1 {{expected one thread along axis 0: a block has threads along the last three axes, got 2}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<block = [2, 1, 1, 32]>} {
    %a = stencil.access %x[0, 0, 0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0, 0, 0], [2, 2, 2, 8]>
  return
}

// -----

func.func @value(%u: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{'stencil.load' op has no GPU lowering}}
  %t = stencil.load %u : !stencil.field<[0,64]xf64> -> !stencil.temp<[0,64]xf64>
  return
}

// -----

func.func private @callee(!stencil.field<[0,64]xf64>)
func.func @caller(%u: !stencil.field<[0,64]xf64>) {
  // expected-error@+1 {{no GPU lowering for a call that passes fields and could not be inlined}}
  func.call @callee(%u) : (!stencil.field<[0,64]xf64>) -> ()
  return
}

// -----

func.func @two_bounds(%u: !stencil.field<?xf64>) {
  %a = stencil.cast %u : !stencil.field<?xf64> -> !stencil.field<[0,8]xf64>
  // expected-error@+1 {{expected the bounds that the same field has at another place, '!stencil.field<[0,8]xf64>', got '!stencil.field<[-4,4]xf64>'}}
  %b = stencil.cast %u : !stencil.field<?xf64> -> !stencil.field<[-4,4]xf64>
  stencil.boundary %a(<[0], [8]>) [#stencil.keep] : !stencil.field<[0,8]xf64>
  stencil.boundary %b(<[0], [4]>) [#stencil.keep] : !stencil.field<[-4,4]xf64>
  return
}

// -----

func.func private @keep(memref<8xf64>)
func.func @host_use(%m: memref<8xf64>) {
  // expected-error@+1 {{no GPU lowering for a memref that the host does more with than read, write and copy it, and free it in the end: the field is a copy on the device}}
  %f = stencil.external_load %m : memref<8xf64> -> !stencil.field<[0,8]xf64>
  stencil.boundary %f(<[0], [8]>) [#stencil.keep] : !stencil.field<[0,8]xf64>
  // expected-note@+1 {{used here}}
  func.call @keep(%m) : (memref<8xf64>) -> ()
  return
}

// -----

// expected-error@+1 {{no GPU lowering for a field of type '!stencil.field<[0,8]xcomplex<f32>>'}}
func.func @complex_field(%u: !stencil.field<[0,8]xcomplex<f32>>) {
  return
}

// -----

func.func @no_schedule(%u: !stencil.field<[0,64]xf64>, %v: !stencil.field<[0,64]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,64]xf64>) outs (%v : !stencil.field<[0,64]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[-1,10]xf64>

func.func @no_boundary(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a boundary op behind it whose halo it can store for 'boundary = store': none follows}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[0], [9]>
  return
}

// -----

!field = !stencil.field<[-1,10]xf64>

func.func @other_boundary(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a boundary op behind it whose halo it can store for 'boundary = store': a condition is not periodic}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<boundary = store>} {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[0], [9]>
  stencil.boundary %v(<[0], [9]>) [#stencil.neumann] : !field
  return
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf64>

func.func @prefetch_along_rows(%u: !field, %v: !field) {
  // expected-error@+1 {{expected blocks that follow each other last along another axis than that of rows for 'prefetch = l2', got axis 1}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<prefetch = l2, order = [0, 1]>} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[0,64]x[0,64]xf64>

func.func @nothing_to_keep(%u: !field) {
  // expected-error@+1 {{expected an input that is apart from what is stored for 'eviction = last', got none}}
  stencil.apply(%x = %u : !field) outs (%u : !field) attributes {stencil.schedule = #stencil.schedule<eviction = last>} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 64]>
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
func.func @matrix(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a shared window for 'engine = mma', got none}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<engine = mma>} {
    %a = stencil.access %x[1] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
func.func @taps(%u: !field, %v: !field) {
  // expected-error@+1 {{expected a shared window for 'engine = taps', got none}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #stencil.schedule<engine = taps>} {
    %a = stencil.access %x[1] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  return
}
