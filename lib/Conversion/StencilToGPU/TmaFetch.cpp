//===- TmaFetch.cpp - Planes through the tensor memory accelerator --------===//
//
// One thread asks for a box of the field per plane; an mbarrier per slot says
// when it is there. Planes that nobody needs are asked for outside of the
// field: they are zeros, and cost no traffic.
//
//===----------------------------------------------------------------------===//

#include "PlaneFetch.h"
#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

namespace {

class TmaFetch : public PlaneFetch {
public:
  explicit TmaFetch(const PipelineContext &context) : context(context) {}

  void add(SharedRing &ring, const KernelField &field, Value name) override;
  LogicalResult prepare() override;
  void start() override;
  void arrive(const PipelineStep &step) override;
  void proceed(const PipelineStep &step) override;

private:
  struct Source {
    SharedRing *ring;
    const KernelField *field;
    Value name, map;
    /// Position of the tile's first point, halo included, in the field.
    SmallVector<Value> start;
  };
  /// Windows of the same depth, as many planes ahead, share their mbarriers.
  struct Group {
    int64_t depth, ahead;
    SmallVector<Source> sources;
    Value barriers;
  };

  LogicalResult makeMap(Source &source);
  int64_t countBytes(const Group &group) const;
  /// Asks for the planes with this number, which lie in this slot. `reuses` if
  /// threads have read other planes there.
  void issue(Group &group, Value number, Value slot, bool reuses);

  const PipelineContext &context;
  std::vector<Group> groups;
  Value isFirst;
};

} // namespace

void TmaFetch::add(SharedRing &ring, const KernelField &field, Value name) {
  Source source{&ring, &field, name, {}, {}};
  for (Group &group : groups)
    if (group.depth == ring.getDepth() && group.ahead == ring.getAhead()) {
      group.sources.push_back(source);
      return;
    }
  groups.push_back({ring.getDepth(), ring.getAhead(), {source}, {}});
}

LogicalResult TmaFetch::makeMap(Source &source) {
  constexpr int64_t kMaxBox = 256, kMaxRank = 5, kRowBytes = kTensorMapRowBytes;
  WindowOp window = source.ring->getWindow();
  GridType type = source.field->type;
  int64_t rank = type.getRank();
  Type element = type.getElementType();
  int64_t bytes = getElementBytes(element);
  if (rank > kMaxRank)
    return window.emitOpError("expected at most ")
           << kMaxRank << " axes for prefetch = tma, got " << rank;
  if (!isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(element) &&
      !(element.isInteger() &&
        llvm::is_contained({8, 16, 32, 64}, getBitWidth(element))))
    return window.emitOpError("no tensor map has elements of type ") << element;
  if (isSymbolic(type.getBounds().getLb().back()))
    return window.emitOpError("expected a field whose rows are aligned to ")
           << kRowBytes << " bytes for prefetch = tma, got one whose lower "
           << "bound along axis " << rank - 1 << " is known at run time only";
  RowLayout rows = context.kernels.getRows();
  if (rows == RowLayout::Dense && !denseRowsFitTensorMap(type)) {
    InFlightDiagnostic error =
        window.emitOpError("expected rows of a multiple of ")
        << kRowBytes
        << " bytes for prefetch = tma, got an array of the caller with rows "
           "of ";
    if (auto own = getDenseRowBytes(type))
      return error << *own << " bytes";
    return error << "an extent that is known at run time only";
  }
  context.kernel.requireAlignment(kRowBytes);
  ArrayRef<int64_t> shape = source.ring->getShape();
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (extent > kMaxBox)
      return window.emitOpError("expected at most ")
             << kMaxBox << " points of a tile and its halo along axis " << axis
             << " for prefetch = tma, got " << extent;
  if (shape.back() * bytes % kRowBytes != 0)
    return window.emitOpError("expected rows of a multiple of ")
           << kRowBytes << " bytes for prefetch = tma, got "
           << shape.back() * bytes << " bytes";

  auto space = gpu::AddressSpaceAttr::get(window.getContext(),
                                          gpu::AddressSpace::Workgroup);
  auto box =
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
  auto mapType = nvgpu::TensorMapDescriptorType::get(
      window.getContext(), box, nvgpu::TensorMapSwizzleKind::SWIZZLE_NONE,
      // Measured to be the best of the three (docs/benchmarks.md).
      nvgpu::TensorMapL2PromoKind::L2PROMO_128B,
      nvgpu::TensorMapOOBKind::OOB_ZERO,
      nvgpu::TensorMapInterleaveKind::INTERLEAVE_NONE);
  Value map = TensorMapOp::create(
      context.kernel.outside(), context.kernel.getLoc(), mapType, source.name);
  source.map = context.kernel.addOperand(map);

  // Where the tile begins, in the kernel.
  Arithmetic inner = context.kernel.math();
  for (int64_t axis = 0; axis < rank; ++axis) {
    Value lower = context.kernel.getBound(type.getBounds().getLb()[axis], axis);
    if (context.getWalk() == axis) {
      source.start.push_back(lower);
      continue;
    }
    Value first = inner.sub(
        inner.add(context.tileStart[axis], -source.ring->getOrigin()[axis]),
        lower);
    if (axis + 1 == rank)
      first = inner.add(first, source.field->layout->getRowStart());
    source.start.push_back(first);
  }
  return success();
}

int64_t TmaFetch::countBytes(const Group &group) const {
  int64_t bytes = 0;
  for (const Source &source : group.sources)
    bytes += llvm::product_of(source.ring->getShape()) *
             getElementBytes(source.ring->getElementType());
  return bytes;
}

void stencil::fenceCopyEngine(OpBuilder &builder, Location loc) {
  NVVM::FenceProxyOp::create(
      builder, loc,
      NVVM::ProxyKindAttr::get(builder.getContext(),
                               NVVM::ProxyKind::async_shared),
      NVVM::SharedSpaceAttr::get(builder.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}

LogicalResult TmaFetch::prepare() {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  Arithmetic math = context.kernel.math();
  isFirst = math.compare(arith::CmpIPredicate::eq, context.threadNumber,
                         math.constant(0));
  for (Group &group : groups) {
    for (Source &source : group.sources)
      if (failed(makeMap(source)))
        return failure();
    group.barriers = nvgpu::MBarrierCreateOp::create(
        builder, loc,
        nvgpu::MBarrierGroupType::get(builder.getContext(), space,
                                      group.depth));
    Value one = arith::ConstantIndexOp::create(builder, loc, 1);
    for (int64_t slot = 0; slot < group.depth; ++slot)
      nvgpu::MBarrierInitOp::create(
          builder, loc, group.barriers, one,
          arith::ConstantIndexOp::create(builder, loc, slot), isFirst);
  }
  // The copy engine sees the mbarriers as they are now.
  NVVM::FenceMbarrierInitOp::create(builder, loc);
  fenceCopyEngine(builder, loc);
  gpu::BarrierOp::create(builder, loc);
  return success();
}

void TmaFetch::issue(Group &group, Value number, Value slot, bool reuses) {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  Arithmetic math = context.kernel.math();
  // No copy may be on its way when the block ends.
  Value asks = isFirst;
  if (context.getWalk())
    asks = math.both(asks, math.less(number, context.iterations));
  auto branch = scf::IfOp::create(builder, loc, asks);
  builder.setInsertionPoint(branch.thenBlock()->getTerminator());
  // The barrier before has ordered what threads have read with what this thread
  // does, but not with what the copy engine does (PTX ISA, "Causality order": a
  // proxy fence between the two). One thread's fence is enough for that.
  if (reuses)
    fenceCopyEngine(builder, loc);
  Value barrier = math.toIndex(slot);
  nvgpu::MBarrierArriveExpectTxOp::create(
      builder, loc, group.barriers,
      arith::ConstantIndexOp::create(builder, loc, countBytes(group)), barrier,
      Value());
  for (Source &source : group.sources) {
    SharedRing &ring = *source.ring;
    SmallVector<Value> coordinates;
    for (auto [axis, start] : llvm::enumerate(source.start)) {
      if (context.getWalk() != static_cast<int64_t>(axis)) {
        coordinates.push_back(math.toIndex(start));
        continue;
      }
      Value plane = math.add(math.add(context.firstPlane, number),
                             ring.getPlanned().newest);
      Value along = math.select(
          context.isNeeded(ring.getPlanned().needs, plane),
          math.sub(ring.getSourcePlane(plane), start), math.constant(-1));
      coordinates.push_back(math.toIndex(along));
    }
    auto flat = cast<MemRefType>(ring.getElements().getType());
    auto layout = StridedLayoutAttr::get(
        builder.getContext(), ShapedType::kDynamic, ring.getStrides());
    auto type = MemRefType::get(ring.getShape(), ring.getElementType(), layout,
                                flat.getMemorySpace());
    Value offset = math.toIndex(math.mul(slot, ring.getPlaneElements()));
    SmallVector<OpFoldResult> sizes, strides;
    for (auto [extent, stride] :
         llvm::zip_equal(ring.getShape(), ring.getStrides())) {
      sizes.push_back(builder.getIndexAttr(extent));
      strides.push_back(builder.getIndexAttr(stride));
    }
    Value box = memref::ReinterpretCastOp::create(
        builder, loc, type, ring.getElements(), OpFoldResult(offset), sizes,
        strides);
    // The fastest axis comes first.
    std::reverse(coordinates.begin(), coordinates.end());
    nvgpu::TmaAsyncLoadOp::create(builder, loc, box, group.barriers, source.map,
                                  coordinates, barrier, Value(), Value());
  }
}

void TmaFetch::start() {
  Arithmetic math = context.kernel.math();
  for (Group &group : groups)
    for (int64_t number = 0; number < std::max<int64_t>(group.ahead, 1);
         ++number)
      if (number < group.ahead || !context.getWalk())
        issue(group, math.constant(number), math.constant(number),
              /*reuses=*/false);
}

void TmaFetch::arrive(const PipelineStep &step) {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  Arithmetic math = context.kernel.math();
  // A hint: how long the hardware may suspend the thread.
  constexpr int64_t kTicks = 10000000;
  for (Group &group : groups) {
    Value slot =
        step.number ? step.slots.lookup(group.depth) : math.constant(0);
    Value parity = step.number
                       ? step.parities.lookup(group.depth)
                       : arith::ConstantIntOp::create(builder, loc, 0, 1);
    nvgpu::MBarrierTryWaitParityOp::create(
        builder, loc, group.barriers, parity,
        arith::ConstantIndexOp::create(builder, loc, kTicks),
        math.toIndex(slot));
  }
}

void TmaFetch::proceed(const PipelineStep &step) {
  if (!step.number)
    return;
  Arithmetic math = context.kernel.math();
  for (Group &group : groups)
    issue(group, math.add(step.number, group.ahead),
          group.sources.front().ring->getSlot(step, group.ahead),
          /*reuses=*/true);
}

std::unique_ptr<PlaneFetch>
stencil::createTmaFetch(const PipelineContext &context) {
  return std::make_unique<TmaFetch>(context);
}
