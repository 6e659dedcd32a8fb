// RUN: stencil-opt %s --split-input-file --verify-diagnostics

// expected-error-re @+1 {{expected the chip of a GPU that LLVM knows, such as sm_80, {{.*}}, or a product (v100, {{.*}}, mi355x), got 'sm_91'}}
module attributes {stencil.target = #stencil.target<chip = "sm_91">} {
}

// -----

// expected-error-re @+1 {{expected the chip of a GPU that LLVM knows, such as sm_80, {{.*}}, or a product (v100, {{.*}}, mi355x), got ''}}
module attributes {stencil.target = #stencil.target<chip = "">} {
}

// -----

// expected-error @+1 {{expected 'chip'}}
module attributes {stencil.target = #stencil.target<"sm_90">} {
}

// -----

// expected-error @+1 {{expected string}}
module attributes {stencil.target = #stencil.target<chip = sm_90>} {
}

// -----

// expected-error @+1 {{expected a #stencil.target as 'stencil.target', got "sm_90"}}
module attributes {stencil.target = "sm_90"} {
}

// -----

// expected-error @+1 {{expected 'stencil.target' on a builtin.module only}}
func.func private @f() attributes {stencil.target = #stencil.target<chip = "sm_90">}
