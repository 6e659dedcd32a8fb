// What passes make of programs with kernels of tiles: they leave the kernels
// alone, or at least what they compute.
//
// RUN: stencil-opt %S/interpreter.mlir -o %t.mlir --stencil-fuse-applies --stencil-compose-sums --stencil-split-regions --stencil-infer-shapes --stencil-bufferize \
// RUN:   --stencil-attach-target=chip=sm_90 --stencil-select-schedule --stencil-roll-sums=without-windows --stencil-factor-sums --stencil-prune-zeros --stencil-stream-windows --stencil-tile-registers \
// RUN:   --stencil-attach-target=chip=sm_90 --stencil-coalesce-stores --stencil-expand-weighted-sums --stencil-order-bodies --stencil-fold-powers --stencil-check-steps --stencil-count-steps \
// RUN:   --canonicalize --cse --loop-invariant-code-motion
// DEFINE: %{run} = --target interpreter --threads 1 --arg 0=random:1 --arg 1=zeros
// DEFINE: %{entry} =
// DEFINE: %{extents} = 13,9,21
// DEFINE: %{same} = stencil-run %S/interpreter.mlir %{run} --entry %{entry} --extents %{extents} --out 1=%t.a.npy && stencil-run %t.mlir %{run} --entry %{entry} --extents %{extents} --out 1=%t.b.npy && cmp %t.a.npy %t.b.npy
// REDEFINE: %{entry} = star_tiles
// RUN: %{same}
// REDEFINE: %{entry} = loop_tiles
// RUN: %{same}
// REDEFINE: %{entry} = sums_tiles
// RUN: %{same}
// REDEFINE: %{entry} = window_tiles
// RUN: %{same}
// REDEFINE: %{entry} = stages_tiles
// REDEFINE: %{extents} = 6,23
// RUN: %{same}

// The steps of a time loop are counted, those of a block are not.
// RUN: FileCheck %s --check-prefix=STEPS < %t.mlir
// STEPS-NOT: stencilCountSteps

// RUN: stencil-opt %S/interpreter.mlir --stencil-specialize-extents=extents=13,9,21 | FileCheck %s --check-prefix=KNOWN
// KNOWN: tile.kernel @star
// KNOWN-SAME: grid <domain = <[0, 0, 0], [13, 9, 21]>

// RUN: not stencil-opt %S/interpreter.mlir --stencil-infer-shapes --stencil-bufferize --convert-stencil-to-cpu 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not stencil-opt %S/interpreter.mlir --stencil-to-cpu 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not stencil-run %S/interpreter.mlir --target cpu --arg 0=random:1 --arg 1=zeros --extents 13,9,21 --entry star_tiles 2>&1 | FileCheck %s --check-prefix=CPU
// CPU: interpreter.mlir:[[#]]:3: error: 'tile.kernel' op has no CPU lowering: tiles are for GPUs

// RUN: not stencil-opt %s --stencil-infer-shapes 2>&1 | FileCheck %s --check-prefix=MIXED
// MIXED: :[[@LINE+6]]:8: error: 'stencil.load' op expected no values outside of tile.kernel in a function that has one: make it after stencil-bufferize
// MIXED: note: the tile.kernel is here
!field = !stencil.field<[-1,9]xf64>
!temp = !stencil.temp<?xf64>
!tile = !stencil.temp<[0,4]xf64>
func.func @mixed(%u: !field, %v: !field, %w: !field) {
  %t = stencil.load %u : !field -> !temp
  tile.kernel @copy(%a = %u : !field, %b = %v : !field) grid <domain = <[0], [8]>, block = [4], points = [1]> {
    %x = tile.source %a : !field -> !temp
    %r = stencil.apply(%y = %x : !temp) -> (!tile) {
      %0 = stencil.access %y[0] : !temp
      stencil.return %0 : f64
    }
    tile.store %r to %b : !tile to !field
  }
  stencil.store %t to %w(<[0], [8]>) : !temp to !field
  return
}
