module {
  func.func @product(%arg0: f64) -> f64 {
    %0 = arith.mulf %arg0, %arg0 {stencil.rounded} : f64
    %1 = arith.addf %0, %arg0 : f64
    return %1 : f64
  }
}

