// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s

// Keys come in any order and are printed in one.
// CHECK: stencil.schedule = #stencil.schedule<block = [4, 64], points = [2, 2], window = cache, order = [1, 0], panel = [0, 8], launch_bounds = 2>
// CHECK: stencil.schedule = #stencil.schedule<launch_bounds = 1>
// CHECK: stencil.schedule = #stencil.schedule<>
// CHECK: stencil.schedule = #stencil.schedule<block = [1, 64], points = [1, 2], stream = 0, segments = 4, window = shared, accumulate = scatter, prefetch = tma, stages = 5, boundary = window>
// CHECK: stencil.schedule = #stencil.schedule<stream = 1, window = registers, accumulate = semi>
// CHECK: stencil.schedule = #stencil.schedule<stream = 0, window = [shared, registers], accumulate = shift, prefetch = registers>
// CHECK: stencil.schedule = #stencil.schedule<stream = 0, window = [cache, shared], accumulate = gather, prefetch = async>
// CHECK: stencil.schedule = #stencil.schedule<window = shuffle, prefetch = none>
// CHECK: stencil.schedule = #stencil.schedule<block = [8, 8], regions = launch>
// CHECK: stencil.schedule = #stencil.schedule<stream = 0, window = shared, regions = streams, time = 4>
// CHECK: stencil.region_group = #stencil.region_group<3, launch>, stencil.schedule = #stencil.schedule<regions = separate>
// CHECK: stencil.schedule = #stencil.schedule<window = cache, prefetch = l2, boundary = store>
// CHECK: stencil.schedule = #stencil.schedule<eviction = last, boundary = kernel>
// CHECK: stencil.schedule = #stencil.schedule<eviction = normal>
// CHECK: stencil.schedule = #stencil.schedule<window = shared, engine = taps>
// CHECK: stencil.schedule = #stencil.schedule<stream = 0, window = shared, chain = shared, engine = fma, order = [1, 0]>
// CHECK: stencil.schedule = #stencil.schedule<stream = 0, chain = shuffle, engine = mma, skew = -2>
func.func @schedules(%u: !stencil.field<[0,8]x[0,8]xf64>, %v: !stencil.field<[0,8]x[0,8]xf64>, %w: !stencil.field<[0,8]x[0,8]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<launch_bounds = 2, panel = [0, 8], order = [1, 0], points = [2, 2], block = [4, 64], window = cache>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<launch_bounds = 1>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<boundary = window, stages = 5, prefetch = tma, accumulate = scatter, window = [shared], segments = 4, stream = 0, points = [1, 2], block = [1, 64]>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<stream = 1, window = registers, accumulate = semi>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>, %y = %w : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [shared, registers], accumulate = shift, prefetch = registers>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    %b = stencil.access %y[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>, %y = %w : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [cache, shared], accumulate = gather, prefetch = async>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    %b = stencil.access %y[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<window = shuffle, prefetch = none>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<regions = launch, block = [8, 8]>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<regions = streams, stream = 0, window = shared, time = 4>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.region_group = #stencil.region_group<3, launch>, stencil.schedule = #stencil.schedule<regions = separate>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<window = cache, prefetch = l2, boundary = store>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<boundary = kernel, eviction = last>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<eviction = normal>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<engine = taps, window = shared>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<order = [1, 0], engine = fma, chain = shared, window = shared, stream = 0>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<engine = mma, chain = shuffle, skew = -2, stream = 0>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  return
}
