// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-block-time=automatic --remarks-filter=Steps -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// Nothing is known of the speed of these.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=gfx942 --stencil-block-time=automatic | FileCheck %s --check-prefix=NOT
// RUN: stencil-opt %s --split-input-file --stencil-block-time=automatic | FileCheck %s --check-prefix=NOT
// NOT-NOT: stencil.steps

// Sixteen steps at once, of what is left five, and then one by one.

// REMARK: remark: [Passed] Blocked | Category:Steps | Remark="16 steps at once: predicted {{.*}} us per step, {{.*}} without it"
// CHECK-LABEL: func @plane
// CHECK: scf.for
// CHECK: stencil.steps = 16 : i64
// CHECK: scf.for
// CHECK: stencil.steps = 5 : i64
// CHECK: scf.for
// CHECK-NOT: stencil.steps
// CHECK: return

!plane = !stencil.field<[-1,8193]x[-1,8193]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @plane(%a: !plane, %b: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    stencil.boundary %u(<[0, 0], [8192, 8192]>) [#stencil.neumann, #stencil.periodic] : !plane
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.3, 0.15, 0.22]> : tensor<5xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [8192, 8192]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}

// -----

// So of fields of 3 GiB: those of the rim take as much again.
// REMARK: remark: [Passed] Blocked | Category:Steps | Remark="16 steps at once
// CHECK-LABEL: func @large
// CHECK: stencil.steps = 16 : i64
!large = !stencil.field<[-1,20001]x[-1,20001]xf64>
!rows = !stencil.temp<?x?xf64>
func.func @large(%a: !large, %b: !large, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!large, !large) {
    %t = stencil.load %u : !large -> !rows
    %s = stencil.apply(%x = %t : !rows) -> (!rows) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.3, 0.15, 0.22]> : tensor<5xf64> : !rows
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [20000, 20000]>) : !rows to !large
    scf.yield %v, %u : !large, !large
  }
  return
}

// -----

// Of rows more; not where steps over a row have become one sum, which are those
// of FP64.
// RUN: stencil-opt %s --split-input-file --stencil-attach-target=chip=sm_90 --stencil-compose-steps="automatic math=reassociate" --stencil-block-time="automatic math=reassociate" | FileCheck %s --check-prefix=SUM
// SUM-LABEL: func @plane
// SUM: stencil.steps = 16 : i64
// SUM-LABEL: func @row
// SUM: stencil.matvec
// SUM-NOT: stencil.steps
// SUM-LABEL: func @row_of_fp32
// SUM: stencil.steps = 51 : i64

// REMARK: Remark="25 steps at once: predicted
// REMARK: Remark="51 steps at once: predicted
// CHECK-LABEL: func @row
// CHECK: stencil.steps = 25 : i64
// CHECK: stencil.steps = 9 : i64
// CHECK: stencil.steps = 3 : i64
// CHECK: scf.for
// CHECK-NOT: stencil.steps
// CHECK: return

!row = !stencil.field<[-2,10240002]xf64>
!temp = !stencil.temp<?xf64>
func.func @row(%a: !row, %b: !row, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!row, !row) {
    %t = stencil.load %u : !row -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-2], [0], [1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [10240000]>) : !temp to !row
    scf.yield %v, %u : !row, !row
  }
  return
}

!row32 = !stencil.field<[-1,10240001]xf32>
!temp32 = !stencil.temp<?xf32>
func.func @row_of_fp32(%a: !row32, %b: !row32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!row32, !row32) {
    %t = stencil.load %u : !row32 -> !temp32
    %s = stencil.apply(%x = %t : !temp32) -> (!temp32) {
      %w = stencil.weighted_sum %x offsets [[-1], [0], [1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf32> : !temp32
      stencil.return %w : f32
    }
    stencil.store %s to %v(<[0], [10240000]>) : !temp32 to !row32
    scf.yield %v, %u : !row32, !row32
  }
  return
}

// -----

// So little to compute that the launches of the rim take longer.

// REMARK: remark: [Missed] Blocked | Category:Steps | Remark="steps are taken one by one: several at once are not predicted to be faster"
// CHECK-LABEL: func @small
// CHECK-NOT: stencil.steps

!plane = !stencil.field<[-1,513]x[-1,513]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @small(%a: !plane, %b: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, 0], [0, 1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [512, 512]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}

// -----

// A rim of open extents asks for larger grids than the program does.

// REMARK: Remark="steps are taken one by one: the extents are not known"
// CHECK-LABEL: func @open
// CHECK-NOT: stencil.steps

!plane = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @open(%a: !plane, %b: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, 0], [0, 1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [?, ?]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}

// -----

// A coefficient is read besides the state: nine steps at once, of what is left
// three. What was not measured: four of them, a division.

// REMARK: remark: [Passed] Blocked | Category:Steps | Remark="9 steps at once: predicted {{.*}} us per step, {{.*}} without it"
// REMARK: Remark="steps are taken one by one: it divides, or calls functions"
// CHECK-LABEL: func @other
// CHECK: stencil.steps = 9 : i64
// CHECK: stencil.steps = 3 : i64
// CHECK: scf.for
// CHECK-NOT: stencil.steps
// CHECK: return

!plane = !stencil.field<[-1,8193]x[-1,8193]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @other(%a: !plane, %b: !plane, %k: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %c = stencil.load %k : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %c : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, 0], [0, 1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !temp
      %m = stencil.access %y[0, 0] : !temp
      %p = arith.mulf %w, %m : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0], [8192, 8192]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  %q:2 = scf.for %i = %zero to %n step %one iter_args(%u = %r#0, %v = %r#1) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.access %x[1, 0] : !temp
      %m = stencil.access %x[0, 1] : !temp
      %p = arith.divf %w, %m : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0], [8192, 8192]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}

// -----

// What reads farther than what was measured, in a plane and in a row.

// REMARK: Remark="steps are taken one by one: it reads farther than what was measured"
// REMARK: Remark="steps are taken one by one: it reads farther than what was measured"
// CHECK-LABEL: func @unknown
// CHECK-NOT: stencil.steps

!plane = !stencil.field<[-4,8196]x[-4,8196]xf64>
!row = !stencil.field<[-9,10240009]xf32>
!temp = !stencil.temp<?x?xf64>
!line = !stencil.temp<?xf32>
func.func @unknown(%a: !plane, %b: !plane, %c: !row, %d: !row, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-4, 0], [0, 0], [0, 1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [8192, 8192]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  %q:2 = scf.for %i = %zero to %n step %one iter_args(%u = %c, %v = %d) -> (!row, !row) {
    %t = stencil.load %u : !row -> !line
    %s = stencil.apply(%x = %t : !line) -> (!line) {
      %w = stencil.weighted_sum %x offsets [[-9], [0], [9]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf32> : !line
      stencil.return %w : f32
    }
    stencil.store %s to %v(<[0], [10240000]>) : !line to !row
    scf.yield %v, %u : !row, !row
  }
  return
}

// -----

// A field of the rim of 14.1 GB; 49 points, for three steps of which a lane has
// no registers; and what has a schedule.

// REMARK: Remark="steps are taken one by one: the fields of the rim would be too large"
// REMARK: Remark="steps are taken one by one: no tile has registers for several"
// REMARK-NOT: Remark=
// CHECK-LABEL: func @too_much
// CHECK-NOT: stencil.steps

!large = !stencil.field<[-1,42001]x[-1,42001]xf64>
!plane = !stencil.field<[-3,8195]x[-3,8195]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @too_much(%a: !large, %b: !large, %c: !plane, %d: !plane, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!large, !large) {
    %t = stencil.load %u : !large -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, 0], [0, 1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [42000, 42000]>) : !temp to !large
    scf.yield %v, %u : !large, !large
  }
  %q:2 = scf.for %i = %zero to %n step %one iter_args(%u = %c, %v = %d) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-3, -3], [0, 0], [3, 3]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [8192, 8192]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  %p:2 = scf.for %i = %zero to %n step %one iter_args(%u = %q#0, %v = %q#1) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [4, 32]>} {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, 0], [0, 1]] weights dense<[0.1, 0.2, 0.3]> : tensor<3xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [8192, 8192]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}
