// RUN: stencil-opt %s --split-input-file --stencil-group-regions | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-group-regions --remarks-filter=Regions 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: stencil-opt %S/Inputs/regions.mlir --stencil-split-regions --stencil-infer-shapes --stencil-bufferize --stencil-group-regions | FileCheck %s --check-prefix=SEVEN
// RUN: stencil-opt %S/Inputs/regions-two.mlir --stencil-split-regions=regions=two --stencil-infer-shapes --stencil-bufferize --stencil-group-regions | FileCheck %s --check-prefix=TWO

// The largest one first; what is between them, before them. A third one that
// says nothing is not theirs.

// CHECK-LABEL: func @pair
// CHECK: %[[C:.*]] = arith.constant 2.0
// CHECK: stencil.cast
// CHECK-NEXT: stencil.apply({{.*}}) outs (%arg1 {{.*}} attributes {stencil.region_group = #stencil.region_group<0, launch>, {{.*}} {
// CHECK: } to <[8], [56]>
// CHECK-NEXT: stencil.apply({{.*}}%{{.*}} = %[[C]] : f64{{.*}} attributes {stencil.region_group = #stencil.region_group<0, launch>, {{.*}} {
// CHECK: } to <[0], [8]>
// CHECK-NEXT: stencil.apply
// CHECK-NOT: region_group
// CHECK: to <[56], [64]>

// REMARK: remark: {{.*}}Grouped{{.*}}2 regions, regions = launch

!field = !stencil.field<[-1,65]xf64>
#launch = #stencil.schedule<regions = launch>

func.func @pair(%u: !field, %v: !field) {
  %early = arith.constant 2.0 : f64
  stencil.apply(%x = %u : !field, %c = %early : f64) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[-1] : !field
    %b = arith.mulf %a, %c : f64
    stencil.return %b : f64
  } to <[0], [8]>
  %other = stencil.cast %v : !field -> !field
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[1] : !field
    stencil.return %a : f64
  } to <[8], [56]>
  stencil.apply(%x = %u : !field) outs (%other : !field) {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[56], [64]>
  return
}

// -----

// Regions of one sweep that ask for different things, in any order, are one
// group: those of one launch, 16 points, come behind the 32 and before the 14 of
// a stream. What depends on others that ask for something else begins another
// sweep, and a group of one is none.

// CHECK-LABEL: func @mixed
// CHECK: region_group<0, streams>
// CHECK: to <[8], [40]>
// CHECK: region_group<0, launch>
// CHECK: to <[40], [50]>
// CHECK: region_group<0, launch>
// CHECK: to <[0], [6]>
// CHECK: region_group<0, streams>
// CHECK: to <[50], [64]>
// CHECK-NOT: region_group
// CHECK: to <[6], [8]>

// REMARK: remark: {{.*}}Grouped{{.*}}2 regions, regions = streams
// REMARK: remark: {{.*}}Grouped{{.*}}2 regions, regions = launch, beside those in streams

!field = !stencil.field<[-1,65]xf64>
#launch = #stencil.schedule<regions = launch>
#streams = #stencil.schedule<regions = streams>

func.func @mixed(%u: !field, %v: !field, %w: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[0], [6]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[8], [40]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[40], [50]>
  stencil.apply(%x = %u : !field) outs (%v : !field, %w : !field) attributes {stencil.schedule = #streams} {
    %a = stencil.access %x[0] : !field
    stencil.return %a, %a : f64, f64
  } to <[50], [64]>
  stencil.apply(%x = %w : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[44] : !field
    stencil.return %a : f64
  } to <[6], [8]>
  return
}

// -----

// One of a kind: a launch of one region is in a stream beside the other one. The
// next sweep is another group.

// CHECK-LABEL: func @one_each
// CHECK: region_group<0, streams>
// CHECK: to <[8], [64]>
// CHECK: region_group<0, streams>
// CHECK: to <[0], [8]>
// CHECK: region_group<1, launch>
// CHECK: to <[8], [64]>
// CHECK: region_group<1, launch>
// CHECK: to <[0], [8]>

// REMARK: remark: {{.*}}Grouped{{.*}}1 region, regions = streams
// REMARK: remark: {{.*}}Grouped{{.*}}1 region, regions = launch, beside those in streams
// REMARK: remark: {{.*}}Grouped{{.*}}2 regions, regions = launch"

!field = !stencil.field<[-1,65]xf64>
#launch = #stencil.schedule<regions = launch>
#streams = #stencil.schedule<regions = streams>

func.func @one_each(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[0], [8]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %a = stencil.access %x[1] : !field
    stencil.return %a : f64
  } to <[8], [64]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[0], [8]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[1] : !field
    stencil.return %a : f64
  } to <[8], [64]>
  return
}

// -----

// Two sweeps, one after the other: the second one stores to the same points,
// and reads what the first one has stored. Then one to another field.

// CHECK-LABEL: func @sweeps
// CHECK: region_group<0, streams>
// CHECK: region_group<0, streams>
// CHECK: region_group<1, streams>
// CHECK: region_group<1, streams>
// CHECK-NOT: region_group

!field = !stencil.field<[-1,?+1]xf64>
#streams = #stencil.schedule<regions = streams>

func.func @sweeps(%a: !stencil.field<?xf64>, %b: !stencil.field<?xf64>, %c: !stencil.field<?xf64>) {
  %u = stencil.cast %a : !stencil.field<?xf64> -> !field
  %v = stencil.cast %b : !stencil.field<?xf64> -> !field
  %w = stencil.cast %c : !stencil.field<?xf64> -> !field
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %p = stencil.access %x[0] : !field
    stencil.return %p : f64
  } to <[0], [8]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %p = stencil.access %x[1] : !field
    stencil.return %p : f64
  } to <[8], [?]>
  stencil.apply(%x = %v : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %p = stencil.access %x[0] : !field
    stencil.return %p : f64
  } to <[0], [?-1]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %p = stencil.access %x[1] : !field
    stencil.return %p : f64
  } to <[?-1], [?]>
  stencil.apply(%x = %v : !field) outs (%w : !field) attributes {stencil.schedule = #streams} {
    %p = stencil.access %x[1] : !field
    stencil.return %p : f64
  } to <[0], [?]>
  return
}

// -----

// Something that may do anything lies between them.

// CHECK-LABEL: func @between
// CHECK-NOT: region_group

!field = !stencil.field<[-1,65]xf64>
#launch = #stencil.schedule<regions = launch>

func.func private @look()

func.func @between(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %p = stencil.access %x[0] : !field
    stencil.return %p : f64
  } to <[0], [8]>
  call @look() : () -> ()
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %p = stencil.access %x[0] : !field
    stencil.return %p : f64
  } to <[8], [64]>
  return
}

// SEVEN: scf.for
// SEVEN-COUNT-7: region_group<0, launch>
// SEVEN-NOT: region_group

// Of two regions one is no box: it stores nothing where the other one is.

// TWO: scf.for
// TWO: stencil.apply{{.*}}region_group<0, launch>
// TWO: scf.if
// TWO: to <[0, 0], [40, 40]>
// TWO: stencil.apply{{.*}}region_group<0, launch>
// TWO: to <[3, 3], [35, 35]>

// -----

!field = !stencil.field<[-1,65]x[0,64]xf64>
!temp = !stencil.temp<?x?xf64>
#launch = #stencil.schedule<regions = launch>

// In place, through shared windows whose tiles end where the region does.

// CHECK-LABEL: func.func @tiles
// CHECK-COUNT-2: stencil.region_group = #stencil.region_group<0, launch>
func.func @tiles(%v: !field) {
  stencil.apply(%x = %v : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0, 0] : !field
    stencil.return %a : f64
  } to <[0, 0], [64, 16]>
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8], points = [1, 2], stream = 0, regions = launch>} {
    %x = stencil.load %v : !field -> !temp
    %w = stencil.window shared %x depth 2 lead 1 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.access %a[0, 0] : !temp
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 16], [64, 64]>) : !temp to !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
#launch = #stencil.schedule<regions = launch>
#streams = #stencil.schedule<regions = streams>

// Two steps at once: the core depends on no step of the rim, and begins before
// them, but behind the boundary of what it reads.

// CHECK-LABEL: func.func @core
// CHECK: stencil.boundary %arg0
// CHECK-NEXT: stencil.apply{{.*}}region_group<1, streams>
// CHECK: to <[2], [62]>
// CHECK-COUNT-2: region_group<0, launch>
// CHECK: stencil.boundary %arg2
// CHECK-COUNT-2: region_group<1, launch>
// CHECK-NOT: region_group
// CHECK: return
func.func @core(%u: !field, %v: !field, %rim: !field) {
  stencil.boundary %u(<[0], [64]>) [#stencil.neumann] : !field
  stencil.apply(%x = %u : !field) outs (%rim : !field) attributes {stencil.schedule = #launch} {
    %p = stencil.access %x[-1] : !field
    stencil.return %p : f64
  } to <[0], [4]>
  stencil.apply(%x = %u : !field) outs (%rim : !field) attributes {stencil.schedule = #launch} {
    %p = stencil.access %x[1] : !field
    stencil.return %p : f64
  } to <[60], [64]>
  stencil.boundary %rim(<[0], [64]>) [#stencil.neumann] : !field
  stencil.apply(%x = %rim : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %p = stencil.access %x[-1] : !field
    stencil.return %p : f64
  } to <[0], [2]>
  stencil.apply(%x = %rim : !field) outs (%v : !field) attributes {stencil.schedule = #launch} {
    %p = stencil.access %x[1] : !field
    stencil.return %p : f64
  } to <[62], [64]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %p = stencil.access %x[-2] : !field
    stencil.return %p : f64
  } to <[2], [62]>
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!wide = !stencil.field<[-2,66]xf64>
#launch = #stencil.schedule<regions = launch>
#streams = #stencil.schedule<regions = streams>

// Dense rows take about as long as the core: they go first, behind what they
// read.

// CHECK-LABEL: func.func @dense
// CHECK: to <[0], [4]>
// CHECK: stencil.apply{{.*}}region_group<0, streams>
// CHECK: stencil.matvec
// CHECK: stencil.apply{{.*}}region_group<0, streams>
// CHECK: to <[2], [64]>
// CHECK: return
func.func @dense(%u: !field, %v: !field, %wide: !wide) {
  stencil.apply(%x = %u : !field) outs (%wide : !wide) attributes {stencil.schedule = #launch} {
    %p = stencil.access %x[0] : !field
    stencil.return %p : f64
  } to <[0], [4]>
  stencil.apply(%x = %wide : !wide) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %row = stencil.index 0 <[0]>
    %p = stencil.matvec %x[%row] from -1 matrix dense<[[0.75, 0.25, 0.0], [0.25, 0.5, 0.25]]> : tensor<2x3xf64> : !wide
    stencil.return %p : f64
  } to <[0], [2]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %p = stencil.access %x[-2] : !field
    stencil.return %p : f64
  } to <[2], [64]>
  return
}
