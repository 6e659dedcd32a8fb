// A stage that reads a plane ahead of the stage that makes it.

!field = !stencil.field<[-4,36]x[-4,36]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @leads(%u: !field, %v: !field) {
  stencil.pipeline axis 0 {
    %t = stencil.load %u : !field -> !temp
    %a = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %c = stencil.access %x[0, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window registers %a depth 3 lead 1 : !temp
    %b = stencil.apply(%x = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %x[2, 0] : !temp
      stencil.return %c : f64
    }
    stencil.store %b to %v(<[0, 0], [32, 32]>) : !temp to !field
  }
  return
}
