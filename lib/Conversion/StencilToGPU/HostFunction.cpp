//===- HostFunction.cpp - A function whose fields live on a device --------===//

#include "HostFunction.h"
#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/Conversion/Describe.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilRuntime/ABI.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

HostFunction::HostFunction(func::FuncOp function, int32_t backend,
                           FunctionFacts facts)
    : function(function), backend(backend), facts(std::move(facts)),
      inPlace(hasDeviceArrays(function)) {}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

MemRefType stencil::getHostType(FieldType type) {
  SmallVector<int64_t> shape(type.getRank(), ShapedType::kDynamic);
  if (BoundsAttr bounds = type.getBounds())
    shape = bounds.getShape();
  if (!DeviceLayout::canHold(type.getElementType()))
    return {};
  return MemRefType::get(shape, type.getElementType());
}

LogicalResult HostFunction::enter() {
  if (failed(checkHostUses()))
    return failure();
  Block &block = function.front();
  OpBuilder builder = OpBuilder::atBlockBegin(&block);
  Location loc = function.getLoc();
  FunctionType type = function.getFunctionType();
  SmallVector<Type> inputs(type.getInputs()), results(type.getResults());
  for (Type &result : results)
    if (auto field = dyn_cast<FieldType>(result))
      result = getHostType(field);
  SmallVector<ExternalLoadOp> loads;
  for (BlockArgument argument : block.getArguments()) {
    auto field = dyn_cast<FieldType>(argument.getType());
    if (!field)
      continue;
    MemRefType host = getHostType(field);
    inputs[argument.getArgNumber()] = host;
    auto load =
        ExternalLoadOp::create(builder, argument.getLoc(), field, argument);
    argument.replaceAllUsesExcept(load.getResult(), load);
    argument.setType(host);
    loads.push_back(load);
  }
  function.setFunctionType(builder.getFunctionType(inputs, results));
  if (inPlace && failed(arrays.find(function)))
    return failure();
  bindArgumentExtents(function, facts);

  builder.setInsertionPointToStart(&block);
  Value number = arith::ConstantIntOp::create(
      builder, loc, STENCIL_ABI_BACKEND(backend, STENCIL_ABI_VERSION),
      /*width=*/32);
  checksBegin = callRuntime(builder, loc, "stencilSelectBackend", {}, number);
  stream.open(builder, loc);
  // A field that is made anew in every iteration is made once.
  SmallVector<AllocOp> nested;
  function.walk([&](AllocOp op) {
    if (op->getBlock() != &block)
      nested.push_back(op);
  });
  for (AllocOp op : nested)
    op->moveBefore(block.findAncestorOpInBlock(*op));
  return success();
}

void HostFunction::waitForDevice(Operation *before) {
  OpBuilder builder(before);
  stream.wait(builder, before->getLoc());
}

//===----------------------------------------------------------------------===//
// Return
//===----------------------------------------------------------------------===//

bool HostFunction::isWritten(const Memory &memory) {
  return llvm::any_of(written, [&](Value field) {
    return aliases.mayAlias(field, memory.field);
  });
}

/// The memref that a returned field becomes: that of the caller that it is a
/// copy of, or a new one.
FailureOr<Value> HostFunction::toHost(OpBuilder &builder, Location loc,
                                      Value field, MemRefType type) {
  auto grid = cast<GridType>(field.getType());
  Value buffer = getBuffer(field);
  if (!buffer) // A field that the function never gave bounds.
    if (Value host = hosts.lookup(field))
      return host.getType() == type
                 ? host
                 : memref::CastOp::create(builder, loc, type, host).getResult();
  if (!buffer)
    return emitError(loc, "no GPU lowering for returning a field of type ")
           << Type(grid);
  Arithmetic math(builder, loc, builder.getIndexType());
  Value address = getAddress(builder, loc, buffer);
  auto isCandidate = [&](const Memory &memory) {
    return memory.host && memory.type == grid &&
           (!inPlace || aliases.mayAlias(field, memory.field));
  };
  auto toResult = [&](OpBuilder &inner, const Memory &memory) {
    return memory.host.getType() == type
               ? memory.host
               : memref::CastOp::create(inner, loc, type, memory.host)
                     .getResult();
  };
  auto findCandidate = [&](size_t index) {
    while (index < memories.size() && !isCandidate(memories[index]))
      ++index;
    return index;
  };
  // From the last candidate to the first: else a new memref.
  std::function<Value(OpBuilder &, size_t)> choose =
      [&](OpBuilder &inner, size_t index) -> Value {
    index = findCandidate(index);
    // On the device, it is one of them.
    if (inPlace && findCandidate(index + 1) == memories.size())
      return toResult(inner, memories[index]);
    if (index == memories.size()) {
      SmallVector<Value> sizes;
      Arithmetic arithmetic(inner, loc, inner.getIndexType());
      BoundsAttr bounds = grid.getBounds();
      for (int64_t axis = 0; axis < type.getRank(); ++axis)
        if (type.isDynamicDim(axis))
          sizes.push_back(arithmetic.sub(
              stream.getBound(inner, loc, bounds.getUb()[axis], axis),
              stream.getBound(inner, loc, bounds.getLb()[axis], axis)));
      Value host = memref::AllocOp::create(inner, loc, type, sizes,
                                           inner.getI64IntegerAttr(64));
      stream.copyRows(inner, loc, grid, host, buffer, /*toDevice=*/false);
      return host;
    }
    Value other = getAddress(inner, loc, memories[index].buffer);
    Value same = arith::CmpIOp::create(inner, loc, arith::CmpIPredicate::eq,
                                       address, other);
    auto branch = scf::IfOp::create(inner, loc, TypeRange(type), same,
                                    /*withElseRegion=*/true);
    OpBuilder thenBuilder = branch.getThenBodyBuilder();
    Value host = toResult(thenBuilder, memories[index]);
    scf::YieldOp::create(thenBuilder, loc, host);
    OpBuilder elseBuilder = branch.getElseBodyBuilder();
    Value rest = choose(elseBuilder, index + 1);
    scf::YieldOp::create(elseBuilder, loc, rest);
    return branch.getResult(0);
  };
  if (inPlace && (findCandidate(0) == memories.size() ||
                  llvm::any_of(memories, [&](const Memory &memory) {
                    return !memory.inPlace &&
                           aliases.mayAlias(field, memory.field);
                  })))
    return emitError(loc, "no GPU lowering for returning a field of the "
                          "function's own where arrays are on the device: "
                          "expected one of the arguments");
  return choose(builder, 0);
}

LogicalResult HostFunction::leaveAt(func::ReturnOp op) {
  allocatePending(op);
  OpBuilder builder(op);
  Location loc = op.getLoc();
  if (timed)
    stream.call(builder, loc, "stencilEndTiming");
  bool copies = !inPlace;
  for (const Memory &each : memories) {
    if (!each.host || each.inPlace)
      continue;
    copies = true;
    if (isWritten(each))
      copy(builder, each, /*toDevice=*/false);
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<FieldType>(operand.get().getType()))
      continue;
    auto type =
        cast<MemRefType>(function.getResultTypes()[operand.getOperandNumber()]);
    auto host = toHost(builder, loc, operand.get(), type);
    if (failed(host))
      return failure();
    operand.set(*host);
  }
  if (copies)
    stream.synchronize(builder, loc);
  kernelMemory.checkErrors(builder, loc);
  if (inPlace)
    stream.call(builder, loc, "stencilFinishStream");
  SmallVector<Value> owned(kernelMemory.getBuffers());
  for (const Memory &each : memories)
    if (!each.inPlace)
      owned.push_back(each.buffer);
  if (!owned.empty()) {
    Value token = stream.beginMemory(builder, loc);
    for (Value buffer : owned)
      token =
          gpu::DeallocOp::create(builder, loc, token.getType(), token, buffer)
              .getAsyncToken();
    stream.endMemory(builder, loc, token);
  }
  stream.close(builder, loc);
  for (Operation *dealloc : deallocs)
    dealloc->moveBefore(op);
  return success();
}

/// Fields are gone: what names one becomes its buffer.
void HostFunction::removeNames() {
  for (Value field : carried) {
    Value buffer = buffers.lookup(field);
    Operation *castOp = buffer.getDefiningOp();
    field.setType(buffer.getType());
    buffer.replaceAllUsesWith(field);
    castOp->erase();
  }
  for (Operation *op : llvm::reverse(names)) {
    if (Value buffer = buffers.lookup(op->getResult(0)))
      op->getResult(0).replaceAllUsesWith(buffer);
    op->erase();
  }
}

LogicalResult HostFunction::leave() {
  SmallVector<func::ReturnOp> returns;
  function.walk([&](func::ReturnOp op) { returns.push_back(op); });
  for (func::ReturnOp op : returns)
    if (failed(leaveAt(op)))
      return failure();
  if (inPlace) {
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfter(checksBegin);
    Location loc = function.getLoc();
    arrays.check(builder, loc, stream.getRows(), [&](BlockArgument array) {
      return llvm::any_of(memories, [&](const Memory &memory) {
        return memory.inPlace && arrays.get(memory.host) == array &&
               isWritten(memory);
      });
    });
    // Known before anything is given to the stream.
    builder.setInsertionPointAfterValue(stream.get());
    if (stream.hasWaited())
      stream.call(builder, loc, "stencilExpectWait");
  }
  removeNames();
  return success();
}
