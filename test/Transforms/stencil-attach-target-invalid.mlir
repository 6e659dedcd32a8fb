// DEFINE: %{options} =
// DEFINE: %{check} = not stencil-opt %s --stencil-attach-target="%{options}" -o /dev/null 2>&1 | FileCheck %s --check-prefix

// RUN: %{check} NONE
// NONE: :1:1: error: expected the option chip=NAME, such as chip=sm_90 or chip=gfx942, or a module with the attribute stencil.target
// REDEFINE: %{options} = chip=sm_91
// RUN: %{check} UNKNOWN
// UNKNOWN: error: option 'chip': expected the chip of a GPU that LLVM knows, such as sm_80, {{.*}}, or a product (v100, {{.*}}, mi355x), got 'sm_91'
// REDEFINE: %{options} = chip=gfx942 vendor=nvidia
// RUN: %{check} VENDOR
// VENDOR: error: option 'chip': expected a chip of NVIDIA, got 'gfx942' of AMD
// REDEFINE: %{options} = chip=sm_90 vendor=intel
// RUN: %{check} INTEL
// INTEL: error: expected vendor=nvidia or {{.*}}, got 'intel'

// Nothing replaces a target, and what a module has is checked, too.
// RUN: not stencil-opt %s --stencil-attach-target=chip=sm_80 --stencil-attach-target=chip=sm_90 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: error: option 'chip': expected the module's target 'sm_80' or a module without a target, got 'sm_90'
// RUN: not stencil-opt %s --stencil-attach-target=chip=sm_80 --stencil-attach-target=vendor=amd 2>&1 | FileCheck %s --check-prefix=PRESENT
// PRESENT: error: option 'chip': expected a chip of AMD, got 'sm_80' of NVIDIA

func.func @f() {
  return
}
