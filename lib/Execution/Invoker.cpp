//===- Invoker.cpp - A uniform way to call a compiled function ------------===//

#include "Invoker.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

Expected<stencil::ResultLayout> stencil::addInvoker(Module &module,
                                                    StringRef name) {
  Function *plain = module.getFunction(name);
  Function *target = module.getFunction(("_mlir_ciface_" + name).str());
  if (!plain || !target)
    return createStringError("the compiled program has no C interface for '" +
                             name + "'");
  LLVMContext &context = module.getContext();
  const DataLayout &layout = module.getDataLayout();
  auto *pointer = PointerType::getUnqual(context);
  auto *invoker = Function::Create(
      FunctionType::get(Type::getInt32Ty(context), {pointer, pointer}, false),
      GlobalValue::ExternalLinkage, kInvokerName, module);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", invoker));
  Value *arguments = invoker->getArg(0), *results = invoker->getArg(1);

  // Results go through a pointer that comes first.
  Type *resultType = plain->getReturnType();
  SmallVector<Value *> operands;
  if (!resultType->isVoidTy())
    operands.push_back(results);
  for (unsigned i = operands.size(), slot = 0; i < target->arg_size(); ++i) {
    Value *address = builder.CreateLoad(
        pointer, builder.CreateConstGEP1_32(pointer, arguments, slot++));
    Type *type = target->getArg(i)->getType();
    operands.push_back(type->isPointerTy() ? address
                                           : builder.CreateLoad(type, address));
  }
  builder.CreateRet(builder.CreateCall(target, operands));

  for (Function &function : module)
    if (!function.isDeclaration() && &function != invoker)
      function.setLinkage(GlobalValue::InternalLinkage);

  ResultLayout answer;
  if (resultType->isVoidTy())
    return answer;
  answer.size = layout.getTypeAllocSize(resultType);
  auto *structType = dyn_cast<StructType>(resultType);
  // A single field is a struct, too: its descriptor.
  if (!structType) {
    answer.offsets.push_back(0);
    return answer;
  }
  const StructLayout *offsets = layout.getStructLayout(structType);
  for (unsigned i = 0; i < structType->getNumElements(); ++i)
    answer.offsets.push_back(offsets->getElementOffset(i));
  return answer;
}
