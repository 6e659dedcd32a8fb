// One kernel fills the halos of several fields: which of them is a choice between pointers, which had no form in C++.
// RUN: stencil-translate %s --to-cuda --chip sm_90 -o - | FileCheck %s
// CHECK: two_boundary0(
// CHECK: double *[[VIEW:[a-z0-9_]+]] = {{.+}} ? {{[a-z0-9_]+}} : {{[a-z0-9_]+}};
// CHECK: [[VIEW]][{{.*}}] = {{.*}}[[VIEW]][

!field = !stencil.field<[-3,35]x[-3,35]x[-3,35]xf64>

func.func @two(%a: !field, %b: !field) {
  stencil.boundary %a(<[0, 0, 0], [32, 32, 32]>) [#stencil.periodic, #stencil.periodic, #stencil.periodic] : !field
  stencil.boundary %b(<[0, 0, 0], [32, 32, 32]>) [#stencil.periodic, #stencil.periodic, #stencil.periodic] : !field
  return
}
