//===- KernelWriter.h - What writes the kernel of a pipeline ----*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELWRITER_H
#define STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELWRITER_H

#include "KernelDraft.h"

namespace stencil {

/// Erases what no result of a body depends on.
void eraseDead(Block *body);

/// A kernel that is being written: its arguments, the plane of the iteration,
/// and the place for what comes next.
class KernelWriter {
public:
  /// Begins the kernel, before the pipeline.
  KernelWriter(const TiledPipeline &pipeline, StringRef name);

  const TiledPipeline &pipeline;
  tile::KernelOp kernel;
  OpBuilder builder;
  /// Null without a walk.
  Value plane;

  /// What stands for a field or scalar from outside.
  Value getArgument(Value outside) const {
    return stencil::getArgument(kernel, outside);
  }

  /// Opens a part of the kernel for points that somebody needs. What is in it
  /// comes next.
  tile::WhereOp openWhere(Location loc, mlir::TypeRange results,
                          const OffsetBox &needs, Value plane = {});
  using Make = function_ref<ValueRange()>;
  /// Has something made for planes that somebody needs only, and where somebody
  /// needs it only.
  SmallVector<Value> makeWhere(Location loc, mlir::TypeRange types,
                               const OffsetBox &needs, bool isGuarded,
                               std::optional<WantedPlanes> ofPlanes, Make make);
  /// A stage that reads nothing but single points, one for each result.
  ApplyOp makeCopy(Location loc, Value source, Type type,
                   ArrayRef<SmallVector<int64_t>> offsets);
  /// A stage that asks for coordinates knows them from what it reads in memory,
  /// or is told.
  void tellPlane(ApplyOp stage);
};

/// What writes a part of a kernel.
class KernelPart {
public:
  KernelPart(const KernelDraft &draft, KernelWriter &writer)
      : draft(draft), pipeline(draft.pipeline), writer(writer),
        builder(writer.builder) {}

protected:
  const KernelDraft &draft;
  const TiledPipeline &pipeline;
  KernelWriter &writer;
  OpBuilder &builder;
};

/// The walk of a kernel, if it has one, and what it carries from one iteration
/// to the next.
class WalkWriter : public KernelPart {
public:
  using KernelPart::KernelPart;

  void open();
  void close();

  /// The cursor of a ring of this iteration; null without a walk.
  Value getCursor(const MappedRing &ring) const {
    return cursors.lookup(ring.type.getSlots());
  }
  /// What the iteration before has left: the planes of one offset of a queue,
  /// or of all.
  ArrayRef<Value> getCarried(const MappedQueue &queue) const {
    auto found = carried.find(&queue);
    return found == carried.end() ? ArrayRef<Value>() : ArrayRef(found->second);
  }
  /// Hands a value on to the next iteration, as one of this type.
  void push(const MappedQueue &queue, Location loc, Value value, Type type);

private:
  tile::WalkOp walk;
  /// By number of slots.
  llvm::SmallDenseMap<int64_t, Value> cursors;
  DenseMap<const MappedQueue *, SmallVector<Value>> carried, next;
};

/// The rings in a kernel, and the copies and waits that fill them.
class RingWriter : public KernelPart {
public:
  RingWriter(const KernelDraft &draft, KernelWriter &writer,
             const WalkWriter &walk)
      : KernelPart(draft, writer), walk(walk),
        pendingGroups(listGroups(draft.rings)) {}

  /// Makes the rings, of windows and of rows that are exchanged.
  void make();

  Value getRing(const MappedRing &ring) const { return made.lookup(&ring); }
  Value getCursor(const MappedRing &ring) const { return walk.getCursor(ring); }
  /// Planes of a ring, as what a stage reads.
  tile::SourceOp makeSource(const MappedRing &ring, int64_t oldest,
                            int64_t newest);
  /// Puts what threads have made of a plane there, for others.
  void put(const MappedRing &ring, Value values);

  /// Fetches the windows of no group.
  void fetchAhead() { fetchGroup(std::nullopt); }
  /// Fetches the groups that an op reads; null: all.
  void fetchUpTo(Operation *reader);

private:
  void fetchGroup(std::optional<int64_t> group);
  void copy(const MappedRing &ring);
  void wait(const MappedRing &ring);
  void loadHalo(const MappedRing &ring);
  void patch(const MappedRing &ring);

  const WalkWriter &walk;
  DenseMap<const MappedRing *, Value> made;
  /// Those whose windows are still to be fetched, in order.
  SmallVector<int64_t> pendingGroups;
};

/// What stands in the kernel for values of the pipeline: a source of a ring or
/// a field, or values that threads hold.
class StageInputs : public KernelPart {
public:
  StageInputs(const KernelDraft &draft, KernelWriter &writer, RingWriter &rings)
      : KernelPart(draft, writer), rings(rings) {}

  /// What a stage is given for a value of the pipeline. Sources are made when
  /// they are first asked for.
  Value get(Value value);
  /// What a window is filled from, as a source of these planes.
  Value getSourceOf(WindowOp window, int64_t oldest, int64_t newest);

  /// What threads hold of it.
  void set(Value value, Value made) { values[value] = made; }
  bool isMade(ApplyOp stage) const {
    return values.contains(stage.getRes().front());
  }

private:
  std::pair<int64_t, int64_t> findPlanes(WindowOp window);

  RingWriter &rings;
  DenseMap<Value, Value> values;
};

/// What writes what stages and stores are made of.
class ValueWriter : public KernelPart {
public:
  ValueWriter(const KernelDraft &draft, KernelWriter &writer, WalkWriter &walk,
              RingWriter &rings, StageInputs &inputs)
      : KernelPart(draft, writer), walk(walk), rings(rings), inputs(inputs) {}

protected:
  WalkWriter &walk;
  RingWriter &rings;
  StageInputs &inputs;
};

/// Has threads give each other points of shuffle windows, and stages read them.
class LaneWriter : public ValueWriter {
public:
  using ValueWriter::ValueWriter;

  /// Of a plane of a window that a thread has, the columns that threads give
  /// each other.
  void add(WindowOp window, int64_t plane, Value values);
  /// Gives a stage inputs of their own for what it reads beside its points.
  void split(ApplyOp stage, SmallVectorImpl<StageExtra> &extras);

private:
  Value widen(WindowOp window, Value values);
  Value makeSource(WindowOp window, int64_t plane, Value values);
  void keep(const MappedLanes &columns, Location loc, int64_t plane,
            Value value);
  StageExtra getExtra(ApplyOp stage, WindowOp window, ArrayRef<int64_t> offset,
                      StageExtra &memory);

  /// What a thread has of others, by plane.
  DenseMap<std::pair<const MappedLanes *, int64_t>, Value> planes;
};

/// Windows that threads keep in registers.
class QueueWriter : public ValueWriter {
public:
  explicit QueueWriter(LaneWriter &lanes) : ValueWriter(lanes), lanes(lanes) {}

  /// The newest plane of a window, and what the next iteration has of it.
  void add(WindowOp window);

  /// What threads keep of the plane of a window that is stored; null if none.
  Value getStored(WindowOp window) const { return stored.lookup(window); }
  /// What threads keep of each offset of a window that has neighbours.
  ArrayRef<Value> getNeighbours(WindowOp window) const {
    auto found = neighbours.find(window);
    return found == neighbours.end() ? ArrayRef<Value>()
                                     : ArrayRef(found->second);
  }

private:
  Value takePlane(WindowOp window);
  SmallVector<Value> copyColumns(WindowOp window);
  Value takeHeld(WindowOp window);
  SmallVector<Value> makeNewest(WindowOp window);
  void keep(WindowOp window, size_t number, Value newest);
  Value joinPlanes(WindowOp window, ArrayRef<Value> planes);

  LaneWriter &lanes;
  /// Of the windows that are carried, or have just been made.
  DenseMap<Operation *, Value> stored;
  /// By the offsets of the queue.
  DenseMap<Operation *, SmallVector<Value>> neighbours;
};

/// Sums over planes, whose terms come one after the other.
class SumWriter : public ValueWriter {
public:
  using ValueWriter::ValueWriter;

  /// Adds the terms of this iteration to the partial sums.
  void add(AccumulateOp sum);

private:
  Value addTerm(AccumulateOp sum, Value partial, Value term, int64_t lead,
                int64_t plane);
  Value fuseTerm(AccumulateOp sum, Value partial, Value term, int64_t lead,
                 int64_t plane);
};

/// The stages of a pipeline, and what they are given.
class StageWriter : public ValueWriter {
public:
  StageWriter(LaneWriter &lanes, const QueueWriter &queues)
      : ValueWriter(lanes), lanes(lanes), queues(queues) {}

  /// A stage that others follow.
  LogicalResult add(ApplyOp stage);
  /// What stands in front of the branch in which the final stages are.
  LogicalResult prepareFinals();
  /// The final stages.
  void addFinals();

private:
  LogicalResult addExtras(ApplyOp stage);
  /// Computes the sums that engines compute for a whole tile; the stage reads
  /// their results, as inputs of its own. Fails with an error at a sum that its
  /// engine cannot compute here.
  LogicalResult addSums(ApplyOp stage, SmallVectorImpl<StageExtra> &extras);
  FailureOr<Value> addSum(ApplyOp stage, WeightedSumOp sum,
                          mlir::Attribute engine);
  ApplyOp move(ApplyOp stage, ValueRange given);
  SmallVector<ApplyOp> listFinals() const;
  SmallVector<Type> getResultTypes(ApplyOp stage) const;
  SmallVector<Value> getInputs(ApplyOp stage);
  void splitNeighbours(ApplyOp stage, unsigned index, WindowOp window,
                       SmallVectorImpl<Value> &given);

  LaneWriter &lanes;
  const QueueWriter &queues;
  /// Of stages: what they are given beside their inputs in the pipeline.
  DenseMap<Operation *, SmallVector<StageExtra>> extras;
};

class StoreWriter : public ValueWriter {
public:
  explicit StoreWriter(const QueueWriter &queues)
      : ValueWriter(queues), queues(queues) {}

  /// Stores what is in shared memory, which any thread may do.
  void addShared();
  /// Whether nothing else is stored.
  bool areAllShared() const;
  /// Reads what stores ahead of the walk store, where somebody needs it.
  void readEarly();
  /// Has threads store what is theirs.
  void addOwn();

private:
  bool isShared(StoreOp store) const;
  const MappedRing *findRead(StoreOp store) const;
  Value getStored(StoreOp store);

  const QueueWriter &queues;
  /// What has been read for stores.
  DenseMap<Operation *, Value> early;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOTILE_KERNELWRITER_H
