//===- RegionSplitter.h - One apply to one per region -----------*- C++ -*-===//
//
// Plans and makes what stencil-split-regions makes of one apply.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_TRANSFORMS_REGIONS_REGIONSPLITTER_H
#define STENCIL_LIB_TRANSFORMS_REGIONS_REGIONSPLITTER_H

#include "StencilDialect/Analysis/FieldAlias.h"
#include "StencilDialect/Analysis/IndexRegions.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace stencil {

/// A copy of the body of an apply for points at which some of its branches are
/// known to go one way.
class SpecializedBody {
public:
  /// `decided` says of scf.if and arith.select which side they take, `known`
  /// which values of type i1 are constants.
  SpecializedBody(ApplyOp apply, DenseMap<Operation *, bool> decided,
                  DenseMap<Value, bool> known);

  /// True if a result stores nothing at any point.
  bool isEmpty(unsigned result);

  /// Drops all results but these, and then what is not needed any more. A
  /// result that is stored at every point becomes a plain value.
  void keep(ArrayRef<unsigned> results);

  /// Gives the body to an apply with the operands of the original one and an
  /// empty body, which then loses those that it does not read.
  void moveTo(ApplyOp created);

private:
  void copy(Block &block, OpBuilder &builder);
  void copy(Operation &op, OpBuilder &builder);
  SmallVector<Value> getReturned(unsigned result);

  ApplyOp apply;
  mlir::Region region;
  mlir::IRMapping mapping;
  DenseMap<Operation *, bool> decided;
  DenseMap<Value, bool> known;
};

/// What becomes of an apply.
enum class RegionMode { Keep, Two, All };

/// One apply that is to be split.
class RegionSplitter {
public:
  RegionSplitter(ApplyOp apply, RegionMode mode, const ShapeInference &shapes,
                 FieldAliasAnalysis &aliases, ArrayRef<int64_t> minimalExtents,
                 ArrayRef<int64_t> axes);

  /// True if there are regions. If not, the reason why is left in `reason`, and
  /// the op to blame, if there is one, in `culprit`.
  bool plan(unsigned maxRegions);
  void rewrite();

  std::string reason;
  Operation *culprit = nullptr;

private:
  bool fail(Operation *op, const llvm::Twine &text);
  std::optional<GridBox> getNeeded(const IndexRegion &region) const;
  bool coversRegions() const;
  bool hasFixedBox(GridType type);
  bool canStoreInPart();
  void rewriteAll();
  void rewriteTwo();
  void makeRest(const IndexRegion &interior);
  Value isInside(OpBuilder &builder, const GridBox &box);
  ApplyOp makeApply(ValueRange args, ArrayRef<unsigned> results,
                    const GridBox &box);
  ApplyOp specialize(const IndexRegion &region, SmallVector<Value> &parts);
  void store(unsigned result, Value part, const GridBox &box);
  Value combine(unsigned result, unsigned node,
                ArrayRef<SmallVector<Value>> parts, unsigned &leaf);

  ApplyOp apply;
  RegionMode mode;
  FieldAliasAnalysis &aliases;
  OpBuilder builder;
  GridBox domain;
  BoundsAttr domainAttr;
  SmallVector<BoundsAttr> demands;
  SmallVector<bool> onlyStored;
  bool isCombined = false;
  IndexRegionOptions options;
  IndexRegions regions;
  std::vector<IndexRegion> boxes;
};

} // namespace stencil

#endif // STENCIL_LIB_TRANSFORMS_REGIONS_REGIONSPLITTER_H
