//===- LLVMTranslation.cpp - From the LLVM dialect to LLVM IR -------------===//

#include "StencilDialect/Target/LLVMTranslation.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/OpenMP/OpenMPToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"

using namespace mlir;

/// Moves memory of a fixed size to where it is taken once per call.
static void hoist(llvm::Value *memory) {
  auto *alloca = dyn_cast<llvm::AllocaInst>(memory->stripInBoundsOffsets());
  if (!alloca || !isa<llvm::ConstantInt>(alloca->getArraySize()))
    return;
  llvm::BasicBlock &entry = alloca->getFunction()->getEntryBlock();
  alloca->moveBefore(entry, entry.getFirstInsertionPt());
}

/// The translation of gpu.launch_func takes memory for the arguments where the
/// launch is: in a loop, more with every step. A launch has copied them when it
/// returns.
static void hoistLaunchMemory(llvm::Module &module) {
  for (llvm::StringRef name : {"mgpuLaunchKernel", "mgpuLaunchClusterKernel"}) {
    llvm::Function *launch = module.getFunction(name);
    if (!launch)
      continue;
    // ..., parameters, extra[, number of parameters]
    unsigned number = name == "mgpuLaunchKernel" ? 9 : 12;
    for (llvm::User *user : launch->users()) {
      auto *call = dyn_cast<llvm::CallInst>(user);
      if (!call || call->arg_size() <= number)
        continue;
      llvm::Value *pointers = call->getArgOperand(number);
      for (llvm::User *element : pointers->users())
        for (llvm::User *access : element->users())
          if (auto *store = dyn_cast<llvm::StoreInst>(access);
              store && store->getPointerOperand() == element)
            hoist(store->getValueOperand());
      hoist(pointers);
    }
  }
}

void stencil::registerCPUDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, func::FuncDialect, LLVM::LLVMDialect,
                  math::MathDialect, memref::MemRefDialect, omp::OpenMPDialect,
                  scf::SCFDialect, StencilDialect, tile::TileDialect,
                  ub::UBDialect, vector::VectorDialect>();
  func::registerInlinerExtension(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  registerOpenMPDialectTranslation(registry);
}

/// One error for what LLVM refuses, at the function if it is in one. MLIR would
/// print LLVM's own text.
static LogicalResult verifyTranslated(Operation *module,
                                      const llvm::Module &translated) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!llvm::verifyModule(translated, &os))
    return success();
  Operation *place = module;
  for (const llvm::Function &function : translated) {
    std::string ofFunction;
    llvm::raw_string_ostream functionStream(ofFunction);
    if (!llvm::verifyFunction(function, &functionStream))
      continue;
    if (Operation *found =
            SymbolTable::lookupSymbolIn(module, function.getName()))
      place = found;
    text = ofFunction;
    break;
  }
  return emitError(place->getLoc())
         << "LLVM refuses what this becomes: "
         << llvm::StringRef(text).split('\n').first.rtrim("!.");
}

static bool isCast(Operation *op) {
  return isa<UnrealizedConversionCastOp>(op);
}

LogicalResult
stencil::checkConverted(Operation *module,
                        llvm::function_ref<bool(Operation *)> isConverted,
                        llvm::StringRef problem) {
  auto left = module->walk([&](Operation *op) {
    if (op == module || isCast(op) || isConverted(op))
      return WalkResult::advance();
    op->emitOpError() << problem;
    return WalkResult::interrupt();
  });
  if (left.wasInterrupted())
    return failure();
  // Casts alone: of a type, which every op that has values of it has taken.
  auto types = module->walk([&](UnrealizedConversionCastOp cast) {
    SmallVector<Type> types(cast.getOperandTypes());
    llvm::append_range(types, cast.getResultTypes());
    auto *type = llvm::find_if_not(types, LLVM::isCompatibleType);
    emitError(cast.getLoc())
        << (type == types.end() ? types.front() : *type) << " " << problem;
    return WalkResult::interrupt();
  });
  return failure(types.wasInterrupted());
}

/// What the passes for a host have left. Other ops than those of the dialects
/// named here may have a translation of their own.
static LogicalResult checkHost(ModuleOp module) {
  auto casts = module.walk(
      [](UnrealizedConversionCastOp) { return WalkResult::interrupt(); });
  if (!casts.wasInterrupted())
    return success();
  return stencil::checkConverted(
      module,
      [](Operation *op) {
        return isa<ModuleOp, gpu::BinaryOp>(op) ||
               isa_and_nonnull<LLVM::LLVMDialect, omp::OpenMPDialect>(
                   op->getDialect());
      },
      "cannot be compiled for the target");
}

std::unique_ptr<llvm::Module>
stencil::translateToLLVM(Operation *op, llvm::LLVMContext &context) {
  llvm::StringRef name = "kernels";
  if (auto module = dyn_cast<ModuleOp>(op)) {
    if (failed(checkHost(module)))
      return nullptr;
    name = module.getName().value_or("stencil");
  }
  std::unique_ptr<llvm::Module> result =
      translateModuleToLLVMIR(op, context, name, /*disableVerification=*/true);
  if (!result || failed(verifyTranslated(op, *result)))
    return nullptr;
  hoistLaunchMemory(*result);
  return result;
}
