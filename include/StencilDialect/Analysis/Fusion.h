//===- Fusion.h - Whether two applies are better one ------------*- C++ -*-===//
//
// Legality and cost of making one apply of two: of a producer and a consumer
// (the producer's body goes into the consumer's), or of siblings (their bodies
// stand side by side). Nothing is changed here: Transforms/ApplyFusion does.
//
// The cost is a roofline, in bytes: what a kernel moves to and from memory, its
// operations divided by what the machine computes per byte, and what it reads
// from the caches divided by how much faster they are. The largest counts, and
// a quarter of the others, as nothing overlaps perfectly.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_FUSION_H
#define STENCILDIALECT_ANALYSIS_FUSION_H

#include "StencilDialect/Analysis/BodyCost.h"
#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include <optional>

namespace stencil {

struct FusionLimits {
  /// 64-bit floating-point operations per byte of memory traffic.
  double balance = 7;
  /// Bytes from the caches per byte from memory.
  static constexpr double kCacheBalance = 6;
  /// How many times shorter the time has to become.
  double gain = 1.05;
  /// 32-bit registers per point.
  double maxRegisters = 160;
  /// Evaluated ops per point, all offsets counted.
  double maxOps = 1000;
};

/// What kernels do in one run over their boxes. Extents that are not known are
/// taken to be large.
struct KernelCost {
  double bytes = 0, flops = 0, cacheBytes = 0, time = 0;
  /// Per point, of the kernel that needs most.
  double registers = 0, evaluations = 0;
  /// A body is too large to be followed: all that is more.
  bool isTooLarge = false;

  KernelCost &operator+=(const KernelCost &other);
};

/// What becomes cheaper or dearer, in words.
std::string describeChange(const KernelCost &before, const KernelCost &after,
                           double points);

/// Why something cannot be: a reason that completes "because ...", and who is
/// to blame.
struct Obstacle {
  std::string reason;
  Operation *op = nullptr;
};

struct FusionVerdict {
  enum Kind { Fuse, Decline, Illegal };
  Kind kind = Fuse;
  /// Of a verdict that is not Fuse.
  Obstacle obstacle;
  KernelCost before, after;
  /// Bytes in `after` for copies that become necessary.
  double copied = 0;
  /// Points of the (first) consumer's box.
  double points = 1;
  /// The producer's results are results of the fused apply, too.
  bool keepsResults = false;
  /// The fused apply goes here; null: where the (second) apply is.
  Operation *place = nullptr;

  bool isTooLarge() const { return before.isTooLarge || after.isTooLarge; }
};

class FusionAnalysis {
public:
  FusionAnalysis(mlir::FunctionOpInterface function,
                 const ShapeInference &shapes, FusionLimits limits);

  // A verdict that is not Illegal says, too, how to fuse all the same.

  /// All of `consumers`, which read results of `producer`, get its body.
  FusionVerdict judgeProducer(ApplyOp producer, ArrayRef<ApplyOp> consumers,
                              bool isForced = false);

  /// `a`, which comes first, and `b` become one.
  FusionVerdict judgeSiblings(ApplyOp a, ApplyOp b, bool isForced = false);

  /// Why `apply`, which reads results of combines at one split, cannot be
  /// divided there; nothing if it can.
  std::optional<Obstacle> findSplitObstacle(ApplyOp apply, CombineOp combine);

  /// What `apply` costs by itself.
  KernelCost getCost(ApplyOp apply) const;

  /// The points of a value that are needed; null if none are.
  BoundsAttr getBox(Value value) const;
  void setBox(Value value, BoundsAttr box) { boxes[value] = box; }

  /// `op` has been made to stand where `old` is.
  void setPlace(Operation *op, Operation *old) {
    setPosition(op, positions.lookup(old));
  }
  unsigned getPosition(Operation *op) const { return positions.lookup(op); }
  void setPosition(Operation *op, unsigned position) {
    positions[op] = position;
    sizes.erase(op);
  }

  /// The ops that have to move to before `place` so that `value` is known
  /// there, in order; failure if some cannot.
  LogicalResult findMoves(Value value, Operation *place,
                          SmallVectorImpl<Operation *> &moves);

  /// Uses by these ops are about to disappear.
  llvm::SmallPtrSet<Operation *, 4> ignoredUsers;

private:
  friend class KernelEstimate;

  std::optional<Obstacle> checkApply(ApplyOp apply);
  std::optional<Obstacle> checkPair(ApplyOp producer, ApplyOp consumer);
  std::optional<Obstacle> checkUses(ApplyOp producer, ApplyOp consumer);
  std::optional<Obstacle> checkJoin(ApplyOp apply, BoundsAttr box,
                                    double &copied);
  void tryToKeep(ApplyOp producer, ApplyOp consumer, FusionVerdict &verdict);
  std::optional<Obstacle> checkInPlace(ApplyOp writer, ApplyOp reader,
                                       double &copied);
  double countSnapshots(ApplyOp producer, ApplyOp consumer);
  bool isWritten(Value field, unsigned from, unsigned to);
  void decide(FusionVerdict &verdict, Operation *blamed);
  bool hasTooManyOps(ApplyOp apply);
  double countBytes(Value value, BoundsAttr box) const;

  FusionLimits limits;
  const ShapeInference &shapes;
  FieldAliasAnalysis aliases;
  DenseMap<Value, BoundsAttr> boxes;
  DenseMap<Operation *, unsigned> positions;
  /// Ops in the bodies, so that a large one is not looked at again and again.
  DenseMap<Operation *, unsigned> sizes;
  /// Positions of writes, and the field; null: any memory.
  std::vector<std::pair<unsigned, Value>> writes;
};

/// The one value of a point that is returned for output `index` of an apply
/// that is not unrolled, not wrapped; null if there may be none.
Value getReturnedValue(ApplyOp apply, unsigned index);

/// True if `value` of a body is the same at all points.
bool isSameEverywhere(Value value);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_FUSION_H
