// RUN: stencil-run %s --target interpreter --arg 0=random:1 --arg 1=zeros
// RUN: stencil-run %s --arg 0=random:1 --arg 1=zeros --verify
func.func @main(%f: !stencil.field<[-2,6]xf64>, %g: !stencil.field<[0,4]xf64>) {
  %t = stencil.load %f : !stencil.field<[-2,6]xf64> -> !stencil.temp<?xf64>
  %m = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[0] : !stencil.temp<?xf64>
    stencil.return %a : f64
  }
  %r = stencil.apply(%x = %m : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %a = stencil.access %x[-2] : !stencil.temp<?xf64>
    %d = arith.addf %a, %a : f64
    %s = stencil.weighted_sum %d offsets [[2], [0], [1]] weights dense<[0.25, 0.0, 0.5]> : tensor<3xf64> : f64
    stencil.return %s : f64
  }
  stencil.store %r to %g(<[0], [4]>) : !stencil.temp<?xf64> to !stencil.field<[0,4]xf64>
  return
}
