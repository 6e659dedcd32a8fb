module {
  func.func @scatter(%arg0: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>, %arg1: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>) {
    stencil.pipeline axis 0 {
      %0 = stencil.load %arg0 : !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64> -> !stencil.temp<?x?x?xf64>
      %1 = stencil.window shared %0 depth 4 lead 4 prefetch tma : !stencil.temp<?x?x?xf64>
      %2:2 = stencil.apply(%arg2 = %1 : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>, !stencil.temp<?x?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 1>} {
        %4 = stencil.access %arg2[0, 0, 0] : !stencil.temp<?x?x?xf64>
        %5 = stencil.weighted_sum %arg2 offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<1.000000e+00> : tensor<4xf64> : !stencil.temp<?x?x?xf64>
        stencil.return %4, %5 : f64, f64
      }
      %3 = stencil.accumulate %2#0, %2#1 at [-1, 1] : !stencil.temp<?x?x?xf64>
      stencil.store %3 to %arg1(<[0, 0, 0], [64, 64, 64]>) : !stencil.temp<?x?x?xf64> to !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
    }
    return
  }
  func.func @shift(%arg0: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>, %arg1: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>) {
    stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 8, 32]>} {
      %0 = stencil.load %arg0 : !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64> -> !stencil.temp<?x?x?xf64>
      %1 = stencil.window shared %0 depth 3 lead 2 : !stencil.temp<?x?x?xf64>
      %2 = stencil.window registers %1 depth 3 lead 1 : !stencil.temp<?x?x?xf64>
      %3 = stencil.apply(%arg2 = %1 : !stencil.temp<?x?x?xf64>, %arg3 = %2 : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>} {
        %4 = stencil.weighted_sum %arg2 offsets [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]] weights dense<1.000000e+00> : tensor<4xf64> : !stencil.temp<?x?x?xf64>
        %5 = stencil.weighted_sum %arg3 offsets [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] weights dense<1.000000e+00> : tensor<3xf64> : !stencil.temp<?x?x?xf64>
        %6 = arith.addf %4, %5 : f64
        stencil.return %6 : f64
      }
      stencil.store %3 to %arg1(<[0, 0, 0], [64, 64, 64]>) : !stencil.temp<?x?x?xf64> to !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
    }
    return
  }
  func.func @tile(%arg0: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>, %arg1: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>) {
    stencil.pipeline {
      %0 = stencil.load %arg0 : !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64> -> !stencil.temp<?x?x?xf64>
      %1 = stencil.window shared %0 : !stencil.temp<?x?x?xf64>
      %2 = stencil.apply(%arg2 = %1 : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>) {
        %3 = stencil.access %arg2[-1, 0, 1] : !stencil.temp<?x?x?xf64>
        stencil.return %3 : f64
      }
      stencil.store %2 to %arg1(<[0, 0, 0], [64, 64, 64]>) : !stencil.temp<?x?x?xf64> to !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
    }
    return
  }
  func.func @planes(%arg0: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>, %arg1: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>) {
    stencil.pipeline axis 0 step 2 {
      %0 = stencil.load %arg0 : !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64> -> !stencil.temp<?x?x?xf64>
      %1 = stencil.window shared %0 depth 4 lead 1 : !stencil.temp<?x?x?xf64>
      %2 = stencil.apply(%arg2 = %1 : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>} {
        %3 = stencil.weighted_sum %arg2 offsets [[-1, 0, 0], [0, 0, 0], [1, 0, 0]] weights dense<1.000000e+00> : tensor<3xf64> : !stencil.temp<?x?x?xf64>
        stencil.return %3 : f64
      }
      stencil.store %2 to %arg1(<[0, 0, 0], [64, 64, 64]>) : !stencil.temp<?x?x?xf64> to !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
    }
    return
  }
  func.func @rows(%arg0: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>, %arg1: !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>) {
    stencil.pipeline axis 0 {
      %0 = stencil.load %arg0 : !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64> -> !stencil.temp<?x?x?xf64>
      %1 = stencil.apply(%arg2 = %0 : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 1>} {
        %4 = stencil.access %arg2[0, 0, 0] : !stencil.temp<?x?x?xf64>
        stencil.return %4 : f64
      }
      %2 = stencil.window shuffle %1 depth 2 lead 1 exchange [1] : !stencil.temp<?x?x?xf64>
      %3 = stencil.apply(%arg2 = %2 : !stencil.temp<?x?x?xf64>) -> (!stencil.temp<?x?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 0>} {
        %4 = stencil.access %arg2[0, 1, 0] : !stencil.temp<?x?x?xf64>
        stencil.return %4 : f64
      }
      stencil.store %3 to %arg1(<[0, 0, 0], [64, 64, 64]>) : !stencil.temp<?x?x?xf64> to !stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>
    }
    return
  }
}

