// Elements that no memory holds were asked for their width, or reached the code generator.
// RUN: sed 's/ELEMENT/tf32/' %s > %t.mlir
// RUN: stencil-opt %t.mlir --stencil-infer-shapes --stencil-attach-target=chip=sm_90 --stencil-select-schedule -o /dev/null
// RUN: not stencil-opt %t.mlir --stencil-to-cpu 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not stencil-translate %t.mlir --to-ptx --chip sm_90 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: sed 's/ELEMENT/complex<f32>/' %s > %t.mlir
// RUN: stencil-opt %t.mlir --stencil-infer-shapes --stencil-attach-target=chip=sm_90 --stencil-select-schedule -o /dev/null
// RUN: not stencil-opt %t.mlir --stencil-to-cpu 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not stencil-translate %t.mlir --to-ptx --chip sm_90 2>&1 | FileCheck %s --check-prefix=GPU
// RUN: sed 's/ELEMENT/f80/' %s > %t.mlir
// RUN: stencil-opt %t.mlir --stencil-to-cpu -o /dev/null
// RUN: not stencil-translate %t.mlir --to-ptx --chip sm_90 2>&1 | FileCheck %s --check-prefix=GPU

// CPU: {{.*}}.mlir:[[#]]:[[#]]: error: no CPU lowering for the element type
// GPU: {{.*}}.mlir:[[#]]:[[#]]: error: {{.*}}no GPU lowering for a field of type

!field = !stencil.field<[-1,8]x[-1,8]x[-1,8]xELEMENT>
!temp = !stencil.temp<?x?x?xELEMENT>

func.func @shift(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {
    %0 = stencil.access %x[-1, 0, 0] : !temp
    stencil.return %0 : ELEMENT
  }
  stencil.store %r to %v(<[0, 0, 0], [8, 8, 8]>) : !temp to !field
  return
}
