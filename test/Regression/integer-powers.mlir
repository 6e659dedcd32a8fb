// `math.ipowi` ran in the interpreter only, and `math.fpowi` of vectors not at all. 0 has no inverse: an error everywhere.
// RUN: stencil-run %s --entry powers --arg 0=random:1 --arg 1=zeros --arg 2=zeros --arg 3=-3 --verify | FileCheck %s
// RUN: stencil-run %s --entry powers --arg 0=random:1 --arg 1=zeros --arg 2=zeros --arg 3=-3 --verify --target emulator --chip sm_90 | FileCheck %s
// CHECK-DAG: argument 1: {{.*}} 0 of 33 points
// CHECK-DAG: argument 2: {{.*}} 0 of 33 points
// RUN: not stencil-run %s --entry powers --arg 0=zeros --arg 1=zeros --arg 2=zeros --arg 3=-3 --target interpreter 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not stencil-run %s --entry powers --arg 0=zeros --arg 1=zeros --arg 2=zeros --arg 3=-3 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not stencil-run %s --entry powers --arg 0=zeros --arg 1=zeros --arg 2=zeros --arg 3=-3 --target emulator --chip sm_90 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: {{.*}}division by zero
// RUN: not stencil-run %s --entry scalar --arg 0=zeros --arg 1=0 --arg 2=-1 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: stencil-run %s --entry scalar --arg 0=zeros --arg 1=-1 --arg 2=-1 | FileCheck %s --check-prefix=SCALAR
// SCALAR: result 0: -1

// What has no lowering is named, not how MLIR would have lowered it.
// RUN: not stencil-run %s --entry clamped --arg 0=zeros 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not stencil-run %s --entry clamped --arg 0=zeros --target emulator --chip sm_90 2>&1 | FileCheck %s --check-prefix=NAMED
// RUN: not stencil-run %s --entry clamped --arg 0=zeros --target interpreter 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: the interpreter does not know 'math.clampf'
// NAMED: integer-powers.mlir:[[#@LINE+34]]:10: error: 'math.clampf' cannot be compiled for the target

!ints = !stencil.field<[0,33]xi32>
!floats = !stencil.field<[0,33]xf64>

func.func @powers(%a: !ints, %b: !ints, %c: !floats, %n: i32) {
  %t = stencil.load %a : !ints -> !stencil.temp<?xi32>
  %r:2 = stencil.apply(%x = %t : !stencil.temp<?xi32>, %m = %n : i32) -> (!stencil.temp<?xi32>, !stencil.temp<?xf64>) {
    %v = stencil.access %x[0] : !stencil.temp<?xi32>
    %c5 = arith.constant 5 : i32
    %p = math.ipowi %v, %c5 : i32
    %q = math.ipowi %v, %m : i32
    %s = arith.addi %p, %q : i32
    %f = arith.sitofp %v : i32 to f64
    %g = math.fpowi %f, %c5 : f64, i32
    %h = math.fpowi %f, %v : f64, i32
    %k = arith.addf %g, %h : f64
    stencil.return %s, %k : i32, f64
  }
  stencil.store %r#0 to %b(<[0], [33]>) : !stencil.temp<?xi32> to !ints
  stencil.store %r#1 to %c(<[0], [33]>) : !stencil.temp<?xf64> to !floats
  return
}

func.func @scalar(%a: !ints, %base: i32, %exponent: i32) -> i32 {
  %p = math.ipowi %base, %exponent : i32
  return %p : i32
}

func.func @clamped(%a: !floats) {
  %t = stencil.load %a : !floats -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %v = stencil.access %x[0] : !stencil.temp<?xf64>
    %z = arith.constant 0.0 : f64
    %y = math.clampf %v to [%z, %z] : f64
    stencil.return %y : f64
  }
  stencil.store %r to %a(<[0], [33]>) : !stencil.temp<?xf64> to !floats
  return
}
