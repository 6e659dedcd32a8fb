// Conway's Game of Life on a torus of bytes: 1 is a live cell, 0 a dead one.
//
//   examples/inputs.py life out --size 256x384
//   stencil-run examples/life.mlir --target cpu --arg 0=out/life-cells.npy --arg 1=zeros \
//       --arg 2=500 --out 0=out/life.npy --png 0=out/life.png

!field = !stencil.field<[-1,?+1]x[-1,?+1]xi8>
!temp = !stencil.temp<?x?xi8>

func.func @life(%arg0: !stencil.field<?x?xi8>, %arg1: !stencil.field<?x?xi8>, %steps: index) {
  %a0 = stencil.cast %arg0 : !stencil.field<?x?xi8> -> !field
  %b0 = stencil.cast %arg1 : !stencil.field<?x?xi8> -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%a = %a0, %b = %b0) -> (!field, !field) {
    stencil.boundary %a(<[0, 0], [?, ?]>) [#stencil.periodic, #stencil.periodic] : !field
    %old = stencil.load %a : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {
      %nw = stencil.access %x[-1, -1] : !temp
      %n = stencil.access %x[-1, 0] : !temp
      %ne = stencil.access %x[-1, 1] : !temp
      %w = stencil.access %x[0, -1] : !temp
      %self = stencil.access %x[0, 0] : !temp
      %e = stencil.access %x[0, 1] : !temp
      %sw = stencil.access %x[1, -1] : !temp
      %s = stencil.access %x[1, 0] : !temp
      %se = stencil.access %x[1, 1] : !temp
      %n0 = arith.addi %nw, %n : i8
      %n1 = arith.addi %n0, %ne : i8
      %n2 = arith.addi %n1, %w : i8
      %n3 = arith.addi %n2, %e : i8
      %n4 = arith.addi %n3, %sw : i8
      %n5 = arith.addi %n4, %s : i8
      %alive = arith.addi %n5, %se : i8
      // Born with three neighbours; survives with two or three: (alive | self) == 3.
      %three = arith.constant 3 : i8
      %either = arith.ori %alive, %self : i8
      %lives = arith.cmpi eq, %either, %three : i8
      %res = arith.extui %lives : i1 to i8
      stencil.return %res : i8
    }
    stencil.store %new to %b(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %b, %a : !field, !field
  }
  return
}
