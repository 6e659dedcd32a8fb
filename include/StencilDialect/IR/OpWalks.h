//===- OpWalks.h - Questions to the ops within one --------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_OPWALKS_H
#define STENCILDIALECT_IR_OPWALKS_H

#include "mlir/IR/Operation.h"

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

} // namespace stencil

#endif // STENCILDIALECT_IR_OPWALKS_H
