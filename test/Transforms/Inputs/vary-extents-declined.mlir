//--- boundary.mlir
!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
func.func @boundary(%u: !field, %v: !field) {
  stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.neumann, #stencil.neumann] : !field
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %a = stencil.access %x[0, 1] : !field
    %b = stencil.access %x[-1, 0] : !field
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  } to <[0, 0], [?, ?]>
  return
}

//--- regions.mlir
!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
func.func @regions(%u: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %a = stencil.access %x[0, 1] : !field
    stencil.return %a : f64
  } to <[0, 0], [8, ?]>
  stencil.apply(%x = %u : !field) outs (%v : !field) attributes {stencil.region = #stencil.bounds<[8, 0], [?, ?]>} {
    %a = stencil.access %x[0, -1] : !field
    stencil.return %a : f64
  } to <[8, 0], [?, ?]>
  return
}

//--- axes.mlir
!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!column = !stencil.field<[0,?]xf64>
func.func @axes(%u: !field, %y: !column, %v: !field) {
  stencil.apply(%x = %u : !field, %c = %y : !column) outs (%v : !field) {
    %a = stencil.access %x[0, 1] : !field
    %b = stencil.access %c[0, _] : !column
    %s = arith.addf %a, %b : f64
    stencil.return %s : f64
  } to <[0, 0], [?, ?]>
  return
}
