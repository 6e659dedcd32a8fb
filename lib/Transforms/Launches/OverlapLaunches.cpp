//===- OverlapLaunches.cpp - Kernels in streams of their own --------------===//
//
// The first launch stays in its stream, and the others get one each. These
// streams wait for what the main one has done before, and the main one waits
// for them: in a graph that is being recorded, branches.
//
// Where launches of others stand between the first one and the second one, they
// go where the second one goes: they wait for each other, the first one for
// none of them. Its blocks take all multiprocessors, and a chain of small
// launches that each wait for these ends last; so streams of such chains are
// prior.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilAttrs.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILOVERLAPLAUNCHES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Kernels beyond that many at the same time take turns.
static constexpr size_t kMaxStreams = 16;

namespace {

using Group = std::pair<Block *, RegionGroupAttr>;
using Launches = SmallVector<gpu::LaunchFuncOp>;

/// The streams of a function beside the one that everything is ordered on.
class SideStreams {
public:
  SideStreams(func::FuncOp function, Value stream)
      : function(function), main(stream) {}

  /// That there are enough of them for these launches.
  void require(ArrayRef<gpu::LaunchFuncOp> launches);

  /// At the entry; they go where the function returns.
  void create();
  /// Gives the launches, but for the first one, streams of their own.
  void overlap(ArrayRef<gpu::LaunchFuncOp> launches);

private:
  /// A stream, and the event that its kernels are done.
  struct Side {
    Value stream, done;
  };

  void fork(ArrayRef<gpu::LaunchFuncOp> launches, ArrayRef<Side> streams,
            Operation *start, Value from);

  func::FuncOp function;
  Value main, begin;
  /// Ordinary ones, and prior ones.
  std::array<size_t, 2> counts = {0, 0};
  std::array<SmallVector<Side>, 2> sides;
};

} // namespace

/// Launches of others that stand between the first two of a group: the first
/// one runs beside these, too.
static Launches findBetween(ArrayRef<gpu::LaunchFuncOp> launches) {
  Launches between;
  for (Operation &op : llvm::make_range(std::next(launches[0]->getIterator()),
                                        launches[1]->getIterator()))
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
      between.push_back(launch);
  return between;
}

void SideStreams::require(ArrayRef<gpu::LaunchFuncOp> launches) {
  size_t &count = counts[!findBetween(launches).empty()];
  count = std::min(kMaxStreams - 1, std::max(count, launches.size() - 1));
}

void SideStreams::create() {
  ImplicitLocOpBuilder builder(function.getLoc(), function.getContext());
  builder.setInsertionPointAfterValue(main);
  Type pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto make = [&](StringRef name) {
    return callRuntime(builder, name, pointer, {}).getResult(0);
  };
  begin = make("mgpuEventCreate");
  for (bool isPrior : {false, true})
    for (size_t i = 0; i < counts[isPrior]; ++i) {
      Value stream =
          make(isPrior ? "stencilCreatePriorStream" : "mgpuStreamCreate");
      sides[isPrior].push_back({stream, make("mgpuEventCreate")});
    }
  function.walk([&](func::ReturnOp op) {
    ImplicitLocOpBuilder atEnd(function.getLoc(), op);
    for (const SmallVector<Side> &some : sides)
      for (const Side &side : some) {
        callRuntime(atEnd, "mgpuEventDestroy", {}, side.done);
        callRuntime(atEnd, "mgpuStreamDestroy", {}, side.stream);
      }
    callRuntime(atEnd, "mgpuEventDestroy", {}, begin);
  });
}

/// Gives launches streams of these, which wait at `start` for what another one
/// has done until then.
void SideStreams::fork(ArrayRef<gpu::LaunchFuncOp> launches,
                       ArrayRef<Side> streams, Operation *start, Value from) {
  ImplicitLocOpBuilder builder(start->getLoc(), start);
  callRuntime(builder, "mgpuEventRecord", {}, {begin, from});
  for (const Side &side : streams)
    callRuntime(builder, "mgpuStreamWaitEvent", {}, {side.stream, begin});
  for (auto [index, given] : llvm::enumerate(launches)) {
    gpu::LaunchFuncOp launch = given;
    launch.getAsyncObjectMutable().assign(
        streams[index % streams.size()].stream);
  }
}

void SideStreams::overlap(ArrayRef<gpu::LaunchFuncOp> launches) {
  Launches between = findBetween(launches);
  ArrayRef<Side> used =
      ArrayRef(sides[!between.empty()]).take_front(launches.size() - 1);
  if (between.empty()) {
    fork(launches.drop_front(), used, launches.front(), main);
  } else {
    between.push_back(launches[1]);
    fork(between, used.front(), launches.front(), main);
    if (launches.size() > 2)
      fork(launches.drop_front(2), used.drop_front(), launches[1],
           used.front().stream);
  }
  gpu::LaunchFuncOp last = launches.back();
  ImplicitLocOpBuilder builder(last.getLoc(), last->getContext());
  builder.setInsertionPointAfter(last);
  for (const Side &side : used) {
    callRuntime(builder, "mgpuEventRecord", {}, {side.done, side.stream});
    callRuntime(builder, "mgpuStreamWaitEvent", {}, {main, side.done});
  }
}

/// The stream that all of these launches go to; null, after an error, if there
/// is none, or the host does something in between that is not its own business.
static Value getStream(ArrayRef<gpu::LaunchFuncOp> launches) {
  gpu::LaunchFuncOp first = launches.front(), last = launches.back();
  Value stream = first.getAsyncObject();
  for (gpu::LaunchFuncOp launch : launches)
    if (!stream || launch.getAsyncObject() != stream ||
        launch.getAsyncToken()) {
      (void)launch.emitOpError("expected a launch to the stream of the other "
                               "regions, without tokens, to be overlapped");
      return {};
    }
  // Who begins early does so before launches of others, to the same stream.
  bool isEarly = launches.size() > 1 && !findBetween(launches).empty();
  for (Operation &op :
       llvm::make_range(first->getIterator(), last->getIterator())) {
    auto launch = dyn_cast<gpu::LaunchFuncOp>(op);
    bool isBeside = launch && isEarly && launch.getAsyncObject() == stream &&
                    !launch.getAsyncToken() &&
                    launch->isBeforeInBlock(launches[1]);
    bool isOurs = launch && (isBeside || llvm::is_contained(launches, launch));
    if (isOurs || isa<nvgpu::TmaCreateDescriptorOp>(op) ||
        (op.getNumRegions() == 0 && isMemoryEffectFree(&op)))
      continue;
    (void)op.emitOpError("expected nothing but launches between those of the "
                         "regions of a sweep");
    return {};
  }
  return stream;
}

static LogicalResult overlap(func::FuncOp function) {
  llvm::MapVector<Group, Launches> groups;
  function.walk([&](gpu::LaunchFuncOp launch) {
    RegionGroupAttr group = RegionGroupAttr::of(launch);
    if (!group || group.getHow() != RegionLaunch::Streams)
      return;
    launch->removeAttr(RegionGroupAttr::kAttrName);
    groups[{launch->getBlock(), group}].push_back(launch);
  });
  llvm::MapVector<Value, SideStreams> all;
  for (auto &[group, launches] : groups) {
    Value stream = getStream(launches);
    if (!stream)
      return failure();
    if (launches.size() > 1)
      all.try_emplace(stream, function, stream).first->second.require(launches);
  }
  for (auto &[stream, sides] : all)
    sides.create();
  for (auto &[group, launches] : groups)
    if (auto *known = all.find(launches.front().getAsyncObject());
        known != all.end() && launches.size() > 1)
      known->second.overlap(launches);
  return success();
}

namespace {

struct OverlapLaunches
    : stencil::impl::StencilOverlapLaunchesBase<OverlapLaunches> {
  void runOnOperation() override {
    if (failed(checkWithin(getOperation(), overlap)))
      signalPassFailure();
  }
};

} // namespace
