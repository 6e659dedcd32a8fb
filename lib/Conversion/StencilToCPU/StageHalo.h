//===- StageHalo.h - What a stage keeps beyond the box ----------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGEHALO_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGEHALO_H

#include "HaloSide.h"
#include "PipelineWalk.h"
#include "StageNest.h"

namespace stencil {

/// The points of a tile that a stage is about, at run time.
struct StageBoxes {
  /// What is computed of all tiles: the box of the boundary.
  LoopBox box;
  /// The tile and its halo: what there is memory for.
  LoopBox whole;
  /// What of it is in the box.
  LoopBox inner;
};

/// Fills the halo around the box in the memory of a result, as
/// `stencil.boundary` does: axis by axis, along those before over the halo as
/// well. Of a walk, plane by plane.
class StageHalo {
public:
  StageHalo(LoopBuilder &b, const StageResult &result,
            const StageBuffer &buffer, const StageBoxes &boxes,
            std::optional<int64_t> walk, const Extents &extents)
      : b(b), math(b.math), result(result), buffer(buffer), boxes(boxes),
        walk(walk), extents(extents), rank(boxes.box.lb.size()) {}

  /// The load that has the values of sides that keep them, which is the one
  /// whose window it is, if it is of a load; or null. Its memory has to be
  /// said.
  LoadOp getKeeper() const;
  void setKeeper(mlir::Value memory) { keeper = memory; }

  /// Copies a part of a load: what is beyond its box along axes that repeat is
  /// read at the other end.
  mlir::LogicalResult copyLoad(const LoopBox &part);

  /// Without a walk, all of it, when the tile has been computed.
  mlir::LogicalResult fillTile() { return fillBeside({}, 0); }
  /// When a plane of the box has been computed: what is beside it, and the
  /// planes before the first one, if they are made of it and those before.
  mlir::LogicalResult fillAfter(mlir::Value plane);
  /// In the place of a plane behind the last one.
  mlir::LogicalResult fillBehind(mlir::Value plane);

private:
  mlir::LogicalResult fillBeside(mlir::Value plane, int64_t firstAxis);
  mlir::LogicalResult fillPlane(bool upper, mlir::Value plane);
  mlir::LogicalResult fillLayer(int64_t axis, bool upper,
                                mlir::Value coordinate, mlir::Value plane);
  mlir::LogicalResult fillPoints(int64_t axis,
                                 llvm::SmallVectorImpl<mlir::Value> &point,
                                 llvm::function_ref<void()> fill);
  std::pair<mlir::Value, mlir::Value> getLayers(int64_t axis, bool upper);
  mlir::Value readKept(mlir::ValueRange point);
  mlir::Value readKeeper(mlir::ValueRange point);
  mlir::Value readBeside(int64_t axis, mlir::ValueRange point);
  void setKept(mlir::ValueRange point, mlir::Value value);
  mlir::LogicalResult copyAlong(const LoopBox &part, const LoopBox &times,
                                llvm::SmallVectorImpl<mlir::Value> &point,
                                llvm::SmallVectorImpl<mlir::Value> &source);
  std::pair<mlir::Value, mlir::Value> getRange(int64_t along, int64_t axis);

  LoopBuilder &b;
  const Arithmetic &math;
  const StageResult &result;
  const StageBuffer &buffer;
  const StageBoxes &boxes;
  std::optional<int64_t> walk;
  mlir::Value keeper;
  const Extents &extents;
  int64_t rank;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_STAGEHALO_H
