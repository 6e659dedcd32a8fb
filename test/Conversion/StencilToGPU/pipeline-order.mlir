// A program gives the same kernel every time: nothing follows the order of
// addresses. Here a point beside the tile has a place in each of four windows,
// whose planes have different rows.
// DEFINE: %{kernel} = stencil-opt %s --stencil-attach-target=chip=sm_90 --convert-stencil-to-gpu
// RUN: %{kernel} -o %t.1
// RUN: %{kernel} -o %t.2
// RUN: diff %t.1 %t.2
// RUN: %{kernel} -o %t.3
// RUN: diff %t.1 %t.3
// RUN: %{kernel} -o %t.4
// RUN: diff %t.1 %t.4

!field = !stencil.field<[-8,72]x[-8,72]xf64>
!temp = !stencil.temp<?x?xf64>

func.func @chain(%u: !field, %v: !field) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [8, 32]>} {
    %x = stencil.load %u : !field -> !temp
    %w0 = stencil.window shared %x : !temp
    %s0 = stencil.apply(%a = %w0 : !temp) -> (!temp) {
      %r = stencil.access %a[-2, 1] : !temp
      stencil.return %r : f64
    }
    %w1 = stencil.window shared %s0 : !temp
    %s1 = stencil.apply(%a = %w1 : !temp) -> (!temp) {
      %r = stencil.access %a[2, -1] : !temp
      stencil.return %r : f64
    }
    %w2 = stencil.window shared %s1 : !temp
    %s2 = stencil.apply(%a = %w2 : !temp) -> (!temp) {
      %r = stencil.access %a[-1, 1] : !temp
      stencil.return %r : f64
    }
    %w3 = stencil.window shared %s2 : !temp
    %s3 = stencil.apply(%a = %w3 : !temp) -> (!temp) {
      %r = stencil.access %a[1, 1] : !temp
      stencil.return %r : f64
    }
    stencil.store %s3 to %v(<[0, 0], [64, 64]>) : !temp to !field
  }
  return
}
