//===- BodyOrder.h - An order of a body that holds few values ---*- C++ -*-===//
//
// Values of a body live from the op that computes them to the last one that
// uses them. A body of many operators (magnetohydrodynamics has 65 at a point)
// that computes all of them first holds more values than a thread has
// registers. In another order, with the same values, it does not.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_BODYORDER_H
#define STENCILDIALECT_ANALYSIS_BODYORDER_H

#include "StencilDialect/IR/StencilOps.h"

#include <tuple>
#include <vector>

namespace stencil {

/// The ops of a block, without its terminator.
using OpOrder = std::vector<mlir::Operation *>;

/// What an order of a body takes of registers of 32 bits. An access is made
/// where its value is first used; constants, indices and arguments that are
/// scalars count as none.
struct LiveRegisters {
  /// At the op where most are taken.
  int64_t most = 0;
  /// After each op, added up.
  int64_t sum = 0;

  bool operator<(const LiveRegisters &other) const {
    return std::tie(most, sum) < std::tie(other.most, other.sum);
  }
};

/// The registers that the body takes as it is written, where it takes most.
int64_t countLiveRegisters(ApplyOp apply);

/// An order for few live values: input after input, all operators of an input
/// together, each followed by what it lets complete. The same ops, each after
/// its operands; the same order for the same body. Needs a body without side
/// effects. `live` becomes what the order takes.
OpOrder findShortOrder(ApplyOp apply, LiveRegisters &live);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_BODYORDER_H
