// What is stored of a stage that others read at neighbours: on the CPU, the halo of each tile was stored, too, also beyond the box; a field that a
// later stage reads was stored to before.
// DEFINE: %{entry} = halo
// DEFINE: %{run} = stencil-run %s --entry %{entry} --arg 0=random:1 --arg 1=random:2 --arg 2=random:3 --verify
// RUN: %{run} --target cpu --threads 3
// RUN: %{run} --target emulator --chip sm_90
// REDEFINE: %{entry} = later
// RUN: %{run} --target cpu --threads 3
// RUN: %{run} --target emulator --chip sm_90
!field = !stencil.field<[-3,23]x[-3,31]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @halo(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %r:2 = stencil.apply(%a = %x : !temp) -> (!temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, -1], [0, 1]] weights dense<0.5> : tensor<3xf64> : !temp
      %d = arith.mulf %s, %s : f64
      stencil.return %s, %d : f64, f64
    }
    %q = stencil.window shared %r#0 depth 2 lead 0 : !temp
    %t = stencil.apply(%a = %q : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[0, -1], [-1, 1]] weights dense<0.25> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    stencil.store %r#0 to %v(<[0, 0], [21, 29]>) : !temp to !field
    stencil.store %t to %w(<[0, 0], [21, 29]>) : !temp to !field
  }
  return
}
func.func @later(%u: !field, %v: !field, %w: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %y = stencil.load %v : !field -> !temp
    %r = stencil.apply(%a = %x : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %s = stencil.weighted_sum %a offsets [[-1, 0], [0, 1]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %s : f64
    }
    %t = stencil.apply(%a = %y : !temp, %b = %r : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[0, 0] : !temp
      %d = stencil.access %b[0, 0] : !temp
      %s = arith.addf %c, %d : f64
      stencil.return %s : f64
    }
    stencil.store %r to %v(<[0, 0], [21, 29]>) : !temp to !field
    stencil.store %t to %w(<[0, 0], [21, 29]>) : !temp to !field
  }
  return
}
