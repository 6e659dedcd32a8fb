func.func @combines(%a: !stencil.temp<?xf64>, %b: !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>) {
  %0:2 = stencil.combine 0 at 3 lower = (%a, %b : !stencil.temp<?xf64>, !stencil.temp<?xf64>) upper = (%a, %b : !stencil.temp<?xf64>, !stencil.temp<?xf64>) : !stencil.temp<?xf64>, !stencil.temp<?xf64>
  %1 = stencil.combine 0 at 3 lower = (%a : !stencil.temp<?xf64>) upper = (%b : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  return %0#0, %0#1, %1 : !stencil.temp<?xf64>, !stencil.temp<?xf64>, !stencil.temp<?xf64>
}
