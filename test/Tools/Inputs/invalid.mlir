func.func @invalid() {
  %f = stencil.alloc : !stencil.field<?xf64>
  return
}
