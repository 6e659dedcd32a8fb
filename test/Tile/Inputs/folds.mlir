// A fold of each kind, of values and of lengths; the results are sums that round, extrema that do not, and integers.
!field = !stencil.field<[-1,?+1]x[-1,?+2]xf32>
!whole = !stencil.field<[-1,?+1]x[-1,?+2]xi16>

func.func @values(%u: !field) -> (f32, f32, f32, f32) {
  %a = stencil.fold %u(<[0, 0], [?, ?]>) sum : !field
  %b = stencil.fold %u(<[0, 1], [?, ?+1]>) rms : !field
  %c = stencil.fold %u(<[0, 0], [?, ?]>) max : !field
  %d = stencil.fold %u(<[0, 0], [?, ?]>) min : !field
  return %a, %b, %c, %d : f32, f32, f32, f32
}

func.func @lengths(%u: !field, %v: !field) -> (f32, f32, f32, f32) {
  %a = stencil.fold %u, %v(<[0, 0], [?, ?]>) sum : !field, !field
  %b = stencil.fold %u, %v(<[0, 0], [?, ?]>) rms : !field, !field
  %c = stencil.fold %u, %v(<[0, 0], [?, ?]>) max : !field, !field
  %d = stencil.fold %v, %v(<[0, 0], [?, ?]>) min : !field, !field
  return %a, %b, %c, %d : f32, f32, f32, f32
}

func.func @integers(%u: !whole) -> (i16, i16, i16) {
  %a = stencil.fold %u(<[0, 0], [?, ?]>) sum : !whole
  %b = stencil.fold %u(<[0, 0], [?, ?]>) max : !whole
  %c = stencil.fold %u(<[0, 0], [?, ?]>) min : !whole
  return %a, %b, %c : i16, i16, i16
}

// f64, of which each bit is seen; the points of some threads are more than others'.
func.func @wide(%u: !stencil.field<[0,?]xf64>) -> (f64, f64) {
  %a = stencil.fold %u(<[0], [?]>) sum : !stencil.field<[0,?]xf64>
  %b = stencil.fold %u(<[0], [?]>) rms : !stencil.field<[0,?]xf64>
  return %a, %b : f64, f64
}
