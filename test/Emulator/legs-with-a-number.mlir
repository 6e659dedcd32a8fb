// A number that the program is given is the same in all legs of a relay.
// DEFINE: %{run} = stencil-run %s --target emulator --chip sm_90 --extents 37,150 --arg 0=random:1 --arg 1=random:1 --arg 2=0.9 --arg 3=15 --schedule "#stencil.schedule<time = 6, relay = 3, stream = 0, window = shared, chain = shuffle, block = [1, 32], points = [1, 3], prefetch = async>"
// RUN: %{run} --math strict --verify=0 | FileCheck %s --check-prefix=SAME
// RUN: %{run} --math reassociate --verify | FileCheck %s
// SAME: argument 0: max 0 ulp
// SAME: argument 1: max 0 ulp
// CHECK: argument 0: {{.*}} 0 of {{[0-9]+}} points beyond
// CHECK: argument 1: {{.*}} 0 of {{[0-9]+}} points beyond

!plane = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @cooled(%a0: !stencil.field<?x?xf64>, %b0: !stencil.field<?x?xf64>, %k: f64, %n: index) {
  %a = stencil.cast %a0 : !stencil.field<?x?xf64> -> !plane
  %b = stencil.cast %b0 : !stencil.field<?x?xf64> -> !plane
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!plane, !plane) {
    %t = stencil.load %u : !plane -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %k : f64) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<[0.1, 0.2, 0.3, 0.15, 0.22]> : tensor<5xf64> : !temp
      %p = arith.mulf %w, %y : f64
      stencil.return %p : f64
    }
    stencil.store %s to %v(<[0, 0], [?, ?]>) : !temp to !plane
    scf.yield %v, %u : !plane, !plane
  }
  return
}
