// The processes in which stencil-tune compiles and measures: what they answer. What cannot be loaded
// leaves no program whose outputs could be taken for its own.
// REQUIRES: python
// RUN: %python %S/Inputs/tune_worker.py stencil-tune %s %t.json | FileCheck %s

// CHECK: start {'chip': ''}
// CHECK-NEXT: outputs {'failure': 'nothing has been measured'}
// CHECK-NEXT: compile {{.*}}'size': 8, 'threads': 1}
// CHECK-NEXT: measure {'seconds': 4}
// CHECK-NEXT: outputs {'results': ['0.5']}
// CHECK-NEXT: v is twice u: True
// CHECK-NEXT: measure {'failure': 'The file was not recognized as a valid object file'}
// CHECK-NEXT: outputs {'failure': 'nothing has been measured'}
// CHECK-NEXT: exit code 0

!field = !stencil.field<[0,20]xf64>
func.func @double(%u: !field, %v: !field) -> f64 {
  stencil.apply(%x = %u : !field) outs (%v : !field) {
    %0 = stencil.access %x[0] : !field
    %1 = arith.addf %0, %0 : f64
    stencil.return %1 : f64
  } to <[0], [20]>
  %half = arith.constant 0.5 : f64
  return %half : f64
}
