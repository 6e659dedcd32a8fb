#edge = #tile.boundary<box = <[0], [64]>, sides = [#stencil.neumann | #stencil.keep]>
module {
  func.func private @attributes() attributes {boundary = #edge, fma = #tile.fma, lanes = #tile.lanes, list = #tile.list<[<[-1], [0]>] turns 2>, rim = #tile.core_and_rim<core = <rank = 1, registers = [], threads = [0: 32 by 1]>, box = <[-1], [33]>>, rows = #tile.core_and_rim<core = <rank = 2, registers = [1: 2 by 1], threads = [1: 16 by 2]>, box = <[-1, -1], [2, 33]>, vector = 2>, taps = #tile.taps}
  func.func @halos(%arg0: !stencil.field<[-1,65]x[-1,65]xf64>, %arg1: !stencil.field<[-1,65]x[-1,65]xf64>) {
    tile.kernel @boundary(%arg2 = %arg0 : !stencil.field<[-1,65]x[-1,65]xf64>, %arg3 = %arg1 : !stencil.field<[-1,65]x[-1,65]xf64>) grid <domain = <[-1, -1], [65, 65]>, block = [1, 128], points = [1, 1]> list <[<[-1, 0], [0, 64]>, <[64, 0], [65, 64]>, <[-1, -1], [65, 65]>] without <[-1, 0], [65, 64]> turns 2> {
      %0 = tile.turn %arg2, %arg3 : !stencil.field<[-1,65]x[-1,65]xf64>
      tile.where part 0 {
        %1 = tile.halo %0 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.periodic] : !stencil.field<[-1,65]x[-1,65]xf64> -> !stencil.temp<[0,1]x[0,128]xf64>
        tile.store %1 to %0 : !stencil.temp<[0,1]x[0,128]xf64> to !stencil.field<[-1,65]x[-1,65]xf64>
      }
    }
    return
  }
  func.func @largest(%arg0: !stencil.field<[-1,65]x[-1,65]xf64>, %arg1: memref<1xf64>, %arg2: memref<8xf64>) {
    tile.kernel @fold(%arg3 = %arg0 : !stencil.field<[-1,65]x[-1,65]xf64>, %arg4 = %arg1 : memref<1xf64>, %arg5 = %arg2 : memref<8xf64>) grid <domain = <[0, 0], [64, 64]>, block = [1, 128], points = [1, 1]> list <[<[0, 0], [64, 64]>] blocks 8> {
      %0 = tile.source %arg3 : !stencil.field<[-1,65]x[-1,65]xf64> -> !stencil.temp<?x?xf64>
      tile.fold max %0 to %arg4 through %arg5 : !stencil.temp<?x?xf64> to memref<1xf64>, memref<8xf64>
    }
    return
  }
  func.func @edge() {
    tile.kernel @k() grid <domain = <[0], [64]>, block = [32], points = [1]> {
      %0 = tile.at_edge needs <[-1], [1]> boundary #edge : i1
    }
    return
  }
}

