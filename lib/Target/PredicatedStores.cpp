//===- PredicatedStores.cpp - Stores without a branch ---------------------===//
//
// Kernels of long straight code are scheduled block by block: a branch around a
// store is the end of one. LLVM has no predicated stores: they become assembly,
// when everything that moves code has been done.
//
//===----------------------------------------------------------------------===//

#include "KernelSerializer.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace stencil;

/// How PTX and LLVM's assembly name a register of this type; empty if a store
/// of it stays as it is.
static std::pair<StringRef, StringRef> nameRegister(const Type *element) {
  if (element->isDoubleTy())
    return {"f64", "d"};
  if (element->isFloatTy())
    return {"f32", "f"};
  if (element->isIntegerTy(64))
    return {"b64", "l"};
  if (element->isIntegerTy(32))
    return {"b32", "r"};
  return {};
}

/// True if one instruction can be the store: to an argument, which is in the
/// memory of the device, of a vector that is aligned as a whole.
static bool canBePredicated(const StoreInst &store) {
  Type *type = store.getValueOperand()->getType();
  if (!store.isSimple() || nameRegister(type->getScalarType()).first.empty() ||
      !isa<Argument>(getUnderlyingObject(store.getPointerOperand(), 0)))
    return false;
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (type->isVectorTy() && (!vector || (vector->getNumElements() != 2 &&
                                         vector->getNumElements() != 4)))
    return false;
  uint64_t bytes = store.getDataLayout().getTypeStoreSize(type);
  constexpr uint64_t kWidest = 16;
  return bytes <= kWidest && store.getAlign().value() >= bytes;
}

static void predicate(IRBuilder<> &builder, StoreInst &store,
                      Value *condition) {
  Value *value = store.getValueOperand();
  auto [suffix, constraint] = nameRegister(value->getType()->getScalarType());
  constexpr unsigned kGlobal = 1;
  SmallVector<Value *> operands = {
      condition, builder.CreateAddrSpaceCast(store.getPointerOperand(),
                                             builder.getPtrTy(kGlobal))};
  std::string constraints = "b,l", width, registers = "$2";
  if (auto *vector = dyn_cast<FixedVectorType>(value->getType())) {
    registers.clear();
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      operands.push_back(builder.CreateExtractElement(value, i));
      registers += formatv("{0}${1}", i ? ", " : "", i + 2);
    }
    registers = "{" + registers + "}";
    width = formatv(".v{0}", vector->getNumElements());
  } else {
    operands.push_back(value);
  }
  SmallVector<Type *> types;
  for (Value *operand : operands)
    types.push_back(operand->getType());
  for (size_t i = 2; i < operands.size(); ++i)
    constraints += ("," + constraint).str();
  std::string text =
      formatv("@$0 st.global{0}.{1} [$1], {2};", width, suffix, registers);
  auto *signature =
      FunctionType::get(builder.getVoidTy(), types, /*isVarArg=*/false);
  CallInst *call = builder.CreateCall(
      signature,
      InlineAsm::get(signature, text, constraints, /*hasSideEffects=*/true),
      operands);
  call->setOnlyWritesMemory();
  call->setOnlyAccessesArgMemory();
  call->setDoesNotThrow();
}

/// The stores of a block that one branch leads to and that has nothing but
/// these and what can be computed in any case; empty if it is another one.
static SmallVector<StoreInst *> findStores(BasicBlock &block) {
  auto *from = block.getSinglePredecessor();
  auto *end = dyn_cast<BranchInst>(block.getTerminator());
  if (!from || !end || end->isConditional() || !block.phis().empty())
    return {};
  auto *branch = dyn_cast<BranchInst>(from->getTerminator());
  BasicBlock *behind = end->getSuccessor(0);
  if (!branch || !branch->isConditional() ||
      branch->getSuccessor(0) == branch->getSuccessor(1) ||
      !is_contained(branch->successors(), behind) || !behind->phis().empty())
    return {};
  SmallVector<StoreInst *> stores;
  for (Instruction &instruction : block) {
    if (&instruction == end)
      continue;
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (store && canBePredicated(*store))
      stores.push_back(store);
    else if (store || instruction.mayReadOrWriteMemory() ||
             !isSafeToSpeculativelyExecute(&instruction))
      return {};
  }
  return stores;
}

/// Moves the stores and what else is in the block in front of the branch to it,
/// which leads on behind it in any case.
static void flatten(BasicBlock &block, ArrayRef<StoreInst *> stores) {
  BasicBlock *from = block.getSinglePredecessor();
  auto *branch = cast<BranchInst>(from->getTerminator());
  IRBuilder<> builder(branch);
  Value *condition = branch->getCondition();
  if (branch->getSuccessor(1) == &block)
    condition = builder.CreateNot(condition);
  from->splice(branch->getIterator(), &block, block.begin(),
               block.getTerminator()->getIterator());
  for (StoreInst *store : stores) {
    builder.SetInsertPoint(store);
    predicate(builder, *store, condition);
    store->eraseFromParent();
  }
  builder.SetInsertPoint(branch);
  builder.CreateBr(block.getSingleSuccessor());
  branch->eraseFromParent();
  DeleteDeadBlock(&block);
}

void stencil::predicateStores(Function &kernel) {
  SmallVector<std::pair<BasicBlock *, SmallVector<StoreInst *>>> found;
  for (BasicBlock &block : kernel)
    if (SmallVector<StoreInst *> stores = findStores(block); !stores.empty())
      found.emplace_back(&block, stores);
  SetVector<BasicBlock *> behind;
  for (auto &[block, stores] : found) {
    behind.insert(block->getSingleSuccessor());
    flatten(*block, stores);
  }
  for (BasicBlock *block : behind)
    MergeBlockIntoPredecessor(block);
}
