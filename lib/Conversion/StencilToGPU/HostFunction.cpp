//===- HostFunction.cpp - A function whose fields live on a device --------===//

#include "HostFunction.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilRuntime/ABI.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

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

/// Of a field that is made in a branch of the entry block, what is true where
/// it is used; null if it is used elsewhere.
static Value findCondition(AllocOp op, Block &entry) {
  auto branch = dyn_cast<scf::IfOp>(op->getParentOp());
  if (!branch || branch->getBlock() != &entry ||
      op->getBlock() != branch.thenBlock())
    return {};
  return branch.getCondition();
}

LogicalResult stencil::enter(HostFunction &host, int32_t backend) {
  func::FuncOp function = host.function;
  if (failed(checkHostUses(function)))
    return failure();
  Block &block = function.front();
  auto b = ImplicitLocOpBuilder::atBlockBegin(function.getLoc(), &block);
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
    MemRefType memref = getHostType(field);
    inputs[argument.getArgNumber()] = memref;
    auto load = ExternalLoadOp::create(b, argument.getLoc(), field, argument);
    argument.replaceAllUsesExcept(load.getResult(), load);
    argument.setType(memref);
    loads.push_back(load);
  }
  function.setFunctionType(b.getFunctionType(inputs, results));
  if (host.stream.isInPlace() && failed(host.arrays.find(function)))
    return failure();
  bindArgumentExtents(function, host.facts);

  b.setInsertionPointToStart(&block);
  Value number = arith::ConstantIntOp::create(
      b, STENCIL_ABI_BACKEND(backend, STENCIL_ABI_VERSION),
      /*width=*/32);
  host.checksBegin = callRuntime(b, "stencilSelectBackend", {}, number);
  host.stream.open(b);
  // A field that is made anew in every iteration is made once.
  for (AllocOp op : listWithin<AllocOp>(function))
    if (op->getBlock() != &block) {
      if (Value condition = findCondition(op, block))
        host.fields.setCondition(op.getField(), condition);
      op->moveBefore(block.findAncestorOpInBlock(*op));
    }
  return success();
}

//===----------------------------------------------------------------------===//
// Return
//===----------------------------------------------------------------------===//

static bool isWritten(HostFunction &host, const FieldMemory &memory) {
  return llvm::any_of(host.written, [&](Value field) {
    return host.aliases.mayAlias(field, memory.field);
  });
}

namespace {
/// A field that is returned, and what it becomes.
struct ReturnedField {
  GridType grid;
  Value buffer, address;
  MemRefType type;
};
} // namespace

static Value castTo(ImplicitLocOpBuilder &b, MemRefType type, Value memref) {
  return memref.getType() == type
             ? memref
             : memref::CastOp::create(b, type, memref).getResult();
}

/// A new memref with the values of a field.
static Value copyToHost(HostFunction &host, ImplicitLocOpBuilder &b,
                        const ReturnedField &field) {
  auto [grid, buffer, address, type] = field;
  SmallVector<Value> sizes;
  Arithmetic math(b, b.getLoc(), b.getIndexType());
  BoundsAttr bounds = grid.getBounds();
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      sizes.push_back(
          math.sub(host.stream.getBound(b, bounds.getUb()[axis], axis),
                   host.stream.getBound(b, bounds.getLb()[axis], axis)));
  Value memref =
      memref::AllocOp::create(b, type, sizes, b.getI64IntegerAttr(64));
  host.stream.copyRows(b, grid, memref, buffer, /*toDevice=*/false);
  return memref;
}

/// From the first candidate to the last: else a new memref. On the device, it
/// is one of them.
static Value choose(HostFunction &host, ImplicitLocOpBuilder &b,
                    const ReturnedField &field,
                    ArrayRef<const FieldMemory *> candidates) {
  if (candidates.empty())
    return copyToHost(host, b, field);
  if (host.stream.isInPlace() && candidates.size() == 1)
    return castTo(b, field.type, candidates.front()->host);
  Value other = getAddress(b, candidates.front()->buffer);
  Value same =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, field.address, other);
  auto branch = scf::IfOp::create(b, TypeRange(field.type), same,
                                  /*withElseRegion=*/true);
  ImplicitLocOpBuilder inner(b.getLoc(), branch.getThenBodyBuilder());
  scf::YieldOp::create(inner,
                       castTo(inner, field.type, candidates.front()->host));
  ImplicitLocOpBuilder otherwise(b.getLoc(), branch.getElseBodyBuilder());
  scf::YieldOp::create(otherwise,
                       choose(host, otherwise, field, candidates.drop_front()));
  return branch.getResult(0);
}

/// The memref that a returned field becomes: that of the caller that it is a
/// copy of, or a new one.
static FailureOr<Value> toHost(HostFunction &host, ImplicitLocOpBuilder &b,
                               Value field, MemRefType type) {
  auto grid = cast<GridType>(field.getType());
  Value buffer = host.fields.get(field);
  if (!buffer) // A field that the function never gave bounds.
    if (Value memref = host.fields.getHost(field))
      return castTo(b, type, memref);
  if (!buffer)
    return b.emitError("no GPU lowering for returning a field of type ")
           << Type(grid);
  bool inPlace = host.stream.isInPlace();
  SmallVector<const FieldMemory *> candidates;
  bool mayBeOwn = false;
  for (const FieldMemory &memory : host.fields.getAll()) {
    bool mayBe = !inPlace || host.aliases.mayAlias(field, memory.field);
    mayBeOwn |= mayBe && !memory.inPlace;
    if (mayBe && memory.host && memory.type == grid)
      candidates.push_back(&memory);
  }
  if (inPlace && (candidates.empty() || mayBeOwn))
    return b.emitError("no GPU lowering for returning a field of the "
                       "function's own where arrays are on the device: "
                       "expected one of the arguments");
  Value address = getAddress(b, buffer);
  return choose(host, b, {grid, buffer, address, type}, candidates);
}

static LogicalResult leaveAt(HostFunction &host, func::ReturnOp op) {
  DeviceStream &stream = host.stream;
  host.fields.allocatePending(op);
  ImplicitLocOpBuilder b(op.getLoc(), op);
  if (host.fields.isTimed())
    stream.call(b, "stencilEndTiming");
  bool copies = !stream.isInPlace();
  for (const FieldMemory &each : host.fields.getAll()) {
    if (!each.host || each.inPlace)
      continue;
    copies = true;
    if (isWritten(host, each))
      host.fields.copy(b, each, /*toDevice=*/false);
  }
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<FieldType>(operand.get().getType()))
      continue;
    auto type = cast<MemRefType>(
        host.function.getResultTypes()[operand.getOperandNumber()]);
    auto memref = toHost(host, b, operand.get(), type);
    if (failed(memref))
      return failure();
    operand.set(*memref);
  }
  if (copies)
    stream.synchronize(b);
  host.kernelMemory.checkErrors(b);
  if (stream.isInPlace())
    stream.call(b, "stencilFinishStream");
  SmallVector<Value> owned(host.kernelMemory.getBuffers());
  for (const FieldMemory &each : host.fields.getAll())
    if (!each.inPlace)
      owned.push_back(each.buffer);
  if (!owned.empty()) {
    Value token = stream.beginMemory(b);
    for (Value buffer : owned)
      token = gpu::DeallocOp::create(b, token.getType(), token, buffer)
                  .getAsyncToken();
    stream.endMemory(b, token);
  }
  stream.close(b);
  for (Operation *dealloc : host.deallocs)
    dealloc->moveBefore(op);
  return success();
}

LogicalResult stencil::leave(HostFunction &host) {
  func::FuncOp function = host.function;
  DeviceStream &stream = host.stream;
  for (func::ReturnOp op : listWithin<func::ReturnOp>(function))
    if (failed(leaveAt(host, op)))
      return failure();
  if (stream.isInPlace()) {
    ImplicitLocOpBuilder b(function.getLoc(), function.getContext());
    b.setInsertionPointAfter(host.checksBegin);
    host.arrays.check(b, stream.getRows(), [&](BlockArgument array) {
      return llvm::any_of(host.fields.getAll(), [&](const FieldMemory &memory) {
        return memory.inPlace && host.arrays.get(memory.host) == array &&
               isWritten(host, memory);
      });
    });
    // Known before anything is given to the stream.
    b.setInsertionPointAfterValue(stream.get());
    if (stream.hasWaited())
      stream.call(b, "stencilExpectWait");
  }
  host.fields.removeNames();
  return success();
}
