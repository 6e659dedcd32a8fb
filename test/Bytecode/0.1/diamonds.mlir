module {
  func.func @diamonds(%arg0: index) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %arg1 = %c0 to %arg0 step %c1 {
    } {stencil.diamonds = #stencil.diamonds<steps = 7>}
    scf.for %arg1 = %c0 to %arg0 step %c1 {
    } {stencil.diamonds = #stencil.diamonds<steps = 9, tile = 16>}
    scf.for %arg1 = %c0 to %arg0 step %c1 {
    } {stencil.chosen_diamonds, stencil.diamonds = #stencil.diamonds<steps = 3>}
    return
  }
}

