func.func @buffer_to_field(%t: !stencil.temp<[0,8]xf64>) {
  %b = stencil.buffer %t : !stencil.temp<[0,8]xf64> -> !stencil.field<[0,8]xf64>
  return
}
