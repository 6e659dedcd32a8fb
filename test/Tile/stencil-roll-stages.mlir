// RUN: stencil-opt %s --stencil-roll-stages --remarks-filter=Stages -o %t.mlir 2> %t.remarks
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REMARK --implicit-check-not=remark < %t.remarks
//
// What is rolled stays as it is, and computes the same.
// RUN: stencil-opt %t.mlir --stencil-roll-stages | diff %t.mlir -
// RUN: stencil-run %s --entry wave --target interpreter --arg 0=random:1 --arg 1=zeros --out 1=%t.straight.npy
// RUN: stencil-run %t.mlir --entry wave --target emulator --chip sm_90 --math strict --arg 0=random:1 --arg 1=zeros --out 1=%t.loop.npy
// RUN: cmp %t.straight.npy %t.loop.npy

!field = !stencil.field<[0,64]xf64>
!ring = !tile.ring<1 x [0,64]xf64>
!temp = !stencil.temp<[0,64]xf64>
!t = !stencil.temp<[0,64]xf64>

// Of an odd number the first turn stays where it is, and four iterations have two turns each.
// CHECK-LABEL: func.func @nine
// CHECK: %[[COPY:.*]] = stencil.apply
// CHECK: %[[FIRST:.*]] = stencil.apply(%{{.*}} = %[[COPY]] :
// CHECK: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[LOOP:.*]] = scf.for %{{.*}} = %{{.*}} to %[[C4]] step %{{.*}} iter_args(%[[X:.*]] = %[[FIRST]]) -> (!stencil.temp<[0,64]xf64>) {
// CHECK: %[[Y:.*]] = stencil.apply(%{{.*}} = %[[X]] :
// CHECK: %[[Z:.*]] = stencil.apply(%{{.*}} = %[[Y]] :
// CHECK: scf.yield %[[Z]] :
// CHECK-NOT: stencil.apply
// CHECK: tile.store %[[LOOP]] to
// REMARK: remark: {{.*}}8 turns of 1 op are a loop
func.func @nine(%u: !field, %v: !field) {
  tile.kernel @nine(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [2]> {
    %r = tile.ring : !ring
    tile.copy %a to %r : !field, !ring
    tile.barrier
    %s = tile.source %r : !ring -> !temp
    %0 = stencil.apply(%x = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !temp stencil.return %c : f64 }
    %1 = stencil.apply(%x = %0 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %2 = stencil.apply(%x = %1 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %3 = stencil.apply(%x = %2 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %4 = stencil.apply(%x = %3 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %5 = stencil.apply(%x = %4 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %6 = stencil.apply(%x = %5 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %7 = stencil.apply(%x = %6 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %8 = stencil.apply(%x = %7 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %9 = stencil.apply(%x = %8 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    tile.store %9 to %b : !t to !field
  }
  return
}

// Two levels are carried; a source is no part of a turn.
// CHECK-LABEL: func.func @wave
// CHECK: %[[SOURCE:.*]] = tile.source
// CHECK: %[[COPY:.*]] = stencil.apply
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} iter_args(%[[NEW:.*]] = %[[COPY]], %[[OLD:.*]] = %[[COPY]])
// CHECK: %[[Y:.*]] = stencil.apply(%{{.*}} = %[[NEW]] : {{.*}}, %{{.*}} = %[[OLD]] : {{.*}}, %{{.*}} = %[[SOURCE]] :
// CHECK: %[[Z:.*]] = stencil.apply(%{{.*}} = %[[Y]] : {{.*}}, %{{.*}} = %[[NEW]] : {{.*}}, %{{.*}} = %[[SOURCE]] :
// CHECK: scf.yield %[[Z]], %[[Y]] :
// CHECK: tile.store %[[LOOP]]#0 to
// REMARK: remark: {{.*}}10 turns of 1 op are a loop
func.func @wave(%u: !field, %v: !field) {
  tile.kernel @wave(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [2]> {
    %r = tile.ring : !ring
    tile.copy %a to %r : !field, !ring
    tile.barrier
    %s = tile.source %r : !ring -> !temp
    %0 = stencil.apply(%x = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !temp stencil.return %c : f64 }
    %1 = stencil.apply(%x = %0 : !t, %y = %0 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    %2 = stencil.apply(%x = %1 : !t, %y = %0 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    %3 = stencil.apply(%x = %2 : !t, %y = %1 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    %4 = stencil.apply(%x = %3 : !t, %y = %2 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    %5 = stencil.apply(%x = %4 : !t, %y = %3 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    %6 = stencil.apply(%x = %5 : !t, %y = %4 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    %7 = stencil.apply(%x = %6 : !t, %y = %5 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    %8 = stencil.apply(%x = %7 : !t, %y = %6 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    %9 = stencil.apply(%x = %8 : !t, %y = %7 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    %10 = stencil.apply(%x = %9 : !t, %y = %8 : !t, %f = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !t %d = stencil.access %y[0] : !t %g = stencil.access %f[0] : !temp %e = arith.subf %c, %d : f64 %h = arith.addf %e, %g : f64 stencil.return %h : f64 }
    tile.store %10 to %b : !t to !field
  }
  return
}

// A turn is two stages.
// CHECK-LABEL: func.func @pairs
// CHECK: scf.for
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: scf.yield
// CHECK-NOT: stencil.apply
// CHECK: tile.store
// REMARK: remark: {{.*}}8 turns of 2 ops are a loop
func.func @pairs(%u: !field, %v: !field) {
  tile.kernel @pairs(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [2]> {
    %r = tile.ring : !ring
    tile.copy %a to %r : !field, !ring
    tile.barrier
    %s = tile.source %r : !ring -> !temp
    %0 = stencil.apply(%x = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !temp stencil.return %c : f64 }
    %1 = stencil.apply(%x = %0 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %2 = stencil.apply(%x = %1 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.addf %c, %c : f64 stencil.return %d : f64 }
    %3 = stencil.apply(%x = %2 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %4 = stencil.apply(%x = %3 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.addf %c, %c : f64 stencil.return %d : f64 }
    %5 = stencil.apply(%x = %4 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %6 = stencil.apply(%x = %5 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.addf %c, %c : f64 stencil.return %d : f64 }
    %7 = stencil.apply(%x = %6 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %8 = stencil.apply(%x = %7 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.addf %c, %c : f64 stencil.return %d : f64 }
    %9 = stencil.apply(%x = %8 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %10 = stencil.apply(%x = %9 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.addf %c, %c : f64 stencil.return %d : f64 }
    %11 = stencil.apply(%x = %10 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %12 = stencil.apply(%x = %11 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.addf %c, %c : f64 stencil.return %d : f64 }
    %13 = stencil.apply(%x = %12 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %14 = stencil.apply(%x = %13 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.addf %c, %c : f64 stencil.return %d : f64 }
    %15 = stencil.apply(%x = %14 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %16 = stencil.apply(%x = %15 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.addf %c, %c : f64 stencil.return %d : f64 }
    tile.store %16 to %b : !t to !field
  }
  return
}

// Another stage between them ends a run.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-5: arith.mulf
// CHECK: arith.addf
// CHECK: scf.for
// CHECK-COUNT-2: arith.mulf
// CHECK: scf.yield
// CHECK-NOT: stencil.apply
// CHECK: tile.store
// REMARK: remark: {{.*}}8 turns of 1 op are a loop
func.func @others(%u: !field, %v: !field) {
  tile.kernel @others(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [2]> {
    %r = tile.ring : !ring
    tile.copy %a to %r : !field, !ring
    tile.barrier
    %s = tile.source %r : !ring -> !temp
    %0 = stencil.apply(%x = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !temp stencil.return %c : f64 }
    %1 = stencil.apply(%x = %0 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %2 = stencil.apply(%x = %1 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %3 = stencil.apply(%x = %2 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %4 = stencil.apply(%x = %3 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %5 = stencil.apply(%x = %4 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %6 = stencil.apply(%x = %5 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.addf %c, %c : f64 stencil.return %d : f64 }
    %7 = stencil.apply(%x = %6 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %8 = stencil.apply(%x = %7 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %9 = stencil.apply(%x = %8 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %10 = stencil.apply(%x = %9 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %11 = stencil.apply(%x = %10 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %12 = stencil.apply(%x = %11 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %13 = stencil.apply(%x = %12 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %14 = stencil.apply(%x = %13 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    tile.store %14 to %b : !t to !field
  }
  return
}

// Seven are few.
// CHECK-LABEL: func.func @seven
// CHECK-NOT: scf.for
// CHECK: tile.store
func.func @seven(%u: !field, %v: !field) {
  tile.kernel @seven(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [64]>, block = [32], points = [2]> {
    %r = tile.ring : !ring
    tile.copy %a to %r : !field, !ring
    tile.barrier
    %s = tile.source %r : !ring -> !temp
    %0 = stencil.apply(%x = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !temp stencil.return %c : f64 }
    %1 = stencil.apply(%x = %0 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %2 = stencil.apply(%x = %1 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %3 = stencil.apply(%x = %2 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %4 = stencil.apply(%x = %3 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %5 = stencil.apply(%x = %4 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %6 = stencil.apply(%x = %5 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %7 = stencil.apply(%x = %6 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    tile.store %7 to %b : !t to !field
  }
  return
}

// What one of the turns in the middle has made is read later.
// CHECK-LABEL: func.func @kept
// CHECK-NOT: scf.for
// CHECK: tile.store
func.func @kept(%u: !field, %v: !field, %w: !field) {
  tile.kernel @kept(%a = %u : !field, %b = %v : !field, %k = %w : !field) grid <domain = <[0], [64]>, block = [32], points = [2]> {
    %r = tile.ring : !ring
    tile.copy %a to %r : !field, !ring
    tile.barrier
    %s = tile.source %r : !ring -> !temp
    %0 = stencil.apply(%x = %s : !temp) -> (!t) { %c = stencil.access %x[0] : !temp stencil.return %c : f64 }
    %1 = stencil.apply(%x = %0 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %2 = stencil.apply(%x = %1 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %3 = stencil.apply(%x = %2 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %4 = stencil.apply(%x = %3 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %5 = stencil.apply(%x = %4 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %6 = stencil.apply(%x = %5 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %7 = stencil.apply(%x = %6 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %8 = stencil.apply(%x = %7 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    %9 = stencil.apply(%x = %8 : !t) -> (!t) { %c = stencil.access %x[0] : !t %d = arith.mulf %c, %c : f64 stencil.return %d : f64 }
    tile.store %4 to %k : !t to !field
    tile.store %9 to %b : !t to !field
  }
  return
}
