func.func @four_axes(%t: !stencil.temp<?x?x?x?xi64>) {
  %r = stencil.apply(%x = %t : !stencil.temp<?x?x?x?xi64>) -> (!stencil.temp<?x?x?x?xi64>) {
    %a = stencil.access %x[1, -2, 3, -4] : !stencil.temp<?x?x?x?xi64>
    stencil.return %a : i64
  }
  return
}
