//===- WalkExpander.h - Walks to loops --------------------------*- C++ -*-===//

#ifndef STENCIL_LIB_TILE_TRANSFORMS_WALKEXPANDER_H
#define STENCIL_LIB_TILE_TRANSFORMS_WALKEXPANDER_H

#include "RingEvents.h"
#include "StencilDialect/Analysis/ShapeInference.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace stencil::tile {

/// For each ring that is filled in a walk, the first plane, counted from that
/// of the first iteration, that somebody reads of what its copies bring.
using FirstPlanes = llvm::SmallDenseMap<Value, int64_t>;

FirstPlanes findFirstPlanes(WalkOp walk, const BlockProgram &program);

/// Brings them in front of the walk, whose first iteration is for plane `first`
/// and has these cursors, and waits for them.
void bringFirstPlanes(WalkOp walk, const BlockProgram &program,
                      const FirstPlanes &firstPlanes, Value first,
                      ValueRange cursors);

/// A box with all points that a kernel may have a coordinate for.
GridBox makeOpenBox(int64_t rank);

/// Stages within an op choose nothing by coordinates that is the same at all
/// points of a box.
void decideWithin(Operation *op, const GridBox &box);

/// The numbers of a block's iterations, in front of all of its walks.
class WalkNumbers {
public:
  explicit WalkNumbers(WalkOp walk);

  Value getFirst() { return segment.getFirst(); }
  Value getCount() { return segment.getCount(); }
  Value makeConstant(int64_t value);

private:
  SegmentOp segment;
  llvm::SmallDenseMap<int64_t, Value> constants;
};

/// Emits iterations of a walk, one behind the other.
class WalkIterations {
public:
  WalkIterations(WalkOp walk, const BlockProgram &program, WalkNumbers &numbers,
                 OpBuilder &builder)
      : walk(walk), program(program), numbers(numbers), builder(builder),
        loc(walk.getLoc()), first(numbers.getFirst()) {}

  /// One; without stores of plane p if it does not store.
  void emit(Value number, bool stores);
  /// Several planes, `offset` from this one on, that are stored: op by op, of
  /// each op all of them. What copies and waits are for comes plane by plane.
  void emitBatch(Value begin, int64_t offset);

  /// Cursors and carried values, as the walk has them, of the iteration to
  /// come.
  SmallVector<Value> state;

private:
  bool isLastForStores() const;
  void handOn(Value made, size_t index,
              llvm::MutableArrayRef<mlir::IRMapping> planes);
  void inlineWheres(ArrayRef<Operation *> cloned);

  WalkOp walk;
  const BlockProgram &program;
  WalkNumbers &numbers;
  OpBuilder &builder;
  Location loc;
  Value first;
};

/// A box in which stages choose nothing by coordinates.
struct InnerPlanes {
  /// Null: there is none.
  BoundsAttr box;
  /// The block is in it, along the axes that are not walked.
  bool isInnerBlock = false;
};

/// Makes loops of a walk, of which those that can have so many iterations at
/// once.
void expandWalk(WalkOp walk, const BlockProgram &program,
                const FirstPlanes &firstPlanes, int64_t unrolled,
                WalkNumbers &numbers, const InnerPlanes &inner);

/// Whether a kernel has patches in a program that is the same for all blocks.
bool hasPatches(KernelOp kernel);

/// Gives blocks at the edge of a boundary the program that is there, and the
/// others one without patches, in the other branch of an scf.if.
void splitAtEdge(KernelOp kernel);

/// Gives blocks that are not in a box as a whole, along the axes that are not
/// walked, the program of the kernel, and the others a copy in the other branch
/// of an scf.if. Returns that; null if all blocks may be in the box.
mlir::scf::IfOp splitAtBox(KernelOp kernel, BoundsAttr box);

/// No walk is unrolled more often, unless it takes more planes at a time.
constexpr int64_t kMaxUnrolled = ScheduleAttr::kMostUnroll;

/// After how many iterations, at the earliest, each chain of values that a walk
/// carries is in the same registers again, without moves.
SmallVector<int64_t> findRotations(WalkOp walk);

/// The least common multiple of such numbers; the largest one of them if that
/// is more than `kMaxUnrolled`; 1 if that is, too.
int64_t countUnrolled(ArrayRef<int64_t> rotations);

} // namespace stencil::tile

#endif // STENCIL_LIB_TILE_TRANSFORMS_WALKEXPANDER_H
