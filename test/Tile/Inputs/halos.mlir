// Boundaries of every kind: corners, kept sides, gaps in rows, an interior narrower than the halo, layers of polynomials; fields in turn.
!line = !stencil.field<[-2,?+3]xf64>
!plane = !stencil.field<[-2,?+1]x[-3,?+2]xf64>
!cube = !stencil.field<[-1,?+2]x[-2,?+2]x[-3,?+1]xf64>
!whole = !stencil.field<[-2,?+1]x[-3,?+2]xi32>

func.func @line(%u: !line, %v: !line) {
  stencil.boundary %u(<[0], [?]>) [#stencil.antisymmetric | #stencil.neumann] : !line
  stencil.boundary %v(<[0], [?]>) [#stencil.antisymmetric | #stencil.neumann] : !line
  return
}

func.func @narrow(%u: !line, %v: !line) {
  stencil.boundary %u(<[0], [?]>) [#stencil.periodic] : !line
  stencil.boundary %v(<[0], [?]>) [#stencil.keep | #stencil.dirichlet<-1.5>] : !line
  return
}

func.func @mirrors(%u: !plane, %v: !plane) {
  stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.antisymmetric | #stencil.dirichlet<2.5>, #stencil.antisymmetric | #stencil.symmetric] : !plane
  stencil.boundary %v(<[0, 0], [?, ?]>) [#stencil.keep | #stencil.antisymmetric, #stencil.antisymmetric | #stencil.neumann] : !plane
  return
}

func.func @polynomials(%u: !plane, %v: !plane) {
  stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.extrapolate<2> | #stencil.neumann, #stencil.periodic] : !plane
  stencil.boundary %v(<[0, 0], [?, ?]>) [#stencil.symmetric | #stencil.keep, #stencil.extrapolate<1> | #stencil.extrapolate<0>] : !plane
  return
}

func.func @integers(%u: !whole, %v: !whole) {
  stencil.boundary %u(<[0, 0], [?, ?]>) [#stencil.extrapolate<1> | #stencil.keep, #stencil.antisymmetric] : !whole
  stencil.boundary %v(<[0, 0], [?, ?]>) [#stencil.dirichlet<7>, #stencil.periodic] : !whole
  return
}

func.func @cubes(%u: !cube, %v: !cube) {
  stencil.boundary %u(<[0, 0, 0], [?, ?, ?]>) [#stencil.periodic, #stencil.keep | #stencil.antisymmetric, #stencil.neumann] : !cube
  stencil.boundary %v(<[0, 0, 0], [?, ?, ?]>) [#stencil.periodic, #stencil.keep | #stencil.antisymmetric, #stencil.neumann] : !cube
  return
}
