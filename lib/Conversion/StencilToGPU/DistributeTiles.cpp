//===- DistributeTiles.cpp - Kernels of tiles to kernels of threads -------===//
//
//   tile.kernel @k(%a = %u : ...) grid <...> { what a block does }
//     ==> gpu.module @f_kernels { gpu.func @f_k0(...) kernel { a thread's part
//     } }
//         stencil.launch @f_kernels::@f_k0 ... args(%u : ... read)
//
// Nothing is decided here. A kernel is made in the function of the GPU's module
// at once: what its arguments are (which do not alias, how far they are
// aligned) is said on its signature, for which a gpu.launch in the host's
// function has no place.
//
//===----------------------------------------------------------------------===//

#include "FieldFunction.h"
#include "StencilDialect/Analysis/SymbolicExtents.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/Target.h"
#include "Window.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILDISTRIBUTETILES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

struct DistributeTiles
    : stencil::impl::StencilDistributeTilesBase<DistributeTiles> {
  using StencilDistributeTilesBase::StencilDistributeTilesBase;

  void runOnOperation() override;
};

} // namespace

/// Whether patches at the end of rows are multiplied as all others are.
static bool readsBesideRows(tile::KernelOp kernel) {
  return anyWithin(kernel.getBody(), [](ApplyOp stage) {
    tile::EngineAttrInterface engine = tile::getEngine(stage);
    return llvm::any_of(
        llvm::seq<unsigned>(stage.getArgs().size()), [&](unsigned input) {
          return engine.getOperandAccess(stage, input).multipliesAll;
        });
  });
}

/// Brings the bodies of applies within an op to what kernels are made of; fails
/// with an error where one calls a function.
static LogicalResult prepareBodies(Operation *root) {
  auto checkCall = [](func::CallOp call) -> LogicalResult {
    if (!call->getParentOfType<ApplyOp>())
      return success();
    return call.emitOpError("no GPU lowering for a call that could not be "
                            "inlined: expected '")
           << call.getCallee() << "' to have a body of one block";
  };
  if (failed(checkWithin(*root, checkCall)))
    return failure();
  root->walk([](ApplyOp apply) { splitAxes(apply); });
  return success();
}

static LogicalResult distribute(func::FuncOp function,
                                ArrayRef<tile::KernelOp> tiles,
                                const KernelOptions &options) {
  if (failed(checkFieldFunction(function)))
    return failure();
  // What is in the bodies says it now, and is gone then.
  recordMinimalExtents(function, [](Value value) { return getBounds(value); });
  KernelSet kernels(function, options);
  for (tile::KernelOp kernel : tiles)
    if (failed(prepareBodies(kernel)) || failed(checkFields(kernel)) ||
        failed(lowerTileKernel(kernel, kernels)))
      return failure();
  if (llvm::any_of(tiles, readsBesideRows))
    function->setAttr(kClearedRowsAttr, UnitAttr::get(function.getContext()));
  // Until then, no other op has the address of one before which extents are
  // known.
  for (tile::KernelOp kernel : tiles)
    kernel.erase();
  return success();
}

void DistributeTiles::runOnOperation() {
  llvm::MapVector<Operation *, SmallVector<tile::KernelOp>> tiles;
  auto found = getOperation().walk([&](tile::KernelOp kernel) {
    auto function = kernel->getParentOfType<func::FuncOp>();
    if (!function || function->getParentOp() != getOperation())
      return WalkResult(
          kernel.emitOpError("expected to be in a func.func of the module"));
    tiles[function].push_back(kernel);
    return WalkResult::skip();
  });
  if (found.wasInterrupted())
    return signalPassFailure();
  // What is as it was needs no verification.
  if (tiles.empty()) {
    markAllAnalysesPreserved();
    return;
  }
  FailureOr<const TargetInfo *> target = requireTarget(getOperation());
  if (failed(target))
    return signalPassFailure();
  KernelOptions options{**target, math};
  for (auto &[function, kernels] : tiles)
    if (failed(distribute(cast<func::FuncOp>(function), kernels, options)))
      return signalPassFailure();
}
