// RUN: stencil-opt %s | stencil-opt | FileCheck %s
// RUN: stencil-opt %s --mlir-print-op-generic | stencil-opt | FileCheck %s

// Keys come in any order and are printed in one.
// CHECK: stencil.schedule = #stencil.schedule<block = [4, 64], points = [2, 2], window = cache, order = [1, 0], panel = [0, 8], launch_bounds = 2>
// CHECK: stencil.schedule = #stencil.schedule<launch_bounds = 1>
// CHECK: stencil.schedule = #stencil.schedule<>
func.func @schedules(%u: !stencil.field<[0,8]x[0,8]xf64>, %v: !stencil.field<[0,8]x[0,8]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<launch_bounds = 2, panel = [0, 8], order = [1, 0], points = [2, 2], block = [4, 64], window = cache>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<launch_bounds = 1>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,8]xf64>) outs (%v : !stencil.field<[0,8]x[0,8]xf64>)
      attributes {stencil.schedule = #stencil.schedule<>} {
    %a = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,8]xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  return
}
