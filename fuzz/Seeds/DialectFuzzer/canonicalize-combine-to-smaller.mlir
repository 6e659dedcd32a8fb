func.func @combine_to_smaller(%a: !stencil.temp<[0,9]xf64>) -> !stencil.temp<[0,8]xf64> {
  %0 = stencil.combine 0 at 3 lower = (%a : !stencil.temp<[0,9]xf64>) upper = (%a : !stencil.temp<[0,9]xf64>) : !stencil.temp<[0,8]xf64>
  return %0 : !stencil.temp<[0,8]xf64>
}
