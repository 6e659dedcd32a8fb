//===- AsyncFetch.cpp - Planes through cp.async ---------------------------===//

#include "PlaneChunks.h"
#include "PlaneFetch.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace stencil;

namespace {

/// All threads ask for a part of a plane. A group of copies is closed where the
/// next iteration waits: one per iteration, also where nothing is copied.
class AsyncFetch : public PlaneFetch {
public:
  explicit AsyncFetch(const PipelineContext &context) : context(context) {}

  void add(SharedRing &ring, const KernelField &field, Value) override {
    sources.push_back({&ring, &field, {}});
  }
  LogicalResult prepare() override;
  void start() override;
  void arrive(const PipelineStep &step) override;
  void proceed(const PipelineStep &step) override;

private:
  struct Source {
    SharedRing *ring;
    const KernelField *field;
    std::unique_ptr<PlaneChunks> chunks;
  };

  void issue(Source &source, Value number, Value slot);
  Value closeGroup();

  const PipelineContext &context;
  std::vector<Source> sources;
  /// Planes that the furthest and the nearest window is ahead.
  int64_t furthest = 0, nearest = 0;
};

} // namespace

LogicalResult AsyncFetch::prepare() {
  constexpr int64_t kWidest = 16, kNarrowest = 4;
  nearest = sources.front().ring->getAhead();
  for (Source &source : sources) {
    WindowOp window = source.ring->getWindow();
    Type element = source.ring->getElementType();
    source.chunks = std::make_unique<PlaneChunks>(context, *source.ring,
                                                  *source.field, kWidest);
    int64_t bytes = source.chunks->getLength() * getElementBytes(element);
    if (bytes < kNarrowest)
      return window.emitOpError("expected rows that are aligned to at least ")
             << kNarrowest << " bytes for prefetch = async, got " << bytes;
    // NVGPU's copies know no indices.
    if (!hasVectorLayout(element) || element.isIndex() ||
        getElementBytes(element) > kWidest)
      return window.emitOpError("no asynchronous copy has elements of type ")
             << element;
    furthest = std::max(furthest, source.ring->getAhead());
    nearest = std::min(nearest, source.ring->getAhead());
  }
  return success();
}

void AsyncFetch::issue(Source &source, Value number, Value slot) {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  PlaneChunks &chunks = *source.chunks;
  int64_t length = chunks.getLength();
  bool isWide = length * getElementBytes(source.ring->getElementType()) == 16;
  auto token = nvgpu::DeviceAsyncTokenType::get(builder.getContext());
  Value none = arith::ConstantIndexOp::create(builder, loc, 0);
  Value all = arith::ConstantIndexOp::create(builder, loc, length);
  for (const PlaneChunks::Chunk &chunk : chunks.getChunks()) {
    Value target = chunks.getTarget(chunk, slot);
    Value position = chunks.getSource(chunk, number);
    Value isLoaded = chunks.isLoaded(chunk, number);
    OpBuilder::InsertionGuard guard(builder);
    if (chunk.exists) {
      auto branch = scf::IfOp::create(builder, loc, chunk.exists);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    // Of what is not there nothing is read, and zeros are written.
    Value count = arith::SelectOp::create(builder, loc, isLoaded, all, none);
    Value safe =
        arith::SelectOp::create(builder, loc, isLoaded, position, none);
    nvgpu::DeviceAsyncCopyOp::create(
        builder, loc, token, source.ring->getElements(), target,
        source.field->buffer, safe, builder.getIndexAttr(length), count,
        isWide ? builder.getUnitAttr() : UnitAttr());
  }
}

Value AsyncFetch::closeGroup() {
  OpBuilder &builder = context.kernel.body();
  auto token = nvgpu::DeviceAsyncTokenType::get(builder.getContext());
  return nvgpu::DeviceAsyncCreateGroupOp::create(
      builder, context.kernel.getLoc(), token, ValueRange());
}

void AsyncFetch::start() {
  Arithmetic math = context.kernel.math();
  int64_t groups = context.getWalk() ? furthest : 1;
  for (int64_t group = 0; group < groups; ++group) {
    for (Source &source : sources) {
      int64_t ahead = context.getWalk() ? source.ring->getAhead() : 1;
      // The nearer a window is, the later it begins.
      int64_t number = group - (groups - ahead);
      if (number >= 0)
        issue(source, math.constant(number), math.constant(number));
    }
    // The last one is closed by whoever waits for it.
    if (group + 1 < groups)
      closeGroup();
  }
}

void AsyncFetch::arrive(const PipelineStep &step) {
  OpBuilder &builder = context.kernel.body();
  int64_t pending = step.number ? nearest - 1 : 0;
  nvgpu::DeviceAsyncWaitOp::create(builder, context.kernel.getLoc(),
                                   closeGroup(),
                                   builder.getI32IntegerAttr(pending));
}

void AsyncFetch::proceed(const PipelineStep &step) {
  if (!step.number)
    return;
  Arithmetic math = context.kernel.math();
  for (Source &source : sources) {
    int64_t ahead = source.ring->getAhead();
    issue(source, math.add(step.number, ahead),
          source.ring->getSlot(step, ahead));
  }
}

std::unique_ptr<PlaneFetch>
stencil::createAsyncFetch(const PipelineContext &context) {
  return std::make_unique<AsyncFetch>(context);
}
