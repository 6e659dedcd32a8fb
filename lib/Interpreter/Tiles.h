//===- Tiles.h - What a block of a kernel holds -----------------*- C++ -*-===//
//
// docs/tiles.md says what it means. Boxes of sources and values are in tile
// coordinates, as in their types; planes and origins are absolute.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_INTERPRETER_TILES_H
#define STENCIL_LIB_INTERPRETER_TILES_H

#include "Arrays.h"
#include "StencilDialect/Tile/Tile.h"

#include <deque>
#include <map>

namespace stencil::interp {

/// A ring of one block. A kernel that does not walk has plane 0 alone.
struct Ring {
  /// A plane that has been copied or put, as a whole: what has been left out is
  /// not specified.
  struct Plane {
    int64_t plane = 0;
    TempValue values;
    mlir::Operation *filler = nullptr;
    /// Nobody has to wait for it any more.
    bool isThere = false;
  };
  tile::RingOp op;
  /// By slot; nothing where nothing has been copied to.
  llvm::SmallVector<std::optional<Plane>, 4> slots;
  /// `fill = delayed`: loaded, and not in a slot yet.
  llvm::SmallVector<Plane, 1> loaded;
  /// Planes whose halos have been loaded and not been written yet.
  std::deque<int64_t> halos;
  /// The first one of all that have been asked for.
  std::optional<int64_t> firstPlane;
  /// The copy or put to a ring of another overlay that has taken the memory, if
  /// that was the last one.
  mlir::Operation *takenBy = nullptr;

  tile::RingType getType() const {
    return mlir::cast<tile::RingType>(tile::RingOp(op).getRes().getType());
  }
};

using RingValue = std::shared_ptr<Ring>;

/// !tile.cursor: the number of an iteration.
struct CursorValue {
  int64_t iteration = 0;
};

/// What is behind a name that a stage reads by: a ring, or else a field, with
/// the plane of the iteration that the name is for.
struct SourceValue {
  RingValue ring;
  FieldValue field;
  int64_t plane = 0;
  Box box;
  tile::SourceOp op;
};

/// Values that threads hold.
struct TileValue {
  TempValue values;
  /// The plane of the iteration that they are for, if that is known: in loops
  /// by hand it follows from what they were made of.
  std::optional<int64_t> plane;
  /// From ub.poison alone.
  bool isPoison = false;
};

/// The list of a kernel, and what its blocks share.
struct TileList {
  /// A box of it. Rows have points up to `gapBegin`, and, `gap` points further
  /// on, the rest.
  struct Part {
    Box box;
    int64_t first = 0, rowLength = 0, gapBegin = 0, gap = 0;
  };
  llvm::SmallVector<Part> parts;
  int64_t total = 0;
  /// Points of a piece.
  int64_t threads = 1;
  int64_t blocks = 1;
  /// Copies of fields, with their halos, by what asks for them.
  llvm::DenseMap<std::pair<mlir::Operation *, FieldStorage *>, FieldValue>
      filled;

  void add(Box box, const Box &without, bool hasGap);
  /// The point with a number, if it is in a box.
  bool find(int64_t number, unsigned part,
            llvm::SmallVectorImpl<int64_t> &point) const;
  static int64_t countPoints(const Part &part);
};

/// The numbers below some number, in an order that a seed chooses.
class Shuffle {
public:
  Shuffle(int64_t total, uint64_t seed);
  int64_t size() const { return total; }
  int64_t get(int64_t position) const;

private:
  int64_t total, stride, start;
};

/// What fields are with a boundary, as far as it is needed.
using BoundaryWindows =
    std::map<std::tuple<const FieldStorage *, const void *, const void *>,
             TempValue>;

/// One block while it runs.
struct TileBlock {
  tile::KernelOp kernel;
  /// Null for a kernel of boxes, for which the rest is. Over a list: the
  /// block's turn and its (first) piece, and whether it is the last one that
  /// runs; the part in which something is run.
  TileList *list = nullptr;
  int64_t turn = 0, piece = 0;
  bool isLast = false;
  unsigned part = 0;
  /// Of the kernel.
  BoundaryWindows *windows = nullptr;
  Box domain;
  std::optional<unsigned> walkAxis;
  /// Where the tile begins; 0 along the walk.
  llvm::SmallVector<int64_t, 4> origin;
  /// The planes that the block stores.
  int64_t segmentBegin = 0, segmentEnd = 1;
  /// The plane of the first iteration, and the number of iterations.
  int64_t first = 0, count = 1;
  /// In a tile.walk: of the iteration.
  std::optional<int64_t> plane;
  /// Of each tile.where around what is run: the points with results.
  llvm::SmallVector<Box> needed;
  llvm::SmallVector<RingValue> rings;
  /// Of a relay: the leg that is run, and what the one before has put to its
  /// ring, by plane.
  int64_t leg = 0;
  llvm::DenseMap<std::pair<mlir::Operation *, int64_t>, TempValue> handed, put;

  /// Over a list: calls `take` with the places of the piece whose points are in
  /// the part, and these.
  using TakePoint = llvm::function_ref<void(int64_t, llvm::ArrayRef<int64_t>)>;
  void forEachPoint(TakePoint take) const {
    llvm::SmallVector<int64_t, 4> point;
    for (int64_t place = 0; place < list->threads; ++place)
      if (list->find(piece * list->threads + place, part, point))
        take(place, point);
  }
  /// A box in tile coordinates as one of the grid.
  Box place(const Box &box, int64_t plane) const;
  /// " in the tile at [0, 8, 0]", for errors.
  std::string describe() const;
};

/// The coordinate, along an axis whose interior is [lb, ub), from which one of
/// the halo has its value, by a rule that wraps, or takes that of a point.
int64_t findHaloSource(const HaloRule &rule, bool upper, int64_t lb, int64_t ub,
                       int64_t coordinate);

/// Marks a region as specified.
void specify(const ArrayView &states, const Box &region);

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_TILES_H
