//===- ProductChooser.h - Which products sums are ---------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_PRODUCTCHOOSER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_PRODUCTCHOOSER_H

#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/IR/PipelinePlan.h"
#include "StencilDialect/Tile/MatrixBanks.h"

namespace stencil {

/// Products of one pipeline.
class ProductChooser {
public:
  ProductChooser(PipelineOp op, const PipelinePlan &plan,
                 const TargetInfo &target, MathMode math);

  /// Fails with an error if a sum can be none.
  LogicalResult choose(WeightedSumOp sum, ApplyOp stage);

private:
  struct Choice {
    tile::MmaAttr engine;
    tile::LayoutAttr layout;
    /// Cycles of a multiprocessor for a warp's results: of the matrix unit, of
    /// shared memory.
    double products, loads;
    double getTime() const { return std::max(products, loads); }
    /// Passes of shared memory that are for conflicts.
    int64_t conflicts;
    /// Multiply-adds for each output.
    int64_t depth;
  };

  /// How much longer rows of a ring are than what is read of them, and the gaps
  /// within them (#tile.mma).
  struct Rows {
    int64_t pad = 0, gap = 0;
  };

  LogicalResult checkSum(WeightedSumOp sum, ApplyOp stage);
  std::optional<Choice> price(tile::MmaAttr engine, WeightedSumOp sum,
                              double share);
  /// Of what a sum reads, as its engine asks for it.
  struct Ring {
    tile::RingPlaces places;
    /// Of a slot.
    int64_t elements;
    /// Of a row that the copy engine brings with gaps.
    int64_t segments;
  };
  Ring getRing(WeightedSumOp sum, tile::MmaAttr engine) const;
  bool canBeCopied(WeightedSumOp sum, tile::MmaAttr engine) const;
  static tile::MmaAttr withRows(tile::MmaAttr engine, Rows rows);
  bool hasRoom(WeightedSumOp sum, tile::MmaAttr engine) const;
  bool hasSingleRows() const { return rank == 1 + (walk ? 1 : 0); }
  bool mayHaveGaps(WindowOp window, tile::MmaAttr engine) const;
  SmallVector<Rows> listRows(const Choice &choice, WindowOp window,
                             Type type) const;
  SmallVector<Rows> listMoreRows(const Choice &choice, WindowOp window,
                                 Type type) const;
  void forEachPatch(int64_t outputs,
                    function_ref<void(ArrayRef<int64_t>)> visit) const;

  PipelineOp op;
  const TargetInfo &target;
  MathMode math;
  std::optional<int64_t> walk;
  int64_t rank;
  SmallVector<int64_t> block, tile;
  bool isBulkCopied = false;
  /// Shared memory that a block may take, and what it takes for windows, rows
  /// as long as what is read of them.
  int64_t room = 0, sharedBytes = 0;
  /// Of the windows that a sum has chosen rows for.
  llvm::SmallDenseMap<Operation *, int64_t> gaps;
  /// That of the kernel, once a sum has chosen one.
  tile::LayoutAttr layout;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_PRODUCTCHOOSER_H
