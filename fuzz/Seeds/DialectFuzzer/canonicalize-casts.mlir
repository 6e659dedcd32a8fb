func.func @casts(%a: !stencil.field<?xf64>) -> !stencil.field<[0,?]xf64> {
  %0 = stencil.cast %a : !stencil.field<?xf64> -> !stencil.field<?xf64>
  %1 = stencil.cast %0 : !stencil.field<?xf64> -> !stencil.field<[0,?]xf64>
  %2 = stencil.cast %1 : !stencil.field<[0,?]xf64> -> !stencil.field<[0,?]xf64>
  return %2 : !stencil.field<[0,?]xf64>
}
