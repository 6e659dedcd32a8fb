module {
  func.func @within(%arg0: !stencil.field<[-1,10]x[-1,7]xf64>, %arg1: !stencil.field<[-1,10]x[-1,7]xf64>) {
    stencil.pipeline {
      %0 = stencil.load %arg0 : !stencil.field<[-1,10]x[-1,7]xf64> -> !stencil.temp<?x?xf64>
      %1 = stencil.apply(%arg2 = %0 : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
        %4 = stencil.access %arg2[-1, 0] : !stencil.temp<?x?xf64>
        stencil.return %4 : f64
      }
      %2 = stencil.window shared %1 attributes {stencil.within = #stencil.bounds<[0, 0], [9, 6]>} : !stencil.temp<?x?xf64>
      %3 = stencil.apply(%arg2 = %2 : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) {
        %4 = stencil.access %arg2[-1, 0] : !stencil.temp<?x?xf64>
        stencil.return %4 : f64
      }
      stencil.store %3 to %arg1(<[0, 0], [9, 6]>) : !stencil.temp<?x?xf64> to !stencil.field<[-1,10]x[-1,7]xf64>
    }
    return
  }
}

