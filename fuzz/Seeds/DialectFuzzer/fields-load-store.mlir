func.func @load_store(%f: !stencil.field<[-4,68]x[-4,68]xf64>, %s: !stencil.field<[-1,?+1]xi16>) {
  %0 = stencil.load %f : !stencil.field<[-4,68]x[-4,68]xf64> -> !stencil.temp<?x?xf64>
  %1 = stencil.load %f : !stencil.field<[-4,68]x[-4,68]xf64> -> !stencil.temp<[-4,68]x[0,1]xf64>
  %2 = stencil.load %s : !stencil.field<[-1,?+1]xi16> -> !stencil.temp<[0,?]xi16>
  stencil.store %0 to %f(<[0, 0], [64, 64]>) : !stencil.temp<?x?xf64> to !stencil.field<[-4,68]x[-4,68]xf64>
  stencil.store %1 to %f(<[0, 0], [64, 1]>) : !stencil.temp<[-4,68]x[0,1]xf64> to !stencil.field<[-4,68]x[-4,68]xf64>
  stencil.store %2 to %s(<[1], [?-1]>) attributes {step = 1 : i32} : !stencil.temp<[0,?]xi16> to !stencil.field<[-1,?+1]xi16>
  return
}
