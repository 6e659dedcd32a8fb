// The mathematics on the way to any target: applies fused, sums in normal form,
// factored where their order is free.
// RUN: stencil-opt %examples/hdiff.mlir --stencil-simplify | FileCheck %s --check-prefix=FUSED
// RUN: stencil-opt %examples/hdiff.mlir --stencil-simplify=algebra=false | FileCheck %s --check-prefix=WRITTEN
// FUSED-COUNT-1: stencil.apply
// FUSED: stencil.weighted_sum
// FUSED-NOT: stencil.apply
// WRITTEN-NOT: stencil.weighted_sum
// WRITTEN-COUNT-3: stencil.apply

// RUN: stencil-opt %benchmarks/kernels/brick_cube125p.mlir --stencil-simplify=math=reassociate --stencil-report-cost | FileCheck %s --check-prefix=FACTORED
// RUN: stencil-opt %benchmarks/kernels/brick_cube125p.mlir --stencil-simplify --stencil-report-cost | FileCheck %s --check-prefix=KEPT
// FACTORED: shared: 33 operations
// KEPT: shared: 125 operations

// Every pipeline has the option, and the tools.
// RUN: stencil-opt %examples/heat2d.mlir --stencil-to-cpu=math=reassociate -o /dev/null
// RUN: stencil-opt %examples/heat2d.mlir --stencil-to-nvvm="chip=sm_90 format=llvm math=strict algebra=false" -o /dev/null
// RUN: stencil-translate %examples/heat3d.mlir --to-llvmir --math strict -o - | FileCheck %s --check-prefix=STRICT
// RUN: stencil-translate %examples/heat3d.mlir --to-llvmir -o - | FileCheck %s --check-prefix=CONTRACT
// STRICT-NOT: contract
// STRICT-NOT: fmuladd
// CONTRACT-NOT: contract
// CONTRACT: @llvm.fmuladd
// CONTRACT-NOT: contract

// RUN: not stencil-run %examples/heat2d.mlir --math fast 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not stencil-translate %examples/heat2d.mlir --to-llvmir --math fast 2>&1 | FileCheck %s --check-prefix=MODE
// MODE: --math: unknown 'fast', expected strict, contract, reassociate or tf32
// RUN: not stencil-run %examples/heat2d.mlir --target interpreter --math strict 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: --math needs --target cpu, {{.*}} or emulator
