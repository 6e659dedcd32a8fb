// A stage that returned what another lane has of another plane was taken for that value, which is of the other plane.
// RUN: stencil-run %s --target emulator --chip sm_80 --extents 9,9 --arg 0=random:1 --arg 1=random:2 --verify

!field = !stencil.field<[-2,?+2]x[-2,?+2]xf32>
!temp = !stencil.temp<?x?xf32>
func.func @f(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32], points = [1, 4], stream = 0>} {
    %x = stencil.load %u : !field -> !temp
    %w = stencil.window shuffle %x depth 1 lead 2 : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %0 = stencil.access %a[2, 1] : !temp
      stencil.return %0 : f32
    }
    stencil.store %r to %v(<[0, 0], [?, ?]>) : !temp to !field
  }
  return
}
