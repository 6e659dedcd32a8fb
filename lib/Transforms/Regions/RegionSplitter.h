//===- RegionSplitter.h - One apply to one per region ------------*- C++
//-*-===//
//
// Plans and makes what stencil-split-regions makes of one apply.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_REGIONSPLITTER_H
#define STENCILDIALECT_LIB_TRANSFORMS_REGIONSPLITTER_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/IndexRegions.h"

#include <optional>

namespace stencil {

/// What becomes of an apply.
enum class RegionMode { Keep, Two, All };

/// One apply that is to be split.
class RegionSplitter {
public:
  RegionSplitter(ApplyOp apply, RegionMode mode, const ShapeInference &shapes,
                 FieldAliasAnalysis &aliases,
                 llvm::ArrayRef<int64_t> minimalExtents,
                 llvm::ArrayRef<int64_t> axes);

  /// True if there are regions. If not, the reason why is left in `reason`, and
  /// the op to blame, if there is one, in `culprit`.
  bool plan(unsigned maxRegions);
  void rewrite();

  std::string reason;
  mlir::Operation *culprit = nullptr;

private:
  bool fail(mlir::Operation *op, const llvm::Twine &text);
  std::optional<GridBox> getNeeded(const IndexRegion &region) const;
  bool coversRegions() const;
  bool hasFixedBox(GridType type);
  bool canStoreInPart();
  void rewriteAll();
  void rewriteTwo();
  void makeRest(const IndexRegion &interior);
  mlir::Value isInside(mlir::OpBuilder &builder, const GridBox &box);
  ApplyOp makeApply(mlir::ValueRange args, llvm::ArrayRef<unsigned> results,
                    const GridBox &box);
  ApplyOp specialize(const IndexRegion &region,
                     llvm::SmallVector<mlir::Value> &parts);
  void store(unsigned result, mlir::Value part, const GridBox &box);
  mlir::Value combine(unsigned result, unsigned node,
                      llvm::ArrayRef<llvm::SmallVector<mlir::Value>> parts,
                      unsigned &leaf);
  bool isOnlyStored(unsigned result) const { return onlyStored[result]; }

  ApplyOp apply;
  RegionMode mode;
  FieldAliasAnalysis &aliases;
  mlir::OpBuilder builder;
  GridBox domain;
  BoundsAttr domainAttr;
  llvm::SmallVector<BoundsAttr> demands;
  llvm::SmallVector<bool> onlyStored;
  bool isCombined = false;
  IndexRegionOptions options;
  IndexRegions regions;
  std::vector<IndexRegion> boxes;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_REGIONSPLITTER_H
