//===- FuseApplies.cpp - Fewer applies that move less memory --------------===//
//
// stencil-fuse-applies: producers go into their consumers, siblings become one.
//
//   %l = stencil.apply(%x = %t) { ... return %lap }
//   %r = stencil.apply(%y = %l) { %a = access %y[-1]; %b = access %y[1]; ... }
// ==>
//   %r = stencil.apply(%x = %t) {
//     ... %lap at one of the offsets
//     %b = stencil.weighted_sum %lap offsets [[2]] weights dense<1.0>
//   }
//
// What is legal and what pays says Analysis/Fusion, in which order pairs are
// looked at says ApplyFuser, what is rewritten is in ApplyFusion.
//
//===----------------------------------------------------------------------===//

#include "ApplyFuser.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILFUSEAPPLIES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {
struct FuseApplies : stencil::impl::StencilFuseAppliesBase<FuseApplies> {
  using StencilFuseAppliesBase::StencilFuseAppliesBase;

  LogicalResult checkOptions();
  void runOnOperation() override;
};
} // namespace

LogicalResult FuseApplies::checkOptions() {
  ModuleOp module = getOperation();
  auto check = [&](const char *name, double value) -> LogicalResult {
    if (value > 0)
      return success();
    return emitError(getStart(module))
           << "expected a positive " << name << ", got " << value;
  };
  if (failed(check("balance", balance)) ||
      failed(check("cache-balance", cacheBalance)) ||
      failed(check("gain", gain)))
    return failure();
  llvm::StringSet<llvm::MallocAllocator> names;
  module.walk([&](ApplyOp apply) {
    if (apply.isBufferised())
      return;
    for (StringRef name : llvm::split(getApplyName(apply), '+'))
      names.insert(name);
  });
  for (StringRef wish : llvm::concat<const std::string>(*force, *forbid))
    for (StringRef name : llvm::split(wish, '+'))
      if (!names.contains(name))
        return emitError(getStart(module))
               << "expected the name of a stencil.apply (attribute "
               << kApplyNameAttr << ") that is not bufferised, got '" << name
               << "'";
  return success();
}

void FuseApplies::runOnOperation() {
  if (failed(checkOptions()) || failed(checkProgram(getOperation())))
    return signalPassFailure();
  FailureOr<ShapeInference> shapes = ShapeInference::compute(getOperation());
  if (failed(shapes))
    return signalPassFailure();
  FusionLimits limits;
  limits.balance = balance;
  limits.cacheBalance = cacheBalance;
  limits.gain = gain;
  limits.maxRegisters = maxRegisters;
  limits.maxOps = maxOps;
  FusionWishes wishes;
  llvm::append_range(wishes.force, force);
  llvm::append_range(wishes.forbid, forbid);
  WalkResult walk = getOperation().walk<WalkOrder::PreOrder>(
      [&](FunctionOpInterface function) -> WalkResult {
        if (function.isExternal())
          return WalkResult::skip();
        Fuser fuser(function, *shapes, limits, wishes);
        if (failed(fuser.force()))
          return WalkResult::interrupt();
        if (automatic)
          fuser.run();
        return WalkResult::skip();
      });
  if (walk.wasInterrupted())
    signalPassFailure();
}
