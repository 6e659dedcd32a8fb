// Attributes that say what is not so, or of which nothing can be made.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics
// What stands beside an apply, and what it reads, leaves it one schedule.
// RUN: split-file %S/Inputs/vary-extents-declined.mlir %t
// RUN: stencil-opt %t/boundary.mlir --stencil-attach-target=chip=sm_90 --stencil-vary-extents --remarks-filter=Schedule 2>&1 | FileCheck %s --check-prefix=BOUNDARY
// BOUNDARY: boundary.mlir:4:3: remark: [Missed] OneVariant{{.*}}one schedule for all extents: a boundary condition beside it, which its windows may take in
// BOUNDARY-NOT: scf.if
// RUN: stencil-opt %t/axes.mlir --stencil-attach-target=chip=sm_90 --stencil-vary-extents --remarks-filter=Schedule 2>&1 | FileCheck %s --check-prefix=AXES
// AXES: one schedule for all extents: a field with fewer axes
// AXES-NOT: scf.if
// RUN: stencil-opt %t/regions.mlir --stencil-attach-target=chip=sm_90 --stencil-vary-extents --remarks-filter=Schedule 2>&1 | FileCheck %s --check-prefix=REGIONS
// REGIONS: one schedule for all extents: regions that are launched together
// REGIONS-NOT: scf.if
// Without a target, or of a chip that nothing is known of, there is nothing to choose by.
// RUN: stencil-opt %t/axes.mlir --stencil-vary-extents --remarks-filter=Schedule 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: stencil-opt %t/axes.mlir --stencil-attach-target=chip=sm_86 --stencil-vary-extents --remarks-filter=Schedule 2>&1 | FileCheck %s --check-prefix=NONE
// NONE-NOT: OneVariant

!field = !stencil.field<[0,?]x[0,?]xf64>
func.func @few(%u: !field, %v: !field) {
  // expected-error @+1 {{expected 'stencil.assumed_extents' as an array<i64> of a positive number for each axis on a stencil.apply only, got array<i64: 5>}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.assumed_extents = array<i64: 5>} {
    %c = stencil.access %x[0, 0] : !field
    stencil.return %c : f64
  } to <[0, 0], [?, ?]>
  return
}

// -----

!field = !stencil.field<[0,?]x[0,?]xf64>
func.func @none(%u: !field, %v: !field) {
  // expected-error @+1 {{expected 'stencil.assumed_extents' as an array<i64> of a positive number for each axis on a stencil.apply only}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.assumed_extents = array<i64: 5, 0>} {
    %c = stencil.access %x[0, 0] : !field
    stencil.return %c : f64
  } to <[0, 0], [?, ?]>
  return
}

// -----

!field = !stencil.field<[0,?]x[0,?]xf64>
func.func @negative(%u: !field, %v: !field) {
  // expected-error @+1 {{expected 'stencil.narrow' as a number of type i64 from 0 on a stencil.apply, stencil.pipeline or tile.kernel only, got -1 : i64}}
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.narrow = -1 : i64} {
    %c = stencil.access %x[0, 0] : !field
    stencil.return %c : f64
  } to <[0, 0], [?, ?]>
  return
}

// -----

// expected-error @+1 {{expected 'stencil.narrow' as a number of type i64 from 0 on a stencil.apply, stencil.pipeline or tile.kernel only}}
func.func @place() attributes {stencil.narrow = 0 : i64} {
  return
}
