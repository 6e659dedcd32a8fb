func.func @bufferised(%f: !stencil.field<[-4,68]x[-4,68]xf64>, %g: !stencil.field<[-4,68]x[-4,68]xf64>, %h: !stencil.field<[0,64]x[0,64]xi32>) {
  stencil.apply(%x = %f : !stencil.field<[-4,68]x[-4,68]xf64>) outs (%g : !stencil.field<[-4,68]x[-4,68]xf64>, %h : !stencil.field<[0,64]x[0,64]xi32>) attributes {name = "x"} {
    %a = stencil.access %x[4, -4] : !stencil.field<[-4,68]x[-4,68]xf64>
    %c = arith.fptosi %a : f64 to i32
    stencil.return %a, %c : f64, i32
  } to <[0, 0], [64, 64]>
  return
}
