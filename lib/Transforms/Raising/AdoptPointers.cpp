//===- AdoptPointers.cpp - Pointers that are arrays become memrefs --------===//

#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILADOPTPOINTERS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;

/// The pointer to the elements in a memref descriptor that insertvalues make;
/// null if something else makes it. A later insertion hides earlier ones.
static Value getElements(Value descriptor) {
  constexpr int64_t aligned = 1;
  while (auto insert = descriptor.getDefiningOp<LLVM::InsertValueOp>()) {
    if (insert.getPosition() == ArrayRef<int64_t>(aligned))
      return insert.getValue();
    descriptor = insert.getContainer();
  }
  return {};
}

/// Collects the casts to memrefs of the descriptors that a value is part of.
/// False if it has another use.
static bool collectCasts(Value value,
                         SmallVectorImpl<UnrealizedConversionCastOp> &casts) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    if (isa<LLVM::InsertValueOp>(user))
      return collectCasts(user->getResult(0), casts);
    auto castOp = dyn_cast<UnrealizedConversionCastOp>(user);
    if (!castOp || castOp->getNumOperands() != 1 ||
        castOp->getNumResults() != 1)
      return false;
    if (!llvm::is_contained(casts, castOp))
      casts.push_back(castOp);
    return true;
  });
}

/// The one type of array as which the function uses a pointer; null if it does
/// anything else with it. Sizes and strides of a static row-major memref are
/// not read from its descriptor.
static MemRefType findType(BlockArgument pointer,
                           SmallVectorImpl<UnrealizedConversionCastOp> &casts) {
  if (!isa<LLVM::LLVMPointerType>(pointer.getType()) || pointer.use_empty() ||
      !collectCasts(pointer, casts))
    return {};
  MemRefType type;
  for (UnrealizedConversionCastOp castOp : casts) {
    auto memref = dyn_cast<MemRefType>(castOp.getType(0));
    if (!memref || !memref.hasStaticShape() ||
        !memref.getLayout().isIdentity() || memref.getMemorySpace() ||
        (type && memref != type) ||
        getElements(castOp.getOperand(0)) != pointer)
      return {};
    type = memref;
  }
  return type;
}

/// Erases the descriptors that a value is part of, and what only they need.
static void eraseDescriptors(Value part) {
  llvm::SetVector<Operation *> ops;
  auto add = [&](Value value) {
    for (Operation *user : value.getUsers())
      if (isa<LLVM::InsertValueOp>(user))
        ops.insert(user);
  };
  add(part);
  for (size_t i = 0; i < ops.size(); ++i)
    add(ops[i]->getResult(0));
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : ops[i]->getOperands())
      if (Operation *op = operand.getDefiningOp())
        ops.insert(op);
  // The order in which they were found is not that of their uses.
  for (bool isChanged = true; std::exchange(isChanged, false);)
    ops.remove_if([&](Operation *op) {
      if (!isOpTriviallyDead(op))
        return false;
      op->erase();
      return isChanged = true;
    });
}

/// Makes memrefs of the arguments of a function that are arrays.
static void adopt(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    SmallVector<UnrealizedConversionCastOp> casts;
    MemRefType type = findType(argument, casts);
    if (!type)
      continue;
    argument.setType(type);
    for (UnrealizedConversionCastOp castOp : casts) {
      castOp.getResult(0).replaceAllUsesWith(argument);
      castOp.erase();
    }
    eraseDescriptors(argument);
  }
  function.setFunctionType(FunctionType::get(
      function.getContext(), function.front().getArgumentTypes(),
      function.getResultTypes()));
}

namespace {

struct AdoptPointers : stencil::impl::StencilAdoptPointersBase<AdoptPointers> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal() &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        adopt(function);
  }
};

} // namespace
