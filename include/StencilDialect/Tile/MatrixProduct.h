//===- MatrixProduct.h - Sums as products of matrices -----------*- C++ -*-===//
//
// A weighted sum at neighbouring points is a product of matrices (#tile.mma):
//
//            inputs of a patch           outputs of a patch
//   patches [      A       ]   *  inputs [      B        ]
//
// A row of A is what a patch of outputs reads, B has the weights. Chen et al.,
// "ConvStencil" (PPoPP 2024), with a patch of one row: stencil2row and dual
// tessellation.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TILE_MATRIXPRODUCT_H
#define STENCILDIALECT_TILE_MATRIXPRODUCT_H

#include "StencilDialect/Target/TargetInfo.h"
#include "StencilDialect/Tile/Tile.h"

#include <map>

namespace stencil::tile {

/// Which lane has which element of the matrices of an instruction, and in which
/// of its registers. The axes are the row and the column: of A m and k, of B k
/// and n, of C and D m and n.
struct MatrixFragments {
  LayoutAttr a, b, c;
  /// So many groups of as many lanes as B has columns have the same of B: one
  /// for each block of an instruction.
  int64_t blocks = 1;
  /// Of C and D; A and B have that of the program.
  Type accumulator;

  int64_t getLanes() const { return a.countThreads(); }
  /// The row and the column of B that a register of a lane has.
  SmallVector<int64_t> getPointOfB(int64_t lane, int64_t reg) const;
  /// How the lanes' elements of A lie along its columns.
  LayoutDigit getColumns() const;
};

/// The instruction of this shape (M, N, K; M is that of all blocks) for
/// matrices A and B of a type, of f32 one that multiplies what TF32 has of
/// them: of NVIDIA's mma.sync (PTX ISA 9.0, 9.7.14) or AMD's v_mfma (CDNA3
/// ISA, 7.1). Nothing if there is none.
std::optional<MatrixFragments> getFragments(ArrayRef<int64_t> shape,
                                            Type element);

/// The instruction for matrices of a type that a GPU does the most products
/// per time with, and the least depth; nothing if it has none.
std::optional<MatrixInstruction> chooseInstruction(const TargetInfo &target,
                                                   Type element);
/// That, and after it those in blocks, whose patches are smaller.
SmallVector<MatrixInstruction> listInstructions(const TargetInfo &target,
                                                Type element);
/// Whether a GPU has an instruction.
bool hasInstruction(const TargetInfo &target, ArrayRef<int64_t> shape,
                    Type element);

/// Whether a sum's inputs are read two by two: elements of 16 bits, of which a
/// register has two that are neighbours along K. With a patch of even rows, all
/// patches of all warps begin at even coordinates of the last axis, and so in
/// the memory of a ring (what it has to be for that, the engine checks).
bool readsPairs(MmaAttr engine, Type element);

/// Inputs that are multiplied at once, and the weights of B.
struct MatrixStep {
  /// By row of B: the offset from the first output of a patch.
  std::vector<std::vector<int64_t>> inputs;
  /// By row: whether that is an input of the patch. If not, it is a hole, what
  /// comes with the other input of its pair: anything, or nothing.
  std::vector<bool> isRead;
  /// By row, then column of B: the number of the tap, -1 for none.
  std::vector<int64_t> taps;
};

/// Cuts what a patch reads into steps of `depth` inputs, row by row. All of a
/// step are in one plane along `walk`. With `pairs`, rows of inputs are whole
/// pairs of neighbours, the first one at an even coordinate; the depth is even.
std::vector<MatrixStep> makeMatrixSteps(ArrayRef<std::vector<int64_t>> taps,
                                        ArrayRef<int64_t> patch, int64_t depth,
                                        std::optional<int64_t> walk,
                                        bool pairs = false);

/// What lanes read of A at once, an element or a pair each.
struct MatrixRead {
  /// The row of the first lane; the inputs of the lanes along the columns, of a
  /// pair the first one.
  int64_t row;
  std::vector<std::vector<int64_t>> inputs;

  friend bool operator<(const MatrixRead &l, const MatrixRead &r) {
    return std::tie(l.row, l.inputs) < std::tie(r.row, r.inputs);
  }
};

/// Steps one after the other, several times: in each turn the inputs are those
/// of the turn before, moved.
struct MatrixRun {
  size_t first, steps, turns;
  /// From turn to turn; of a single one, nothing.
  std::vector<int64_t> shift;

  /// A step of the first turn, for the results of a lane with number `stack`.
  struct Use {
    size_t step;
    int64_t stack;
  };
  /// Rows of A in the first turn: the inputs, from a warp's first patch on, and
  /// who multiplies them, though maybe with other holes.
  std::map<std::vector<std::vector<int64_t>>, std::vector<Use>> operands;

  /// Products of a lane in a turn.
  size_t countUses() const;
};

/// Finds steps that are loops (MatrixRuns.cpp); all steps are in a run, in
/// order. A lane has the results of `stacks` patches. A turn's inputs along the
/// last axis are whole segments of a ring behind those of the turn before.
std::vector<MatrixRun> cutIntoRuns(ArrayRef<MatrixStep> steps, int64_t stacks,
                                   int64_t segment,
                                   std::optional<int64_t> walk);

/// The layout by which the threads of a block hold the results for a tile:
/// each warp has whole patches, one beside the other along `along`, then,
/// stacked, along all axes. Null if the tile is none of whole patches for as
/// many threads.
LayoutAttr getProductLayout(MmaAttr engine, const MatrixFragments &fragments,
                            ArrayRef<int64_t> tile, int64_t threads);

/// What #tile.mma makes of a sum.
class MatrixProduct {
public:
  /// Of a sum over all axes with a tap, for a type that the engine's
  /// instruction has; `layout` is that of the results, `places` those of the
  /// ring that holds the inputs. `target` tells how many registers
  /// hold weights; without it, all steps are written out.
  MatrixProduct(MmaAttr engine, WeightedSumOp sum, LayoutAttr layout,
                const RingPlaces &places, std::optional<int64_t> walk,
                const TargetInfo *target);

  /// The elements of B: by step, register and lane.
  DenseElementsAttr getWeights();
  /// How many patches a lane has results of for the same columns of B.
  int64_t countStacks() const {
    return layout.countRegisters() / fragments.c.countRegisters();
  }

  /// What a lane reads of A for some inputs: elements, or pairs, in the order
  /// of its registers.
  std::vector<MatrixRead>
  listReads(ArrayRef<std::vector<int64_t>> inputs) const;
  /// The same of a turn, where nothing is read again for what is multiplied
  /// next: where rows are no whole steps, a step begins with what another
  /// patch's one ends with.
  std::vector<MatrixRead> listReads(const MatrixRun &run) const;

  /// What a lane reads of A, and its products, of all turns.
  size_t countReads() const;
  size_t countUses() const;

  MatrixFragments fragments;
  /// Whether a lane reads its elements of A two by two.
  bool pairs;
  std::vector<MatrixStep> steps;
  std::vector<MatrixRun> runs;

private:
  bool fitsRegisters(const TargetInfo &target);
  void findOperands(MatrixRun &run) const;

  MmaAttr engine;
  WeightedSumOp sum;
  LayoutAttr layout;
  /// The taps that count, by their numbers in the sum.
  SmallVector<int64_t> numbers;
};

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_MATRIXPRODUCT_H
