module attributes {stencil.target = #stencil.target<chip = "sm_90">} {
  func.func @legs(%arg0: !stencil.field<[-6,59]x[-6,127]xf64>, %arg1: !stencil.field<[-6,59]x[-6,127]xf64>) {
    tile.kernel @pipeline0(%arg2 = %arg0 : !stencil.field<[-6,59]x[-6,127]xf64>, %arg3 = %arg1 : !stencil.field<[-6,59]x[-6,127]xf64>) grid <domain = <[0, 0], [53, 121]>, block = [1, 16], points = [1, 5], align = 4, walk = 0, segments = 2, inner = <[0, 8], [1, 72]>, relay = 3> {
      %0 = tile.ring : !tile.ring<5 x [0,1]x[0,80]xf64>
      %1 = tile.ring relay : !tile.ring<2 x [0,1]x[0,80]xf64, fill = stage>
      %2 = ub.poison : !stencil.temp<[2,3]x[0,80]xf64>
      %3 = ub.poison : !stencil.temp<[1,2]x[0,80]xf64>
      %4 = ub.poison : !stencil.temp<[0,1]x[0,80]xf64>
      %5:4 = tile.walk lookback 15 plane %arg4 cursors(%arg5: !tile.cursor<5>, %arg6: !tile.cursor<2>) carry(%arg7 = %2 : !stencil.temp<[2,3]x[0,80]xf64>, %arg8 = %3 : !stencil.temp<[1,2]x[0,80]xf64>, %arg9 = %3 : !stencil.temp<[1,2]x[0,80]xf64>, %arg10 = %4 : !stencil.temp<[0,1]x[0,80]xf64>) {
        tile.copy %arg2[%arg4] to %0[%arg5] plane 13 needs <[-6, -6], [7, 7]> : !stencil.field<[-6,59]x[-6,127]xf64>, !tile.ring<5 x [0,1]x[0,80]xf64>
        %6 = tile.take %0[%arg5] or %1[%arg6] : !tile.ring<5 x [0,1]x[0,80]xf64>, !tile.ring<2 x [0,1]x[0,80]xf64, fill = stage> -> !stencil.temp<[3,4]x[0,80]xf64>
        %7 = tile.join %arg7 : !stencil.temp<[2,3]x[0,80]xf64> -> !stencil.temp<[2,3]x[-1,81]xf64>
        %8:2 = stencil.apply(%arg11 = %7 : !stencil.temp<[2,3]x[-1,81]xf64>, %arg12 = %arg7 : !stencil.temp<[2,3]x[0,80]xf64>) -> (!stencil.temp<[2,3]x[0,80]xf64>, !stencil.temp<[2,3]x[0,80]xf64>) attributes {tile.engine = #tile.lanes} {
          %20 = stencil.access %arg11[0, 1] : !stencil.temp<[2,3]x[-1,81]xf64>
          %21 = stencil.access %arg11[0, -1] : !stencil.temp<[2,3]x[-1,81]xf64>
          stencil.return %20, %21 : f64, f64
        }
        %9 = tile.shift %6 : !stencil.temp<[3,4]x[0,80]xf64> -> !stencil.temp<[2,3]x[0,80]xf64>
        %10 = tile.shift %arg7 : !stencil.temp<[2,3]x[0,80]xf64> -> !stencil.temp<[1,2]x[0,80]xf64>
        %11 = tile.join %arg8, %arg7, %6 : !stencil.temp<[1,2]x[0,80]xf64>, !stencil.temp<[2,3]x[0,80]xf64>, !stencil.temp<[3,4]x[0,80]xf64> -> !stencil.temp<[1,4]x[0,80]xf64>
        %12 = stencil.apply(%arg11 = %11 : !stencil.temp<[1,4]x[0,80]xf64>, %arg12 = %8#0 : !stencil.temp<[2,3]x[0,80]xf64>, %arg13 = %8#1 : !stencil.temp<[2,3]x[0,80]xf64>) -> (!stencil.temp<[2,3]x[0,80]xf64>) {
          %cst = arith.constant 1.000000e-01 : f64
          %cst_0 = arith.constant 2.000000e-01 : f64
          %cst_1 = arith.constant 3.000000e-01 : f64
          %cst_2 = arith.constant 1.500000e-01 : f64
          %cst_3 = arith.constant 2.200000e-01 : f64
          %20 = stencil.access %arg11[-1, 0] : !stencil.temp<[1,4]x[0,80]xf64>
          %21 = arith.mulf %cst, %20 : f64
          %22 = stencil.access %arg13[0, 0] : !stencil.temp<[2,3]x[0,80]xf64>
          %23 = arith.mulf %cst_0, %22 : f64
          %24 = arith.addf %21, %23 : f64
          %25 = stencil.access %arg11[0, 0] : !stencil.temp<[1,4]x[0,80]xf64>
          %26 = arith.mulf %cst_1, %25 : f64
          %27 = arith.addf %24, %26 : f64
          %28 = stencil.access %arg12[0, 0] : !stencil.temp<[2,3]x[0,80]xf64>
          %29 = arith.mulf %cst_2, %28 : f64
          %30 = arith.addf %27, %29 : f64
          %31 = stencil.access %arg11[1, 0] : !stencil.temp<[1,4]x[0,80]xf64>
          %32 = arith.mulf %cst_3, %31 : f64
          %33 = arith.addf %30, %32 : f64
          stencil.return %33 : f64
        }
        %13 = tile.join %arg9 : !stencil.temp<[1,2]x[0,80]xf64> -> !stencil.temp<[1,2]x[-1,81]xf64>
        %14:2 = stencil.apply(%arg11 = %13 : !stencil.temp<[1,2]x[-1,81]xf64>, %arg12 = %arg9 : !stencil.temp<[1,2]x[0,80]xf64>) -> (!stencil.temp<[1,2]x[0,80]xf64>, !stencil.temp<[1,2]x[0,80]xf64>) attributes {tile.engine = #tile.lanes} {
          %20 = stencil.access %arg11[0, 1] : !stencil.temp<[1,2]x[-1,81]xf64>
          %21 = stencil.access %arg11[0, -1] : !stencil.temp<[1,2]x[-1,81]xf64>
          stencil.return %20, %21 : f64, f64
        }
        %15 = tile.shift %12 : !stencil.temp<[2,3]x[0,80]xf64> -> !stencil.temp<[1,2]x[0,80]xf64>
        %16 = tile.shift %arg9 : !stencil.temp<[1,2]x[0,80]xf64> -> !stencil.temp<[0,1]x[0,80]xf64>
        %17 = tile.join %arg10, %arg9, %12 : !stencil.temp<[0,1]x[0,80]xf64>, !stencil.temp<[1,2]x[0,80]xf64>, !stencil.temp<[2,3]x[0,80]xf64> -> !stencil.temp<[0,3]x[0,80]xf64>
        %18 = stencil.apply(%arg11 = %17 : !stencil.temp<[0,3]x[0,80]xf64>, %arg12 = %14#0 : !stencil.temp<[1,2]x[0,80]xf64>, %arg13 = %14#1 : !stencil.temp<[1,2]x[0,80]xf64>) -> (!stencil.temp<[1,2]x[0,80]xf64>) {
          %cst = arith.constant 2.200000e-01 : f64
          %cst_0 = arith.constant 1.500000e-01 : f64
          %cst_1 = arith.constant 3.000000e-01 : f64
          %cst_2 = arith.constant 2.000000e-01 : f64
          %cst_3 = arith.constant 1.000000e-01 : f64
          %20 = stencil.access %arg11[-1, 0] : !stencil.temp<[0,3]x[0,80]xf64>
          %21 = arith.mulf %cst, %20 : f64
          %22 = stencil.access %arg13[0, 0] : !stencil.temp<[1,2]x[0,80]xf64>
          %23 = arith.mulf %cst_0, %22 : f64
          %24 = arith.addf %21, %23 : f64
          %25 = stencil.access %arg11[0, 0] : !stencil.temp<[0,3]x[0,80]xf64>
          %26 = arith.mulf %cst_1, %25 : f64
          %27 = arith.addf %24, %26 : f64
          %28 = stencil.access %arg12[0, 0] : !stencil.temp<[1,2]x[0,80]xf64>
          %29 = arith.mulf %cst_2, %28 : f64
          %30 = arith.addf %27, %29 : f64
          %31 = stencil.access %arg11[1, 0] : !stencil.temp<[0,3]x[0,80]xf64>
          %32 = arith.mulf %cst_3, %31 : f64
          %33 = arith.addf %30, %32 : f64
          stencil.return %33 : f64
        }
        tile.put %18 to %1[%arg6] plane 1 : !stencil.temp<[1,2]x[0,80]xf64>, !tile.ring<2 x [0,1]x[0,80]xf64, fill = stage>
        %19 = tile.source %1[%arg6] : !tile.ring<2 x [0,1]x[0,80]xf64, fill = stage> -> !stencil.temp<[0,1]x[0,80]xf64>
        tile.store %19 to %arg3[%arg4] : !stencil.temp<[0,1]x[0,80]xf64> to !stencil.field<[-6,59]x[-6,127]xf64>
        tile.yield %9, %10, %15, %16 : !stencil.temp<[2,3]x[0,80]xf64>, !stencil.temp<[1,2]x[0,80]xf64>, !stencil.temp<[1,2]x[0,80]xf64>, !stencil.temp<[0,1]x[0,80]xf64>
      }
    }
    return
  }
  func.func @any_order(%arg0: !stencil.field<[-1,9]x[-1,9]xf64>, %arg1: !stencil.field<[-1,9]x[-1,9]xf64>) {
    stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 16], points = [1, 5], stream = 0, relay = 2>} {
      %0 = stencil.load %arg0 : !stencil.field<[-1,9]x[-1,9]xf64> -> !stencil.temp<?x?xf64>
      %1:2 = stencil.apply(%arg2 = %0 : !stencil.temp<?x?xf64>) -> (!stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) attributes {stencil.stage = #stencil.stage<lead = 1>} {
        %3 = stencil.access %arg2[0, 0] : !stencil.temp<?x?xf64>
        %4 = stencil.access %arg2[0, 1] : !stencil.temp<?x?xf64>
        stencil.return %3, %4 : f64, f64
      }
      %2 = stencil.accumulate %1#0, %1#1 at [0, 1] attributes {stencil.any_order} : !stencil.temp<?x?xf64>
      stencil.store %2 to %arg1(<[0, 0], [8, 8]>) : !stencil.temp<?x?xf64> to !stencil.field<[-1,9]x[-1,9]xf64>
    }
    return
  }
}

