func.func @fixed_in_symbolic(%f: !stencil.field<[0,?]xf64>, %t: !stencil.temp<[-5,100]xf64>) {
  stencil.store %t to %f(<[3], [100]>) : !stencil.temp<[-5,100]xf64> to !stencil.field<[0,?]xf64>
  return
}
