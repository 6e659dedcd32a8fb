// A halo that is too small was an error of the 'stencil.weighted_sum' that the access had become a part of, at the last addition. It is one of the access.
// An access with a weight of zero is one, too: with a halo of no points it was compiled, and refused by the interpreter.

// RUN: not stencil-run %s --entry sum --extents 20 --arg 0=random:1 --arg 1=zeros 2>&1 | FileCheck %s
// RUN: not stencil-run %s --entry sum --extents 20 --arg 0=random:1 --arg 1=zeros --target emulator --chip sm_90 2>&1 | FileCheck %s
// RUN: not stencil-translate %s --entry sum --to-ptx --chip sm_90 --math reassociate -o %t 2>&1 | FileCheck %s
// CHECK: halo-too-small-at-the-access.mlir:[[#@LINE+14]]:10: error: 'stencil.access' op halo too small: needs [-1,
// RUN: not stencil-run %s --entry zero --extents 20 --arg 0=random:1 --arg 1=zeros --math reassociate 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not stencil-run %s --entry zero --extents 20 --arg 0=random:1 --arg 1=zeros --target interpreter 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: halo-too-small-at-the-access.mlir:[[#@LINE+25]]:10: error: {{.*}}[-1,

!whole = !stencil.field<?xf64>
!field = !stencil.field<[0,?+1]xf64>
!temp = !stencil.temp<?xf64>

func.func @sum(%u: !whole, %v: !whole) {
  %a = stencil.cast %u : !whole -> !field
  %b = stencil.cast %v : !whole -> !field
  %t = stencil.load %a : !field -> !temp
  %s = stencil.apply(%x = %t : !temp) -> (!temp) {
    %l = stencil.access %x[-1] : !temp
    %r = stencil.access %x[1] : !temp
    %0 = arith.addf %l, %r : f64
    stencil.return %0 : f64
  }
  stencil.store %s to %b(<[0], [?]>) : !temp to !field
  return
}

func.func @zero(%u: !whole, %v: !whole) {
  %a = stencil.cast %u : !whole -> !field
  %b = stencil.cast %v : !whole -> !field
  %t = stencil.load %a : !field -> !temp
  %s = stencil.apply(%x = %t : !temp) -> (!temp) {
    %l = stencil.access %x[-1] : !temp
    %r = stencil.access %x[1] : !temp
    %none = arith.constant 0.0 : f64
    %0 = arith.mulf %l, %none : f64
    %1 = arith.addf %0, %r : f64
    stencil.return %1 : f64
  }
  stencil.store %s to %b(<[0], [?]>) : !temp to !field
  return
}
