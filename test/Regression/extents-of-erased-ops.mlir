// Kernels of a boundary were erased one by one, and another op's got the address of one of them: its extents were taken for
// known, which those of a loop were not.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu | FileCheck %s
// CHECK: func.func @repeated
// CHECK-COUNT-12: gpu.launch_func

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
func.func @repeated(%a: !field, %b: !field, %n: index, %c: i1) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    stencil.boundary %a(<[0, 0], [?, ?]>) [#stencil.extrapolate<1>, #stencil.neumann] : !field
  }
  scf.if %c {
    stencil.boundary %b(<[0, 0], [?, ?]>) [#stencil.extrapolate<1>, #stencil.symmetric] : !field
  }
  scf.for %i = %zero to %n step %one {
    stencil.boundary %a(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.extrapolate<1>] : !field
  }
  scf.if %c {
    stencil.boundary %b(<[0, 0], [?, ?]>) [#stencil.extrapolate<1>, #stencil.symmetric] : !field
  }
  scf.for %i = %zero to %n step %one {
    stencil.boundary %a(<[0, 0], [?, ?]>) [#stencil.extrapolate<1>, #stencil.neumann] : !field
  }
  scf.if %c {
    stencil.boundary %b(<[0, 0], [?, ?]>) [#stencil.extrapolate<1>, #stencil.symmetric] : !field
  }
  return
}
