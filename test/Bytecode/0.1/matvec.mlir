module {
  func.func @ends(%arg0: !stencil.field<[-3,5]xf64>, %arg1: !stencil.field<[0,2]xf64>) {
    %0 = stencil.load %arg0 : !stencil.field<[-3,5]xf64> -> !stencil.temp<[-3,5]xf64>
    %1 = stencil.apply(%arg2 = %0 : !stencil.temp<[-3,5]xf64>) -> (!stencil.temp<[0,2]xf64>) {
      %2 = stencil.index 0 <[0]>
      %3 = stencil.matvec %arg2[%2] from -1 matrix dense<[[5.000000e-01, 2.500000e-01, 0.000000e+00], [2.500000e-01, 5.000000e-01, 2.500000e-01]]> : tensor<2x3xf64> : !stencil.temp<[-3,5]xf64>
      %4 = stencil.matvec %arg2[%2] fastmath<reassoc> from 0 matrix dense<1.000000e+00> : tensor<1x1xf64> : !stencil.temp<[-3,5]xf64>
      %5 = arith.addf %3, %4 : f64
      stencil.return %5 : f64
    }
    stencil.store %1 to %arg1(<[0], [2]>) : !stencil.temp<[0,2]xf64> to !stencil.field<[0,2]xf64>
    return
  }
}

