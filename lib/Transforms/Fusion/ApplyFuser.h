//===- ApplyFuser.h - Which applies of a function are fused -----*- C++ -*-===//

#ifndef STENCIL_LIB_TRANSFORMS_APPLYFUSER_H
#define STENCIL_LIB_TRANSFORMS_APPLYFUSER_H

#include "ApplyFusion.h"
#include "StencilDialect/Analysis/Fusion.h"
#include "llvm/ADT/DenseSet.h"

namespace stencil {

/// Names of applies, or A+B of pairs.
struct FusionWishes {
  llvm::SmallVector<std::string> force, forbid;

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
  mlir::LogicalResult force();

  /// Fuses what pays, and says so in remarks.
  void run();

private:
  llvm::SmallVector<ApplyOp> collect();
  ApplyOp find(llvm::StringRef name);
  llvm::SmallVector<ApplyOp> getConsumers(mlir::Operation *producer);
  mlir::LogicalResult forceProducer(ApplyOp producer);
  mlir::LogicalResult forceSiblings(ApplyOp a, ApplyOp b);

  bool absorbProducers(ApplyOp &consumer);
  bool pushThroughCombines(ApplyOp consumer);
  bool mergeReaders();
  bool tryProducer(ApplyOp producer, llvm::SmallVectorImpl<ApplyOp> &consumers);
  bool trySiblings(ApplyOp a, ApplyOp b, ApplyOp &merged);
  void fuse(ApplyOp producer, llvm::MutableArrayRef<ApplyOp> consumers,
            const FusionVerdict &verdict);
  ApplyOp fuse(ApplyOp a, ApplyOp b, const FusionVerdict &verdict);
  std::optional<Obstacle> tryCombine(ApplyOp consumer, CombineOp combine,
                                     bool isForced);
  void moveInputs(ApplyOp apply, mlir::Operation *except,
                  mlir::Operation *place);
  void erase(mlir::Operation *op) {
    alive.erase(op);
    op->erase();
  }

  void missed(mlir::Location loc, std::string text) {
    declined.push_back({loc, std::move(text)});
  }

  mlir::FunctionOpInterface function;
  FusionAnalysis analysis;
  const FusionWishes &wishes;
  /// Of what was collected last: neither erased nor replaced since. New ops are
  /// not in it, whatever address they get.
  llvm::DenseSet<mlir::Operation *> alive;
  llvm::SmallVector<std::pair<mlir::Location, std::string>> declined;
};

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_APPLYFUSER_H
