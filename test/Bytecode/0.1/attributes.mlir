module {
  func.func private @index() attributes {a = #stencil.index<[0]>, b = #stencil.index<[-1, 0, 3, -1099511627776]>}
  func.func private @bounds() attributes {a = #stencil.bounds<[0], [64]>, b = #stencil.bounds<[-1, -2, -3, -4], [1, 2, 3, 4]>, c = #stencil.bounds<[0, ?-2], [?, ?+2]>}
  func.func private @conditions() attributes {a = [#stencil.periodic, #stencil.neumann, #stencil.symmetric, #stencil.antisymmetric, #stencil.symmetric_about_face, #stencil.antisymmetric_about_face, #stencil.keep], b = #stencil.dirichlet<1.500000e+00 : f64>, c = #stencil.dirichlet<2.500000e-01 : f16>, d = #stencil.dirichlet<-1 : i64>, e = #stencil.dirichlet<7 : i8>, f = [#stencil.extrapolate<0>, #stencil.extrapolate<8>]}
}

