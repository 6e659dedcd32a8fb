// Two results of one apply that are stored over what it reads at the point, and
// one that is computed from them: several steps at once, near boundaries step by
// step.
// DEFINE: %{run} = stencil-run %s --target emulator --chip sm_90 --extents 41,150 --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --arg 3=17 --math strict --verify=0
// RUN: %{run} --schedule "#stencil.schedule<time = 2>" | FileCheck %s
// RUN: %{run} --schedule "#stencil.schedule<time = 3>" | FileCheck %s
// RUN: %{run} --schedule "#stencil.schedule<time = 3>" --device-arrays | FileCheck %s
// CHECK: argument 0: max 0 ulp
// CHECK: argument 1: max 0 ulp
// CHECK: argument 2: max 0 ulp

!e = !stencil.field<[0,?+1]x[0,?+1]xf64>
!h = !stencil.field<[0,?]x[-1,?]xf64>
!g = !stencil.field<[-1,?]x[0,?]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @yee(%e0: !stencil.field<?x?xf64>, %h0: !stencil.field<?x?xf64>, %g0: !stencil.field<?x?xf64>, %steps: index) {
  %e = stencil.cast %e0 : !stencil.field<?x?xf64> -> !e
  %h = stencil.cast %h0 : !stencil.field<?x?xf64> -> !h
  %g = stencil.cast %g0 : !stencil.field<?x?xf64> -> !g
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %steps step %one {
    %te = stencil.load %e : !e -> !temp
    %th = stencil.load %h : !h -> !temp
    %tg = stencil.load %g : !g -> !temp
    %new:2 = stencil.apply(%x = %te : !temp, %y = %th : !temp, %z = %tg : !temp) -> (!temp, !temp) {
      %half = arith.constant 0.5 : f64
      %here = stencil.access %x[0, 0] : !temp
      %right = stencil.access %x[0, 1] : !temp
      %below = stencil.access %x[1, 0] : !temp
      %yh = stencil.access %y[0, 0] : !temp
      %zh = stencil.access %z[0, 0] : !temp
      %a = arith.subf %right, %here : f64
      %b = arith.subf %below, %here : f64
      %c = arith.mulf %half, %a : f64
      %d = arith.mulf %half, %b : f64
      %p = arith.subf %yh, %c : f64
      %q = arith.addf %zh, %d : f64
      stencil.return %p, %q : f64, f64
    }
    stencil.store %new#0 to %h(<[0, 0], [?, ?]>) : !temp to !h
    stencil.store %new#1 to %g(<[0, 0], [?, ?]>) : !temp to !g
    %uh = stencil.load %h : !h -> !temp
    %ug = stencil.load %g : !g -> !temp
    %next = stencil.apply(%x = %te : !temp, %y = %uh : !temp, %z = %ug : !temp) -> (!temp) {
      %half = arith.constant 0.5 : f64
      %here = stencil.access %x[0, 0] : !temp
      %yh = stencil.access %y[0, 0] : !temp
      %yl = stencil.access %y[0, -1] : !temp
      %zh = stencil.access %z[0, 0] : !temp
      %za = stencil.access %z[-1, 0] : !temp
      %a = arith.subf %zh, %za : f64
      %b = arith.subf %yl, %yh : f64
      %c = arith.addf %a, %b : f64
      %d = arith.mulf %half, %c : f64
      %p = arith.addf %here, %d : f64
      stencil.return %p : f64
    }
    stencil.store %next to %e(<[0, 0], [?, ?]>) : !temp to !e
  }
  return
}
