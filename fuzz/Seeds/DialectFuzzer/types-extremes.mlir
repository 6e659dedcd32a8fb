func.func private @extremes(
  !stencil.field<[-1099511627776,1099511627776]xf64>,
  !stencil.field<[?-1099511627776,?+1099511627776]xf64>)
