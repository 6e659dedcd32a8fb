//===- ThreadFetch.cpp - Planes through the registers of threads ----------===//

#include "PlaneChunks.h"
#include "PlaneFetch.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace stencil;

namespace {

/// All threads load a part of a plane and store it to shared memory: at once,
/// or, delayed, in the next iteration, so that the loads have the time of one
/// to come.
class ThreadFetch : public PlaneFetch {
public:
  ThreadFetch(const PipelineContext &context, bool delayed)
      : context(context), delayed(delayed) {}

  void add(SharedRing &ring, const KernelField &field, Value) override {
    sources.push_back({&ring, &field, {}, {}});
  }
  LogicalResult prepare() override;
  void start() override;
  void arrive(const PipelineStep &step) override;
  void proceed(const PipelineStep &step) override;
  bool writesEarly(const SharedRing &ring) const override {
    const PlannedValue &planned = ring.getPlanned();
    return context.getWalk() && (delayed || ring.getAhead() == 0) &&
           ring.getDepth() < planned.lead - planned.oldest + 2;
  }
  void appendState(SmallVectorImpl<Value> &state) const override;
  void restoreState(ValueRange &state) override;

private:
  struct Source {
    SharedRing *ring;
    const KernelField *field;
    std::unique_ptr<PlaneChunks> chunks;
    /// What has been loaded and not yet been stored.
    SmallVector<Value> loaded;
  };

  void load(Source &source, Value number);
  void store(Source &source, Value slot);

  const PipelineContext &context;
  bool delayed;
  std::vector<Source> sources;
};

} // namespace

LogicalResult ThreadFetch::prepare() {
  constexpr int64_t kWidest = 16;
  for (Source &source : sources)
    source.chunks = std::make_unique<PlaneChunks>(context, *source.ring,
                                                  *source.field, kWidest);
  return success();
}

void ThreadFetch::load(Source &source, Value number) {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  PlaneChunks &chunks = *source.chunks;
  auto type = cast<VectorType>(chunks.getType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  int64_t bytes = chunks.getLength() * getElementBytes(type.getElementType());
  source.loaded.clear();
  for (const PlaneChunks::Chunk &chunk : chunks.getChunks()) {
    Value position = chunks.getSource(chunk, number);
    auto branch = scf::IfOp::create(builder, loc, TypeRange(type),
                                    chunks.isLoaded(chunk, number),
                                    /*withElseRegion=*/true);
    OpBuilder inside = branch.getThenBodyBuilder();
    Value value = vector::LoadOp::create(
        inside, loc, type, source.field->buffer, position,
        /*nontemporal=*/false, llvm::MaybeAlign(bytes));
    scf::YieldOp::create(inside, loc, value);
    OpBuilder outside = branch.getElseBodyBuilder();
    scf::YieldOp::create(outside, loc, zero);
    source.loaded.push_back(branch.getResult(0));
  }
}

void ThreadFetch::store(Source &source, Value slot) {
  OpBuilder &builder = context.kernel.body();
  Location loc = context.kernel.getLoc();
  PlaneChunks &chunks = *source.chunks;
  int64_t bytes =
      chunks.getLength() * getElementBytes(source.ring->getElementType());
  for (auto [chunk, value] :
       llvm::zip_equal(chunks.getChunks(), source.loaded)) {
    Value position = chunks.getTarget(chunk, slot);
    OpBuilder::InsertionGuard guard(builder);
    if (chunk.exists) {
      auto branch = scf::IfOp::create(builder, loc, chunk.exists);
      builder.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    vector::StoreOp::create(builder, loc, value, source.ring->getElements(),
                            position, /*nontemporal=*/false,
                            llvm::MaybeAlign(bytes));
  }
}

void ThreadFetch::start() {
  Arithmetic math = context.kernel.math();
  for (Source &source : sources) {
    int64_t ready = context.getWalk() ? source.ring->getAhead() : 1;
    for (int64_t number = 0; number < ready; ++number) {
      load(source, math.constant(number));
      store(source, math.constant(number));
    }
    if (context.getWalk() && delayed)
      load(source, math.constant(ready));
  }
}

void ThreadFetch::arrive(const PipelineStep &step) {
  if (!step.number)
    return;
  for (Source &source : sources) {
    if (!delayed && source.ring->getAhead() > 0)
      continue;
    if (!delayed)
      load(source, step.number);
    store(source, source.ring->getSlot(step, source.ring->getAhead()));
  }
}

void ThreadFetch::proceed(const PipelineStep &step) {
  if (!step.number)
    return;
  Arithmetic math = context.kernel.math();
  for (Source &source : sources) {
    int64_t ahead = source.ring->getAhead();
    if (delayed) {
      load(source, math.add(step.number, ahead + 1));
    } else if (ahead > 0) {
      load(source, math.add(step.number, ahead));
      store(source, source.ring->getSlot(step, ahead));
    }
  }
}

void ThreadFetch::appendState(SmallVectorImpl<Value> &state) const {
  if (delayed)
    for (const Source &source : sources)
      state.append(source.loaded);
}

void ThreadFetch::restoreState(ValueRange &state) {
  if (!delayed)
    return;
  for (Source &source : sources)
    for (Value &value : source.loaded) {
      value = state.front();
      state = state.drop_front();
    }
}

std::unique_ptr<PlaneFetch>
stencil::createThreadFetch(const PipelineContext &context, bool delayed) {
  return std::make_unique<ThreadFetch>(context, delayed);
}
