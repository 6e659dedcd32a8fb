func.func @fold(%a: !stencil.temp<?x?xf64>, %b: !stencil.temp<[0,9]x[0,?]xf64>, %i: !stencil.temp<?xi16>, %f: !stencil.field<[0,?]xbf16>) {
  %0 = stencil.fold %a(<[0, 0], [8, 8]>) max : !stencil.temp<?x?xf64>
  %1 = stencil.fold %a, %b(<[0, 0], [8, ?]>) rms attributes {name = "x"} : !stencil.temp<?x?xf64>, !stencil.temp<[0,9]x[0,?]xf64>
  %2 = stencil.fold %i(<[0], [8]>) min : !stencil.temp<?xi16>
  %3 = stencil.fold %f(<[1], [?-1]>) sum : !stencil.field<[0,?]xbf16>
  %4 = arith.addf %0, %1 : f64
  return
}
