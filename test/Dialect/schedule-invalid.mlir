// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// expected-error-re@+1 {{expected 'block', 'points', {{('[a-z_]+', )+}}{{'[a-z_]+'}} or {{'[a-z_]+'}}, got 'blocks'}}
#a = #stencil.schedule<blocks = [1]>

// -----

// expected-error@+1 {{expected 'fma', 'taps' or 'mma', got 'wmma'}}
#a = #stencil.schedule<engine = wmma>

// -----

// expected-error@+1 {{expected no 'stream' for 'engine = taps', whose loops need a whole tile in one window, got 'stream = 1'}}
#a = #stencil.schedule<engine = taps, stream = 1, window = shared>

// -----

// expected-error@+1 {{expected 'separate', 'launch' or 'streams', got 'together'}}
#a = #stencil.schedule<regions = together>

// -----

func.func @group(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{expected a #stencil.region_group as 'stencil.region_group', got 1 : i64}}
  stencil.apply(%x = %u : !stencil.field<[0,8]xf64>) outs (%v : !stencil.field<[0,8]xf64>) attributes {stencil.region_group = 1} {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %a : f64
  } to <[0], [8]>
  return
}

// -----

func.func @elsewhere() {
  // expected-error@+1 {{expected 'stencil.region_group' on a stencil.apply, a stencil.pipeline, a stencil.launch, a tile.kernel or a gpu.launch_func only}}
  %c = arith.constant {stencil.region_group = #stencil.region_group<0, launch>} 1 : index
  return
}

// -----

// expected-error@+1 {{expected 'block' once}}
#a = #stencil.schedule<block = [1], block = [1]>

// -----

// expected-error@+1 {{expected 'cache', 'shared', 'registers' or 'shuffle', got 'magic'}}
#a = #stencil.schedule<window = magic>

// -----

// expected-error@+1 {{expected 'launch_bounds' to be a number from 1 to 1048576, got 0}}
#a = #stencil.schedule<launch_bounds = 0>

// -----

// expected-error@+1 {{expected numbers from 1 to 1048576 in 'points', got 0}}
#a = #stencil.schedule<points = [1, 0]>

// -----

// expected-error@+1 {{expected numbers from 1 to 1048576 in 'block', got 99999999}}
#a = #stencil.schedule<block = [99999999]>

// -----

// expected-error@+1 {{expected 'points' to have 2 entries as 'block' has, got 1}}
#a = #stencil.schedule<block = [1, 64], points = [2]>

// -----

// expected-error@+1 {{expected 'order' to be a permutation of the axes}}
#a = #stencil.schedule<order = [0, 0]>

// -----

// expected-error@+1 {{expected 'order' to be a permutation of the axes}}
#a = #stencil.schedule<order = [1, 2]>

// -----

// expected-error@+1 {{expected at least one window}}
#a = #stencil.schedule<window = []>

// -----

// expected-error@+1 {{expected 'cache', 'shared', 'registers' or 'shuffle', got 'magic'}}
#a = #stencil.schedule<window = [shared, magic]>

// -----

// expected-error@+1 {{expected 'gather', 'shift', 'scatter' or 'semi', got 'add'}}
#a = #stencil.schedule<accumulate = add>

// -----

// expected-error@+1 {{expected 'none', 'registers', 'async', 'tma' or 'l2', got 'cache'}}
#a = #stencil.schedule<prefetch = cache>

// -----

// expected-error@+1 {{expected 'normal' or 'last', got 'first'}}
#a = #stencil.schedule<eviction = first>

// -----

// expected-error@+1 {{expected 'stream' to be a number from 0 to 1048575, got -1}}
#a = #stencil.schedule<stream = -1>

// -----

// expected-error@+1 {{expected 'stream' to be a number from 0 to 1, got 2}}
#a = #stencil.schedule<block = [1, 64], stream = 2>

// -----

// expected-error@+1 {{expected 'segments' to be a number from 1 to 1048576, got 0}}
#a = #stencil.schedule<stream = 0, segments = 0>

// -----

// expected-error@+1 {{expected 'stages' to be a number from 2 to 1024, got 1025}}
#a = #stencil.schedule<stream = 0, window = shared, stages = 1025>

// -----

// expected-error@+1 {{expected 'stages' to be a number from 2 to 1024, got 1}}
#a = #stencil.schedule<stream = 0, window = shared, stages = 1>

// -----

// expected-error@+1 {{expected 1 in 'block' for axis 1, which 'stream' walks along, got 64}}
#a = #stencil.schedule<block = [4, 64], stream = 1>

// -----

// expected-error@+1 {{expected 1 in 'points' for axis 0, which 'stream' walks along, got 2}}
#a = #stencil.schedule<block = [1, 64], points = [2, 2], stream = 0>

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'segments', got none}}
#a = #stencil.schedule<segments = 2>

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'planes', got none}}
#a = #stencil.schedule<planes = 2>

// -----

// expected-error@+1 {{expected 'planes' to be a number from 1 to 1048576, got 0}}
#a = #stencil.schedule<stream = 0, planes = 0>

// -----

// expected-error@+1 {{expected 'skew' to be a number from -64 to 64, got 65}}
#a = #stencil.schedule<stream = 0, chain = shuffle, skew = 65>

// -----

// expected-error@+1 {{expected 'skew' to be another number than 0}}
#a = #stencil.schedule<stream = 0, chain = shuffle, skew = 0>

// -----

// expected-error@+1 {{expected 'chain' for 'skew'}}
#a = #stencil.schedule<stream = 0, skew = -1>

// -----

// expected-error@+1 {{expected another axis of 'stream' than the last one for 'skew', got 1}}
#a = #stencil.schedule<block = [4, 1], stream = 1, chain = shuffle, skew = -1>

// -----

// expected-error@+1 {{expected 'segments' or 'planes', got both}}
#a = #stencil.schedule<stream = 0, segments = 2, planes = 16>

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'accumulate', got none}}
#a = #stencil.schedule<accumulate = gather>

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'step', got none}}
#a = #stencil.schedule<step = 2>

// -----

// expected-error@+1 {{expected 'step' to be a number from 1 to 1024, got 0}}
#a = #stencil.schedule<stream = 0, step = 0>

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'tail', got none}}
#a = #stencil.schedule<tail = [2, 3]>

// -----

// expected-error@+1 {{expected 'tail' to have 2 numbers, of tiles and of segments, got 1}}
#a = #stencil.schedule<stream = 0, tail = [2]>

// -----

// expected-error@+1 {{expected numbers from 1 to 1048576 in 'tail', got 0}}
#a = #stencil.schedule<stream = 0, tail = [2, 0]>

// -----

// expected-error@+1 {{expected 'tail' to have one number, of segments, with 'planes', got 2}}
#a = #stencil.schedule<stream = 0, planes = 8, tail = [2, 3]>

// -----

// expected-error@+1 {{expected 'tail' without 'order' and 'panel'}}
#a = #stencil.schedule<stream = 0, panel = [0, 2], tail = [2, 3]>

// -----

// expected-error@+1 {{expected 'tail' without 'order' and 'panel'}}
#a = #stencil.schedule<stream = 0, order = [1, 0], tail = [2, 3]>

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'unroll', got none}}
#a = #stencil.schedule<unroll = 2>

// -----

// expected-error@+1 {{expected 'unroll' to be a number from 1 to 32, got 0}}
#a = #stencil.schedule<stream = 0, unroll = 0>

// -----

// expected-error@+1 {{expected 'unroll' to be a number from 1 to 32, got 33}}
#a = #stencil.schedule<stream = 0, unroll = 33>

// -----

// expected-error@+1 {{expected 'unroll' to be a multiple of 'step', 2, got 3}}
#a = #stencil.schedule<stream = 0, step = 2, unroll = 3>

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'stages', got none}}
#a = #stencil.schedule<window = shared, stages = 4>

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'window = registers', got none}}
#a = #stencil.schedule<window = [shared, registers]>

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'prefetch = registers', got none}}
#a = #stencil.schedule<window = shared, prefetch = registers>

// -----

// expected-error@+1 {{expected a shared window for 'prefetch = tma', got none}}
#a = #stencil.schedule<stream = 0, window = shuffle, prefetch = tma>

// -----

// expected-error@+1 {{expected neither 'stream' nor a 'window' that is not the cache for 'prefetch = l2'}}
#a = #stencil.schedule<stream = 0, prefetch = l2>

// -----

// expected-error@+1 {{expected neither 'stream' nor a 'window' that is not the cache for 'prefetch = l2'}}
#a = #stencil.schedule<window = [cache, shared], prefetch = l2>

// -----

// expected-error@+1 {{expected neither 'stream' nor a 'window' that is not the cache for 'boundary = store'}}
#a = #stencil.schedule<window = shared, boundary = store>

// -----

// expected-error@+1 {{expected a shared window for 'stages', got none}}
#a = #stencil.schedule<stream = 0, stages = 4>

// -----

func.func @rank(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{'stencil.apply' op expected a schedule for 1 axes, got one for 2}}
  stencil.apply(%x = %u : !stencil.field<[0,8]xf64>) outs (%v : !stencil.field<[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<block = [1, 64]>} {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %a : f64
  } to <[0], [8]>
  return
}

// -----

func.func @stream(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{'stencil.apply' op expected a 'stream' axis from 0 to 0, got 1}}
  stencil.apply(%x = %u : !stencil.field<[0,8]xf64>) outs (%v : !stencil.field<[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<stream = 1>} {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %a : f64
  } to <[0], [8]>
  return
}

// -----

func.func @windows(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>, %f: f64) {
  // expected-error@+1 {{'stencil.apply' op expected one window or one for each of the 1 inputs that are fields or temps, got 2}}
  stencil.apply(%x = %u : !stencil.field<[0,8]xf64>, %c = %f : f64) outs (%v : !stencil.field<[0,8]xf64>) attributes {stencil.schedule = #stencil.schedule<window = [shared, cache]>} {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    %b = arith.mulf %a, %c : f64
    stencil.return %b : f64
  } to <[0], [8]>
  return
}

// -----

func.func @kind(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>) {
  // expected-error@+1 {{'stencil.apply' op expected a #stencil.schedule as 'stencil.schedule', got 3 : i64}}
  stencil.apply(%x = %u : !stencil.field<[0,8]xf64>) outs (%v : !stencil.field<[0,8]xf64>) attributes {stencil.schedule = 3} {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %a : f64
  } to <[0], [8]>
  return
}

// -----

// expected-error@+1 {{expected 'stencil.schedule' on a stencil.apply or stencil.pipeline only}}
func.func @place() attributes {stencil.schedule = #stencil.schedule<>} {
  return
}

// -----

// expected-error@+1 {{expected 'stream', or a 'window' that is not the cache, for 'chain', got neither}}
func.func private @f() attributes {s = #stencil.schedule<chain = shared>}

// -----

// expected-error@+1 {{expected an axis of 'stream' for 'chain = registers', got none}}
func.func private @f() attributes {s = #stencil.schedule<window = shared, chain = registers>}

// -----

// expected-error@+1 {{expected 'shared', 'registers' or 'shuffle', got 'cache'}}
func.func private @f() attributes {s = #stencil.schedule<stream = 0, chain = cache>}

// -----

// expected-error@+1 {{expected a shared window for 'groups', got none}}
#a = #stencil.schedule<window = cache, groups = [2]>

// -----

// expected-error@+1 {{expected no 'prefetch = registers' for 'groups': a plane comes when the group before is done}}
#a = #stencil.schedule<stream = 0, window = shared, groups = [2], prefetch = registers>

// -----

// expected-error@+1 {{expected numbers from 1 to 1048576 in 'groups', got 0}}
#a = #stencil.schedule<window = shared, groups = [2, 0]>
