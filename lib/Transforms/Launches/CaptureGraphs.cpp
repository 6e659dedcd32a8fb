//===- CaptureGraphs.cpp - Launch many steps at once ----------------------===//

#include "Programs/LoopSteps.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <numeric>

namespace stencil {
#define GEN_PASS_DEF_STENCILCAPTUREGRAPHS
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

/// Loops that permute their fields with a longer period are left alone.
static constexpr int64_t kMaxPeriod = 64;

/// The steps after which the values that a loop carries are in their places
/// again; 0 if they may never be.
static int64_t getPeriod(scf::ForOp loop) {
  auto carried = loop.getRegionIterArgs();
  SmallVector<int64_t> next;
  for (Value value : loop.getYieldedValues()) {
    auto *it = llvm::find(carried, value);
    if (it == carried.end() || llvm::is_contained(next, it - carried.begin()))
      return 0;
    next.push_back(it - carried.begin());
  }
  int64_t period = 1;
  for (int64_t start = 0; start < static_cast<int64_t>(next.size()); ++start) {
    int64_t length = 1;
    for (int64_t at = next[start]; at != start; at = next[at])
      ++length;
    period = std::lcm(period, length);
    if (period > kMaxPeriod)
      return 0;
  }
  return period;
}

/// Work of the host that can be done while a graph is recorded, and that a
/// replay needs no more: a launch keeps a copy of its descriptors.
static bool isHostWork(Operation &op) {
  return isa<nvgpu::TmaCreateDescriptorOp>(op) ||
         (op.getNumRegions() == 0 && isMemoryEffectFree(&op));
}

/// Adds the launches of a block, and the stream that they all go to; false if
/// it does anything else, or something else in every step of the loop. A branch
/// that every step takes (stencil-vary-extents) is recorded as it is taken.
static bool addLaunches(scf::ForOp loop, Block &block, Value &stream,
                        int64_t &launches) {
  for (Operation &op : block.without_terminator()) {
    if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op)) {
      Value own = launch.getAsyncObject();
      if (!own || (stream && own != stream))
        return false;
      stream = own;
      ++launches;
      continue;
    }
    if (auto branch = dyn_cast<scf::IfOp>(op);
        branch && branch->getNumResults() == 0 &&
        loop.isDefinedOutsideOfLoop(branch.getCondition())) {
      int64_t most = 0;
      for (Region &region : branch->getRegions()) {
        int64_t own = 0;
        if (!region.empty() && !addLaunches(loop, region.front(), stream, own))
          return false;
        most = std::max(most, own);
      }
      launches += most;
      continue;
    }
    if (!isHostWork(op) && !(&block == loop.getBody() &&
                             callsStepFunction(&op, kCountLaunchedSteps)))
      return false;
  }
  return true;
}

/// The launches of a step, and the stream that they all go to; null if there is
/// no such step.
static Value getStream(scf::ForOp loop, int64_t &launches) {
  Value stream;
  launches = 0;
  if (!loop.getInductionVar().use_empty() ||
      !addLaunches(loop, *loop.getBody(), stream, launches))
    return {};
  return stream;
}

/// Whether the caller may have set the stream (stencilSetStream).
static bool isCallersStream(Value stream) {
  auto call = stream.getDefiningOp<func::CallOp>();
  return call && call.getCallee() == "stencilOpenStream";
}

/// A loop from 0 to `count` with the body of `loop`.
static scf::ForOp cloneLoop(OpBuilder &at, scf::ForOp loop, Value count) {
  ImplicitLocOpBuilder builder(loop.getLoc(), at);
  Value zero = arith::ConstantIndexOp::create(builder, 0);
  Value one = arith::ConstantIndexOp::create(builder, 1);
  IRMapping mapping;
  auto copy = cast<scf::ForOp>(builder.clone(*loop, mapping));
  copy.setLowerBound(zero);
  copy.setUpperBound(count);
  copy.setStep(one);
  return copy;
}

/// Takes the count of a step (stencil-count-steps) out of a loop; false if
/// there is none.
static bool eraseStepCount(scf::ForOp loop) {
  for (Operation &op : loop.getBody()->without_terminator())
    if (callsStepFunction(&op, kCountLaunchedSteps)) {
      op.erase();
      return true;
    }
  return false;
}

namespace {

struct CaptureGraphs : stencil::impl::StencilCaptureGraphsBase<CaptureGraphs> {
  using StencilCaptureGraphsBase::StencilCaptureGraphsBase;

  void runOnOperation() override {
    for (auto function : listWithin<func::FuncOp>(getOperation()))
      for (scf::ForOp loop : listWithin<scf::ForOp>(function))
        capture(loop);
  }

private:
  void capture(scf::ForOp loop) {
    int64_t launches = 0;
    Value stream = getStream(loop, launches);
    int64_t period = stream ? getPeriod(loop) : 0;
    if (period == 0 || !loop.getInductionVar().getType().isIndex())
      return;
    int64_t steps = period * std::max<int64_t>(1, nodes / (launches * period));
    Location loc = loop.getLoc();
    ImplicitLocOpBuilder builder(loc, loop);
    auto constant = [](ImplicitLocOpBuilder &at, int64_t value) -> Value {
      return arith::ConstantIndexOp::create(at, value);
    };
    Value count = arith::MaxSIOp::create(builder, countSteps(builder, loop),
                                         constant(builder, 0));
    Value chunk = constant(builder, steps);
    Value whole = arith::DivUIOp::create(builder, count, chunk);
    // To record a graph takes about as long as to launch it once.
    Value isLong = arith::CmpIOp::create(builder, arith::CmpIPredicate::uge,
                                         whole, constant(builder, 3));
    // The caller may be recording the stream, and goes on after the call.
    bool isCallers = isCallersStream(stream);
    if (isCallers) {
      Value answer = callRuntime(builder, "stencilMayCapture",
                                 builder.getI32Type(), stream)
                         .getResult(0);
      Value zero = arith::ConstantIntOp::create(builder, 0, 32);
      Value may = arith::CmpIOp::create(builder, arith::CmpIPredicate::ne,
                                        answer, zero);
      isLong = arith::AndIOp::create(builder, isLong, may);
    }
    auto branch = scf::IfOp::create(builder, isLong);
    {
      ImplicitLocOpBuilder inner(loc, branch.getThenBodyBuilder());
      Type graphType = LLVM::LLVMPointerType::get(&getContext());
      callRuntime(inner, "stencilBeginCapture", {}, stream);
      bool areCounted = eraseStepCount(cloneLoop(inner, loop, chunk));
      Value graph = callRuntime(inner, "stencilEndCapture", graphType, stream)
                        .getResult(0);
      auto replay = scf::ForOp::create(inner, constant(inner, 0), whole,
                                       constant(inner, 1));
      auto body = ImplicitLocOpBuilder::atBlockBegin(loc, replay.getBody());
      callRuntime(body, "stencilLaunchGraph", {}, {graph, stream});
      if (areCounted)
        callStepFunction(
            body, kCountLaunchedSteps,
            {LLVM::ConstantOp::create(body, body.getI64Type(), steps), stream});
      // It may be running still.
      if (isCallers) {
        callRuntime(inner, "stencilRetireGraph", {}, {graph, stream});
      } else {
        callRuntime(inner, "mgpuStreamSynchronize", {}, stream);
        callRuntime(inner, "stencilDestroyGraph", {}, graph);
      }
    }
    Value rest = arith::RemUIOp::create(builder, count, chunk);
    Value left = arith::SelectOp::create(builder, isLong, rest, count);
    scf::ForOp remaining = cloneLoop(builder, loop, left);
    loop.replaceAllUsesWith(remaining);
    loop.erase();
  }
};

} // namespace
