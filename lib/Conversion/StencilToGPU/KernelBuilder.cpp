//===- KernelBuilder.cpp - A kernel and its launch ------------------------===//

#include "KernelBuilder.h"
#include "StencilDialect/Analysis/NarrowPositions.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Casts.h"
#include "StencilDialect/IR/ChoiceAttrs.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Target/Vendors.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace stencil;

Type stencil::chooseIndexType(tile::KernelOp op, int64_t points,
                              std::optional<int64_t> planes,
                              std::optional<int64_t> narrow) {
  Builder builder(op.getContext());
  // Sums of a position and an offset stay in the range as well: half of it, or
  // less than an eighth for offsets of so many planes.
  constexpr int64_t limit = NarrowPositions::kLimit,
                    eighth = NarrowPositions::kEighth;
  auto hasRoom = [&](GridType type, int64_t size) {
    int64_t extent = type.getBounds().getShape().front();
    return size < limit ||
           (planes && extent > 0 && size < 7 * eighth &&
            llvm::divideCeilSigned(size, extent) < eighth / (*planes + 1));
  };
  bool isNarrow = narrow && (*narrow == 0 || (planes && *planes < *narrow));
  if (points >= limit)
    return builder.getI64Type();
  for (Type argument : op.getArgs().getTypes()) {
    auto type = dyn_cast<GridType>(argument);
    if (!type)
      continue;
    auto size = DeviceLayout::getStaticSize(type);
    if (size ? !hasRoom(type, *size) : !isNarrow)
      return builder.getI64Type();
    for (int64_t bound : type.getBounds().getLb())
      if (bound <= -limit || bound >= limit)
        return builder.getI64Type();
  }
  return builder.getI32Type();
}

KernelBuilder::KernelBuilder(KernelSet &kernels, Operation *source,
                             StringRef role, Type intType,
                             std::array<int64_t, 3> threads, int64_t minBlocks)
    : kernels(kernels), loc(source->getLoc()), builder(loc, source),
      kernel(loc, builder.getContext()), entry(loc, builder.getContext()),
      intType(intType), threads(threads),
      group(source->getDiscardableAttr(RegionGroupAttr::kAttrName)) {
  gpu::GPUModuleOp module = kernels.getModule();
  kernel.setInsertionPointToEnd(module.getBody());
  function =
      gpu::GPUFuncOp::create(kernel, kernels.nameKernel(role),
                             FunctionType::get(kernel.getContext(), {}, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    kernel.getUnitAttr());
  SmallVector<int32_t> size(threads.begin(), threads.end());
  function.setKnownBlockSizeAttr(kernel.getDenseI32ArrayAttr(size));
  if (minBlocks > 0) {
    const TargetInfo &target = kernels.getOptions().target;
    const LaunchBounds &bounds = getVendorInfo(target.vendor).launchBounds;
    function->setAttr(
        bounds.attribute,
        kernel.getI32IntegerAttr(bounds.count(
            minBlocks, threads[0] * threads[1] * threads[2], target.warpSize)));
  }
  if (auto file = dyn_cast<FileLineColLoc>(loc))
    function->setAttr("stencil.source",
                      kernel.getStringAttr(file.getFilename().getValue() + ":" +
                                           Twine(file.getLine())));
  copyChoice(source, function);
  // Argument by argument, `entry` grows in front of an op that stays there.
  kernel.setInsertionPointToStart(&function.getBody().front());
  Value marker = arith::ConstantIndexOp::create(kernel, 0);
  entry.setInsertionPoint(marker.getDefiningOp());
}

void KernelBuilder::keepStraight() {
  function->setAttr(kStraightAttrName, kernel.getUnitAttr());
}

LogicalResult KernelBuilder::keepLines(tile::KernelOp op) {
  function->setAttr(kEvictionAttrName,
                    kernel.getStringAttr(stringifyEviction(Eviction::Last)));
  if (op.copiesPastRegisters() || hasInput)
    return success();
  return op.emitOpError("expected an input that is apart from what is stored "
                        "for 'eviction = last', got none");
}

/// The field or memref that all names of one memory lead to.
static Value findMemory(Value field) {
  Value memory = lookThroughCasts(field);
  while (auto view = memory.getDefiningOp<ViewLikeOpInterface>())
    memory = lookThroughCasts(view.getViewSource());
  return memory;
}

void KernelBuilder::addArgument(Value operand, KernelAccess access, Type type,
                                ArrayRef<NamedAttribute> attributes,
                                Location origin) {
  (void)function.insertArgument(function.getNumArguments(), type,
                                kernel.getDictionaryAttr(attributes), origin);
  operands.push_back(operand);
  accesses.push_back(static_cast<int32_t>(access));
}

Value KernelBuilder::addPointer(Value memory, MemRefType type,
                                KernelAccess access, bool isIsolated,
                                Location origin) {
  auto [it, isNew] =
      memories.try_emplace({findMemory(memory), memory.getType()});
  if (!isNew) {
    accesses[it->second.second] |= static_cast<int32_t>(access);
    return it->second.first;
  }
  // Of a size that is known at run time only, it is a bare pointer.
  MemRefType passed = type;
  Value size;
  if (!type.hasStaticShape()) {
    passed = MemRefType::get({}, type.getElementType());
    Value elements = BufferSizeOp::create(builder, memory);
    size = addScalar(elements);
  }
  SmallVector<NamedAttribute> attrs;
  attrs.emplace_back(LLVM::LLVMDialect::getAlignAttrName(),
                     kernel.getI32IntegerAttr(DeviceLayout::getBufferAlignment(
                         type.getElementType(), kernels.getRows())));
  if (isIsolated)
    attrs.emplace_back(LLVM::LLVMDialect::getNoAliasAttrName(),
                       kernel.getUnitAttr());
  bool isReadOnly = access == KernelAccess::Read;
  if (isReadOnly)
    attrs.emplace_back(LLVM::LLVMDialect::getReadonlyAttrName(),
                       kernel.getUnitAttr());
  hasInput |= isIsolated && isReadOnly;
  unsigned index = operands.size();
  addArgument(memory, access, passed, attrs, origin);
  Value argument = function.getArgument(index);
  if (size)
    argument = memref::ReinterpretCastOp::create(
        entry, type, argument, entry.getIndexAttr(0),
        ArrayRef<OpFoldResult>{size},
        ArrayRef<OpFoldResult>{entry.getIndexAttr(1)});
  it->second = {argument, index};
  return argument;
}

Value KernelBuilder::addField(Value field, KernelAccess access, bool isIsolated,
                              Location origin) {
  auto type = cast<GridType>(field.getType());
  return addPointer(field, DeviceLayout::getBufferType(type, kernels.getRows()),
                    access, isIsolated, origin);
}

Value KernelBuilder::addMemory(Value memory, KernelAccess access,
                               bool isIsolated) {
  return addPointer(memory, cast<MemRefType>(memory.getType()), access,
                    isIsolated, loc);
}

Value KernelBuilder::addScalar(Value scalar, StringRef name) {
  if (Value seen = known.lookup(scalar))
    return seen;
  // Constants are the kernel's own.
  Attribute constant;
  if (matchPattern(scalar, m_Constant(&constant)))
    return known[scalar] =
               arith::ConstantOp::create(entry, cast<TypedAttr>(constant));
  bool isIndex = scalar.getType().isIndex();
  Value passed = scalar;
  if (isIndex)
    passed = arith::IndexCastOp::create(builder, builder.getI64Type(), scalar);
  SmallVector<NamedAttribute> attrs;
  if (!name.empty())
    attrs.emplace_back("stencil.name", kernel.getStringAttr(name));
  addArgument(passed, KernelAccess::None, passed.getType(), attrs,
              isa<BlockArgument>(scalar) ? scalar.getLoc() : loc);
  Value argument = function.getArguments().back();
  if (isIndex)
    argument =
        arith::IndexCastOp::create(entry, entry.getIndexType(), argument);
  known[scalar] = argument;
  return argument;
}

Value KernelBuilder::addOperand(Value value) {
  addArgument(value, KernelAccess::None, value.getType(), {}, loc);
  return function.getArguments().back();
}

Value KernelBuilder::addDynamicShared(int64_t bytes) {
  dynamicSharedBytes = bytes;
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({ShapedType::kDynamic}, kernel.getI8Type(),
                              AffineMap(), space);
  return gpu::DynamicSharedMemoryOp::create(kernel, type);
}

Value KernelBuilder::addShared(int64_t count, Type elementType) {
  auto space = gpu::AddressSpaceAttr::get(kernel.getContext(),
                                          gpu::AddressSpace::Workgroup);
  return function.addWorkgroupAttribution(
      MemRefType::get({count}, elementType, AffineMap(), space), loc);
}

Value KernelBuilder::getBound(int64_t bound, int64_t axis) {
  if (!isSymbolic(bound))
    return arithmetic.constant(bound);
  Value &extent = extents[axis];
  if (!extent)
    extent = Arithmetic(entry, loc, intType)
                 .fromIndex(addScalar(kernels.getExtent(builder, loc, axis),
                                      ("n" + Twine(axis)).str()));
  return arithmetic.add(extent, symbolicOffset(bound));
}

Value KernelBuilder::getThread(gpu::Dimension dimension) {
  if (threads[static_cast<unsigned>(dimension)] == 1)
    return math().constant(0);
  return math().fromIndex(gpu::ThreadIdOp::create(kernel, dimension));
}

Value KernelBuilder::getBlock() {
  return math().fromIndex(gpu::BlockIdOp::create(kernel, gpu::Dimension::x));
}

void KernelBuilder::launch(Value blocks) {
  kernel.setInsertionPointToEnd(&function.getBody().front());
  gpu::ReturnOp::create(kernel, loc);
  auto symbol =
      SymbolRefAttr::get(kernels.getModule().getNameAttr(),
                         {FlatSymbolRefAttr::get(function.getNameAttr())});
  auto launch =
      LaunchOp::create(builder, symbol, blocks, threads, dynamicSharedBytes,
                       alignment, operands, accesses);
  if (group)
    launch->setDiscardableAttr(RegionGroupAttr::kAttrName, group);
}

void stencil::openIf(OpBuilder &builder, Location loc, Value condition) {
  if (condition)
    builder.setInsertionPointToStart(
        scf::IfOp::create(builder, loc, condition).thenBlock());
}

Value stencil::makeIf(OpBuilder &builder, Location loc, Value condition,
                      function_ref<Value()> make, Value otherwise) {
  OpBuilder::InsertionGuard guard(builder);
  auto branch = scf::IfOp::create(builder, loc, otherwise.getType(), condition,
                                  /*withElseRegion=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(builder, loc, make());
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, otherwise);
  return branch.getResult(0);
}

Value stencil::pack(OpBuilder &builder, Location loc, ValueRange values) {
  if (values.size() == 1)
    return values.front();
  auto type = VectorType::get({static_cast<int64_t>(values.size())},
                              values.front().getType());
  return vector::FromElementsOp::create(builder, loc, type, values);
}

Value stencil::extract(OpBuilder &builder, Location loc, Value packed,
                       int64_t lane) {
  if (!isa<VectorType>(packed.getType()))
    return packed;
  return vector::ExtractOp::create(builder, loc, packed, lane);
}

static llvm::MaybeAlign getAlign(VectorType type) {
  return llvm::MaybeAlign(type.getNumElements() *
                          getElementBytes(type.getElementType()));
}

Value stencil::loadElements(OpBuilder &builder, Location loc, int64_t count,
                            Value memory, Value index) {
  if (count == 1)
    return memref::LoadOp::create(builder, loc, memory, index);
  auto type = VectorType::get(
      {count}, cast<MemRefType>(memory.getType()).getElementType());
  return vector::LoadOp::create(builder, loc, type, memory, index,
                                /*nontemporal=*/false, getAlign(type));
}

void stencil::storeElements(OpBuilder &builder, Location loc, Value values,
                            Value memory, Value index) {
  if (auto type = dyn_cast<VectorType>(values.getType()))
    vector::StoreOp::create(builder, loc, values, memory, index,
                            /*nontemporal=*/false, getAlign(type));
  else
    memref::StoreOp::create(builder, loc, values, memory, index);
}

void stencil::fenceCopyEngine(OpBuilder &builder, Location loc) {
  NVVM::FenceProxyOp::create(
      builder, loc,
      NVVM::ProxyKindAttr::get(builder.getContext(),
                               NVVM::ProxyKind::async_shared),
      NVVM::SharedSpaceAttr::get(builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}
