// The interpreter cannot tell a program from its bufferised form: here with all
// that makes copies necessary, in a loop that exchanges its fields.
// RUN: rm -rf %t && mkdir %t
// RUN: stencil-opt %s --stencil-infer-shapes --stencil-bufferize -o %t/after.mlir
// RUN: stencil-run %s --target interpreter --arg 0=random:1 --arg 1=random:2 --arg 2=3 --out 0=%t/u.npy --out 1=%t/v.npy
// RUN: stencil-run %t/after.mlir --target interpreter --arg 0=random:1 --arg 1=random:2 --arg 2=3 --out 0=%t/u2.npy --out 1=%t/v2.npy
// RUN: cmp %t/u.npy %t/u2.npy
// RUN: cmp %t/v.npy %t/v2.npy

!field = !stencil.field<[-1,17]xi64>
!temp = !stencil.temp<?xi64>

func.func @all(%u0: !field, %v0: !field, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %before = stencil.load %u0 : !field -> !temp
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%u = %u0, %v = %v0) -> (!field, !field) {
    stencil.boundary %u(<[0], [16]>) [#stencil.periodic] : !field
    %tu = stencil.load %u : !field -> !temp
    %tv = stencil.load %v : !field -> !temp
    // In place, read at an offset later and stored twice.
    %a:2 = stencil.apply(%x = %tu : !temp, %y = %tv : !temp, %z = %before : !temp) -> (!temp, !temp) {
      %e = stencil.access %x[1] : !temp
      %c = stencil.access %y[0] : !temp
      %f = stencil.access %z[0] : !temp
      %s = arith.addi %e, %c : i64
      %d = arith.subi %s, %f : i64
      stencil.return %s, %d : i64, i64
    }
    stencil.store %a#0 to %v(<[0], [16]>) : !temp to !field
    stencil.store %a#1 to %u(<[2], [9]>) : !temp to !field
    // The sides of a combine: old values and new ones.
    %b = stencil.apply(%x = %a#0 : !temp) -> (!temp) {
      %w = stencil.access %x[-1] : !temp
      %e = stencil.access %x[1] : !temp
      %s = arith.addi %w, %e : i64
      stencil.return %s : i64
    }
    %j = stencil.combine 0 at 7 lower = (%tu : !temp) upper = (%b : !temp) : !temp
    %m = stencil.fold %j(<[1], [15]>) max : !temp
    %p = stencil.apply(%x = %j : !temp, %y = %m : i64) -> (!temp) {
      %w = stencil.access %x[-1] : !temp
      %s = arith.subi %y, %w : i64
      %two = arith.constant 2 : i64
      %bit = arith.remsi %w, %two : i64
      %zero = arith.constant 0 : i64
      %odd = arith.cmpi ne, %bit, %zero : i64
      %r = scf.if %odd -> (!stencil.result<i64>) {
        %full = stencil.store_result %s : !stencil.result<i64>
        scf.yield %full : !stencil.result<i64>
      } else {
        %none = stencil.store_result : !stencil.result<i64>
        scf.yield %none : !stencil.result<i64>
      }
      stencil.return %r : !stencil.result<i64>
    }
    stencil.store %p to %u(<[2], [15]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
