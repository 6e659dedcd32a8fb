//===- TmaCopies.h - Planes into rings, by the copy engine ------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_TMACOPIES_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_TMACOPIES_H

#include "ThreadCopies.h"

namespace stencil {

/// The copies that the tensor memory accelerator does; threads do those that it
/// cannot.
class TmaCopies {
public:
  TmaCopies(TileBlock &block, ThreadCopies &threads)
      : block(block), threads(threads) {}

  /// Makes the tensor maps and the mbarriers. Fails with an error at what the
  /// copy engine cannot copy.
  mlir::LogicalResult prepare();
  void copy(tile::CopyOp copy);
  void wait(tile::WaitOp wait);
  /// Whether threads copy to a ring in some blocks.
  bool isCopiedByThreads(mlir::Value ring) const {
    return rings.lookup(ring).byThreads != nullptr;
  }

private:
  /// Where a field is copied from.
  struct Map {
    mlir::Value descriptor;
    /// Where the tile begins in it.
    llvm::SmallVector<mlir::Value> start;
    /// Of rows with gaps: whether it lacks some of the tile.
    mlir::Value isBeyond;
  };
  struct Ring {
    /// An mbarrier per slot; the rings that are filled together have the same.
    mlir::Value barriers;
    /// By number of the field.
    std::map<unsigned, Map> maps;
    /// Whether in this block threads copy to it and to those that are filled
    /// with it, instead of the copy engine; null if in none.
    mlir::Value byThreads;
  };

  mlir::Value createBarriers(int64_t slots);
  void initBarriers(mlir::Value barriers, llvm::ArrayRef<tile::RingOp> filled);
  mlir::LogicalResult makeMap(tile::CopyOp copy);
  mlir::Value isBeyondRows(const TileRing &ring, tile::CopyOp copy);
  mlir::Value isAwaited(tile::CopyOp copy);
  void issue(llvm::ArrayRef<tile::CopyOp> copies, mlir::Value barriers);
  void copyByThreads(llvm::ArrayRef<tile::CopyOp> copies, mlir::Value barriers,
                     mlir::Value slot);
  void load(tile::CopyOp copy, mlir::Value plane, mlir::Value slot);

  TileBlock &block;
  ThreadCopies &threads;
  llvm::DenseMap<mlir::Value, Ring> rings;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_TMACOPIES_H
