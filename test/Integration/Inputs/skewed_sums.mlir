// Two steps of a star, each of which adds a plane to three sums as it comes, on one side of a thread.
!field = !stencil.field<[-8,45]x[-8,81]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @heat(%u: !field, %v: !field) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 32], points = [1, 2], stream = 0, segments = 2>} {
    %u0 = stencil.load %u : !field -> !temp
    %w0 = stencil.window shared %u0 depth 6 lead 5 : !temp
    %a:3 = stencil.apply(%x = %w0 : !temp) -> (!temp, !temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 2, skew = [0, -1]>} {
      %c = stencil.access %x[0, 0] : !temp
      %s = stencil.weighted_sum %x offsets [[0, -1], [0, 0], [0, 1]] weights dense<[0.25, 0.3, 0.2]> : tensor<3xf64> : !temp
      stencil.return %c, %s, %c : f64, f64, f64
    }
    %s1 = stencil.accumulate %a#0, %a#1, %a#2 at [-1, 0, 1] : !temp
    %w1 = stencil.window shuffle %s1 depth 1 lead 1 : !temp
    %b:3 = stencil.apply(%x = %w1 : !temp) -> (!temp, !temp, !temp) attributes {stencil.stage = #stencil.stage<lead = 1, skew = [0, -2]>} {
      %c = stencil.access %x[0, 0] : !temp
      %s = stencil.weighted_sum %x offsets [[0, -1], [0, 0], [0, 1]] weights dense<[0.25, 0.3, 0.2]> : tensor<3xf64> : !temp
      stencil.return %c, %s, %c : f64, f64, f64
    }
    %s2 = stencil.accumulate %b#0, %b#1, %b#2 at [-1, 0, 1] : !temp
    stencil.store %s2 to %v(<[0, 0], [37, 73]>) : !temp to !field
  }
  return
}
