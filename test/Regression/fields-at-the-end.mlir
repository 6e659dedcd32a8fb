// Fields whose bounds are all relative to the end of an axis, such as buffers of what is read there only: their sizes say
// nothing of the extent, which the function knows.
// RUN: stencil-run %s --arg 0=random:1 --extents 31 --verify=0
// RUN: stencil-run %s --arg 0=random:1 --extents 31 --verify=0 --target emulator --chip sm_90

!field = !stencil.field<[0,?]xi64>
!end = !stencil.field<[?-9,?]xi64>
!temp = !stencil.temp<?xi64>

func.func @f(%a: !field) -> (i64, i64) {
  %t = stencil.load %a : !field -> !temp
  %copy = stencil.apply(%x = %t : !temp) -> (!temp) {
    %v = stencil.access %x[0] : !temp
    stencil.return %v : i64
  }
  %some = stencil.buffer %copy : !temp -> !temp
  %sum = stencil.apply(%x = %some : !temp) -> (!temp) {
    %v = stencil.access %x[-1] : !temp
    %i = stencil.index 0 <[0]>
    %j = arith.index_cast %i : index to i64
    %s = arith.addi %v, %j : i64
    stencil.return %s : i64
  }
  %m = stencil.fold %sum(<[?-9], [?]>) max : !temp

  %own = stencil.alloc : !end
  stencil.store %copy to %own(<[?-9], [?]>) : !temp to !end
  stencil.boundary %own(<[?-8], [?-1]>) [#stencil.neumann] : !end
  %n = stencil.fold %own(<[?-9], [?]>) sum : !end
  return %m, %n : i64, i64
}
