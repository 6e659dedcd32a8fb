//===- GPUSource.cpp - CUDA and HIP sources of GPU programs ---------------===//

#include "StencilDialect/Target/GPUSource.h"
#include "StencilDialect/Conversion/IntegerPowers.h"
#include "StencilDialect/IR/Locations.h"
#include "Writer.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

/// Makes loops and conditions of branches between blocks.
static LogicalResult structure(FunctionOpInterface function) {
  Region &body = function.getFunctionBody();
  if (body.empty() || body.hasOneBlock())
    return success();
  ControlFlowToSCFTransformation transformation;
  DominanceInfo dominance(function);
  return success(succeeded(transformCFGToSCF(body, transformation, dominance)));
}

LogicalResult gpusource::prepare(ModuleOp module, GPULanguage language) {
  MLIRContext *context = module.getContext();
  RewritePatternSet patterns(context);
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  populateIntegerPowers(patterns);
  populateGpuAllReducePatterns(patterns);
  populateGpuGlobalIdPatterns(patterns);
  populateGpuBreakDownSubgroupReducePatterns(patterns);
  unsigned lanes = language == GPULanguage::CUDA ? 32 : 64;
  populateGpuLowerSubgroupReduceToShufflePatterns(patterns, lanes);
  populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, lanes);
  GreedyRewriteConfig config;
  // Only what the patterns ask for: the rest stays as it was written.
  config.enableFolding(false)
      .enableConstantCSE(false)
      .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  if (failed(applyPatternsGreedily(module, std::move(patterns), config)))
    return emitError(getStart(module)) << "rewriting for C++ does not end";
  WalkResult result = module.walk([](FunctionOpInterface function) {
    return WalkResult(structure(function));
  });
  return failure(result.wasInterrupted());
}

LogicalResult stencil::emitGPUSource(ModuleOp module, GPULanguage language,
                                     llvm::StringRef name,
                                     llvm::SourceMgr *sources,
                                     llvm::raw_ostream &os) {
  module.getContext()
      ->loadDialect<cf::ControlFlowDialect, scf::SCFDialect, ub::UBDialect>();
  if (failed(prepare(module, language)))
    return failure();

  Names names;
  Context context{{language, {}},
                  Ranges(module),
                  SourceNames(sources),
                  KernelTable(),
                  ArrayTable()};
  for (auto function : module.getOps<func::FuncOp>())
    names.get(function.getName());
  module.walk([&](gpu::GPUFuncOp function) {
    context.kernels[function].name = names.get(function.getName());
  });

  std::string text;
  llvm::raw_string_ostream body(text);
  for (auto kernelModule : module.getOps<gpu::GPUModuleOp>())
    for (auto global : kernelModule.getOps<memref::GlobalOp>()) {
      std::string &array = context.arrays[global];
      array = names.get(global.getSymName());
      if (failed(writeConstantArray(global, array, context, body)))
        return failure();
    }
  for (auto kernelModule : module.getOps<gpu::GPUModuleOp>())
    for (auto function : kernelModule.getOps<gpu::GPUFuncOp>())
      if (failed(writeKernel(function, context, body)))
        return failure();
  for (auto function : module.getOps<func::FuncOp>())
    if (!function.isExternal() &&
        failed(writeHostFunction(function, context, sources, body)))
      return failure();
  context.prologue.write(name, os);
  while (llvm::StringRef(text).ends_with("\n\n"))
    text.pop_back();
  os << text;
  return success();
}
