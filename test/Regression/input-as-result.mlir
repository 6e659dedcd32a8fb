// RUN: stencil-run %s --arg 0=random:1 --verify | FileCheck %s
// The second result is the input as it is; the first one is stored over it. A
// load is a snapshot.
// CHECK: verify: argument 0: max 0 ulp
!f = !stencil.field<[0,4]xf64>
!t = !stencil.temp<?xf64>
func.func @p(%u: !f) {
  %l = stencil.load %u : !f -> !t
  %r:2 = stencil.apply(%x = %l : !t) -> (!t, !t) {
    %a = stencil.access %x[0] : !t
    %b = arith.addf %a, %a : f64
    stencil.return %b, %a : f64, f64
  }
  stencil.store %r#0 to %u(<[0], [4]>) : !t to !f
  stencil.store %r#1 to %u(<[0], [4]>) : !t to !f
  return
}
