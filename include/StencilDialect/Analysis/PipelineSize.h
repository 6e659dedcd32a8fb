//===- PipelineSize.h - What a pipeline takes of a GPU ----------*- C++ -*-===//

#ifndef STENCILDIALECT_ANALYSIS_PIPELINESIZE_H
#define STENCILDIALECT_ANALYSIS_PIPELINESIZE_H

#include "StencilDialect/IR/PipelinePlan.h"

namespace stencil {

/// Points of a block's tile along each axis.
inline llvm::SmallVector<int64_t>
getTilePoints(llvm::ArrayRef<int64_t> block, llvm::ArrayRef<int64_t> points) {
  llvm::SmallVector<int64_t> tile(block);
  for (auto [length, ofThread] : llvm::zip_equal(tile, points))
    length *= ofThread;
  return tile;
}

/// How a plane of a shared window lies in memory: the tile and around it what
/// is needed. Rows begin and end at sectors of 32 bytes, planes at multiples of
/// 128. The axis of the walk has one point.
struct SharedPlane {
  SharedPlane(const OffsetBox &needs, llvm::ArrayRef<int64_t> tile,
              std::optional<int64_t> walk, int64_t elementBytes);

  /// Per axis: points, those before the tile, and elements between neighbours.
  llvm::SmallVector<int64_t> shape, origin, strides;
  /// Elements that rows and their beginnings are multiples of.
  int64_t rowAlignment;
  /// Elements from plane to plane.
  int64_t elements;
};

/// Where the shared windows of a pipeline lie: those of a group beside each
/// other, the groups at one place behind those that are in none.
struct SharedLayout {
  /// `getBytes` are those of a window; windows that nobody reads have no place.
  SharedLayout(PipelineOp op, llvm::function_ref<int64_t(WindowOp)> getBytes);

  /// In the order of the pipeline, each with its offset in bytes.
  llvm::SmallVector<std::pair<WindowOp, int64_t>> windows;
  /// Of all, up to the end of the largest group.
  int64_t bytes = 0;
};

/// True for a window in shared memory that somebody reads.
bool isSharedWindow(WindowOp window);

/// What the tile of a block and the points of a thread make of the windows of a
/// pipeline. Tiles and points have one entry per axis.
class PipelineSize {
public:
  PipelineSize(PipelineOp op, const PipelinePlan &plan) : op(op), plan(plan) {}

  /// Bytes of all shared windows (SharedLayout), for outputs of `tile` points
  /// per plane.
  int64_t getSharedBytes(llvm::ArrayRef<int64_t> tile) const;

  /// Bytes of the rows that threads with these points give each other
  /// (`exchange`), with a lead of one, as least leads are.
  int64_t getExchangedBytes(llvm::ArrayRef<int64_t> tile,
                            llvm::ArrayRef<int64_t> points) const;

  /// Registers of 32 bits that a thread needs at least for the windows and the
  /// sums that are in registers, if it computes these points.
  int64_t countRegisters(llvm::ArrayRef<int64_t> points) const;

  /// How far beyond a plane that is stored planes are read, on either side of
  /// it. 0 without a walk.
  int64_t getHalo() const;

  /// True if a field that is stored to is read on other planes than the one
  /// that is stored: of several segments, one would read what another one
  /// stores.
  bool readsPlanesOfOthers() const;

  /// The largest element of a value, in bytes.
  int64_t getElementBytes() const;

  /// True if there is a window in this space.
  bool hasWindow(Space space) const;

  /// The most planes that one sum is spread over; 0 if there is none.
  int64_t getScatterSpan() const;

  /// True if a stage reads neighbours that are off the axes of its tile: a box
  /// rather than a star.
  bool readsBox() const;

  /// Legs of a relay; 1 without.
  int64_t countLegs() const;

private:
  int64_t getRelayBytes(llvm::ArrayRef<int64_t> tile) const;

  // Ops are handles: none of their functions are const.
  mutable PipelineOp op;
  const PipelinePlan &plan;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_PIPELINESIZE_H
