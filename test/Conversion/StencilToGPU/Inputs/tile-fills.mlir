!field = !stencil.field<[-1,65]x[-1,65]xf64>

func.func @async(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !tile.ring<1 x [0,2]x[0,32]xf64, fill = async>
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>

func.func @tma(%u: !field) {
  tile.kernel @k(%a = %u : !field) grid <domain = <[0, 0], [64, 64]>, block = [2, 32], points = [1, 1]> {
    %w = tile.ring : !tile.ring<1 x [0,2]x[0,32]xf64, fill = tma>
  }
  return
}
