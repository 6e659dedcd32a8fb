func.func @alloc() {
  %0 = stencil.alloc : !stencil.field<[-1,9]xf32>
  %1 = stencil.alloc {name = "x"} : !stencil.field<[-1,?+1]x[0,3]xbf16>
  return
}
