module {
  func.func @window(%arg0: !stencil.field<[0,64]x[-1,65]xf64>, %arg1: !stencil.field<[0,64]x[0,64]xf64>) {
    stencil.pipeline axis 0 {
      %0 = stencil.load %arg0 : !stencil.field<[0,64]x[-1,65]xf64> -> !stencil.temp<?x?xf64>
      %1 = stencil.window shared %0 depth 5 lead 3 prefetch tma boundary(<[0, 0], [64, 64]>) [#stencil.periodic, #stencil.dirichlet<0.000000e+00 : f64> | #stencil.keep] : !stencil.temp<?x?xf64>
      %2 = stencil.apply(%arg2 = %1 : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>} {
        %3 = stencil.access %arg2[0, 1] : !stencil.temp<?x?xf64>
        stencil.return %3 : f64
      }
      stencil.store %2 to %arg1(<[0, 0], [64, 64]>) : !stencil.temp<?x?xf64> to !stencil.field<[0,64]x[0,64]xf64>
    }
    return
  }
  func.func @tile(%arg0: !stencil.field<[0,?]xf32>, %arg1: !stencil.field<[0,?]xf32>) {
    stencil.pipeline {
      %0 = stencil.load %arg0 : !stencil.field<[0,?]xf32> -> !stencil.temp<?xf32>
      %1 = stencil.window shared %0 boundary(<[0], [?]>) [#stencil.symmetric] : !stencil.temp<?xf32>
      %2 = stencil.apply(%arg2 = %1 : !stencil.temp<?xf32>) -> (!stencil.temp<?xf32>) {
        %3 = stencil.access %arg2[-3] : !stencil.temp<?xf32>
        stencil.return %3 : f32
      }
      stencil.store %2 to %arg1(<[0], [?]>) : !stencil.temp<?xf32> to !stencil.field<[0,?]xf32>
    }
    return
  }
}

