//===- BFloatConversions.cpp - Rounding to bfloat16 -----------------------===//

#include "BFloatConversions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"

using namespace llvm;

static bool usesBFloat(const Module &module) {
  auto isBFloat = [](const Type *type) {
    return type->getScalarType()->isBFloatTy();
  };
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (isBFloat(instruction.getType()) ||
          any_of(instruction.operands(),
                 [&](const Use &use) { return isBFloat(use->getType()); }))
        return true;
  return false;
}

/// Starts a function from `from` to bfloat; null if the module has it.
static Function *createConversion(Module &module, StringRef name, Type *from) {
  if (const Function *function = module.getFunction(name);
      function && !function->isDeclaration())
    return nullptr;
  auto *type = FunctionType::get(Type::getBFloatTy(module.getContext()), {from},
                                 /*isVarArg=*/false);
  auto *function =
      cast<Function>(module.getOrInsertFunction(name, type).getCallee());
  function->setLinkage(GlobalValue::WeakODRLinkage);
  function->setVisibility(GlobalValue::HiddenVisibility);
  function->setDoesNotThrow();
  BasicBlock::Create(module.getContext(), "entry", function);
  return function;
}

/// The nearest bfloat of a float, ties to even: it is the upper half of the
/// bits.
static Value *roundFloat(IRBuilder<> &builder, Value *value) {
  Value *bits = builder.CreateBitCast(value, builder.getInt32Ty());
  Value *odd = builder.CreateAnd(builder.CreateLShr(bits, 16), 1);
  Value *rounded =
      builder.CreateAdd(builder.CreateAdd(bits, builder.getInt32(0x7fff)), odd);
  // Rounding could carry the mantissa of a NaN away; this makes it quiet.
  Value *quiet = builder.CreateOr(bits, builder.getInt32(0x400000));
  Value *result =
      builder.CreateSelect(builder.CreateFCmpUNO(value, value), quiet, rounded);
  Value *half =
      builder.CreateTrunc(builder.CreateLShr(result, 16), builder.getInt16Ty());
  return builder.CreateBitCast(half, builder.getBFloatTy());
}

/// The float that a double rounds to by "round to odd": towards zero, the last
/// bit set if that is inexact. Rounding it to a shorter format gives what
/// rounding the double would (Boldo, Melquiond: Emulation of a FMA and
/// correctly rounded sums, 2008).
static Value *roundToOdd(IRBuilder<> &builder, Value *value) {
  Value *nearest = builder.CreateFPTrunc(value, builder.getFloatTy());
  Value *back = builder.CreateFPExt(nearest, builder.getDoubleTy());
  Value *bits = builder.CreateBitCast(nearest, builder.getInt32Ty());
  auto magnitude = [&](Value *number) {
    return builder.CreateUnaryIntrinsic(Intrinsic::fabs, number);
  };
  Value *away = builder.CreateFCmpOGT(magnitude(back), magnitude(value));
  Value *truncated =
      builder.CreateSub(bits, builder.CreateZExt(away, builder.getInt32Ty()));
  Value *inexact = builder.CreateFCmpONE(back, value);
  Value *odd = builder.CreateOr(truncated, builder.getInt32(1));
  return builder.CreateBitCast(builder.CreateSelect(inexact, odd, bits),
                               builder.getFloatTy());
}

void stencil::addBFloatConversions(Module &module) {
  if (!usesBFloat(module))
    return;
  LLVMContext &context = module.getContext();
  if (Function *function =
          createConversion(module, "__truncsfbf2", Type::getFloatTy(context))) {
    IRBuilder<> builder(&function->getEntryBlock());
    builder.CreateRet(roundFloat(builder, function->getArg(0)));
  }
  if (Function *function = createConversion(module, "__truncdfbf2",
                                            Type::getDoubleTy(context))) {
    IRBuilder<> builder(&function->getEntryBlock());
    Value *odd = roundToOdd(builder, function->getArg(0));
    builder.CreateRet(roundFloat(builder, odd));
  }
}
