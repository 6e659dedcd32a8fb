// RUN: stencil-opt %s --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

// Of two planes, three are read beside them, each once: four vectors for two points. The last plane of an odd number is by itself.

// CHECK-LABEL: func @known
// CHECK: scf.for %{{.*}} = %c0 to %c6 step %c2 {
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1 {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c8 {
// CHECK-COUNT-4: vector.load
// CHECK-NOT: vector.load
// CHECK: vector.store {{.*}}nontemporal = true
// CHECK-NEXT: vector.store {{.*}}nontemporal = true
// CHECK-NOT: nontemporal
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1 {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c8 {
// CHECK-COUNT-3: vector.load
// CHECK: vector.store %{{.*}}, %{{.*}}[%c7, {{.*}}nontemporal = true
// CHECK-NOT: nontemporal
!u = !stencil.field<[-1,8]x[0,8]x[0,512]xf64>
func.func @known(%u: !u, %v: !u) {
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, planes = 2, around = 1, around_row = 1>} {
    %0 = stencil.access %x[-1, 0, 0] : !u
    %1 = stencil.access %x[0, 0, 0] : !u
    %2 = stencil.access %x[1, 0, 0] : !u
    %a = arith.addf %0, %1 : f64
    %b = arith.addf %a, %2 : f64
    stencil.return %b : f64
  } to <[0, 0, 0], [7, 8, 512]>
  return
}

// -----

// Where it is not known whether the planes begin alike, the program looks.

// CHECK-LABEL: func @open
// CHECK: %[[REST:.*]] = arith.andi %{{.*}}, %c7
// CHECK-NEXT: %[[ALIKE:.*]] = arith.cmpi eq, %[[REST]], %c0
// CHECK-NEXT: scf.if %[[ALIKE]] {
!w = !stencil.field<[-1,?+1]x[0,?]x[0,?]xf64>
func.func @open(%u: !w, %v: !w) {
  stencil.apply(%x = %u : !w) outs (%v : !w) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, planes = 2, around = 1, around_row = 1>} {
    %0 = stencil.access %x[-1, 0, 0] : !w
    %1 = stencil.access %x[1, 0, 0] : !w
    %a = arith.addf %0, %1 : f64
    stencil.return %a : f64
  } to <[0, 0, 0], [?, ?, ?]>
  return
}

// -----

// Plainly, planes may begin anywhere.

// CHECK-LABEL: func @plain
// CHECK-NOT: nontemporal
// CHECK: scf.for %{{.*}} = %c0 to %c6 step %c2 {
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %c8 {
// CHECK-COUNT-4: vector.load
// CHECK-NOT: vector.load
// CHECK: vector.store
// CHECK-NEXT: vector.store
// CHECK-NOT: nontemporal
// CHECK: return
!p = !stencil.field<[-1,8]x[0,7]x[0,511]xf64>
func.func @plain(%u: !p, %v: !p) {
  stencil.apply(%x = %u : !p) outs (%v : !p) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 8, columns = 4, plain_planes = 2>} {
    %0 = stencil.access %x[-1, 0, 0] : !p
    %1 = stencil.access %x[0, 0, 0] : !p
    %2 = stencil.access %x[1, 0, 0] : !p
    %a = arith.addf %0, %1 : f64
    %b = arith.addf %a, %2 : f64
    stencil.return %b : f64
  } to <[0, 0, 0], [7, 7, 511]>
  return
}

// -----

// So are planes that cannot be together around the caches: two of them, by the vectors of plain stores.

// CHECK-LABEL: func @not_alike
// CHECK-NOT: nontemporal
// CHECK: scf.for %{{.*}} = %c0 to %c6 step %c2 {
// CHECK-COUNT-3: vector.load {{.*}}, vector<4xf64>
// CHECK-NOT: nontemporal
// CHECK: return
!q = !stencil.field<[-1,8]x[0,7]x[0,511]xf64>
func.func @not_alike(%u: !q, %v: !q) {
  stencil.apply(%x = %u : !q) outs (%v : !q) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, planes = 2, plain_planes = 2, around = 1, around_row = 1, around_lanes = 8>} {
    %0 = stencil.access %x[-1, 0, 0] : !q
    %1 = stencil.access %x[0, 0, 0] : !q
    %a = arith.addf %0, %1 : f64
    stencil.return %a : f64
  } to <[0, 0, 0], [7, 7, 511]>
  return
}
