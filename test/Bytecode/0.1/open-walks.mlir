module {
  func.func @walk(%arg0: !stencil.field<[-1,?+1]x[-1,?+1]xf64>, %arg1: !stencil.field<[-1,?+1]x[-1,?+1]xf64>) {
    %0 = stencil.load %arg0 : !stencil.field<[-1,?+1]x[-1,?+1]xf64> -> !stencil.temp<?x?xf64>
    %1 = stencil.apply(%arg2 = %0 : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) attributes {stencil.evidence = "model", stencil.schedule = #stencil.schedule<stream = 0, window = shared, planes = 16>} {
      %2 = stencil.access %arg2[0, 0] : !stencil.temp<?x?xf64>
      stencil.return %2 : f64
    }
    stencil.store %1 to %arg1(<[0, 0], [?, ?]>) : !stencil.temp<?x?xf64> to !stencil.field<[-1,?+1]x[-1,?+1]xf64>
    return
  }
  func.func @tiles(%arg0: !stencil.field<[-1,?+1]x[-1,?+1]xf64>) attributes {cut = #tile.cut<planes = 16, halo = 1, multiprocessors = 132, blocks = 2>} {
    return
  }
}

