//===- SharedRing.h - Planes in the memory of a block -----------*- C++ -*-===//
//
// A shared window of a pipeline is a ring of planes. The plane that a window
// gets for iteration i has number i and lies in slot i mod depth, in all
// windows: those of one depth share the slot's number.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_SHAREDRING_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_SHAREDRING_H

#include "ArrivalOrder.h"
#include "BlockGrid.h"
#include "StencilDialect/Analysis/PipelineSize.h"
#include "Window.h"

namespace stencil {

class HaloPatch;

/// What all parts of a pipeline's kernel know.
struct PipelineContext {
  PipelineOp op;
  const PipelinePlan &plan;
  KernelSet &kernels;
  KernelBuilder &kernel;
  const GPUSchedule &schedule;
  /// Per axis: position of this thread in its block, first coordinate of the
  /// tile, and (of the axis that the kernel walks along) of the segment.
  llvm::SmallVector<mlir::Value> threads, tileStart;
  /// Number of the thread in its block.
  mlir::Value threadNumber;
  /// Coordinates along the walk: those of the first iteration's plane, and of
  /// the end of the segment.
  mlir::Value firstPlane, segmentEnd;
  /// Coordinates of the segment's planes that are stored.
  mlir::Value segmentStart;
  /// Power of two that divides the distance of tiles from an aligned point
  /// along the last axis.
  int64_t tileAlignment = 1;
  /// Number of iterations.
  mlir::Value iterations;
  /// Whether what is emitted is for blocks that apply boundary conditions.
  bool isAtEdge = false;

  std::optional<int64_t> getWalk() const { return schedule.walk; }
  int64_t getTile(int64_t axis) const {
    return schedule.block[axis] * schedule.points[axis];
  }
  /// Whether the pipeline may store to the field of a load.
  bool isStored(LoadOp load) const;
  llvm::SmallVector<int64_t> getTile() const {
    llvm::SmallVector<int64_t> tile;
    for (size_t axis = 0; axis < schedule.block.size(); ++axis)
      tile.push_back(getTile(axis));
    return tile;
  }
  int64_t countThreads() const { return llvm::product_of(schedule.block); }
  /// Whether plane p of what is needed along the walk is one that somebody in
  /// this segment reads.
  mlir::Value isNeeded(const OffsetBox &needs, mlir::Value plane) const;
};

/// One iteration, as it is emitted.
struct PipelineStep {
  /// Number of the iteration and coordinate of its plane; null without a walk.
  mlir::Value number, plane;
  /// Whether it computes a plane that is stored.
  bool stores = true;
  /// By depth: the slot of plane `number`, and the parity of its round.
  llvm::DenseMap<int64_t, mlir::Value> slots, parities;
};

/// The layout of a shared window.
class SharedRing {
public:
  SharedRing(WindowOp window, const PipelineContext &context);

  WindowOp getWindow() const { return window; }
  mlir::Type getElementType() const { return elementType; }
  int64_t getDepth() const { return depth; }
  /// Planes that are fetched before they are read.
  int64_t getAhead() const { return ahead; }
  /// Per axis: points of a plane, those before the tile.
  llvm::ArrayRef<int64_t> getShape() const { return plane.shape; }
  llvm::ArrayRef<int64_t> getOrigin() const { return plane.origin; }
  llvm::ArrayRef<int64_t> getStrides() const { return plane.strides; }
  int64_t getPlaneElements() const { return plane.elements; }
  int64_t getBytes() const;
  /// Elements that a thread reads at once.
  int64_t getVectorLength() const { return vectorLength; }
  /// Elements that rows and their beginnings are multiples of.
  int64_t getRowAlignment() const { return plane.rowAlignment; }
  const PlannedValue &getPlanned() const { return planned; }
  /// Who applies the boundary conditions of the window, if it has any.
  void setPatch(HaloPatch &applied) { patch = &applied; }
  /// The plane that is fetched for plane `plane`.
  mlir::Value getSourcePlane(mlir::Value plane) const;

  /// Makes the view, from this byte of the block's memory on.
  void place(mlir::Value memory, int64_t offset);
  /// All elements of the ring, in a row.
  mlir::Value getElements() const { return elements; }

  /// The slot of plane number i + distance, in the iteration i.
  mlir::Value getSlot(const PipelineStep &step, int64_t distance) const;
  /// Where the base point of a group of points is in a plane of `age`
  /// iterations.
  mlir::Value getBase(const PipelineStep &step, int64_t age,
                      unsigned group = 0) const;
  /// Adds a group of points, whose base point is here in the tile.
  void addGroup(llvm::ArrayRef<mlir::Value> position);
  /// Elements from a thread's base point.
  int64_t getOffset(llvm::ArrayRef<int64_t> offset) const;

private:
  WindowOp window;
  const PipelineContext &context;
  const PlannedValue &planned;
  mlir::Type elementType;
  int64_t depth, ahead;
  SharedPlane plane;
  int64_t vectorLength;
  mlir::Value elements;
  /// Where the base point of each group is in a plane.
  llvm::SmallVector<mlir::Value> positions;
  HaloPatch *patch = nullptr;
};

/// The values of shared windows that a thread has read, in vectors where they
/// can be.
class SharedReads {
public:
  /// What is read in `block` itself is kept, not what is in its branches.
  SharedReads(const PipelineContext &context, const PipelineStep &step,
              mlir::Block *block, unsigned group = 0)
      : context(context), step(step), block(block), group(group) {}

  /// The value of plane `age` iterations old, at an offset from the thread's
  /// base point.
  mlir::Value get(mlir::OpBuilder &builder, const SharedRing &ring, int64_t age,
                  llvm::ArrayRef<int64_t> offset);

  /// What is known, for what is emitted in `inner`, a block in this one.
  SharedReads in(mlir::Block *inner) const {
    SharedReads copy = *this;
    copy.block = inner;
    return copy;
  }

  /// Null if an op is none of the loads that are kept.
  const ReadPlace *getPlace(mlir::Operation *load) const {
    auto it = places.find(load);
    return it == places.end() ? nullptr : &it->second;
  }

private:
  const PipelineContext &context;
  const PipelineStep &step;
  llvm::DenseMap<mlir::Operation *, ReadPlace> places;
  std::map<std::pair<const SharedRing *, int64_t>, mlir::Value> bases;
  std::map<std::tuple<const SharedRing *, int64_t, int64_t>, mlir::Value>
      loaded;
  /// Of windows, in the order in which they were first read.
  llvm::DenseMap<const SharedRing *, unsigned> numbers;
  mlir::Block *block;
  /// Those of one group of points.
  unsigned group;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_SHAREDRING_H
