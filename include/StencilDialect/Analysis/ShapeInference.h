//===- ShapeInference.h - Boxes of values -----------------------*- C++ -*-===//
//
// Which points of a value somebody needs. Demand starts at stores, folds and
// bufferised applies and flows backwards: an access at an offset shifts the box
// of its apply, several users demand the hull, a combine splits the box between
// its sides. A load of which they need coordinates and places relative to the
// extent on one side gets all that the field has there: which is further out is
// not known. Everything is linear in the size of the program.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_SHAPEINFERENCE_H
#define STENCILDIALECT_ANALYSIS_SHAPEINFERENCE_H

#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/Support/LLVM.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace stencil {

/// A box of grid points, half-open, that is not unique'd as a BoundsAttr is.
struct GridBox {
  SmallVector<int64_t, 3> lb, ub;

  GridBox() = default;
  explicit GridBox(BoundsAttr bounds)
      : lb(bounds.getLb()), ub(bounds.getUb()) {}

  BoundsAttr get(MLIRContext *context) const {
    return BoundsAttr::get(context, lb, ub);
  }

  bool contains(const GridBox &other) const;

  /// Grows to hold `other`, too; an unset box becomes `other`.
  void join(const GridBox &other);

  /// Leaves what a combine takes of its operands below its index, or from it.
  void cut(CombineOp combine, bool isBelow);
};

/// The box of a temp or field; null if nobody needs it or it is not known.
using BoxOf = function_ref<BoundsAttr(Value)>;

/// What one op needs of a value: the op that reads it in a body, the store,
/// fold or combine that is to blame, the box, and how a body reads it; null
/// elsewhere.
using DemandCallback = function_ref<void(Operation *by, const GridBox &box,
                                         const InputRead *read)>;

/// What a stencil op needs of its operands. Made once per op: how a body reads
/// is found out for all of its inputs together.
class OperandDemands {
public:
  explicit OperandDemands(Operation *owner);

  /// Calls `callback` for every box that the owner needs of the used temp or
  /// field, given the boxes of the owner's results. The sides of a combine can
  /// be empty: no call.
  void forEach(mlir::OpOperand &use, BoxOf boxOf, DemandCallback callback);

private:
  Operation *owner;
  /// Of an apply.
  std::optional<Footprint> footprint;
};

/// The boxes of all temps under an op.
class ShapeInference {
public:
  /// Infers them. `root` has passed `checkProgram`. Emits an error, located at
  /// the op that needs too much, and fails where
  /// - a load needs points that its field does not have,
  /// - a temp has bounds already and more is needed,
  /// - the extent of an apply is not a multiple of its unroll factors,
  /// - a combine's `lowerext` (`upperext`) is needed on the other side,
  /// - an input of lower rank is needed on a box relative to the extent of an
  ///   axis that it numbers otherwise.
  static FailureOr<ShapeInference> compute(Operation *root);

  /// The box of a temp; null if nobody needs it. All results of an apply have
  /// one box, as have both sides of a buffer. A temp that has bounds keeps
  /// them. A field has what its type says.
  BoundsAttr getBox(Value value) const {
    return mlir::isa<TempType>(value.getType())
               ? boxes.lookup(value)
               : mlir::cast<GridType>(value.getType()).getBounds();
  }

  /// The ops that make temps, users before producers.
  ArrayRef<Operation *> getProducers() const { return producers; }

private:
  LogicalResult inferResults(Operation *op);
  LogicalResult demandOperands(Operation *op);
  void addDemand(Value temp, const GridBox &box);
  mlir::InFlightDiagnostic emitBeyond(Value value, const GridBox &limit,
                                      const char *needs, const char *has) const;

  DenseMap<Value, BoundsAttr> boxes;
  DenseMap<Value, GridBox> demands;
  DenseMap<Value, unsigned> seenUses;
  SmallVector<Operation *> producers;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_SHAPEINFERENCE_H
