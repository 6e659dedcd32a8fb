func.func @boundary(%f: !stencil.field<[-4,68]x[-4,68]xf64>, %i: !stencil.field<[-1,9]xi8>,
                    %s: !stencil.field<[-2,?+2]x[0,8]x[0,?]xf32>) {
  stencil.boundary %f(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.dirichlet<0.0> | #stencil.neumann] : !stencil.field<[-4,68]x[-4,68]xf64>
  stencil.boundary %f(<[0, 0], [64, 64]>) [#stencil.symmetric | #stencil.symmetric, #stencil.antisymmetric | #stencil.extrapolate<2>] : !stencil.field<[-4,68]x[-4,68]xf64>
  stencil.boundary %i(<[0], [8]>) [#stencil.dirichlet<-128> | #stencil.dirichlet<255>] : !stencil.field<[-1,9]xi8>
  stencil.boundary %s(<[0, 0, 0], [?, 8, ?]>) [#stencil.keep, #stencil.dirichlet<3>, #stencil.periodic] attributes {step = 1 : i32} : !stencil.field<[-2,?+2]x[0,8]x[0,?]xf32>
  return
}
