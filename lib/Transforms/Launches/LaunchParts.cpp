//===- LaunchParts.cpp - Kernels that become one --------------------------===//

#include "LaunchParts.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Target/Vendors.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace stencil;

bool stencil::isPosition(Operation *op) {
  return isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(
      op);
}

static LogicalResult readBody(LaunchPart &part) {
  return checkWithin(part.kernel.getBody(), [&](Operation *op) {
    // What depends on the shape of block or grid in other ways.
    if (isa<gpu::GlobalIdOp, gpu::ClusterIdOp, gpu::ClusterDimOp,
            gpu::ClusterBlockIdOp, gpu::ClusterDimBlocksOp,
            gpu::NumSubgroupsOp>(op))
      return WalkResult(op->emitOpError(
          "has no lowering in a kernel that is joined with others: "
          "expected gpu.thread_id, gpu.block_id, gpu.block_dim or "
          "gpu.grid_dim"));
    StringRef dialect = op->getName().getDialectNamespace();
    part.synchronises |=
        (dialect == "gpu" && !isPosition(op) && !isa<gpu::ReturnOp>(op)) ||
        llvm::any_of(getVendors(), [&](const VendorInfo &vendor) {
          return llvm::is_contained(vendor.dialects, dialect);
        });
    return WalkResult::advance();
  });
}

/// Whether a launch can be joined with `first`.
static LogicalResult checkLaunch(gpu::LaunchFuncOp launch,
                                 gpu::LaunchFuncOp first) {
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  if (!matchPattern(grid.y, m_One()) || !matchPattern(grid.z, m_One()))
    return launch.emitOpError("expected a grid along x, to be joined with "
                              "others");
  if (launch.hasClusterSize() || launch.getAsyncToken() ||
      !launch.getAsyncDependencies().empty() ||
      launch.getAsyncObject() != first.getAsyncObject() ||
      launch.getKernelModuleName() != first.getKernelModuleName())
    return launch.emitOpError("expected a launch of one module to one stream, "
                              "without tokens and clusters, to be joined with "
                              "others");
  return success();
}

static LogicalResult readPart(LaunchPart &part, gpu::LaunchFuncOp first) {
  gpu::LaunchFuncOp launch = part.launch;
  part.kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (!part.kernel || !part.kernel.getBody().hasOneBlock())
    return launch.emitOpError("expected a kernel of one block, to be joined "
                              "with others");
  if (failed(checkLaunch(launch, first)))
    return failure();
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (auto [extent, count] :
       llvm::zip_equal(std::array{block.x, block.y, block.z}, part.threads)) {
    APInt value;
    if (!matchPattern(extent, m_ConstantInt(&value)))
      return launch.emitOpError("expected blocks of a constant size, to be "
                                "joined with others");
    count = value.getSExtValue();
  }
  return readBody(part);
}

FailureOr<SmallVector<LaunchPart>>
stencil::readLaunchParts(ArrayRef<gpu::LaunchFuncOp> launches) {
  SmallVector<LaunchPart> parts;
  for (gpu::LaunchFuncOp launch : launches) {
    parts.push_back({launch, {}});
    if (failed(readPart(parts.back(), launches.front())))
      return failure();
  }
  return parts;
}

const LaunchPart *stencil::findLargestPart(ArrayRef<LaunchPart> parts) {
  const LaunchPart *largest = llvm::max_element(
      parts, [](const LaunchPart &left, const LaunchPart &right) {
        return left.countThreads() < right.countThreads();
      });
  for (const LaunchPart &part : parts)
    if (part.synchronises && part.countThreads() != largest->countThreads()) {
      InFlightDiagnostic diag =
          part.launch->emitOpError("expected blocks of ")
          << largest->countThreads()
          << " threads, as another region of the same launch has, got "
          << part.countThreads()
          << ", which wait for each other: say 'block' in the schedules";
      diag.attachNote(largest->launch->getLoc()) << "the other region is here";
      return nullptr;
    }
  return largest;
}
