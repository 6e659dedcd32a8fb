// RUN: stencil-opt %s --convert-stencil-to-cpu --canonicalize --cse --split-input-file | FileCheck %s

// Extents of a cast to static bounds are checked at run time.

// CHECK-LABEL: func @cast
// CHECK-SAME: %[[A:.*]]: memref<?x?xf64>) -> memref<72x10xf64>
// CHECK: %[[D:.*]] = memref.dim %[[A]], %c0
// CHECK: %[[SAME:.*]] = arith.cmpi eq, %[[D]], %c72
// CHECK: cf.assert %[[SAME]], "{{.*}}expected an extent of 72 on axis 0"
// CHECK: cf.assert {{.*}}expected an extent of 10 on axis 1
// CHECK: memref.cast %[[A]] : memref<?x?xf64> to memref<72x10xf64>
func.func @cast(%a: !stencil.field<?x?xf64>) -> !stencil.field<[-4,68]x[0,10]xf64> {
  %f = stencil.cast %a : !stencil.field<?x?xf64> -> !stencil.field<[-4,68]x[0,10]xf64>
  return %f : !stencil.field<[-4,68]x[0,10]xf64>
}

// -----

// Buffers are freed at the end; one that is returned is the caller's.

// CHECK-LABEL: func @buffers
// CHECK: %[[OWN:.*]] = memref.alloc() {alignment = 64 : i64} : memref<8xf64>
// CHECK: %[[GIVEN:.*]] = memref.alloc()
// CHECK: memref.dealloc %[[OWN]]
// CHECK-NOT: memref.dealloc
// CHECK: return %[[GIVEN]]
func.func @buffers(%u: !stencil.field<[0,8]xf64>) -> !stencil.field<[0,8]xf64> {
  %b = stencil.alloc : !stencil.field<[0,8]xf64>
  %r = stencil.alloc : !stencil.field<[0,8]xf64>
  stencil.apply(%x = %u : !stencil.field<[0,8]xf64>) outs (%b : !stencil.field<[0,8]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %a : f64
  } to <[0], [8]>
  stencil.apply(%x = %b : !stencil.field<[0,8]xf64>) outs (%r : !stencil.field<[0,8]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[0,8]xf64>
    stencil.return %a : f64
  } to <[0], [8]>
  return %r : !stencil.field<[0,8]xf64>
}

// -----

// A buffer whose size is relative to the extent that an argument brings.

// CHECK-LABEL: func @symbolic_buffer
// CHECK-SAME: %[[U:.*]]: memref<?xf64>
// CHECK: %[[D:.*]] = memref.dim %[[U]], %c0
// CHECK: %[[N:.*]] = arith.addi %[[D]], %c-2
// CHECK: memref.alloc(%[[N]])
func.func @symbolic_buffer(%u: !stencil.field<[-1,?+1]xf64>) {
  %b = stencil.alloc : !stencil.field<[0,?]xf64>
  stencil.apply(%x = %u : !stencil.field<[-1,?+1]xf64>) outs (%b : !stencil.field<[0,?]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[-1,?+1]xf64>
    stencil.return %a : f64
  } to <[0], [?]>
  stencil.apply(%x = %b : !stencil.field<[0,?]xf64>) outs (%u : !stencil.field<[-1,?+1]xf64>) {
    %a = stencil.access %x[0] : !stencil.field<[0,?]xf64>
    stencil.return %a : f64
  } to <[0], [?]>
  return
}

// -----

// A time loop swaps the buffers and copies nothing.

// CHECK-LABEL: func @swap
// CHECK: scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (memref<8xf64>, memref<8xf64>)
// CHECK-NOT: memref.copy
// CHECK: scf.yield %[[B]], %[[A]]
func.func @swap(%u: !stencil.field<[0,8]xf64>, %v: !stencil.field<[0,8]xf64>, %n: index) -> !stencil.field<[0,8]xf64> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%a = %u, %b = %v) -> (!stencil.field<[0,8]xf64>, !stencil.field<[0,8]xf64>) {
    stencil.apply(%x = %a : !stencil.field<[0,8]xf64>) outs (%b : !stencil.field<[0,8]xf64>) {
      %c = stencil.access %x[0] : !stencil.field<[0,8]xf64>
      stencil.return %c : f64
    } to <[0], [8]>
    scf.yield %b, %a : !stencil.field<[0,8]xf64>, !stencil.field<[0,8]xf64>
  }
  return %r#0 : !stencil.field<[0,8]xf64>
}

// -----

// Foreign storage: the same memory, copied only to other memory.

// CHECK-LABEL: func @external
// CHECK-SAME: %[[M:.*]]: memref<8xf64>, %[[O:.*]]: memref<8xf64>
// CHECK: memref.copy %[[M]], %[[O]]
// CHECK-NOT: memref.copy
func.func @external(%m: memref<8xf64>, %o: memref<8xf64>) {
  %f = stencil.external_load %m : memref<8xf64> -> !stencil.field<[0,8]xf64>
  stencil.external_store %f to %o : !stencil.field<[0,8]xf64> to memref<8xf64>
  stencil.external_store %f to %m : !stencil.field<[0,8]xf64> to memref<8xf64>
  return
}

// -----

// CHECK-LABEL: func @extent
// CHECK-SAME: %[[U:.*]]: memref<?xf64>
// CHECK: %[[D:.*]] = memref.dim %[[U]], %c0
// CHECK: %[[N:.*]] = arith.addi %[[D]], %c-2
// CHECK: return %[[N]]
func.func @extent(%u: !stencil.field<[-1,?+1]xf64>) -> index {
  %n = stencil.extent 0
  return %n : index
}
