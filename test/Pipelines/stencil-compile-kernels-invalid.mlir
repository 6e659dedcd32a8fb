// Without a target, of an unknown format, and with a schedule that no apply can have.
// RUN: not stencil-opt %s --stencil-compile-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-compile-kernels=format=elf -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORMAT
// RUN: not stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-compile-kernels="schedule='#stencil.schedule<block = [8, 8, 8]>'" -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCHEDULE
// What is written into the attributes of the pass is not taken for its own.
// RUN: stencil-opt %s --stencil-attach-target=chip=gfx942 --stencil-compile-kernels=format=bin | FileCheck %s --check-prefix=MADE

// TARGET: stencil-compile-kernels-invalid.mlir:1:1: error: expected a module with the attribute stencil.target; stencil-attach-target="chip=sm_90" sets it
// FORMAT: error: expected the format isa, bin, fatbin or auto, got 'elf'
// SCHEDULE: error: {{.*}}schedule
// MADE: gpu.binary @copy_kernels
func.func @copy(%from: !stencil.field<[0,64]x[0,64]xf64>, %to: !stencil.field<[0,64]x[0,64]xf64>) {
  stencil.apply(%x = %from : !stencil.field<[0,64]x[0,64]xf64>) outs (%to : !stencil.field<[0,64]x[0,64]xf64>) attributes {stencil.choice = "mine", stencil.declined = 7} {
    %c = stencil.access %x[0, 0] : !stencil.field<[0,64]x[0,64]xf64>
    stencil.return %c : f64
  } to <[0, 0], [64, 64]>
  return
}
