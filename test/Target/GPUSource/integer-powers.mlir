// Powers of integers in sources: of each width what the interpreter says, with exponents that are known, those of an argument, and those of each point,
// negative ones and 0 among them; products wrap around. 0 has no inverse: an error of the run.
// REQUIRES: python-numpy
// RUN: split-file %s %t
// DEFINE: %{run} = %python %S/Inputs/run_source.py stencil-run %t/powers.mlir
// DEFINE: %{types} = i1:99 i2:99 i4:99 i8:99 i1:99
// RUN: stencil-translate %t/powers.mlir --to-cuda --chip sm_90 -o %t/powers.cu
// RUN: FileCheck %s --check-prefix=POWERS < %t/powers.cu
// RUN: %{run} %t/powers.cu %clangxx %t/run %{types} -3
// RUN: %{run} %t/powers.cu %clangxx %t/run %{types} 61
// RUN: stencil-translate %t/powers.mlir --to-hip --chip gfx942 -o %t/powers.hip
// RUN: %{run} %t/powers.hip %clangxx %t/run %{types} 0
// RUN: stencil-translate %t/inverse.mlir --to-hip --chip gfx942 | FileCheck %t/inverse.mlir
// RUN: stencil-translate %t/scalar.mlir --to-cuda --chip sm_90 | FileCheck %t/scalar.mlir
// RUN: %if nvcc %{ %nvcc -arch=sm_90 -Werror all-warnings -O1 -c %t/powers.cu -o %t/powers.o %}

// POWERS: for (int [[K:[a-z]]] = 0; [[K]] < 8; ++[[K]])
// POWERS: for (int [[K:[a-z]]] = 0; [[K]] < 64; ++[[K]])

//--- powers.mlir
!i8s = !stencil.field<[0,99]xi8>
!i16s = !stencil.field<[0,99]xi16>
!i32s = !stencil.field<[0,99]xi32>
!i64s = !stencil.field<[0,99]xi64>
!temp8 = !stencil.temp<?xi8>
!temp16 = !stencil.temp<?xi16>
!temp32 = !stencil.temp<?xi32>
!temp64 = !stencil.temp<?xi64>

// Bases from -4 to 4, exponents from -5 to 5; of 0 and a negative exponent, 2.
func.func @powers(%a: !i8s, %b: !i16s, %c: !i32s, %d: !i64s, %e: !i8s, %n: i64) {
  %r:5 = stencil.apply(%m = %n : i64) -> (!temp8, !temp16, !temp32, !temp64, !temp8) {
    %nine = arith.constant 9 : i64
    %four = arith.constant 4 : i64
    %five = arith.constant 5 : i64
    %zero = arith.constant 0 : i64
    %two = arith.constant 2 : i64
    %i = stencil.index 0 <[0]>
    %i64 = arith.index_cast %i : index to i64
    %digit = arith.remui %i64, %nine : i64
    %base0 = arith.subi %digit, %four : i64
    %isZero = arith.cmpi eq, %base0, %zero : i64
    %base = arith.select %isZero, %two, %base0 : i64
    %quotient = arith.divui %i64, %nine : i64
    %exponent = arith.subi %quotient, %five : i64
    %base8 = arith.trunci %base : i64 to i8
    %exponent8 = arith.trunci %exponent : i64 to i8
    %p8 = math.ipowi %base8, %exponent8 : i8
    %base16 = arith.trunci %base : i64 to i16
    %exponent16 = arith.trunci %m : i64 to i16
    %p16 = math.ipowi %base16, %exponent16 : i16
    %base32 = arith.trunci %base0 : i64 to i32
    %c13 = arith.constant 13 : i32
    %c0 = arith.constant 0 : i32
    %k32 = math.ipowi %base32, %c13 : i32
    %o32 = math.ipowi %base32, %c0 : i32
    %p32 = arith.addi %k32, %o32 : i32
    %p64 = math.ipowi %base, %m : i64
    %base1 = arith.trunci %base : i64 to i1
    %exponent1 = arith.trunci %zero : i64 to i1
    %p1 = math.ipowi %base1, %exponent1 : i1
    %q8 = arith.extui %p1 : i1 to i8
    stencil.return %p8, %p16, %p32, %p64, %q8 : i8, i16, i32, i64, i8
  }
  stencil.store %r#0 to %a(<[0], [99]>) : !temp8 to !i8s
  stencil.store %r#1 to %b(<[0], [99]>) : !temp16 to !i16s
  stencil.store %r#2 to %c(<[0], [99]>) : !temp32 to !i32s
  stencil.store %r#3 to %d(<[0], [99]>) : !temp64 to !i64s
  stencil.store %r#4 to %e(<[0], [99]>) : !temp8 to !i8s
  return
}

//--- inverse.mlir
!i32s = !stencil.field<[0,99]xi32>
!temp32 = !stencil.temp<?xi32>
func.func @inverse(%a: !i32s, %b: !i32s, %n: i32) {
  %t = stencil.load %a : !i32s -> !temp32
  %r = stencil.apply(%x = %t : !temp32, %m = %n : i32) -> (!temp32) {
    %v = stencil.access %x[0] : !temp32
    // CHECK: const bool [[FAILS:.*]] = [[BASE:.*]] == 0 && [[EXPONENT:.*]] < 0;
    // CHECK: if ([[FAILS]]) {
    // CHECK: [[FAILS]] ? 1 : [[EXPONENT]]
    // CHECK: inverse.mlir:[[#@LINE+1]]:10: integer division by zero
    %p = math.ipowi %v, %m : i32
    stencil.return %p : i32
  }
  stencil.store %r to %b(<[0], [99]>) : !temp32 to !i32s
  return
}

//--- scalar.mlir
!i32s = !stencil.field<[0,99]xi32>
!temp32 = !stencil.temp<?xi32>
func.func @scalar(%a: !i32s, %b: !i32s, %n: i32) {
  %t = stencil.load %a : !i32s -> !temp32
  %base = arith.constant -5 : i32
  // CHECK: extern "C" int32_t scalar(
  // CHECK: (unsigned)-5 + 1 <= 2 ? -5 : 0
  // CHECK: for (int [[K:.*]] = 0; [[K]] < 32; ++[[K]])
  // CHECK: scalar_apply0<<<
  %p = math.ipowi %base, %n : i32
  %r = stencil.apply(%x = %t : !temp32, %m = %p : i32) -> (!temp32) {
    %v = stencil.access %x[0] : !temp32
    %s = arith.muli %v, %m : i32
    stencil.return %s : i32
  }
  stencil.store %r to %b(<[0], [99]>) : !temp32 to !i32s
  return
}
