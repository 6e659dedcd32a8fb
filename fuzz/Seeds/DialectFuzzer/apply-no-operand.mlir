func.func @no_operand() {
  %r = stencil.apply() -> (!stencil.temp<?x?xindex>) attributes {name = "x"} {
    %i = stencil.index 0 <[0, 0]>
    %j = stencil.index 1 <[-1, 2]>
    %k = arith.addi %i, %j : index
    stencil.return %k : index
  }
  return
}
