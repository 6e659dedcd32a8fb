//===- MovedValues.cpp - What is only moved to shared memory --------------===//
//
// %v = llvm.load %p                      %v = llvm.load %p
// llvm.br ^next(%v)                 ==>  %h = call @stencilEmulatorHasValue(%p)
// ^next(%w):                             llvm.br ^next(%v, %h)
// llvm.store %w, %shared                 ^next(%w, %g):
//                                        llvm.store %w, %shared
//                                        call @stencilEmulatorMoveValue(
//                                            %shared, %g)
//
// A tile that is read as a whole may have parts that nobody uses, and which
// have no value in global memory. A thread that moves them does no wrong, as
// cp.async does none; whoever then reads them from shared memory does.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"

using namespace mlir;
using namespace stencil::emulator;

Value stencil::emulator::getBase(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (auto element = dyn_cast<LLVM::GEPOp>(op))
      address = element.getBase();
    else if (isa<LLVM::BitcastOp, LLVM::AddrSpaceCastOp>(op))
      address = op->getOperand(0);
    else
      break;
  }
  return address;
}

/// The array of parameters of a kernel.
static bool isParams(Value base) {
  auto argument = dyn_cast<BlockArgument>(base);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return false;
  auto function =
      dyn_cast<LLVM::LLVMFuncOp>(argument.getOwner()->getParentOp());
  return function && function->hasAttr(kKernelAttr);
}

/// True for the thread's own memory and for constants of the program, which no
/// other thread changes. (An index may leave them, though: that is not seen.)
bool stencil::emulator::isPrivate(Value address) {
  Value base = getBase(address);
  // What the parameters point to are the arguments.
  if (auto load = base.getDefiningOp<LLVM::LoadOp>())
    return isParams(getBase(load.getAddr()));
  return isParams(base) || base.getDefiningOp<LLVM::AllocaOp>() ||
         base.getDefiningOp<LLVM::AddressOfOp>();
}

static bool isShared(Value address) {
  auto call = getBase(address).getDefiningOp<LLVM::CallOp>();
  std::optional<StringRef> callee = call ? call.getCallee() : std::nullopt;
  return callee && (*callee == "stencilEmulatorSharedArray" ||
                    *callee == "stencilEmulatorDynamicShared");
}

static bool isPlainBranch(Operation *op) {
  return isa<LLVM::BrOp, LLVM::CondBrOp>(op);
}

/// True if all uses of `value` lead to stores to shared memory.
bool MovedValues::follow(Value value, Way &way) {
  SmallVector<Value> rest = {value};
  while (!rest.empty())
    for (OpOperand &use : rest.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (auto store = dyn_cast<LLVM::StoreOp>(user)) {
        if (use.get() == store.getAddr() || !isShared(store.getAddr()))
          return false;
        way.stores.insert(store);
        continue;
      }
      if (!isPlainBranch(user))
        return false;
      auto argument = cast<BranchOpInterface>(user).getSuccessorBlockArgument(
          use.getOperandNumber());
      if (!argument ||
          !llvm::all_of(argument->getOwner()->getPredecessors(),
                        [](Block *block) {
                          return isPlainBranch(block->getTerminator());
                        }))
        return false;
      if (way.arguments.insert(*argument))
        rest.push_back(*argument);
    }
  return !way.stores.empty();
}

MovedValues::MovedValues(LLVM::LLVMFuncOp function) {
  function.walk([&](LLVM::LoadOp load) {
    Way way;
    if (isPrivate(load.getAddr()) ||
        load.getOrdering() != LLVM::AtomicOrdering::not_atomic ||
        !follow(load, way))
      return;
    loads.insert(load);
    ways.arguments.insert_range(way.arguments);
    ways.stores.insert_range(way.stores);
  });
}

/// Lets all predecessors hand over the marks of what they hand over.
void MovedValues::passMarks(BlockArgument argument, Emitter &emitter) {
  Block *block = argument.getOwner();
  for (Block *predecessor :
       llvm::SetVector<Block *>(block->pred_begin(), block->pred_end())) {
    Operation *terminator = predecessor->getTerminator();
    auto branch = cast<BranchOpInterface>(terminator);
    Writer b(emitter, terminator->getLoc(), terminator);
    for (auto [index, successor] :
         llvm::enumerate(terminator->getSuccessors())) {
      if (successor != block)
        continue;
      SuccessorOperands operands = branch.getSuccessorOperands(index);
      Value own = getMarks(operands[argument.getArgNumber()]);
      operands.append(own ? own : b.i32(1));
    }
  }
}

void MovedValues::emit(Emitter &emitter) {
  DataLayout layout;
  Type i32 = IntegerType::get(emitter.module.getContext(), 32);
  auto callBehind = [&](Operation *access, StringRef name, Type result,
                        Value address, Type type, ValueRange marks = {}) {
    Writer b(emitter, access->getLoc(), access->getContext());
    b.setInsertionPointAfter(access);
    SmallVector<Value> arguments = {address, b.i64(layout.getTypeSize(type))};
    llvm::append_range(arguments, marks);
    return b.call(name, result, arguments);
  };
  for (Operation *op : loads) {
    auto load = cast<LLVM::LoadOp>(op);
    marks[load] = callBehind(op, "stencilEmulatorHasValue", i32, load.getAddr(),
                             load.getType());
  }
  for (BlockArgument argument : ways.arguments)
    marks[argument] = argument.getOwner()->addArgument(i32, argument.getLoc());
  for (BlockArgument argument : ways.arguments)
    passMarks(argument, emitter);
  for (Operation *op : ways.stores) {
    auto store = cast<LLVM::StoreOp>(op);
    callBehind(op, "stencilEmulatorMoveValue", Type(), store.getAddr(),
               store.getValue().getType(), getMarks(store.getValue()));
  }
}
