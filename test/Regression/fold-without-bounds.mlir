// A field that does not say where its points are crashed the lowering of a fold, and of an apply.
// RUN: stencil-opt %s --convert-stencil-to-cpu --split-input-file --verify-diagnostics

func.func @fold(%u: !stencil.field<?x?xf64>) -> f64 {
  // expected-error @+1 {{'stencil.fold' op expected fields with bounds, got '!stencil.field<?x?xf64>'; cast it first}}
  %s = stencil.fold %u(<[0, 0], [8, 8]>) sum : !stencil.field<?x?xf64>
  return %s : f64
}

// -----

func.func @apply(%u: !stencil.field<?x?xf64>, %v: !stencil.field<?x?xf64>) {
  // expected-error @+1 {{'stencil.apply' op expected fields with bounds, got '!stencil.field<?x?xf64>'; cast it first}}
  stencil.apply(%x = %u : !stencil.field<?x?xf64>) outs (%v : !stencil.field<?x?xf64>) {
    %a = stencil.access %x[0, 0] : !stencil.field<?x?xf64>
    stencil.return %a : f64
  } to <[0, 0], [8, 8]>
  return
}
