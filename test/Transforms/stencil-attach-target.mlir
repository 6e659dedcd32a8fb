// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 | FileCheck %s --check-prefix=NVIDIA
// RUN: stencil-opt %s --stencil-attach-target="chip=gfx942 vendor=amd" | FileCheck %s --check-prefix=AMD
// NVIDIA: module attributes {stencil.target = #stencil.target<chip = "sm_90">}
// AMD: module attributes {stencil.target = #stencil.target<chip = "gfx942">}

// Of a module that has it, nothing has to be said, or the same.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90a --stencil-attach-target=vendor=nvidia --stencil-attach-target=chip=sm_90a | FileCheck %s --check-prefix=AGAIN
// AGAIN: module attributes {stencil.target = #stencil.target<chip = "sm_90a">}

// What nobody has described is said once.
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_86 --stencil-attach-target=chip=sm_86 --remarks-filter=Target --remark-policy=all -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: stencil-opt %s --stencil-attach-target=chip=sm_90 --remarks-filter=Target --remark-policy=all -o /dev/null 2>&1 | count 0
// REMARK: remark: {{.*}}Category:Target{{.*}}chip sm_86 has no description: limits are those of any NVIDIA GPU
// REMARK-NOT: remark:

func.func @f() {
  return
}
