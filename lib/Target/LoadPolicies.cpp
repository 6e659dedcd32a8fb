//===- LoadPolicies.cpp - Loads that the second-level cache keeps ---------===//
//
// LLVM has no loads with a policy for the caches: they become assembly, when
// everything that makes fewer and wider loads of them has been done.
//
//===----------------------------------------------------------------------===//

#include "KernelSerializer.h"
#include "StencilDialect/IR/Schedule.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SeparateConstOffsetFromGEP.h"
#include "llvm/Transforms/Vectorize/LoadStoreVectorizer.h"

using namespace llvm;
using namespace stencil;

/// What the code generator would do before it selects instructions.
static void mergeLoads(Function &kernel, TargetMachine &machine) {
  PassBuilder builder(&machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  FunctionPassManager passes;
  passes.addPass(SeparateConstOffsetFromGEPPass());
  passes.addPass(EarlyCSEPass());
  passes.addPass(LoadStoreVectorizerPass());
  passes.run(kernel, functions);
}

namespace {

/// What one instruction loads.
struct Words {
  unsigned count;
  Type *type;
  /// As PTX and as LLVM names it.
  StringRef suffix, constraint;
};

} // namespace

/// The words that `bytes` of elements are loaded as.
static Words chooseWords(Type *element, unsigned bytes) {
  LLVMContext &context = element->getContext();
  if (element->isDoubleTy() && bytes % 8 == 0)
    return {bytes / 8, element, "f64", "d"};
  if (element->isIntegerTy(64) && bytes % 8 == 0)
    return {bytes / 8, element, "b64", "l"};
  if (element->isFloatTy() && bytes % 4 == 0)
    return {bytes / 4, element, "f32", "f"};
  if (bytes % 4 == 0)
    return {bytes / 4, Type::getInt32Ty(context), "b32", "r"};
  // There are no registers of 8 bits.
  return {1, Type::getInt16Ty(context), bytes == 2 ? "b16" : "b8", "h"};
}

/// What `createpolicy.fractional.L2::evict_last.b64` makes of all lines, from
/// sm_80 on; as in CUTLASS (TMA::CacheHintSm90::EVICT_LAST).
static constexpr uint64_t kEvictLast = 0x14F0000000000000;

/// The words that one instruction loads; those of 8 bits as such.
static SmallVector<Value *> loadWords(IRBuilder<> &builder, Value *address,
                                      const Words &words) {
  std::string registers, constraints, vector;
  for (unsigned i = 0; i < words.count; ++i) {
    registers += (i ? ", $" : "$") + std::to_string(i);
    constraints += ("=" + words.constraint + ",").str();
  }
  Type *type = words.type;
  if (words.count > 1) {
    type = StructType::get(builder.getContext(),
                           SmallVector<Type *>(words.count, words.type));
    vector = ".v" + std::to_string(words.count);
    registers = "{" + registers + "}";
  }
  std::string text =
      formatv("ld.global.nc.L2::cache_hint{0}.{1} {2}, [${3}], ${4};", vector,
              words.suffix, registers, words.count, words.count + 1);
  auto *signature = FunctionType::get(
      type, {address->getType(), builder.getInt64Ty()}, /*isVarArg=*/false);
  CallInst *result =
      builder.CreateCall(signature,
                         InlineAsm::get(signature, text, constraints + "l,l",
                                        /*hasSideEffects=*/false),
                         {address, builder.getInt64(kEvictLast)});
  // Nobody writes meanwhile to what it reads.
  result->setDoesNotAccessMemory();
  result->setDoesNotThrow();
  if (words.suffix == "b8")
    return {builder.CreateTrunc(result, builder.getInt8Ty())};
  if (words.count == 1)
    return {result};
  SmallVector<Value *> loaded;
  for (unsigned i = 0; i < words.count; ++i)
    loaded.push_back(builder.CreateExtractValue(result, i));
  return loaded;
}

/// True if it is of an argument that nobody writes to while the kernel runs.
static bool isOfInput(const Value *pointer) {
  const auto *buffer = dyn_cast<Argument>(getUnderlyingObject(pointer, 0));
  return buffer && buffer->hasNoAliasAttr() && buffer->onlyReadsMemory();
}

/// The alignment of a load of an input. Merged ones may have a mask for what
/// nobody wants of a vector; aligned as a whole, all of it can be read.
static MaybeAlign getInputAlign(const Instruction &instruction) {
  if (const auto *load = dyn_cast<LoadInst>(&instruction);
      load && load->isSimple() && isOfInput(load->getPointerOperand()))
    return load->getAlign();
  const auto *call = dyn_cast<IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != Intrinsic::masked_load ||
      !isa<Constant>(call->getArgOperand(1)) ||
      !isa<UndefValue>(call->getArgOperand(2)) ||
      !isOfInput(call->getArgOperand(0)))
    return {};
  MaybeAlign align = call->getParamAlign(0);
  uint64_t bytes = call->getDataLayout().getTypeStoreSize(call->getType());
  return align && align->value() % bytes == 0 ? align : MaybeAlign();
}

static void keepLoad(Instruction &load, Align align) {
  Type *type = load.getType();
  Type *element = type->getScalarType();
  // A boolean is a byte, a vector of them has bits.
  if (!(element->isIntegerTy() || element->isFloatingPointTy()) ||
      (type->isVectorTy() && element->isIntegerTy(1)))
    return;
  const DataLayout &layout = load.getDataLayout();
  auto bytes =
      static_cast<unsigned>(layout.getTypeStoreSize(type).getFixedValue());
  constexpr uint64_t kWidest = 16;
  auto part =
      static_cast<unsigned>(MinAlign(bytes, std::min(align.value(), kWidest)));
  Words words = chooseWords(element, part);

  IRBuilder<> builder(&load);
  constexpr unsigned kGlobal = 1;
  // The pointer is the first operand of both kinds.
  Value *address = builder.CreateAddrSpaceCast(load.getOperand(0),
                                               builder.getPtrTy(kGlobal));
  SmallVector<Value *> loaded;
  for (unsigned offset = 0; offset < bytes; offset += part) {
    Value *at = offset ? builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                            address, offset)
                       : address;
    append_range(loaded, loadWords(builder, at, words));
  }
  Value *result = loaded.front();
  if (type->isVectorTy() || loaded.size() > 1) {
    result = PoisonValue::get(
        FixedVectorType::get(result->getType(), loaded.size()));
    for (auto [index, word] : enumerate(loaded))
      result = builder.CreateInsertElement(result, word, index);
  }
  result = type->isIntegerTy(1) ? builder.CreateTrunc(result, type)
                                : builder.CreateBitCast(result, type);
  load.replaceAllUsesWith(result);
  load.eraseFromParent();
}

void stencil::keepLoads(Module &code, TargetMachine &machine) {
  for (Function &kernel : code) {
    if (kernel.getFnAttribute(kEvictionAttrName).getValueAsString() !=
        stringifyEviction(Eviction::Last))
      continue;
    kernel.removeFnAttr(kEvictionAttrName);
    mergeLoads(kernel, machine);
    for (Instruction &instruction : make_early_inc_range(instructions(kernel)))
      if (MaybeAlign align = getInputAlign(instruction))
        keepLoad(instruction, *align);
  }
}
