module {
  func.func @sums(%arg0: !stencil.field<?x?xf32>, %arg1: !stencil.field<?x?xf32>, %arg2: !stencil.field<[-9,99]xf16>, %arg3: f32) {
    %0 = stencil.cast %arg0 : !stencil.field<?x?xf32> -> !stencil.field<[-4,?+4]x[-4,?+4]xf32>
    %1 = stencil.cast %arg1 : !stencil.field<?x?xf32> -> !stencil.field<[-4,?+4]x[-4,?+4]xf32>
    %2 = stencil.load %0 : !stencil.field<[-4,?+4]x[-4,?+4]xf32> -> !stencil.temp<?x?xf32>
    %3 = stencil.load %arg2 : !stencil.field<[-9,99]xf16> -> !stencil.temp<?xf16>
    %4 = stencil.apply(%arg4 = %2 : !stencil.temp<?x?xf32>, %arg5 = %3 : !stencil.temp<?xf16>, %arg6 = %arg3 : f32) -> (!stencil.temp<?x?xf32>) {
      %5 = stencil.weighted_sum %arg4 offsets [[-1, 0], [0, 1], [1, 0]] weights dense<[1.000000e+00, -2.000000e+00, 5.000000e-01]> : tensor<3xf32> : !stencil.temp<?x?xf32>
      %6 = stencil.weighted_sum %5 fastmath<reassoc> offsets [[-1, -2], [1, 0]] weights (%arg6, %arg6) : f32
      %7 = stencil.weighted_sum %arg5 offsets [[-5], [5]] weights dense<5.000000e-01> : tensor<2xf32> attributes {offset_mapping = #stencil.index<[1]>} : !stencil.temp<?xf16> -> f32
      %8 = stencil.weighted_sum %arg4 offsets [[0, 0], [0, -1], [-1, -1]] weights dense_resource<three> : tensor<3xf32> : !stencil.temp<?x?xf32>
      %9 = arith.addf %6, %7 : f32
      %10 = arith.addf %9, %8 : f32
      stencil.return %10 : f32
    }
    stencil.store %4 to %1(<[0, 0], [?, 10]>) : !stencil.temp<?x?xf32> to !stencil.field<[-4,?+4]x[-4,?+4]xf32>
    return
  }
  func.func @zero(%arg0: !stencil.field<[0,8]xi32>, %arg1: !stencil.field<[0,8]xi32>) {
    %0 = stencil.load %arg0 : !stencil.field<[0,8]xi32> -> !stencil.temp<?xi32>
    %1 = stencil.apply(%arg2 = %0 : !stencil.temp<?xi32>) -> (!stencil.temp<?xi32>) {
      %2 = stencil.weighted_sum %arg2 offsets [[0], [1]] weights dense<[3, 0]> : tensor<2xi32> : !stencil.temp<?xi32>
      stencil.return %2 : i32
    }
    stencil.store %1 to %arg1(<[0], [8]>) : !stencil.temp<?xi32> to !stencil.field<[0,8]xi32>
    return
  }
}

{-#
  dialect_resources: {
    builtin: {
      three: "0x040000000000803F0000004000004040"
    }
  }
#-}

