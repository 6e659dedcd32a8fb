module {
  func.func private @types() attributes {async = !tile.ring<4 x [0,1]x[-1,9]x[-1,33]xf64, fill = async>, cursor = !tile.cursor<4>, delayed = !tile.ring<1 x [0,4]xi8, fill = delayed>, gaps = !tile.ring<1 x [-4,68]xf64, segment = 8, gap = 4, fill = async>, pitch = !tile.ring<1 x [0,4]x[-1,5]xf32, pitch = 9>, threads = !tile.ring<1024 x [-3,-1]xbf16>, tma = !tile.ring<3 x [0,1]x[-2,34]xf64, fill = tma>}
  func.func private @attributes() attributes {all = #tile.grid<domain = <[0, 0, 1], [?, 64, ?-1]>, block = [1, 4, 32], points = [1, 2, 1], order = [0, 2, 1], panel = [0, 8, 0], align = 4, walk = 0, segments = 2, launch_bounds = 3>, few = #tile.grid<domain = <[0], [8]>, block = [8], points = [1]>, held = #tile.grid<domain = <[0], [256]>, block = [32], points = [4], layout = <rank = 1, registers = [0: 2 by 1, 0: 2 by 64], threads = [0: 4 by 2, 0: 8 by 8]>>, layout = #tile.layout<rank = 3, registers = [1: 2 by 1], threads = [2: 32 by 1, 1: 4 by 2]>, matrix = #tile.mma<shape = [16, 8, 4], patch = [1, 4, 2], along = 2>, none = #tile.layout<rank = 1, registers = [], threads = []>}
  func.func @walk(%arg0: !stencil.field<[-1,65]x[-1,65]xf64>, %arg1: !stencil.field<[-1,65]x[-1,65]xf64>, %arg2: f64) {
    tile.kernel @k(%arg3 = %arg0 : !stencil.field<[-1,65]x[-1,65]xf64>, %arg4 = %arg1 : !stencil.field<[-1,65]x[-1,65]xf64>, %arg5 = %arg2 : f64) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> attributes {keeps_lines} {
      %0 = tile.ring : !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
      %1 = ub.poison : !stencil.temp<[-1,0]x[0,32]xf64>
      %2 = tile.walk lookback 1 plane %arg6 cursors(%arg7: !tile.cursor<4>) carry(%arg8 = %1 : !stencil.temp<[-1,0]x[0,32]xf64>) {
        tile.wait %0[%arg7] plane 1 : !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
        tile.barrier
        tile.copy %arg3[%arg6] to %0[%arg7] plane 2 needs <[-1, -1], [2, 2]> : !stencil.field<[-1,65]x[-1,65]xf64>, !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async>
        %3 = tile.source %0[%arg7] : !tile.ring<4 x [0,1]x[-1,33]xf64, fill = async> -> !stencil.temp<[-1,2]x[-1,33]xf64>
        %4 = tile.source %arg3[%arg6] : !stencil.field<[-1,65]x[-1,65]xf64> -> !stencil.temp<?x?xf64>
        %5 = tile.where needs <[0, 0], [1, 2]> -> (!stencil.temp<[0,1]x[0,32]xf64>) {
          %8 = stencil.apply(%arg9 = %3 : !stencil.temp<[-1,2]x[-1,33]xf64>, %arg10 = %4 : !stencil.temp<?x?xf64>) -> (!stencil.temp<[0,1]x[0,32]xf64>) attributes {tile.layout = #tile.layout<rank = 2, registers = [], threads = [1: 32 by 1]>} {
            %9 = stencil.access %arg9[-1, 1] : !stencil.temp<[-1,2]x[-1,33]xf64>
            %10 = stencil.access %arg10[0, 0] : !stencil.temp<?x?xf64>
            %11 = arith.addf %9, %10 : f64
            stencil.return %11 : f64
          }
          tile.yield %8 : !stencil.temp<[0,1]x[0,32]xf64>
        }
        %6 = tile.join %arg8, %5 : !stencil.temp<[-1,0]x[0,32]xf64>, !stencil.temp<[0,1]x[0,32]xf64> -> !stencil.temp<[-1,1]x[0,32]xf64>
        tile.where {
          tile.store %5 to %arg4[%arg6] : !stencil.temp<[0,1]x[0,32]xf64> to !stencil.field<[-1,65]x[-1,65]xf64>
        }
        %7 = tile.shift %5 : !stencil.temp<[0,1]x[0,32]xf64> -> !stencil.temp<[-1,0]x[0,32]xf64>
        tile.yield %7 : !stencil.temp<[-1,0]x[0,32]xf64>
      }
    }
    return
  }
  func.func @plain(%arg0: !stencil.field<[-1,65]x[-1,65]xf64>) {
    tile.kernel @"a b"() grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
      tile.walk plane %arg1 {
      }
    }
    tile.kernel @empty() grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    }
    return
  }
  func.func @loop(%arg0: !stencil.field<[-1,65]x[-1,65]xf64>) {
    tile.kernel @k(%arg1 = %arg0 : !stencil.field<[-1,65]x[-1,65]xf64>) grid <domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0> {
      %c0 = arith.constant 0 : index
      %first, %count = tile.segment lookback 2 : index
      %0 = tile.cursor %c0 : !tile.cursor<4>
      %1 = tile.advance %0 by 2 : !tile.cursor<4>
      %2 = tile.advance %1 : !tile.cursor<4>
    }
    return
  }
  func.func @tile(%arg0: !stencil.field<[-1,65]x[-1,65]xf64>) {
    tile.kernel @k(%arg1 = %arg0 : !stencil.field<[-1,65]x[-1,65]xf64>) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
      %0 = tile.ring overlay 3 : !tile.ring<1 x [-1,3]x[-1,33]xf64, fill = delayed>
      tile.copy %arg1 to %0 : !stencil.field<[-1,65]x[-1,65]xf64>, !tile.ring<1 x [-1,3]x[-1,33]xf64, fill = delayed>
      tile.wait %0 : !tile.ring<1 x [-1,3]x[-1,33]xf64, fill = delayed>
      %1 = tile.source %0 : !tile.ring<1 x [-1,3]x[-1,33]xf64, fill = delayed> -> !stencil.temp<[0,3]x[-1,33]xf64>
    }
    return
  }
  func.func private @edges() attributes {x = !tile.ring<2 x [0,1]x[-1,17]x[-2,66]xf64, fill = stage, edges = 1 of 4>}
}

