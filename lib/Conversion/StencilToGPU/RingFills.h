//===- RingFills.h - What brings planes into rings --------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_RINGFILLS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_RINGFILLS_H

#include "HaloFrame.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/Tile/RingPlaces.h"
#include "TileBlock.h"
#include "Window.h"

namespace stencil {

/// Gives planes of a field in shared memory the values that a boundary has
/// around its box. Planes beyond the box are fetched from where they have their
/// values (`HaloFrame::getSourcePlane`); what is beside the box in a plane that
/// has arrived is written over by threads, with values that they have loaded
/// before.
class HaloPatch {
public:
  HaloPatch(HaloFrame around, const TileRing &ring, const KernelField &field)
      : frame(std::move(around)), block(frame.getBlock()), math(block.math),
        b(block.kernel.body()), ring(ring), field(field) {}

  /// Fails with an error at conditions that have no lowering.
  LogicalResult check(Operation *op) const;

  /// Finds out what this thread writes in each plane; nothing is loaded yet.
  void prepare();
  /// Loads what is to be written to a plane; null without a walk.
  void load(Value plane);
  /// Writes what has been loaded first. The plane, which is in this slot, has
  /// arrived, for all threads.
  void store(Value plane, Value slot);
  /// What has been loaded and not been written yet: of each plane a value per
  /// point.
  std::vector<SmallVector<Value>> loaded;

private:
  /// A point beside the box that this thread writes.
  struct Point {
    /// Its coordinates but for the walk; where it is in a plane of the window.
    SmallVector<Value> coordinates;
    Value target;
    /// Whether there is such a point.
    Value exists;
  };

  bool isPatched(int64_t axis, bool upper) const;
  uint64_t countPoints(int64_t axis) const;
  void addPoints(int64_t axis);
  Point makePoint(int64_t axis, Value number) const;
  HaloSource locate(const Point &point, Value plane) const;
  Value getTarget(int64_t axis, Value at) const;
  void storePlane(Value plane, Value slot, bool upper);

  HaloFrame frame;
  TileBlock &block;
  const Arithmetic &math;
  ImplicitLocOpBuilder &b;
  const TileRing &ring;
  const KernelField &field;
  std::vector<Point> points;
};

/// A slot of a ring, dealt out to the threads of a block in vectors:
/// neighbouring threads copy neighbouring ones.
class TileChunks {
public:
  TileChunks(TileBlock &block, TileRing &ring, mlir::BlockArgument field,
             bool isTileOnly);

  struct Chunk {
    /// Where it is in a slot of the ring, and in the field but for the axis
    /// that the kernel walks along.
    Value inRing, inField;
    /// Whether it is one of the slot's (null: in any case), and whether the
    /// field has points there.
    Value exists, isInField;
  };

  const KernelField &getField() const { return field; }
  /// Elements of a vector.
  int64_t getLength() const { return length; }
  int64_t getBytes() const {
    return length * getElementBytes(ring.type.getElementType());
  }
  mlir::VectorType getType() const {
    return mlir::VectorType::get({length}, ring.type.getElementType());
  }
  const std::vector<Chunk> &getChunks() const { return chunks; }

  /// The chunk's position in a slot, and in a plane of the field, as indices.
  Value getTarget(const Chunk &chunk, Value slot) const;
  Value getSource(const Chunk &chunk, Value plane) const;
  /// Whether the chunk of a plane is to be loaded; what is not is zero. Null
  /// `isPlane`: any plane is.
  Value isLoaded(const Chunk &chunk, Value isPlane) const;

private:
  Chunk makeChunk(Value number);

  TileBlock &block;
  const Arithmetic &math;
  TileRing &ring;
  const KernelField &field;
  int64_t length;
  /// Other blocks store to what is beside the tile.
  bool isTileOnly;
  std::vector<Chunk> chunks;
};

/// The copies that threads do, at once, by way of registers, or by cp.async.
class ThreadCopies {
public:
  explicit ThreadCopies(TileBlock &block)
      : block(block), math(block.math), b(block.kernel.body()) {}

  /// Finds out what each thread copies for an op.
  void prepare(tile::CopyOp copy) { getChunks(copy); }
  /// Copies a plane at once; null: to the slot that is its own.
  void copy(tile::CopyOp copy, Value slot = {});
  /// Loads a plane, which a wait stores.
  void load(tile::CopyOp copy);
  LogicalResult store(tile::WaitOp wait);
  LogicalResult copyAsync(tile::CopyOp copy);
  void waitAsync(tile::WaitOp wait);

  /// The coordinate of the plane that a copy brings; null without a walk.
  Value getCopied(tile::CopyOp copy);
  /// Whether somebody in this segment reads a plane, and the field has it; null
  /// without a walk.
  Value isNeeded(tile::CopyOp copy, Value plane);
  /// The plane of the field that a copy brings for plane `plane`.
  Value getSourcePlane(tile::CopyOp copy, Value plane);

  /// What is on its way at some place of the kernel.
  struct State {
    /// Rings that the group of asynchronous copies that is open has a plane
    /// for.
    llvm::SmallPtrSet<Operation *, 4> openCopies;
    /// By ring: planes that have been loaded and not yet been stored, the
    /// oldest first, and what threads copy of each.
    DenseMap<Value, std::vector<SmallVector<Value>>> loaded;
  };
  State state;

private:
  TileChunks &getChunks(tile::CopyOp copy);
  void storeChunks(Value ring, TileChunks &chunks, Value slot);
  Value closeAsyncGroup();
  int64_t countPending();

  TileBlock &block;
  const Arithmetic &math;
  ImplicitLocOpBuilder &b;
  /// By ring and number of the field.
  std::map<std::pair<Operation *, unsigned>, std::unique_ptr<TileChunks>>
      chunks;
  /// By ring: what a wait stores.
  DenseMap<Value, TileChunks *> delayed;
};

/// The copies that the tensor memory accelerator does; threads do those that it
/// cannot.
class TmaCopies {
public:
  TmaCopies(TileBlock &block, ThreadCopies &threads)
      : block(block), math(block.math), b(block.kernel.body()),
        threads(threads) {}

  /// Makes the tensor maps and the mbarriers. Fails with an error at what the
  /// copy engine cannot copy.
  LogicalResult prepare();
  void copy(tile::CopyOp copy);
  void wait(tile::WaitOp wait);
  /// Whether threads copy to a ring in some blocks.
  bool isCopiedByThreads(Value ring) const {
    return rings.lookup(ring).byThreads != nullptr;
  }

private:
  /// Where a field is copied from.
  struct Map {
    Value descriptor;
    /// Where the tile begins in it.
    SmallVector<Value> start;
    /// Of rows with gaps: whether it lacks some of the tile.
    Value isBeyond;
  };
  struct Ring {
    /// An mbarrier per slot; the rings that are filled together have the same.
    Value barriers;
    /// By number of the field.
    std::map<unsigned, Map> maps;
    /// Whether in this block threads copy to it and to those that are filled
    /// with it, instead of the copy engine; null if in none.
    Value byThreads;
  };

  Value createBarriers(int64_t slots);
  void initBarriers(Value barriers, ArrayRef<tile::RingOp> filled);
  LogicalResult makeMap(tile::CopyOp copy);
  Value isBeyondRows(const TileRing &ring, tile::CopyOp copy);
  Value isAwaited(tile::CopyOp copy);
  void issue(ArrayRef<tile::CopyOp> copies, Value barriers);
  void copyByThreads(ArrayRef<tile::CopyOp> copies, Value barriers, Value slot);
  void load(tile::CopyOp copy, Value plane, Value slot);

  TileBlock &block;
  const Arithmetic &math;
  ImplicitLocOpBuilder &b;
  ThreadCopies &threads;
  DenseMap<Value, Ring> rings;
};

/// Copies of planes into rings, as the rings say; and patches of what is beyond
/// the box of a boundary, of which blocks at the edge have a branch.
class RingFills {
public:
  explicit RingFills(TileBlock &block) : block(block) {}

  /// Makes what the copy engine needs. Fails with an error at what it cannot
  /// copy.
  LogicalResult prepareEngine() { return tma.prepare(); }
  /// Finds out, once before all loops, what threads copy and patch.
  LogicalResult prepare();
  LogicalResult copy(tile::CopyOp copy);
  LogicalResult wait(tile::WaitOp wait);
  void load(tile::FringeOp halo);
  LogicalResult store(tile::PatchOp patch);

  /// What has been loaded for a ring and not been written yet: a loop carries
  /// it.
  void forEachLoaded(Value ring, function_ref<void(Value &)> visit);
  /// Emits a branch: what is on its way in front of it is so in both, and
  /// behind it. What is loaded and not yet written is that of a branch.
  LogicalResult inBranch(mlir::Region &region,
                         function_ref<LogicalResult()> emit);

private:
  /// Finds out what this thread patches in a region, but for branches in it.
  LogicalResult preparePatches(mlir::Region &region);
  LogicalResult preparePatch(tile::FringeOp halo);

  TileBlock &block;
  ThreadCopies threads{block};
  TmaCopies tma{block, threads};
  /// By ring, in the branch that is emitted.
  DenseMap<Value, std::unique_ptr<HaloPatch>> patches;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_RINGFILLS_H
