//===- HaloPatch.h - Boundary conditions in shared windows ------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOPATCH_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOPATCH_H

#include "HaloFrame.h"
#include "StencilDialect/Tile/RingPlaces.h"
#include "Window.h"

namespace stencil {

/// Planes of a field in shared memory.
struct HaloMemory {
  const KernelField *field = nullptr;
  mlir::Type elementType;
  /// Per axis: points of a plane before the tile.
  llvm::SmallVector<int64_t> origin;
  tile::RingPlaces places;
  /// Elements from a plane to the next, and all of them in a row.
  int64_t planeElements = 0;
  mlir::Value elements;
  /// The copy engine brings the planes.
  bool hasCopyEngine = false;
};

/// Gives planes of a field in shared memory the values that a boundary has
/// around its box. Planes beyond the box are fetched from where they have their
/// values (`HaloFrame::getSourcePlane`); what is beside the box in a plane that
/// has arrived is written over by threads, with values that they have loaded
/// before.
class HaloPatch {
public:
  HaloPatch(KernelBuilder &kernel, const HaloFrame &frame, HaloMemory memory)
      : kernel(kernel), frame(frame), memory(std::move(memory)) {}

  /// Fails with an error at conditions that have no lowering.
  mlir::LogicalResult check(mlir::Operation *op) const;

  /// Finds out what this thread writes in each plane; nothing is loaded yet.
  void prepare();
  /// Loads what is to be written to a plane; null without a walk.
  void load(mlir::Value plane);
  /// Writes what has been loaded first. The plane, which is in this slot, has
  /// arrived, for all threads.
  void store(mlir::Value plane, mlir::Value slot);
  bool hasLoaded() const { return !loaded.empty(); }
  /// What has been loaded and not been written yet.
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
  };

  bool isPatched(int64_t axis, bool upper) const;
  uint64_t countPoints(int64_t axis) const;
  void addPoints(int64_t axis);
  Point makePoint(int64_t axis, mlir::Value number) const;
  HaloSource locate(const Point &point, mlir::Value plane) const;
  mlir::Value getTarget(int64_t axis, mlir::Value at) const;
  void storePlane(mlir::Value plane, mlir::Value slot, bool upper);

  KernelBuilder &kernel;
  HaloFrame frame;
  HaloMemory memory;
  std::vector<Point> points;
  /// Of each plane a value per point.
  std::vector<llvm::SmallVector<mlir::Value>> loaded;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_HALOPATCH_H
