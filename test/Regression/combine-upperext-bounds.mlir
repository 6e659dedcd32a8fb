// Bounds of an extra result that go beyond its side crashed the shape inference:
// nothing needs the points beyond, so there was no op to put the error at.
// RUN: stencil-opt %s -stencil-infer-shapes | FileCheck %s

// CHECK: stencil.combine 0 at 4
func.func @extra(%f: !stencil.field<[0,8]xf64>, %k: f64) {
  %u:2 = stencil.apply(%c = %k : f64) -> (!stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>) {
    %d = arith.negf %c : f64
    stencil.return %c, %d : f64, f64
  }
  %r:2 = stencil.combine 0 at 4 lower = (%u#0 : !stencil.temp<[0,8]xf64>) upper = (%u#0 : !stencil.temp<[0,8]xf64>) upperext = %u#1 : !stencil.temp<[0,8]xf64> : !stencil.temp<[0,8]xf64>, !stencil.temp<[0,8]xf64>
  stencil.store %r#1 to %f(<[4], [8]>) : !stencil.temp<[0,8]xf64> to !stencil.field<[0,8]xf64>
  return
}
