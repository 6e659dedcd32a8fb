module attributes {stencil.target = #stencil.target<chip = "sm_90">} {
  module @other attributes {stencil.target = #stencil.target<chip = "gfx90a">} {
  }
}

