// Reads what it stores, at the point.
!f = !stencil.field<[-4,36]x[-4,36]x[-4,68]xf32>
func.func @wave(%u: !f, %v: !f) {
  stencil.apply(%x = %u : !f, %old = %v : !f) outs (%v : !f) attributes {stencil.schedule = #stencil.schedule<regions = streams>} {
    %a = stencil.access %x[0, 0, -1] : !f
    %b = stencil.access %x[0, 1, 0] : !f
    %c = stencil.access %x[1, 0, 0] : !f
    %o = stencil.access %old[0, 0, 0] : !f
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    %r = arith.subf %t, %o : f32
    stencil.return %r : f32
  } to <[0, 0, 0], [32, 32, 64]>
  return
}
