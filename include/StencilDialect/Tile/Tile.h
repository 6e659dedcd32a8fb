//===- Tile.h - The tile dialect --------------------------------*- C++ -*-===//
//
// One block's program, between pipelines and threads: docs/tiles.md.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TILE_TILE_H
#define STENCILDIALECT_TILE_TILE_H

#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Tile/Engine.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

#include "StencilDialect/Tile/TileDialect.h.inc"
#include "StencilDialect/Tile/TileEnums.h.inc"

namespace stencil::tile {

// NOLINTBEGIN(bugprone-crtp*)

/// The op only names what others read: memory, or values that threads hold.
template <typename Concrete>
class ValueView : public mlir::OpTrait::TraitBase<Concrete, ValueView> {};

/// What threads see of rings depends on the op's place among others: it stands
/// in the body of a kernel or of a walk itself.
template <typename Concrete>
class IsOrdered : public mlir::OpTrait::TraitBase<Concrete, IsOrdered> {};

// NOLINTEND(bugprone-crtp*)

/// Of a ring, at most.
constexpr int64_t kMaxSlots = 1024;

/// A digit of a mixed-radix number, and how far along an axis one of it leads.
struct LayoutDigit {
  int64_t axis, count, stride;

  bool operator==(const LayoutDigit &other) const {
    return axis == other.axis && count == other.count && stride == other.stride;
  }
};

// LLVM finds it by this name.
// NOLINTNEXTLINE(readability-identifier-naming)
inline llvm::hash_code hash_value(const LayoutDigit &digit) {
  return llvm::hash_combine(digit.axis, digit.count, digit.stride);
}

/// A halo that a box lies in: beyond the interior along an axis.
struct HaloSide {
  int64_t axis;
  bool upper;
  /// Rows have points on both sides; the axis is the last one.
  bool bothSides;
};

/// The type of the numbers to which elements are folded.
Type getFoldType(Type elementType);

} // namespace stencil::tile

namespace stencil {
struct OffsetBox;
} // namespace stencil

#define GET_ATTRDEF_CLASSES
#include "StencilDialect/Tile/TileAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "StencilDialect/Tile/TileTypes.h.inc"

#define GET_OP_CLASSES
#include "StencilDialect/Tile/TileOps.h.inc"

namespace stencil::tile {

/// Whether a value is a source of a field, not of a ring.
bool isFieldSource(Value value);

/// The layout that a stage says its results have, or else the kernel's.
LayoutAttr getStageLayout(ApplyOp stage, KernelOp kernel);

} // namespace stencil::tile

// Models of it are attached: it knows the dialect's own types.
#include "StencilDialect/Tile/TileInterfaces.h.inc"

namespace stencil::tile {

/// What computes a stage of a kernel: what its attribute says, or #tile.fma.
EngineAttrInterface getEngine(ApplyOp stage);
/// Whether an engine is asked for that takes weighted sums as they are.
bool takesWholeSums(ApplyOp stage);

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_TILE_H
