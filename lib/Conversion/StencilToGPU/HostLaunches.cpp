//===- HostLaunches.cpp - What kernels are given --------------------------===//
//
//   stencil.launch @f_kernels::@f_apply0 blocks(%n) ... args(%u : field read)
//     ==> gpu.launch_func <%stream> @f_kernels::@f_apply0 ... args(%buffer)
//
// and what the other arguments come from: extents, sizes, tensor maps.
//
//===----------------------------------------------------------------------===//

#include "HostFunction.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

using namespace mlir;
using namespace stencil;

LogicalResult stencil::lower(HostFunction &host, LaunchOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  SmallVector<Value> operands;
  for (auto [index, arg] : llvm::enumerate(op.getArgs())) {
    operands.push_back(arg);
    if (isa<MemRefType>(arg.getType()) &&
        !llvm::is_contained(host.kernelMemory.getBuffers(), arg))
      return op.emitOpError("expected memory of the device, as stencil.scratch "
                            "and stencil.error_word are, for argument ")
             << index;
    if (!isa<FieldType>(arg.getType()))
      continue;
    auto buffer = host.fields.require(op, arg);
    if (failed(buffer))
      return failure();
    operands.back() = *buffer;
    // A bare pointer; the size is an argument of its own.
    if (auto type = cast<MemRefType>(buffer->getType()); !type.hasStaticShape())
      operands.back() = memref::ReinterpretCastOp::create(
          b, MemRefType::get({}, type.getElementType()), *buffer,
          /*offset=*/0, ArrayRef<int64_t>(), ArrayRef<int64_t>());
    if (op.getAccessTo(index) != KernelAccess::Read)
      host.written.push_back(arg);
  }
  host.arrays.requireAlignment(static_cast<int64_t>(op.getAlignment()));
  Value one = arith::ConstantIndexOp::create(b, 1);
  SmallVector<Value> size;
  for (int64_t count : op.getThreads())
    size.push_back(arith::ConstantIndexOp::create(b, count));
  Value shared;
  if (op.getShared() > 0)
    shared = arith::ConstantIntOp::create(b, op.getShared(), 32);
  auto launch = gpu::LaunchFuncOp::create(
      b, op.getKernel(), gpu::KernelDim3{op.getBlocks(), one, one},
      gpu::KernelDim3{size[0], size[1], size[2]}, shared, operands,
      host.stream.get());
  if (Attribute group = op->getDiscardableAttr(RegionGroupAttr::kAttrName))
    launch->setDiscardableAttr(RegionGroupAttr::kAttrName, group);
  op.erase();
  return success();
}

LogicalResult stencil::lower(HostFunction &host, ExtentOp op) {
  auto axis = static_cast<int64_t>(op.getAxis());
  if (failed(requireExtent(op, host.facts.extents, axis)))
    return failure();
  return replaceBy(op, host.facts.extents.get(axis));
}

LogicalResult stencil::lower(HostFunction &host, BufferSizeOp op) {
  auto buffer = host.fields.require(op, op.getField());
  if (failed(buffer))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  return replaceBy(op, memref::DimOp::create(b, *buffer, 0));
}

LogicalResult stencil::lower(HostFunction &host, TensorMapOp op) {
  auto buffer = host.fields.require(op, op.getField());
  if (failed(buffer))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), op);
  auto type = cast<GridType>(op.getField().getType());
  auto mapType = cast<nvgpu::TensorMapDescriptorType>(op.getMap().getType());
  Arithmetic math(b, b.getLoc(), b.getIndexType());
  DeviceLayout layout = host.stream.emitLayout(b, type);
  SmallVector<OpFoldResult> sizes, strides;
  BoundsAttr bounds = type.getBounds();
  for (int64_t axis = 0, rank = type.getRank(); axis < rank; ++axis) {
    // What follows a row has no value.
    Value extent =
        axis + 1 == rank
            ? math.add(layout.getRowStart(), layout.getRowLength())
            : math.sub(host.stream.getBound(b, bounds.getUb()[axis], axis),
                       host.stream.getBound(b, bounds.getLb()[axis], axis));
    if (axis + 1 == rank && op.getSegment()) {
      auto segment = static_cast<int64_t>(*op.getSegment());
      // Those of a box; points that are not in the row for the last of them are
      // in none. A map of nothing is never asked.
      int64_t count = mapType.getTensor().getShape()[axis];
      sizes.push_back(b.getIndexAttr(count));
      strides.push_back(b.getIndexAttr(segment));
      extent = math.max(math.sub(extent, math.constant((count - 1) * segment)),
                        math.constant(0));
    }
    sizes.push_back(getAsOpFoldResult(extent));
    strides.push_back(getAsOpFoldResult(layout.getStrides()[axis]));
  }
  Value view = memref::ReinterpretCastOp::create(b, *buffer, b.getIndexAttr(0),
                                                 sizes, strides);
  SmallVector<Value> extents;
  for (int64_t extent : mapType.getTensor().getShape())
    extents.push_back(math.constant(extent));
  auto unranked = UnrankedMemRefType::get(
      type.getElementType(), cast<MemRefType>(view.getType()).getMemorySpace());
  Value any = memref::CastOp::create(b, unranked, view);
  return replaceBy(
      op, nvgpu::TmaCreateDescriptorOp::create(b, mapType, any, extents));
}
