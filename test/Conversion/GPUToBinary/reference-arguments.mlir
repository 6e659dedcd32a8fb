// RUN: stencil-opt %s --pass-pipeline='builtin.module(gpu.module(stencil-reference-arguments))' | FileCheck %s

gpu.module @kernels {
  // Only its address is of interest. Others stay: one that is a value, one that
  // is not used, those of functions that are no kernels.
  // CHECK: llvm.func @k(
  // CHECK-SAME: %[[MAP:[^:]*]]: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<16 x i64>, nvvm.grid_constant},
  // CHECK-SAME: %{{[^:]*}}: !llvm.array<2 x i64>, %{{[^:]*}}: !llvm.array<3 x i64>, %{{[^:]*}}: i64)
  // CHECK: builtin.unrealized_conversion_cast %[[MAP]] : !llvm.ptr to !llvm.ptr<1>
  llvm.func @k(%map: !llvm.array<16 x i64>, %pair: !llvm.array<2 x i64>, %unused: !llvm.array<3 x i64>, %n: i64) attributes {gpu.kernel, nvvm.kernel} {
    %p = builtin.unrealized_conversion_cast %map : !llvm.array<16 x i64> to !llvm.ptr<1>
    %first = llvm.extractvalue %pair[0] : !llvm.array<2 x i64>
    llvm.store %first, %p : i64, !llvm.ptr<1>
    llvm.return
  }
  // CHECK: llvm.func @helper(%{{.*}}: !llvm.array<16 x i64>)
  llvm.func @helper(%map: !llvm.array<16 x i64>) {
    %p = builtin.unrealized_conversion_cast %map : !llvm.array<16 x i64> to !llvm.ptr
    llvm.return
  }
}
