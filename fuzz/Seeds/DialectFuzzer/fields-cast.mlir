func.func @cast(%a: !stencil.field<?x?xf64>, %b: !stencil.field<[0,8]xi32>) {
  %0 = stencil.cast %a : !stencil.field<?x?xf64> -> !stencil.field<[-4,68]x[-4,68]xf64>
  %1 = stencil.cast %a : !stencil.field<?x?xf64> -> !stencil.field<[-4,?+4]x[-1,?+1]xf64>
  %2 = stencil.cast %b : !stencil.field<[0,8]xi32> -> !stencil.field<[0,8]xi32>
  %3 = stencil.cast %a attributes {name = "x"} : !stencil.field<?x?xf64> -> !stencil.field<?x?xf64>
  return
}
