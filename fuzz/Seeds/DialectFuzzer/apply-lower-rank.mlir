func.func @lower_rank(%row: !stencil.temp<?xbf16>, %plane: !stencil.temp<?x?xbf16>, %t: !stencil.temp<?x?x?xbf16>) {
  %r = stencil.apply(%x = %row : !stencil.temp<?xbf16>, %y = %plane : !stencil.temp<?x?xbf16>, %z = %t : !stencil.temp<?x?x?xbf16>) -> (!stencil.temp<?x?x?xbf16>) {
    %a = stencil.access %x[_, 1, _] : !stencil.temp<?xbf16>
    %b = stencil.access %y[0, _, -2] attributes {name = "x"} : !stencil.temp<?x?xbf16>
    %c = stencil.access %z[0, 0, 0] : !stencil.temp<?x?x?xbf16>
    %d = arith.addf %a, %b : bf16
    %e = arith.addf %c, %d : bf16
    stencil.return %e : bf16
  }
  return
}
