//===- Chains.h - Who computes beside the tile ------------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_CHAINS_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_CHAINS_H

#include "Guards.h"

namespace stencil {

/// Where the ops of a pipeline are computed and held: in the tile, or beside
/// it, too.
class Chains {
public:
  Chains(const TiledPipeline &pipeline, const RingMap &rings,
         const MemoryReads &reads);

  /// The stages that only stores follow, and these: the end of an iteration.
  bool isFinal(mlir::Operation *inner) const { return finals.contains(inner); }
  /// Of what is computed beside the tile; null in the tile alone.
  tile::CoreAndRimAttr getLayout(mlir::Operation *inner) const {
    return layouts.lookup(inner);
  }
  /// Has the stage that an op of the pipeline became computed by its layout.
  void setLayout(mlir::Operation *inner, ApplyOp stage) const;
  /// The tile at plane p + lead, and what is beside it, if an op of the
  /// pipeline is computed there.
  mlir::Type getHeldType(mlir::Operation *inner, mlir::Type elementType,
                         int64_t lead) const;

private:
  void findFinals();
  void findLayouts();
  bool isOfChain(mlir::Operation *inner) const;
  OffsetBox getHeld(mlir::Operation *inner) const;
  int64_t findVector(tile::CoreAndRimAttr layout,
                     llvm::ArrayRef<mlir::Operation *> chain) const;

  const TiledPipeline &pipeline;
  const RingMap &rings;
  const MemoryReads &reads;
  llvm::DenseSet<mlir::Operation *> finals;
  llvm::DenseMap<mlir::Operation *, tile::CoreAndRimAttr> layouts;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_CHAINS_H
