// Loops whose reductions OpenMP knows stay parallel; others run in order.
// RUN: stencil-opt %s --stencil-order-reductions | FileCheck %s
// RUN: stencil-opt %s --stencil-to-cpu -o /dev/null
// RUN: stencil-run %s --entry length --arg 0=random:1:-1:1 --arg 1=zeros --out 0=%t.u.npy --out 1=%t.r.npy
// RUN: %python -c "import functools, numpy; u, r = numpy.load('%t.u.npy'), numpy.load('%t.r.npy'); assert r[0] == functools.reduce(lambda a, b: abs(a + b), u, 0.0) != 0, r"
// REQUIRES: python-numpy

// CHECK-LABEL: func @length
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%[[OLD:.*]] = %{{.*}}) -> (f64) {
// CHECK: %[[V:.*]] = memref.load
// CHECK: %[[T:.*]] = arith.addf %[[OLD]], %[[V]]
// CHECK: %[[R:.*]] = math.absf %[[T]]
// CHECK: scf.yield %[[R]]
// CHECK: memref.store %[[SUM]]
func.func @length(%u: memref<64xf64>, %r: memref<1xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f64
  %s = scf.parallel (%i) = (%c0) to (%c64) step (%c1) init (%z) -> f64 {
    %v = memref.load %u[%i] : memref<64xf64>
    scf.reduce(%v : f64) {
    ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      %h = math.absf %t : f64
      scf.reduce.return %h : f64
    }
  }
  memref.store %s, %r[%c0] : memref<1xf64>
  return
}

// CHECK-LABEL: func @both
// CHECK: scf.parallel
// CHECK-NOT: scf.for
func.func @both(%u: memref<64xf64>, %r: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %z = arith.constant 0.0 : f64
  %s:2 = scf.parallel (%i) = (%c0) to (%c64) step (%c1) init (%z, %z) -> (f64, f64) {
    %v = memref.load %u[%i] : memref<64xf64>
    scf.reduce(%v, %v : f64, f64) {
    ^bb0(%a: f64, %b: f64):
      %t = arith.addf %a, %b : f64
      scf.reduce.return %t : f64
    }, {
    ^bb0(%a: f64, %b: f64):
      %l = arith.cmpf olt, %a, %b : f64
      %m = arith.select %l, %b, %a : f64
      scf.reduce.return %m : f64
    }
  }
  memref.store %s#0, %r[%c0] : memref<2xf64>
  memref.store %s#1, %r[%c1] : memref<2xf64>
  return
}
