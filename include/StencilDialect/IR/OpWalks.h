//===- OpWalks.h - Questions to the ops within one --------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_OPWALKS_H
#define STENCILDIALECT_IR_OPWALKS_H

#include "StencilDialect/IR/OpTraits.h"

namespace stencil {

/// The kind of ops that a function takes.
template <typename Function>
using WalkedOp = typename llvm::function_traits<Function>::template arg_t<0>;

/// Whether `holds` of an op, of the kind that it takes, at or within `root`: an
/// op, a region or a block.
template <typename Root, typename Holds>
bool anyWithin(Root &&root, Holds holds) {
  return root
      .walk([&](WalkedOp<Holds> op) {
        return holds(op) ? mlir::WalkResult::interrupt()
                         : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Fails where `check` of an op at or within `root` does. It returns what
/// becomes a WalkResult: a LogicalResult, a diagnostic, or whether to skip.
template <mlir::WalkOrder order = mlir::WalkOrder::PostOrder, typename Root,
          typename Check>
mlir::LogicalResult checkWithin(Root &&root, Check check) {
  return mlir::failure(root.template walk<order>([&](WalkedOp<Check> op) {
                             return mlir::WalkResult(check(op));
                           })
                           .wasInterrupted());
}

/// The ops of a kind at or within `root`.
template <typename Op, typename Root>
llvm::SmallVector<Op> listWithin(Root &&root) {
  llvm::SmallVector<Op> ops;
  root.walk([&](Op op) { ops.push_back(op); });
  return ops;
}

/// Those of the kind that `holds` takes of which it is true.
template <typename Root, typename Holds>
llvm::SmallVector<WalkedOp<Holds>> listWithin(Root &&root, Holds holds) {
  llvm::SmallVector<WalkedOp<Holds>> ops;
  root.walk([&](WalkedOp<Holds> op) {
    if (holds(op))
      ops.push_back(op);
  });
  return ops;
}

/// The ops of a program within `root`, each before those within it: bodies and
/// kernels are listed, what is in them is not.
template <typename Root>
llvm::SmallVector<mlir::Operation *> listProgram(Root &&root) {
  llvm::SmallVector<mlir::Operation *> ops;
  root.template walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    ops.push_back(op);
    return op->hasTrait<HasScalarBody>() || op->hasTrait<KernelLike>()
               ? mlir::WalkResult::skip()
               : mlir::WalkResult::advance();
  });
  return ops;
}

} // namespace stencil

#endif // STENCILDIALECT_IR_OPWALKS_H
