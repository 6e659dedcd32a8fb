// Threads have points at few coordinates of a row: where none of them can be a number, nobody compares.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --stencil-distribute-tiles --canonicalize --split-input-file | FileCheck %s

!field = !stencil.field<[0,96]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,96]xf64>

// Of three points of a thread, 50 can be the last one: 3 * 16 + 2. So can 47. Nobody has 96, or -1.
// CHECK-LABEL: gpu.func @aligned_kernel
// CHECK-COUNT-2: arith.cmpi ne
// CHECK-NOT: arith.cmpi ne
// CHECK: gpu.return
func.func @aligned(%u: !field, %v: !field) {
  tile.kernel @kernel(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [96]>, block = [32], points = [3]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        %zero = arith.constant 0.0 : f64
        %i = stencil.index 0 <[0]>
        %50 = arith.constant 50 : index
        %47 = arith.constant 47 : index
        %96 = arith.constant 96 : index
        %m = arith.constant -1 : index
        %c = arith.cmpi ne, %i, %50 : index
        %d = arith.cmpi ne, %i, %47 : index
        %e = arith.cmpi eq, %i, %96 : index
        %f = arith.cmpi eq, %i, %m : index
        %1 = arith.select %c, %0, %zero : f64
        %2 = arith.select %d, %1, %zero : f64
        %3 = arith.select %e, %zero, %2 : f64
        %4 = arith.select %f, %zero, %3 : f64
        stencil.return %4 : f64
      }
      tile.store %r to %b : !tile to !field
    }
  }
  return
}

// -----

!field = !stencil.field<[0,200]xf64>
!any = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,96]xf64>

// The tiles begin at 0, 96 and 192, all at multiples of three, which 100 is behind by one, and 199, too. Where a tile ends
// outside of the box, a loop goes through a thread's points: each of them can have any coordinate.
// CHECK-LABEL: gpu.func @tiles_kernel
// CHECK-COUNT-2: arith.cmpi eq
// CHECK-NOT: arith.cmpi eq
// CHECK: scf.for
// CHECK-COUNT-2: arith.cmpi eq
// CHECK-NOT: arith.cmpi eq
// CHECK: gpu.return
func.func @tiles(%u: !field, %v: !field) {
  tile.kernel @kernel(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [200]>, block = [32], points = [3]> {
    %x = tile.source %a : !field -> !any
    tile.where {
      %r = stencil.apply(%t = %x : !any) -> (!tile) {
        %0 = stencil.access %t[0] : !any
        %zero = arith.constant 0.0 : f64
        %i = stencil.index 0 <[0]>
        %100 = arith.constant 100 : index
        %199 = arith.constant 199 : index
        %c = arith.cmpi eq, %i, %100 : index
        %d = arith.cmpi eq, %i, %199 : index
        %1 = arith.select %c, %zero, %0 : f64
        %2 = arith.select %d, %zero, %1 : f64
        stencil.return %2 : f64
      }
      tile.store %r to %b : !tile to !field
    }
  }
  return
}
