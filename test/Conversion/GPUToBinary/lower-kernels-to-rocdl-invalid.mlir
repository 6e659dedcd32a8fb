// RUN: stencil-opt %s --pass-pipeline='builtin.module(gpu.module(stencil-lower-kernels-to-rocdl))' --split-input-file --verify-diagnostics

// expected-error @+1 {{expected one target, of AMD; stencil-attach-kernel-targets gives one}}
gpu.module @none {
}

// -----

// expected-error @+1 {{expected one target, of AMD; stencil-attach-kernel-targets gives one}}
gpu.module @other [#nvvm.target<chip = "sm_90">] {
}
