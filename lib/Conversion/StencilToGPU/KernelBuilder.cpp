//===- KernelBuilder.cpp - A kernel and its launch ------------------------===//

#include "KernelBuilder.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace stencil;

Type stencil::chooseIndexType(MLIRContext *context, ArrayRef<GridType> fields,
                              int64_t points) {
  Builder builder(context);
  // Half of the range: sums of a position and an offset stay in it as well.
  constexpr int64_t limit = int64_t(1) << 30;
  if (points >= limit)
    return builder.getI64Type();
  for (GridType type : fields) {
    auto size = DeviceLayout::getStaticSize(type);
    if (!size || *size >= limit)
      return builder.getI64Type();
    for (int64_t bound : type.getBounds().getLb())
      if (bound <= -limit || bound >= limit)
        return builder.getI64Type();
  }
  return builder.getI32Type();
}

KernelBuilder::KernelBuilder(HostFunction &host, Operation *source,
                             StringRef role, Type intType,
                             std::array<int64_t, 3> threads, int64_t minBlocks)
    : host(host), loc(source->getLoc()), builder(source),
      kernel(builder.getContext()), entry(builder.getContext()),
      intType(intType), threads(threads),
      group(source->getDiscardableAttr(RegionGroupAttr::kAttrName)) {
  gpu::GPUModuleOp module = host.getKernels();
  kernel.setInsertionPointToEnd(module.getBody());
  function =
      gpu::GPUFuncOp::create(kernel, loc, host.nameKernel(role),
                             FunctionType::get(kernel.getContext(), {}, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    kernel.getUnitAttr());
  SmallVector<int32_t> size(threads.begin(), threads.end());
  function.setKnownBlockSizeAttr(kernel.getDenseI32ArrayAttr(size));
  if (minBlocks > 0) {
    if (host.getOptions().target.vendor == GPUVendor::NVIDIA)
      function->setAttr("nvvm.minctasm", kernel.getI32IntegerAttr(minBlocks));
    else // A wavefront per SIMD unit, of which a CU has four.
      function->setAttr(
          "rocdl.waves_per_eu",
          kernel.getI32IntegerAttr(std::max<int64_t>(
              1,
              llvm::divideCeil(minBlocks * threads[0] * threads[1] * threads[2],
                               4 * host.getOptions().target.warpSize))));
  }
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    function->setAttr("stencil.source",
                      kernel.getStringAttr(file.getFilename().getValue() + ":" +
                                           Twine(file.getLine())));
  // Argument by argument, `entry` grows in front of an op that stays there.
  kernel.setInsertionPointToStart(&function.getBody().front());
  Value marker = arith::ConstantIndexOp::create(kernel, loc, 0);
  entry.setInsertionPoint(marker.getDefiningOp());
}

LogicalResult KernelBuilder::keepLines(Operation *op) {
  function->setAttr(kEvictionAttrName,
                    kernel.getStringAttr(stringifyEviction(Eviction::Last)));
  // Copies past the registers may be of what the kernel writes, too.
  WalkResult found = op->walk([](Operation *inner) {
    auto window = dyn_cast<WindowOp>(inner);
    auto ring = dyn_cast<tile::RingOp>(inner);
    bool isPast = (window && (window.getPrefetch() == Prefetch::Tma ||
                              window.getPrefetch() == Prefetch::Async)) ||
                  (ring && llvm::is_contained(
                               {tile::Fill::Tma, tile::Fill::Async},
                               cast<tile::RingType>(ring.getType()).getFill()));
    return isPast ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (found.wasInterrupted() || hasInput)
    return success();
  return op->emitOpError("expected an input that is apart from what is stored "
                         "for 'eviction = last', got none");
}

Value KernelBuilder::addBuffer(Value buffer, BufferAttrs attributes,
                               StringRef name, std::optional<Location> origin) {
  if (Value seen = known.lookup(buffer))
    return seen;
  Value key = buffer;
  auto type = cast<MemRefType>(buffer.getType());
  Value size;
  MemRefType passed = type;
  if (!type.hasStaticShape()) {
    // A bare pointer.
    passed = MemRefType::get({}, type.getElementType());
    Value dim = memref::DimOp::create(builder, loc, buffer, 0);
    size = addScalar(dim);
    buffer = memref::ReinterpretCastOp::create(
        builder, loc, passed, buffer, /*offset=*/0, ArrayRef<int64_t>(),
        ArrayRef<int64_t>());
  }
  SmallVector<NamedAttribute> attrs;
  attrs.emplace_back(
      LLVM::LLVMDialect::getAlignAttrName(),
      kernel.getI32IntegerAttr(host.getBufferAlignment(type.getElementType())));
  if (attributes.isolated)
    attrs.emplace_back(LLVM::LLVMDialect::getNoAliasAttrName(),
                       kernel.getUnitAttr());
  if (attributes.readOnly)
    attrs.emplace_back(LLVM::LLVMDialect::getReadonlyAttrName(),
                       kernel.getUnitAttr());
  hasInput |= attributes.isolated && attributes.readOnly;
  if (!name.empty())
    attrs.emplace_back("stencil.name", kernel.getStringAttr(name));
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, passed, kernel.getDictionaryAttr(attrs),
                                origin.value_or(loc));
  operands.push_back(buffer);
  Value argument = function.getArgument(index);
  if (size) {
    argument = memref::ReinterpretCastOp::create(
        entry, loc, type, argument, entry.getIndexAttr(0),
        ArrayRef<OpFoldResult>{size},
        ArrayRef<OpFoldResult>{entry.getIndexAttr(1)});
  }
  known[key] = argument;
  return argument;
}

Value KernelBuilder::addScalar(Value scalar, StringRef name) {
  if (Value seen = known.lookup(scalar))
    return seen;
  // Constants are the kernel's own.
  Attribute constant;
  if (matchPattern(scalar, m_Constant(&constant)))
    return known[scalar] =
               arith::ConstantOp::create(entry, loc, cast<TypedAttr>(constant));
  bool isIndex = scalar.getType().isIndex();
  Value passed = scalar;
  if (isIndex)
    passed =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), scalar);
  SmallVector<NamedAttribute> attrs;
  if (!name.empty())
    attrs.emplace_back("stencil.name", kernel.getStringAttr(name));
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(
      index, passed.getType(), kernel.getDictionaryAttr(attrs),
      isa<BlockArgument>(scalar) ? scalar.getLoc() : loc);
  operands.push_back(passed);
  Value argument = function.getArgument(index);
  if (isIndex)
    argument =
        arith::IndexCastOp::create(entry, loc, entry.getIndexType(), argument);
  known[scalar] = argument;
  return argument;
}

Value KernelBuilder::addOperand(Value value) {
  unsigned index = function.getNumArguments();
  (void)function.insertArgument(index, value.getType(),
                                kernel.getDictionaryAttr({}), loc);
  operands.push_back(value);
  return function.getArgument(index);
}

Value KernelBuilder::addDynamicShared(int64_t bytes) {
  dynamicSharedBytes = bytes;
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({ShapedType::kDynamic}, kernel.getI8Type(),
                              AffineMap(), space);
  return gpu::DynamicSharedMemoryOp::create(kernel, loc, type);
}

Value KernelBuilder::addShared(int64_t count, Type elementType) {
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  return function.addWorkgroupAttribution(
      MemRefType::get({count}, elementType, AffineMap(), space), loc);
}

Value KernelBuilder::getBound(int64_t bound, int64_t axis) {
  Arithmetic arithmetic = math();
  if (!isSymbolic(bound))
    return arithmetic.constant(bound);
  if (static_cast<int64_t>(extents.size()) <= axis)
    extents.resize(axis + 1);
  if (!extents[axis])
    extents[axis] = Arithmetic(entry, loc, intType)
                        .fromIndex(addScalar(host.getExtents().get(axis),
                                             ("n" + Twine(axis)).str()));
  return arithmetic.add(extents[axis], symbolicOffset(bound));
}

Value KernelBuilder::getThread(gpu::Dimension dimension) {
  if (threads[static_cast<unsigned>(dimension)] == 1)
    return math().constant(0);
  return math().fromIndex(gpu::ThreadIdOp::create(kernel, loc, dimension));
}

Value KernelBuilder::getBlock() {
  return math().fromIndex(
      gpu::BlockIdOp::create(kernel, loc, gpu::Dimension::x));
}

void KernelBuilder::launch(Value blocks) {
  kernel.setInsertionPointToEnd(&function.getBody().front());
  gpu::ReturnOp::create(kernel, loc);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  SmallVector<Value> size;
  for (int64_t count : threads)
    size.push_back(arith::ConstantIndexOp::create(builder, loc, count));
  auto symbol =
      SymbolRefAttr::get(host.getKernels().getNameAttr(),
                         {FlatSymbolRefAttr::get(function.getNameAttr())});
  Value shared;
  if (dynamicSharedBytes > 0)
    shared = arith::ConstantIntOp::create(builder, loc, dynamicSharedBytes, 32);
  auto launch = gpu::LaunchFuncOp::create(
      builder, loc, symbol, gpu::KernelDim3{blocks, one, one},
      gpu::KernelDim3{size[0], size[1], size[2]}, shared, operands,
      host.getStream());
  if (group)
    launch->setDiscardableAttr(RegionGroupAttr::kAttrName, group);
}
