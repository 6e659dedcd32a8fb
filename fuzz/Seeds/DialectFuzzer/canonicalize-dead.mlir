func.func @dead(%f: !stencil.field<[0,8]xf64>, %g: !stencil.field<[0,8]xf64>) {
  %t = stencil.load %f : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>
  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>, %y = %g : !stencil.field<[0,8]xf64>) -> (!stencil.temp<?xf64>) {
    %u = stencil.access %x[0] : !stencil.temp<?xf64>
    %v = stencil.access %y[0] : !stencil.field<[0,8]xf64>
    %s = arith.addf %u, %v : f64
    stencil.return %s : f64
  }
  %b = stencil.buffer %r : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
  %c = stencil.combine 0 at 3 lower = (%b : !stencil.temp<?xf64>) upper = (%t : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
  %m = stencil.fold %c(<[0], [8]>) max : !stencil.temp<?xf64>
  %n = stencil.fold %f(<[0], [8]>) max : !stencil.field<[0,8]xf64>
  return
}
