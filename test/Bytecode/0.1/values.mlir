module {
  func.func @combine(%arg0: !stencil.temp<?x?xf64>, %arg1: !stencil.temp<?x?xf64>) {
    %0 = stencil.combine 0 at 11 lower = (%arg0 : !stencil.temp<?x?xf64>) upper = (%arg1 : !stencil.temp<?x?xf64>) : !stencil.temp<?x?xf64>
    %1:5 = stencil.combine 1 at -3 lower = (%arg0, %arg1 : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) upper = (%arg1, %arg0 : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>) lowerext = %arg0 : !stencil.temp<?x?xf64> upperext = %arg1, %arg0 : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64> attributes {name = "x"} : !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>, !stencil.temp<?x?xf64>
    return
  }
  func.func @combine_sized(%arg0: !stencil.temp<[0,4]x[0,8]xf64>, %arg1: !stencil.temp<[4,?]x[-1,9]xf64>, %arg2: !stencil.temp<[7,8]x[0,8]xf64>) {
    %0 = stencil.combine 0 at 4 lower = (%arg0 : !stencil.temp<[0,4]x[0,8]xf64>) upper = (%arg1 : !stencil.temp<[4,?]x[-1,9]xf64>) : !stencil.temp<[0,?]x[0,8]xf64>
    %1 = stencil.combine 0 at 4 lower = (%arg2 : !stencil.temp<[7,8]x[0,8]xf64>) upper = (%arg1 : !stencil.temp<[4,?]x[-1,9]xf64>) : !stencil.temp<[5,9]x[0,8]xf64>
    %2:2 = stencil.combine 0 at 4 lower = (%arg0 : !stencil.temp<[0,4]x[0,8]xf64>) upper = (%arg1 : !stencil.temp<[4,?]x[-1,9]xf64>) lowerext = %arg0 : !stencil.temp<[0,4]x[0,8]xf64> : !stencil.temp<[0,?]x[0,8]xf64>, !stencil.temp<[0,?]x[0,8]xf64>
    return
  }
  func.func @combine_tensors(%arg0: !stencil.temp<?xtensor<8xf32>>) {
    %0 = stencil.combine 0 at 4 lower = (%arg0 : !stencil.temp<?xtensor<8xf32>>) upper = (%arg0 : !stencil.temp<?xtensor<8xf32>>) : !stencil.temp<?xtensor<8xf32>>
    return
  }
  func.func @buffer() {
    %0:2 = stencil.apply() -> (!stencil.temp<?xf64>, !stencil.temp<?xf64>) {
      %cst = arith.constant 1.000000e+00 : f64
      stencil.return %cst, %cst : f64, f64
    }
    %1 = stencil.buffer %0#0 : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
    %2 = stencil.buffer %0#0 attributes {name = "x"} : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
    %3 = stencil.combine 0 at 3 lower = (%1 : !stencil.temp<?xf64>) upper = (%2 : !stencil.temp<?xf64>) : !stencil.temp<?xf64>
    %4 = stencil.buffer %3 : !stencil.temp<?xf64> -> !stencil.temp<?xf64>
    return
  }
  func.func @buffer_to_field(%arg0: !stencil.temp<[0,8]xf64>) {
    %0 = stencil.buffer %arg0 : !stencil.temp<[0,8]xf64> -> !stencil.field<[0,8]xf64>
    return
  }
  func.func @fold(%arg0: !stencil.temp<?x?xf64>, %arg1: !stencil.temp<[0,9]x[0,?]xf64>, %arg2: !stencil.temp<?xi16>, %arg3: !stencil.field<[0,?]xbf16>) {
    %0 = stencil.fold %arg0(<[0, 0], [8, 8]>) max : !stencil.temp<?x?xf64>
    %1 = stencil.fold %arg0, %arg1(<[0, 0], [8, ?]>) rms attributes {name = "x"} : !stencil.temp<?x?xf64>, !stencil.temp<[0,9]x[0,?]xf64>
    %2 = stencil.fold %arg2(<[0], [8]>) min : !stencil.temp<?xi16>
    %3 = stencil.fold %arg3(<[1], [?-1]>) sum : !stencil.field<[0,?]xbf16>
    %4 = arith.addf %0, %1 : f64
    return
  }
  func.func @reduce(%arg0: f64, %arg1: f64) {
    stencil.reduce %arg0 init %arg1 {
    ^bb0(%arg2: f64, %arg3: f64):
      %0 = arith.addf %arg2, %arg3 : f64
      stencil.yield %0 : f64
    } {name = "x"} : f64
    return
  }
}

