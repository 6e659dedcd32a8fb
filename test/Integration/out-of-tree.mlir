// A project of someone else: find_package on an installed tree, a tool that
// parses a stencil program and runs a pass. The installed tools work, too.
// UNSUPPORTED: asan

// RUN: rm -rf %t
// RUN: %cmake --install %build_root --prefix %t/installed
// RUN: %cmake -S %S/Inputs/out-of-tree -B %t/build -G Ninja \
// RUN:   -DCMAKE_C_COMPILER=%clang -DCMAKE_CXX_COMPILER=%clangxx \
// RUN:   -DCMAKE_PREFIX_PATH=%t/installed
// RUN: %cmake --build %t/build
// RUN: %t/build/count-applies %s | FileCheck %s
// RUN: %t/installed/bin/stencil-opt %s | %t/build/count-applies - | FileCheck %s

// CHECK: 1 applies

func.func @average(%u: !stencil.field<[-1,9]xf64>, %v: !stencil.field<[-1,9]xf64>) {
  %0 = stencil.load %u : !stencil.field<[-1,9]xf64> -> !stencil.temp<?xf64>
  %1 = stencil.apply(%x = %0 : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {
    %l = stencil.access %x[-1] : !stencil.temp<?xf64>
    %r = stencil.access %x[1] : !stencil.temp<?xf64>
    %sum = arith.addf %l, %r : f64
    stencil.return %sum : f64
  }
  stencil.store %1 to %v(<[0], [8]>) : !stencil.temp<?xf64> to !stencil.field<[-1,9]xf64>
  return
}
