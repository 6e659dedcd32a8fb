//===- HaloPatch.h - Boundary conditions in shared windows ------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOPATCH_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOPATCH_H

#include "HaloSource.h"
#include "SharedRing.h"

namespace stencil {

/// Gives a shared window of a load the values that its boundary has around its
/// box. Planes beyond the box are fetched from where they have their values
/// (`getSourcePlane`); what is beside the box in a plane that has arrived is
/// written over by threads, with values that they have loaded an iteration
/// before. Only blocks at the edge do this (`context.isAtEdge`).
class HaloPatch {
public:
  HaloPatch(const PipelineContext &context, SharedRing &ring,
            const KernelField &field);

  /// Fails with an error at conditions that have no lowering.
  mlir::LogicalResult check() const;
  /// Whether this block reads beyond the box on a side that has a condition;
  /// null if none does.
  mlir::Value findEdge() const;

  /// The plane from which plane `plane` has its values.
  mlir::Value getSourcePlane(mlir::Value plane) const;

  /// Finds out what this thread writes in each plane.
  void prepare();
  /// Loads what is to be written to plane `number`; null without a walk.
  void load(mlir::Value number);
  /// Writes it. The plane has arrived, for all threads.
  void store(const PipelineStep &step);
  void appendState(llvm::SmallVectorImpl<mlir::Value> &state) const;
  void restoreState(mlir::ValueRange &state);

private:
  /// A point beside the box that this thread writes.
  struct Point {
    /// Its coordinates but for the walk; where it is in a plane of the window.
    llvm::SmallVector<mlir::Value> coordinates;
    mlir::Value target;
    /// Whether there is such a point.
    mlir::Value exists;
    mlir::Value loaded;
  };

  mlir::Attribute getCondition(int64_t axis, bool upper) const;
  int64_t getReach(int64_t axis, bool upper) const;
  bool isChanged(int64_t axis, bool upper) const;
  bool isPatched(int64_t axis, bool upper) const;
  int64_t getSpan(int64_t axis) const;
  HaloAxis getAxis(int64_t axis) const;
  mlir::Value getPlane(mlir::Value number) const;
  uint64_t countPoints(int64_t axis) const;
  void addPoints(int64_t axis);
  Point makePoint(int64_t axis, mlir::Value number) const;
  HaloSource locate(const Point &point, mlir::Value plane) const;
  void storePlane(mlir::Value plane, mlir::Value slot, bool upper);

  const PipelineContext &context;
  SharedRing &ring;
  const KernelField &field;
  WindowOp window;
  OffsetBox reach;
  std::vector<Point> points;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOPATCH_H
