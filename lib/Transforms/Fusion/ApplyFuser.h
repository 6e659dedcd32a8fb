//===- ApplyFuser.h - Which applies of a function are fused -----*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_APPLYFUSER_H
#define STENCIL_LIB_TRANSFORMS_APPLYFUSER_H

#include "ApplyFusion.h"
#include "StencilDialect/Analysis/Fusion.h"
#include "llvm/ADT/DenseSet.h"

namespace stencil {

/// Names of applies, or A+B of pairs.
struct FusionWishes {
  SmallVector<std::string> force, forbid;

  bool isForbidden(ApplyOp a, ApplyOp b) const;
};

/// Fuses the applies of one function.
class Fuser {
public:
  Fuser(mlir::FunctionOpInterface function, const ShapeInference &shapes,
        FusionLimits limits, const FusionWishes &wishes)
      : function(function), analysis(function, shapes, limits), wishes(wishes) {
  }

  /// Does what is asked for; emits an error if that cannot be.
  LogicalResult force();

  /// Fuses what pays, and says so in remarks.
  void run();

private:
  SmallVector<ApplyOp> collect();
  ApplyOp find(StringRef name);
  SmallVector<ApplyOp> getConsumers(Operation *producer);
  LogicalResult forceProducer(ApplyOp producer);
  LogicalResult forceSiblings(ApplyOp a, ApplyOp b);

  bool absorbProducers(ApplyOp &consumer);
  bool pushThroughCombines(ApplyOp consumer);
  bool mergeReaders();
  bool tryProducer(ApplyOp producer, SmallVectorImpl<ApplyOp> &consumers);
  bool trySiblings(ApplyOp a, ApplyOp b, ApplyOp &merged);
  void fuse(ApplyOp producer, llvm::MutableArrayRef<ApplyOp> consumers,
            const FusionVerdict &verdict);
  ApplyOp fuse(ApplyOp a, ApplyOp b, const FusionVerdict &verdict);
  std::optional<Obstacle> tryCombine(ApplyOp consumer, CombineOp combine,
                                     bool isForced);
  void moveInputs(ApplyOp apply, Operation *except, Operation *place);
  void missed(Location loc, std::string text) {
    declined.push_back({loc, std::move(text)});
  }

  mlir::FunctionOpInterface function;
  FusionAnalysis analysis;
  const FusionWishes &wishes;
  /// Of what was collected last: neither erased nor replaced since. New ops are
  /// not in it, whatever address they get.
  llvm::DenseSet<Operation *> alive;
  SmallVector<std::pair<Location, std::string>> declined;
};

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_APPLYFUSER_H
