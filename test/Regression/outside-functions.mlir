// Ops of the dialect outside of any func.func crashed the way to the CPU.
// RUN: stencil-opt %s --split-input-file --verify-diagnostics --convert-stencil-to-cpu

// expected-error@+1 {{'stencil.alloc' op expected to be in a func.func}}
%f = stencil.alloc : !stencil.field<[-1,5]xf64>

// -----

gpu.module @kernels {
  gpu.func @kernel(%f: !stencil.field<[-1,5]xf64>) {
    // expected-error@+1 {{'stencil.boundary' op expected to be in a func.func}}
    stencil.boundary %f(<[0], [4]>) [#stencil.periodic] : !stencil.field<[-1,5]xf64>
    gpu.return
  }
}
