module {
  func.func @walks(%arg0: !stencil.field<[-2,66]x[-2,66]xf64>, %arg1: !stencil.field<[-2,66]x[-2,66]xf64>) {
    tile.kernel @older(%arg2 = %arg0 : !stencil.field<[-2,66]x[-2,66]xf64>, %arg3 = %arg1 : !stencil.field<[-2,66]x[-2,66]xf64>) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
      %0 = tile.ring : !tile.ring<4 x [0,1]x[-4,36]xf64, fill = async>
      %1 = tile.ring : !tile.ring<3 x [0,1]x[-4,36]xf64, fill = stage>
      tile.walk lookback 3 plane %arg4 cursors(%arg5: !tile.cursor<4>, %arg6: !tile.cursor<3>) {
        tile.wait %0[%arg5] plane 1 : !tile.ring<4 x [0,1]x[-4,36]xf64, fill = async>
        tile.copy %arg2[%arg4] to %0[%arg5] plane 2 : !stencil.field<[-2,66]x[-2,66]xf64>, !tile.ring<4 x [0,1]x[-4,36]xf64, fill = async>
        %2 = tile.source %0[%arg5] : !tile.ring<4 x [0,1]x[-4,36]xf64, fill = async> -> !stencil.temp<[0,2]x[-4,36]xf64>
        %3 = stencil.apply(%arg7 = %2 : !stencil.temp<[0,2]x[-4,36]xf64>) -> (!stencil.temp<[1,2]x[-1,33]xf64>) attributes {tile.layout = #tile.core_and_rim<core = <rank = 2, registers = [], threads = [1: 32 by 1]>, box = <[0, -1], [1, 33]>>} {
          %5 = stencil.access %arg7[0, 1] : !stencil.temp<[0,2]x[-4,36]xf64>
          stencil.return %5 : f64
        }
        tile.put %3 to %1[%arg6] plane 1 : !stencil.temp<[1,2]x[-1,33]xf64>, !tile.ring<3 x [0,1]x[-4,36]xf64, fill = stage>
        %4 = tile.source %1[%arg6] : !tile.ring<3 x [0,1]x[-4,36]xf64, fill = stage> -> !stencil.temp<[-1,1]x[-4,36]xf64>
        tile.where {
          %5 = stencil.apply(%arg7 = %4 : !stencil.temp<[-1,1]x[-4,36]xf64>) -> (!stencil.temp<[0,1]x[0,32]xf64>) {
            %6 = stencil.weighted_sum %arg7 offsets [[-1, 1], [0, -1]] weights dense<5.000000e-01> : tensor<2xf64> : !stencil.temp<[-1,1]x[-4,36]xf64>
            stencil.return %6 : f64
          }
          tile.store %5 to %arg3[%arg4] : !stencil.temp<[0,1]x[0,32]xf64> to !stencil.field<[-2,66]x[-2,66]xf64>
        }
      }
    }
    tile.kernel @newer(%arg2 = %arg0 : !stencil.field<[-2,66]x[-2,66]xf64>, %arg3 = %arg1 : !stencil.field<[-2,66]x[-2,66]xf64>) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
      %0 = tile.ring : !tile.ring<4 x [0,1]x[-4,36]xf64, fill = async>
      %1 = tile.ring : !tile.ring<2 x [0,1]x[-4,36]xf64, fill = stage>
      tile.walk lookback 3 plane %arg4 cursors(%arg5: !tile.cursor<4>, %arg6: !tile.cursor<2>) {
        tile.wait %0[%arg5] plane 1 : !tile.ring<4 x [0,1]x[-4,36]xf64, fill = async>
        tile.copy %arg2[%arg4] to %0[%arg5] plane 2 : !stencil.field<[-2,66]x[-2,66]xf64>, !tile.ring<4 x [0,1]x[-4,36]xf64, fill = async>
        %2 = tile.source %0[%arg5] : !tile.ring<4 x [0,1]x[-4,36]xf64, fill = async> -> !stencil.temp<[0,2]x[-4,36]xf64>
        %3 = tile.where plane %arg4 needs <[-1, 0], [2, 1]> -> (!stencil.temp<[1,2]x[-1,33]xf64>) {
          %5 = stencil.apply(%arg7 = %2 : !stencil.temp<[0,2]x[-4,36]xf64>) -> (!stencil.temp<[1,2]x[-1,33]xf64>) attributes {tile.layout = #tile.core_and_rim<core = <rank = 2, registers = [], threads = [1: 32 by 1]>, box = <[0, -1], [1, 33]>>} {
            %6 = stencil.access %arg7[-1, 1] : !stencil.temp<[0,2]x[-4,36]xf64>
            stencil.return %6 : f64
          }
          tile.yield %5 : !stencil.temp<[1,2]x[-1,33]xf64>
        }
        tile.put %3 to %1[%arg6] plane 1 : !stencil.temp<[1,2]x[-1,33]xf64>, !tile.ring<2 x [0,1]x[-4,36]xf64, fill = stage>
        %4 = tile.source %1[%arg6] : !tile.ring<2 x [0,1]x[-4,36]xf64, fill = stage> -> !stencil.temp<[0,2]x[-4,36]xf64>
        tile.where {
          %5 = stencil.apply(%arg7 = %4 : !stencil.temp<[0,2]x[-4,36]xf64>) -> (!stencil.temp<[0,1]x[0,32]xf64>) {
            %6 = stencil.weighted_sum %arg7 offsets [[1, 1], [0, -1]] weights dense<5.000000e-01> : tensor<2xf64> : !stencil.temp<[0,2]x[-4,36]xf64>
            stencil.return %6 : f64
          }
          tile.store %5 to %arg3[%arg4] : !stencil.temp<[0,1]x[0,32]xf64> to !stencil.field<[-2,66]x[-2,66]xf64>
        }
      }
    }
    return
  }
  func.func @tile(%arg0: !stencil.field<[0,64]xf64>, %arg1: !stencil.field<[0,64]xf64>) {
    tile.kernel @tile(%arg2 = %arg0 : !stencil.field<[0,64]xf64>, %arg3 = %arg1 : !stencil.field<[0,64]xf64>) grid <domain = <[0], [64]>, block = [32], points = [2]> {
      %0 = tile.ring : !tile.ring<1 x [0,64]xf64, fill = stage>
      %1 = tile.source %arg2 : !stencil.field<[0,64]xf64> -> !stencil.temp<?xf64>
      %2 = tile.where -> (!stencil.temp<[0,64]xf64>) {
        %4 = stencil.apply(%arg4 = %1 : !stencil.temp<?xf64>) -> (!stencil.temp<[0,64]xf64>) {
          %5 = stencil.access %arg4[0] : !stencil.temp<?xf64>
          stencil.return %5 : f64
        }
        tile.yield %4 : !stencil.temp<[0,64]xf64>
      }
      tile.put %2 to %0 : !stencil.temp<[0,64]xf64>, !tile.ring<1 x [0,64]xf64, fill = stage>
      %3 = tile.source %0 : !tile.ring<1 x [0,64]xf64, fill = stage> -> !stencil.temp<[0,64]xf64>
      tile.store %3 to %arg3 : !stencil.temp<[0,64]xf64> to !stencil.field<[0,64]xf64>
    }
    return
  }
}

