// A project of someone else, which is the one in docs/cpp-api.md: find_package on an
// installed tree, tools that run passes, interpret, compile and run. The installed
// tools work, too.
// REQUIRES: python, plugin
// UNSUPPORTED: asan

// RUN: rm -rf %t
// RUN: %install
// RUN: %python %S/Inputs/extract_code.py %src_root/docs/cpp-api.md %t/project
// RUN: %cmake -S %t/project -B %t/build -G Ninja \
// RUN:   -DCMAKE_C_COMPILER=%clang -DCMAKE_CXX_COMPILER=%clangxx \
// RUN:   -DCMAKE_PREFIX_PATH=%installed
// RUN: %cmake --build %t/build
// RUN: %t/build/count-applies %s | FileCheck %s
// RUN: %installed/bin/stencil-opt %s | %t/build/count-applies - | FileCheck %s
// RUN: %t/build/average %s | FileCheck %s --check-prefix=AVERAGE
// RUN: %t/build/handle %s | FileCheck %s --check-prefix=HANDLE

// The plugin finds nothing of ours but itself.
// RUN: mlir-opt --load-dialect-plugin=%installed/lib/StencilDialectPlugin.so %s | FileCheck %s --check-prefix=PLUGIN
// PLUGIN: stencil.apply

// CHECK: 1 applies
// AVERAGE: average: 4.000000e+00, 1.300000e+02; as interpreted
// HANDLE: average: 4.000000e+00, 1.300000e+02

// Documents and what they name are there; programs have no line numbers, which are two thirds of them.
// RUN: ls %installed/share/doc/StencilDialect | FileCheck %s --check-prefix=DOC
// RUN: ls %installed/share/man/man1 %installed/share/bash-completion/completions %installed/share/zsh/site-functions | FileCheck %s --check-prefix=PAGES
// DOC: CHANGELOG.md
// DOC: README.md
// DOC-NEXT: docs
// DOC-NEXT: examples
// PAGES-COUNT-3: {{^_?}}stencil-run
// RUN: readelf -SW %installed/bin/stencil-run %installed/lib/libStencilIR.a %installed/lib/libStencilRuntime.so %installed/lib/StencilDialectPlugin.so | FileCheck %s --check-prefix=SECTIONS --implicit-check-not=.debug_
// SECTIONS: .text

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
