// A result that some points do not have is stored by its apply alone. What the apply reads at neighbours then lives
// elsewhere: what was loaded from that field, and what was stored to it before.
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --verify=0
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --target emulator --chip sm_90 --verify=0

!field = !stencil.field<[-1,33]xi32>
!temp = !stencil.temp<?xi32>

func.func @f(%u: !field, %v: !field) {
  %old = stencil.load %u : !field -> !temp
  %twice = stencil.apply(%x = %old : !temp) -> (!temp) {
    %a = stencil.access %x[0] : !temp
    %b = arith.addi %a, %a : i32
    stencil.return %b : i32
  }
  stencil.store %twice to %v(<[-1], [33]>) : !temp to !field
  %some:2 = stencil.apply(%x = %twice : !temp, %y = %old : !temp) -> (!temp, !temp) {
    %left = stencil.access %x[-1] : !temp
    %right = stencil.access %y[1] : !temp
    %isLess = arith.cmpi slt, %left, %right : i32
    %here = stencil.store_result %right : !stencil.result<i32>
    %none = stencil.store_result : !stencil.result<i32>
    %first = arith.select %isLess, %here, %none : !stencil.result<i32>
    %second = arith.select %isLess, %none, %here : !stencil.result<i32>
    stencil.return %first, %second : !stencil.result<i32>, !stencil.result<i32>
  }
  stencil.store %some#0 to %v(<[0], [32]>) : !temp to !field
  stencil.store %some#1 to %u(<[0], [32]>) : !temp to !field
  return
}
