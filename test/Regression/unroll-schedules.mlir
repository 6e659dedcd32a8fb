// Tiles and groups of rows that are asked for hold whole groups of points of an unrolled body.
// DEFINE: %{run} = stencil-run %s --arg 0=random:1 --arg 1=random:2 --verify=0
// RUN: %{run} --cpu-options "tile=2,2" | FileCheck %s
// RUN: %{run} --cpu-options "rows=2" | FileCheck %s
// CHECK: argument 1: max 0 ulp

func.func @unrolled(%a: !stencil.field<[0,12]x[0,15]xi32>, %b: !stencil.field<[0,12]x[0,15]xi32>) {
  %t = stencil.load %a : !stencil.field<[0,12]x[0,15]xi32> -> !stencil.temp<?x?xi32>
  %columns = stencil.apply(%x = %t : !stencil.temp<?x?xi32>) -> (!stencil.temp<?x?xi32>) {
    %u = stencil.access %x[0, 0] : !stencil.temp<?x?xi32>
    %v = stencil.access %x[0, 1] : !stencil.temp<?x?xi32>
    %w = stencil.access %x[0, 2] : !stencil.temp<?x?xi32>
    stencil.return %w, %u, %v unroll <[1, 3]> : i32, i32, i32
  }
  %rows = stencil.apply(%x = %columns : !stencil.temp<?x?xi32>) -> (!stencil.temp<?x?xi32>) {
    %u = stencil.access %x[0, 0] : !stencil.temp<?x?xi32>
    %v = stencil.access %x[1, 0] : !stencil.temp<?x?xi32>
    %w = stencil.access %x[2, 0] : !stencil.temp<?x?xi32>
    stencil.return %w, %u, %v unroll <[3, 1]> : i32, i32, i32
  }
  stencil.store %rows to %b(<[0, 0], [12, 15]>) : !stencil.temp<?x?xi32> to !stencil.field<[0,12]x[0,15]xi32>
  return
}
