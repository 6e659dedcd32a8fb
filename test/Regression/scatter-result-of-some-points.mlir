// A result that some points do not have, of sums that are added plane by plane.
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --target emulator --chip sm_90 --schedule '#stencil.schedule<stream = 0, window = shared, accumulate = scatter>' --verify=0
// RUN: stencil-run %s --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --target emulator --chip gfx942 --schedule '#stencil.schedule<stream = 0, window = shared, accumulate = semi>' --verify=0

!field = !stencil.field<[-1,22]x[-1,36]xi32>
!temp = !stencil.temp<?x?xi32>

func.func @f(%a: !field, %b: !field, %c: !field) {
  %t = stencil.load %a : !field -> !temp
  %r:2 = stencil.apply(%x = %t : !temp) -> (!temp, !temp) {
    %j = stencil.index 1 <[0, 0]>
    %c7 = arith.constant 7 : index
    %isLeft = arith.cmpi slt, %j, %c7 : index
    %sum = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 1], [1, 0]] weights dense<[2, 3, 5, 7]> : tensor<4xi32> : !temp
    %always = stencil.store_result %sum : !stencil.result<i32>
    %some = scf.if %isLeft -> (!stencil.result<i32>) {
      %next = stencil.access %x[1, 0] : !temp
      %product = arith.muli %sum, %next : i32
      %kept = stencil.store_result %product : !stencil.result<i32>
      scf.yield %kept : !stencil.result<i32>
    } else {
      %none = stencil.store_result : !stencil.result<i32>
      scf.yield %none : !stencil.result<i32>
    }
    stencil.return %some, %always : !stencil.result<i32>, !stencil.result<i32>
  }
  stencil.store %r#0 to %b(<[0, 0], [21, 35]>) : !temp to !field
  stencil.store %r#1 to %c(<[0, 0], [21, 35]>) : !temp to !field
  return
}
