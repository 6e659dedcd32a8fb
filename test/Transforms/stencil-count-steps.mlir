// RUN: stencil-opt %s --split-input-file --stencil-count-steps | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-count-steps --stencil-capture-graphs="nodes=6" | FileCheck %s --check-prefix=GRAPH

// Loops over steps, also one within another; of the outermost ones this is the first of two. Loops of bodies are none.

// CHECK-LABEL: func @two
// CHECK: llvm.call @stencilBeginSteps(%[[TOTAL:.*]], %[[FIRST:.*]], %[[LOOPS:.*]])
// CHECK: scf.for
// CHECK:   llvm.call @stencilBeginSteps
// CHECK:   scf.for
// CHECK:     stencil.apply
// CHECK:       scf.for
// CHECK-NOT: llvm.call
// CHECK:     } to <[0], [8]>
// CHECK:     llvm.call @stencilCountSteps
// CHECK-NEXT: }
// CHECK-NEXT: llvm.call @stencilEndSteps
// CHECK:   llvm.call @stencilCountSteps
// CHECK-NEXT: }
// CHECK-NEXT: llvm.call @stencilEndSteps
// CHECK: %[[ONE:.*]] = llvm.mlir.constant(1 : i64)
// CHECK: llvm.call @stencilBeginSteps(%{{.*}}, %[[ONE]],
// CHECK: scf.for
// CHECK:   llvm.call @stencilCountSteps
// CHECK: llvm.call @stencilEndSteps
!f = !stencil.field<[0,8]xf64>
func.func @two(%a: !f, %n: index, %m: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i0 = arith.constant 0 : i32
  %i1 = arith.constant 1 : i32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %i0 to %m step %i1 : i32 {
      stencil.apply(%x = %a : !f, %k = %n : index) outs (%a : !f) {
        %v = stencil.access %x[0] : !f
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %s = scf.for %q = %zero to %k step %one iter_args(%t = %v) -> f64 {
          %u = arith.addf %t, %v : f64
          scf.yield %u : f64
        }
        stencil.return %s : f64
      } to <[0], [8]>
    }
  }
  scf.for %i = %c0 to %n step %c1 {
    func.call @two(%a, %c0, %i0) : (!f, index, i32) -> ()
  }
  return
}

// -----

// Launches are counted where they are known to be over; those of a graph at once.

// CHECK-LABEL: func @launched
// CHECK: gpu.launch_func
// CHECK-NEXT: llvm.call @stencilCountLaunchedSteps(%{{.*}}, %arg1)

// GRAPH-LABEL: func @launched
// GRAPH: call @stencilBeginCapture
// GRAPH: gpu.launch_func
// GRAPH-NOT: stencilCountLaunchedSteps
// GRAPH: call @stencilLaunchGraph
// GRAPH-NEXT: %[[SIX:.*]] = llvm.mlir.constant(6 : i64)
// GRAPH-NEXT: llvm.call @stencilCountLaunchedSteps(%[[SIX]], %arg1)
// GRAPH: call @stencilDestroyGraph
// GRAPH: gpu.launch_func
// GRAPH-NEXT: llvm.call @stencilCountLaunchedSteps(%{{.*}}, %arg1)
// GRAPH: llvm.call @stencilEndSteps
module attributes {gpu.container_module} {
  gpu.module @k {
    gpu.func @step() kernel { gpu.return }
  }
  func.func @launched(%n: index, %s: !llvm.ptr) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    scf.for %i = %c0 to %n step %c1 {
      gpu.launch_func <%s : !llvm.ptr> @k::@step blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1)
    }
    return
  }
}
