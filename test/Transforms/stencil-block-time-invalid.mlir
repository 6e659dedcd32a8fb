// RUN: stencil-opt %s --split-input-file --stencil-block-time="schedule='#stencil.schedule<time = 3>'" --verify-diagnostics
// RUN: echo "module {}" | not stencil-opt --stencil-block-time="schedule='#stencil.schedule<time = 2>'" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo "module {}" | not stencil-opt --stencil-block-time="schedule='#stencil.schedule<time = 65>'" 2>&1 | FileCheck %s --check-prefix=MOST
// RUN: not stencil-opt %examples/acoustic25.mlir --stencil-block-time="schedule='#stencil.schedule<time = 2>' rim=at-once" 2>&1 | FileCheck %s --check-prefix=LEVELS
// RUN: not stencil-run %benchmarks/kernels/conv_heat2d.mlir --target emulator --chip sm_90 --schedule "#stencil.schedule<time = 4>" --extents 9,40 --any-extents --arg 0=random:1 --arg 1=random:2 --arg 2=9 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not stencil-run %benchmarks/kernels/conv_heat2d.mlir --target emulator --chip sm_90 --schedule "#stencil.schedule<time = 4>" --extents 8,40 --arg 0=random:1 --arg 1=random:2 --arg 2=9 2>&1 | FileCheck %s --check-prefix=KNOWN

// RUN: not stencil-run %benchmarks/kernels/conv_heat2d.mlir --target emulator --chip sm_90 --schedule "#stencil.schedule<time = 64>" --extents 300,300 --arg 0=random:1 --arg 1=random:2 --arg 2=200 2>&1 | FileCheck %s --check-prefix=OFTEN
// RUN: not stencil-run %benchmarks/kernels/conv_heat2d.mlir --target emulator --chip sm_90 --schedule "#stencil.schedule<time = 64, stream = 0, window = shared, block = [1, 64]>" --extents 300,300 --arg 0=random:1 --arg 1=random:2 --arg 2=200 2>&1 | FileCheck %s --check-prefix=MEMORY

// OFTEN: error: cannot take 64 steps of this loop at once: without 'chain', steps would be computed {{[0-9]+}} times for each point, expected at most 1024
// MEMORY: error: {{.*}}expected windows of at most {{[0-9]+}} bytes
// NONE: expected a time loop for 'time = 2'; there is none
// MOST: 'time'{{.*}} 65
// LEVELS: cannot take 2 steps of this loop at once: a step is computed from 2 earlier states, expected one
// OPEN: error: expected an interior extent of at least 17 on axis 0
// KNOWN: cannot take 4 steps of this loop at once: the interior has 8 points along axis 0, expected more than 8

!field = !stencil.field<[-1,5]xf64>
!temp = !stencil.temp<?xf64>

func.func @small(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 3 steps of this loop at once: the interior has 4 points along axis 0, expected more than 4}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [4]>) [#stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [4]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[0,64]xf64>
!temp = !stencil.temp<?xf64>

func.func @point(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 3 steps of this loop at once: a step reads one point}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %c = stencil.access %x[0] : !temp
      %w = arith.mulf %c, %c : f64
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

func.func @attribute(%a: !stencil.field<[0,64]xf64>, %b: !stencil.field<[0,64]xf64>) {
  // expected-error @+1 {{'stencil.apply' op expected 'stencil.steps' as a number of type i64 from 2 on a stencil.apply or stencil.pipeline only, got 1 : i64}}
  stencil.apply(%x = %a : !stencil.field<[0,64]xf64>) outs(%b : !stencil.field<[0,64]xf64>) attributes {stencil.steps = 1 : i64} {
    %c = stencil.access %x[0] : !stencil.field<[0,64]xf64>
    stencil.return %c : f64
  } to <[0], [64]>
  return
}

// -----

!field = !stencil.field<[-1,65]xindex>
!temp = !stencil.temp<?xindex>

func.func @indices(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  // expected-error @+1 {{cannot take 3 steps of this loop at once: expected a state of floats, or of integers of more than one bit and without a sign}}
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    // expected-note @+1 {{because of this}}
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %l = stencil.access %x[-1] : !temp
      %q = stencil.access %x[1] : !temp
      %m = arith.addi %l, %q : index
      stencil.return %m : index
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
