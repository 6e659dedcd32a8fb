module {
  func.func @inner(%arg0: !stencil.field<[-1,10]x[-1,7]xf64>, %arg1: !stencil.field<[-1,10]x[-1,7]xf64>) {
    stencil.pipeline axis 0 attributes {stencil.inner = #stencil.bounds<[1, 0], [9, 6]>} {
      %0 = stencil.load %arg0 : !stencil.field<[-1,10]x[-1,7]xf64> -> !stencil.temp<?x?xf64>
      %1 = stencil.apply(%arg2 = %0 : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>} {
        %c0 = arith.constant 0 : index
        %2 = stencil.index 0 <[0, 0]>
        %3 = arith.cmpi eq, %2, %c0 : index
        %4 = stencil.access %arg2[0, 0] : !stencil.temp<?x?xf64>
        %5 = stencil.access %arg2[-1, 0] : !stencil.temp<?x?xf64>
        %6 = arith.select %3, %4, %5 : f64
        stencil.return %6 : f64
      }
      stencil.store %1 to %arg1(<[0, 0], [9, 6]>) : !stencil.temp<?x?xf64> to !stencil.field<[-1,10]x[-1,7]xf64>
    }
    return
  }
}

