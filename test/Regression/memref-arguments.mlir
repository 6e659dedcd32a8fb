// Fields of unknown bounds that are made of arguments, and cast to bounds: the interpreter did not know their extents
// early enough. Nor did it know assertions of programs.
// RUN: stencil-run %s --target interpreter --extents 8 --arg 0=random:1 --arg 1=zeros --arg 2=10
// RUN: stencil-run %s --target cpu --extents 8 --arg 0=random:1 --arg 1=zeros --arg 2=10 --verify | FileCheck %s
// CHECK: verify: argument 1: max 0 ulp
// RUN: not stencil-run %s --target interpreter --extents 8 --arg 0=random:1 --arg 1=zeros --arg 2=11 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: memref-arguments.mlir:[[#@LINE + 9]]:3: error: expected the extent of the array

!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>

func.func @main(%u: memref<?xf64>, %v: memref<?xf64>, %n: index) {
  %c0 = arith.constant 0 : index
  %extent = memref.dim %u, %c0 : memref<?xf64>
  %holds = arith.cmpi eq, %n, %extent : index
  cf.assert %holds, "expected the extent of the array"
  %0 = stencil.external_load %u : memref<?xf64> -> !stencil.field<?xf64>
  %1 = stencil.cast %0 : !stencil.field<?xf64> -> !field
  %2 = stencil.external_load %v : memref<?xf64> -> !stencil.field<?xf64>
  %3 = stencil.cast %2 : !stencil.field<?xf64> -> !field
  %4 = stencil.load %1 : !field -> !temp
  %5 = stencil.apply(%x = %4 : !temp) -> (!temp) {
    %a = stencil.access %x[1] : !temp
    %b = stencil.access %x[-1] : !temp
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  }
  stencil.store %5 to %3(<[0], [?]>) : !temp to !field
  return
}
