func.func private @conditions() attributes {
  a = [#stencil.periodic, #stencil.neumann, #stencil.symmetric, #stencil.antisymmetric, #stencil.keep],
  b = #stencil.dirichlet<1.5>,
  c = #stencil.dirichlet<0.25 : f16>,
  d = #stencil.dirichlet<-1>,
  e = #stencil.dirichlet<7 : i8>,
  f = [#stencil.extrapolate<0>, #stencil.extrapolate<8>]}
