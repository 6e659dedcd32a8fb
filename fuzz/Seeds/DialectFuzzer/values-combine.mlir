func.func @combine(%a: !stencil.temp<?x?xf64>, %b: !stencil.temp<?x?xf64>) {
  %0 = stencil.combine 0 at 11 lower = (%a : !stencil.temp<?x?xf64>) upper = (%b : !stencil.temp<?x?xf64>) : !stencil.temp<?x?xf64>
  %1:5 = stencil.combine 1 at -3 lower = (%a, %b : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) upper = (%b, %a : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) lowerext = %a : !stencil.temp<?x?xf64> upperext = %b, %a : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64> attributes {name = "x"} : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>
  return
}
