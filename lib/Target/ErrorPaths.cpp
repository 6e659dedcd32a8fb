//===- ErrorPaths.cpp - Ways out of functions that fail -------------------===//

#include "ErrorPaths.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilRuntime/Runtime.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace stencil;

namespace {

struct Resource {
  llvm::StringLiteral acquire, release;
  /// The release has a stream as its second argument.
  bool hasStream;
};

constexpr Resource kResources[] = {
    {"malloc", "free", false},
    {"mgpuMemAlloc", "mgpuMemFree", true},
    {"mgpuStreamCreate", "mgpuStreamDestroy", false},
    {"stencilCreatePriorStream", "mgpuStreamDestroy", false},
    {"stencilOpenStream", "stencilCloseStream", false},
    {"mgpuEventCreate", "mgpuEventDestroy", false},
    {"stencilEndCapture", "stencilDestroyGraph", false},
    // The same graph; in a stream of the caller.
    {"stencilEndCapture", "stencilRetireGraph", true}};

/// Changes one function.
class FunctionRewriter {
public:
  FunctionRewriter(LLVM::LLVMFuncOp function, const StatusFunctions &runtime,
                   const llvm::SetVector<Operation *> &callees)
      : function(function), runtime(runtime), callees(callees),
        builder(function.getContext()),
        pointer(LLVM::LLVMPointerType::get(function.getContext())) {}

  void run();

private:
  Value constant(Location loc, int32_t value);
  Value message(Location loc, llvm::StringRef text);
  Value createSlot(Type type);
  Value getFailedSlot();
  Value getMessageSlot();
  Block *getExit(Region &region);
  void emitFailure(Location loc, Value code, Value message);
  void failBefore(Operation *op, Value fails, Value code, Value message);
  void rewriteAbort(LLVM::CallOp abort);
  void rewriteAllocation(LLVM::CallOp call);
  void rewriteCall(LLVM::CallOp call);
  void rewriteDivision(Operation *op);
  void rewriteParallel(Operation *op);
  void trackAcquisitions(ArrayRef<LLVM::CallOp> calls);
  void trackRelease(LLVM::CallOp call);

  LLVM::LLVMFuncOp function;
  const StatusFunctions &runtime;
  const llvm::SetVector<Operation *> &callees;
  OpBuilder builder;
  Type pointer;
  /// In memory: the code of the first failure of a parallel region, and its
  /// message.
  Value failedSlot, messageSlot;
  /// In memory: what the function has acquired and not released, null if none.
  llvm::SmallVector<std::pair<Value, const Resource *>> held;
  llvm::DenseMap<Region *, Block *> exits;
  llvm::SetVector<Operation *> parallel;
};

} // namespace

static const Resource *findResource(LLVM::CallOp call,
                                    llvm::StringLiteral Resource::*name) {
  for (const Resource &resource : kResources)
    if (call.getCallee() && *call.getCallee() == resource.*name)
      return &resource;
  return nullptr;
}

static LLVM::LLVMFuncOp lookupOrDeclare(ModuleOp module, llvm::StringRef name,
                                        ArrayRef<Type> arguments) {
  if (auto found = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return found;
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), arguments);
  return LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
}

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

Value FunctionRewriter::constant(Location loc, int32_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(), value);
}

Value FunctionRewriter::message(Location loc, llvm::StringRef text) {
  auto module = function->getParentOfType<ModuleOp>();
  std::string name;
  for (unsigned i = 0; i == 0 || module.lookupSymbol(name); ++i)
    name = "stencil.message" + std::to_string(i);
  std::string terminated = text.str() + '\0';
  return LLVM::createGlobalString(loc, builder, name, terminated,
                                  LLVM::Linkage::Internal);
}

/// A variable of the function that begins as zero.
Value FunctionRewriter::createSlot(Type type) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.front());
  Location loc = function.getLoc();
  Value one = constant(loc, 1);
  Value slot = LLVM::AllocaOp::create(builder, loc, pointer, type, one);
  Value zero = LLVM::ZeroOp::create(builder, loc, type);
  LLVM::StoreOp::create(builder, loc, zero, slot);
  return slot;
}

Value FunctionRewriter::getFailedSlot() {
  if (!failedSlot)
    failedSlot = createSlot(builder.getI32Type());
  return failedSlot;
}

Value FunctionRewriter::getMessageSlot() {
  if (!messageSlot)
    messageSlot = createSlot(pointer);
  return messageSlot;
}

/// Where a region of the function is left after a failure.
Block *FunctionRewriter::getExit(Region &region) {
  Block *&exit = exits[&region];
  if (exit)
    return exit;
  OpBuilder::InsertionGuard guard(builder);
  Location loc = function.getLoc();
  if (region.getParentOp() != function) {
    // What ends an iteration, or the region.
    Operation *terminator = nullptr;
    for (Block &block : region)
      // A block in the making has none.
      if (Operation *last = block.empty() ? nullptr : &block.back();
          isa_and_nonnull<omp::YieldOp, omp::TerminatorOp>(last))
        terminator = last;
    Block *before = terminator->getBlock();
    exit = before->splitBlock(terminator);
    builder.setInsertionPointToEnd(before);
    LLVM::BrOp::create(builder, loc, exit);
    return exit;
  }
  exit = builder.createBlock(&region, region.end());
  for (auto [slot, resource] : llvm::reverse(held)) {
    llvm::SmallVector<Value> operands = {
        LLVM::LoadOp::create(builder, loc, pointer, slot)};
    if (resource->hasStream)
      operands.push_back(LLVM::ZeroOp::create(builder, loc, pointer));
    LLVM::LLVMFuncOp release = lookupOrDeclare(
        function->getParentOfType<ModuleOp>(), resource->release,
        llvm::SmallVector<Type>(operands.size(), pointer));
    LLVM::CallOp::create(builder, loc, release, operands);
  }
  Type type = function.getFunctionType().getReturnType();
  if (isa<LLVM::LLVMVoidType>(type))
    LLVM::ReturnOp::create(builder, loc, ValueRange());
  else
    LLVM::ReturnOp::create(builder, loc,
                           LLVM::ZeroOp::create(builder, loc, type));
  return exit;
}

/// At the end of a block: reports the error and leaves the region. Of a
/// parallel region, only the first error counts; who waits for the region
/// reports it, on the thread that called, and leaves the function.
void FunctionRewriter::emitFailure(Location loc, Value code, Value message) {
  Region &region = *builder.getInsertionBlock()->getParent();
  Block *exit = getExit(region);
  if (region.getParentOp() == function) {
    LLVM::CallOp::create(builder, loc, runtime.fail, ValueRange{code, message});
    LLVM::BrOp::create(builder, loc, exit);
    return;
  }
  Operation *outer = function.getBody().findAncestorOpInRegion(
      *builder.getInsertionBlock()->getParentOp());
  parallel.insert(outer);
  Value zero = constant(loc, 0);
  auto exchange = LLVM::AtomicCmpXchgOp::create(
      builder, loc, getFailedSlot(), zero, code, LLVM::AtomicOrdering::seq_cst,
      LLVM::AtomicOrdering::seq_cst);
  Value isFirst = LLVM::ExtractValueOp::create(builder, loc, exchange, 1);
  Block *before = builder.getInsertionBlock();
  Block *report = builder.createBlock(exit);
  LLVM::StoreOp::create(builder, loc, message, getMessageSlot());
  LLVM::BrOp::create(builder, loc, exit);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, isFirst, report, exit);
}

/// Leaves the region before `op` if `fails`. The builder is before `op`.
void FunctionRewriter::failBefore(Operation *op, Value fails, Value code,
                                  Value message) {
  Location loc = op->getLoc();
  Block *before = op->getBlock();
  Block *after = before->splitBlock(op);
  Block *failing = builder.createBlock(after);
  emitFailure(loc, code, message);
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc, fails, failing, ValueRange(), after,
                         ValueRange(), std::make_pair(1, (1 << 20) - 1));
}

//===----------------------------------------------------------------------===//
// What may fail
//===----------------------------------------------------------------------===//

/// A check: puts(message), abort(), unreachable.
void FunctionRewriter::rewriteAbort(LLVM::CallOp abort) {
  Location loc = abort.getLoc();
  Block *block = abort->getBlock();
  Value text;
  llvm::SmallVector<Operation *> dead;
  for (auto it = Block::iterator(abort); it != block->end(); ++it)
    dead.push_back(&*it);
  if (auto puts = dyn_cast_or_null<LLVM::CallOp>(abort->getPrevNode());
      puts && puts.getCallee() == "puts") {
    text = puts.getOperand(0);
    dead.push_back(puts);
  }
  builder.setInsertionPoint(abort);
  if (!text)
    text = message(loc, describe(loc, "the program aborted"));
  // First what follows, then what uses nothing of it.
  for (Operation *op : llvm::reverse(dead))
    op->erase();
  builder.setInsertionPointToEnd(block);
  emitFailure(loc, constant(loc, STENCIL_CHECK_FAILED), text);
}

void FunctionRewriter::rewriteAllocation(LLVM::CallOp call) {
  Location loc = call.getLoc();
  Operation *next = call->getNextNode();
  builder.setInsertionPoint(next);
  Value null = LLVM::ZeroOp::create(builder, loc, pointer);
  Value isNull = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                      call.getResult(), null);
  // Nothing may be null.
  Value bytes = call.getOperand(0);
  Value none = LLVM::ZeroOp::create(builder, loc, bytes.getType());
  Value isSome =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne, bytes, none);
  Value fails = LLVM::AndOp::create(builder, loc, isNull, isSome);
  failBefore(next, fails, constant(loc, STENCIL_OUT_OF_MEMORY),
             message(loc, describe(loc, "out of memory")));
}

/// The callee has reported its error, and returned.
void FunctionRewriter::rewriteCall(LLVM::CallOp call) {
  Location loc = call.getLoc();
  Operation *next = call->getNextNode();
  builder.setInsertionPoint(next);
  Value status =
      LLVM::CallOp::create(builder, loc, runtime.takeStatus, ValueRange())
          .getResult();
  Value fails = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                     status, constant(loc, 0));
  failBefore(next, fails, status, LLVM::ZeroOp::create(builder, loc, pointer));
}

void FunctionRewriter::rewriteDivision(Operation *op) {
  Location loc = op->getLoc();
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Type type = divisor.getType();
  Type element = getElementTypeOrSelf(type);
  unsigned width = element.getIntOrFloatBitWidth();
  builder.setInsertionPoint(op);
  auto equals = [&](Value value, const APInt &number) -> Value {
    TypedAttr attr = builder.getIntegerAttr(element, number);
    if (auto vector = dyn_cast<VectorType>(type))
      attr = DenseElementsAttr::get(vector, number);
    Value other = LLVM::ConstantOp::create(builder, loc, type, attr);
    return LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, value,
                                other);
  };
  Value fails = equals(divisor, APInt::getZero(width));
  if (isa<LLVM::SDivOp, LLVM::SRemOp>(op)) {
    Value overflows = LLVM::AndOp::create(
        builder, loc, equals(divisor, APInt::getAllOnes(width)),
        equals(dividend, APInt::getSignedMinValue(width)));
    fails = LLVM::OrOp::create(builder, loc, fails, overflows);
  }
  if (isa<VectorType>(type))
    fails = LLVM::vector_reduce_or::create(builder, loc, builder.getI1Type(),
                                           fails);
  failBefore(op, fails, constant(loc, STENCIL_CHECK_FAILED),
             message(loc, describe(loc, "integer division by zero, or of the "
                                        "smallest number by -1")));
}

/// A parallel region in which something may have failed has ended.
void FunctionRewriter::rewriteParallel(Operation *op) {
  Location loc = op->getLoc();
  Operation *next = op->getNextNode();
  builder.setInsertionPoint(next);
  Value code =
      LLVM::LoadOp::create(builder, loc, builder.getI32Type(), getFailedSlot());
  Value fails = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ne,
                                     code, constant(loc, 0));
  Value text = LLVM::LoadOp::create(builder, loc, pointer, getMessageSlot());
  failBefore(next, fails, code, text);
}

//===----------------------------------------------------------------------===//
// What is held
//===----------------------------------------------------------------------===//

void FunctionRewriter::trackAcquisitions(ArrayRef<LLVM::CallOp> calls) {
  for (LLVM::CallOp call : calls) {
    Value slot = createSlot(pointer);
    builder.setInsertionPointAfter(call);
    LLVM::StoreOp::create(builder, call.getLoc(), call.getResult(), slot);
    held.emplace_back(slot, findResource(call, &Resource::acquire));
  }
}

void FunctionRewriter::trackRelease(LLVM::CallOp call) {
  const Resource *resource = findResource(call, &Resource::release);
  Location loc = call.getLoc();
  builder.setInsertionPoint(call);
  for (auto [slot, its] : held) {
    // The same thing can be acquired, or released, in two ways.
    if (its->acquire != resource->acquire && its->release != resource->release)
      continue;
    Value now = LLVM::LoadOp::create(builder, loc, pointer, slot);
    Value isIt = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq,
                                      now, call.getOperand(0));
    Value null = LLVM::ZeroOp::create(builder, loc, pointer);
    Value left = LLVM::SelectOp::create(builder, loc, isIt, null, now);
    LLVM::StoreOp::create(builder, loc, left, slot);
  }
}

static bool mayLackResult(Operation *op) {
  if (!isa<LLVM::SDivOp, LLVM::UDivOp, LLVM::SRemOp, LLVM::URemOp>(op))
    return false;
  bool isSigned = isa<LLVM::SDivOp, LLVM::SRemOp>(op);
  APInt divisor;
  return !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
         divisor.isZero() || (isSigned && divisor.isAllOnes());
}

void FunctionRewriter::run() {
  llvm::SmallVector<LLVM::CallOp> aborts, allocations, acquisitions, releases,
      calls;
  llvm::SmallVector<Operation *> divisions;
  function.walk([&](Operation *op) {
    if (mayLackResult(op))
      divisions.push_back(op);
    auto call = dyn_cast<LLVM::CallOp>(op);
    if (!call || !call.getCallee())
      return;
    if (*call.getCallee() == "abort")
      aborts.push_back(call);
    if (*call.getCallee() == "malloc")
      allocations.push_back(call);
    if (findResource(call, &Resource::acquire) &&
        call->getParentRegion() == &function.getBody())
      acquisitions.push_back(call);
    if (findResource(call, &Resource::release))
      releases.push_back(call);
    if (Operation *callee =
            SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr());
        callees.contains(callee))
      calls.push_back(call);
  });
  trackAcquisitions(acquisitions);
  llvm::for_each(releases, [&](LLVM::CallOp op) { trackRelease(op); });
  llvm::for_each(aborts, [&](LLVM::CallOp op) { rewriteAbort(op); });
  llvm::for_each(allocations, [&](LLVM::CallOp op) { rewriteAllocation(op); });
  llvm::for_each(calls, [&](LLVM::CallOp op) { rewriteCall(op); });
  llvm::for_each(divisions, [&](Operation *op) { rewriteDivision(op); });
  for (size_t i = 0; i < parallel.size(); ++i)
    rewriteParallel(parallel[i]);
}

void stencil::addErrorPaths(LLVM::LLVMFuncOp function,
                            const StatusFunctions &runtime,
                            const llvm::SetVector<Operation *> &callees) {
  FunctionRewriter(function, runtime, callees).run();
}
