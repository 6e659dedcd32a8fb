//===- DeviceArguments.cpp - Arrays that are on the device already --------===//
//
//   func.func @f(%u: !stencil.field<...>) attributes {stencil.device_arrays}
//     ==> func.func @f(%u: memref<...>) {
//           the array is on the device, aligned, and apart from the others
//           %s = call @stencilOpenStream()
//           ... gpu.launch_func <%s> ... args(%u as a linear memref)
//           call @stencilCloseStream(%s)
//         }
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/OpWalks.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Which they are
//===----------------------------------------------------------------------===//

Value stencil::getRoot(Value memref) {
  while (auto view = memref.getDefiningOp<ViewLikeOpInterface>())
    memref = view.getViewSource();
  return memref;
}

BlockArgument DeviceArrays::get(Value memref) const {
  auto argument = dyn_cast<BlockArgument>(getRoot(memref));
  return argument && arrays.contains(argument) ? argument : BlockArgument();
}

LogicalResult DeviceArrays::find(func::FuncOp function) {
  auto add = [&](auto op) {
    if (auto argument = dyn_cast<BlockArgument>(getRoot(op.getField()));
        argument && argument.getOwner() == &function.front())
      arrays.insert(argument);
  };
  function.walk([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op).Case<ExternalLoadOp, ExternalStoreOp>(
        add);
  });
  return checkWithin(function, [&](Operation *op) { return checkUse(op); });
}

/// An error if the host would touch memory of the device.
LogicalResult DeviceArrays::checkUse(Operation *op) const {
  if (isa<ExternalLoadOp, ExternalStoreOp, func::ReturnOp>(op) ||
      isMemoryEffectFree(op) || op->getNumRegions() != 0)
    return success();
  auto isArray = [&](Value value) {
    return isa<MemRefType>(value.getType()) && get(value);
  };
  if (llvm::none_of(op->getOperands(), isArray))
    return success();
  if (isa<memref::CopyOp>(op) &&
      llvm::all_of(op->getOperands(), [&](Value value) {
        return isArray(value) && isRowMajor(value.getType());
      }))
    return success();
  InFlightDiagnostic error =
      op->emitOpError("no GPU lowering for an op of the host on an array that "
                      "is on the device");
  if (isa<memref::CopyOp>(op))
    error << ": expected both sides of a copy to be such arrays, without gaps";
  return error;
}

//===----------------------------------------------------------------------===//
// What kernels expect of them
//===----------------------------------------------------------------------===//

static Value countArrayBytes(ImplicitLocOpBuilder &b, Value array) {
  Arithmetic math(b, b.getLoc(), b.getIndexType());
  auto type = cast<MemRefType>(array.getType());
  Value bytes = math.constant(getElementBytes(type.getElementType()));
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    bytes =
        math.mul(bytes, type.isDynamicDim(axis)
                            ? memref::DimOp::create(b, array, axis).getResult()
                            : math.constant(type.getDimSize(axis)));
  return bytes;
}

/// Whether one of two ranges ends before the other one begins.
static Value areApart(ImplicitLocOpBuilder &b, std::pair<Value, Value> one,
                      std::pair<Value, Value> other) {
  auto isBefore = [&](std::pair<Value, Value> low,
                      std::pair<Value, Value> high) -> Value {
    Value end = arith::AddIOp::create(b, low.first, low.second).getResult();
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ule, end, high.first);
  };
  Value first = isBefore(one, other), second = isBefore(other, one);
  return arith::OrIOp::create(b, first, second);
}

void DeviceArrays::check(ImplicitLocOpBuilder &b, RowLayout rows,
                         function_ref<bool(BlockArgument)> isWritten) const {
  auto nameOf = [](BlockArgument array) {
    return "argument " + Twine(array.getArgNumber());
  };
  SmallVector<std::pair<Value, Value>> ranges;
  for (BlockArgument array : arrays) {
    Value address = getAddress(b, array);
    Value bytes = countArrayBytes(b, array);
    ranges.emplace_back(address, bytes);
    int64_t wanted =
        std::max(alignment,
                 DeviceLayout::getBufferAlignment(
                     cast<MemRefType>(array.getType()).getElementType(), rows));
    Value aligned = arith::ConstantIndexOp::create(b, wanted);
    Value found = callRuntime(b, "stencilCheckArray", b.getI32Type(),
                              {address, bytes, aligned})
                      .getResult(0);
    // The codes of stencilCheckArray (StencilRuntime/Runtime.h).
    std::string misaligned = "expected an array that is aligned to " +
                             std::to_string(wanted) + " bytes";
    StringRef problems[] = {
        "expected device memory, got host memory",
        "expected memory of the device that the program runs on, got that of "
        "another one",
        misaligned, "expected as much memory as the array's extents ask for"};
    for (auto [number, problem] : llvm::enumerate(problems)) {
      Value code =
          arith::ConstantIntOp::create(b, static_cast<int64_t>(number) + 1, 32);
      Value fine =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ne, found, code);
      cf::AssertOp::create(
          b, fine, describe(array.getLoc(), nameOf(array) + ": " + problem));
    }
  }
  auto isChanged = [&](BlockArgument array) {
    return copiedTo.contains(array) || isWritten(array);
  };
  for (size_t second = 0; second < arrays.size(); ++second)
    for (size_t first = 0; first < second; ++first)
      if (isChanged(arrays[first]) || isChanged(arrays[second]))
        cf::AssertOp::create(
            b, areApart(b, ranges[first], ranges[second]),
            describe(arrays[second].getLoc(),
                     nameOf(arrays[second]) +
                         ": expected an array that does not overlap " +
                         nameOf(arrays[first])));
}

void DeviceArrays::copy(memref::CopyOp op, DeviceStream &stream) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  BlockArgument from = get(op.getSource()), to = get(op.getTarget());
  Value bytes = countArrayBytes(b, from);
  stream.copyBytes(b, to, from, bytes);
  copiedTo.insert(to);
  op.erase();
}
