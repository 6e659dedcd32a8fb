// RUN: stencil-opt %s --stencil-request-c-interfaces | FileCheck %s

// CHECK: func.func private @mgpuStreamCreate() -> !llvm.ptr{{$}}
func.func private @mgpuStreamCreate() -> !llvm.ptr
// CHECK: func.func @entry() attributes {llvm.emit_c_interface}
func.func @entry() {
  return
}
// CHECK: func.func private @helper() {{{$}}
func.func private @helper() {
  return
}
