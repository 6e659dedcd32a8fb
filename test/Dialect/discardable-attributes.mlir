// Attributes that passes and people put on ops.
// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s
// RUN: stencil-opt %s -emit-bytecode | stencil-opt | FileCheck %s

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

// CHECK: func.func @steps({{.*}}) attributes {stencil.device_arrays}
func.func @steps(%u: !field, %v: !field, %n: index) attributes {stencil.device_arrays} {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %s = %zero to %n step %one iter_args(%a = %u, %b = %v) -> (!field, !field) {
    %t = stencil.load %a : !field -> !temp
    // CHECK: attributes {stencil.assumed_extents = array<i64: 700, 500>, stencil.evidence = "model", stencil.name = "average", stencil.narrow = 191 : i64, stencil.region = #stencil.bounds<[0, 0], [?, 8]>, stencil.region_axes = array<i64: 1>, stencil.region_group = #stencil.region_group<2, streams>, stencil.regions = "two", stencil.steps = 3 : i64}
    %w = stencil.apply(%x = %t : !temp) -> (!temp) attributes {
        stencil.assumed_extents = array<i64: 700, 500>, stencil.evidence = "model", stencil.name = "average", stencil.narrow = 191 : i64, stencil.region = #stencil.bounds<[0, 0], [?, 8]>, stencil.region_axes = array<i64: 1>,
        stencil.region_group = #stencil.region_group<2, streams>, stencil.regions = "two", stencil.steps = 3 : i64} {
      // CHECK: stencil.weighted_sum {{.*}} attributes {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [4, 2], along = 1, stack = 2>, stencil.tap_loop}
      %sum = stencil.weighted_sum %x offsets [[0, -1], [0, 1], [-1, 0], [1, 0]] weights dense<0.25> : tensor<4xf64> attributes {stencil.matrix_product = #tile.mma<shape = [16, 8, 4], patch = [4, 2], along = 1, stack = 2>, stencil.tap_loop} : !temp
      stencil.return %sum : f64
    }
    stencil.store %w to %b(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %b, %a : !field, !field
  // CHECK: {stencil.time_loop = #stencil.time_loop<interior = <[0, 0], [?, ?]>, lower = <[-1, -1]>, upper = <[1, 1]>, buffers = 2, levels = 1, stages = 1, period = 2, step_dependent = true>}
  } {stencil.time_loop = #stencil.time_loop<interior = <[0, 0], [?, ?]>, lower = <[-1, -1]>, upper = <[1, 1]>, buffers = 2, levels = 1, stages = 1, period = 2, step_dependent = true>}
  return
}

// CHECK: stencil.accumulate {{.*}} attributes {stencil.any_order}
func.func @any_order(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %t:2 = stencil.apply(%a = %x : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %0 = stencil.access %a[0, 0] : !temp
      %1 = stencil.access %a[0, 1] : !temp
      stencil.return %0, %1 : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1 at [0, 1] attributes {stencil.any_order} : !temp
    stencil.store %s to %v(<[0, 0], [?, ?]>) : !temp to !field
  }
  return
}

func.func @dealt(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
  // CHECK: {stencil.deal = 16 : i64}
  } {stencil.deal = 16 : i64}
  return
}
