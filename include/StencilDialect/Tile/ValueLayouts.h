//===- ValueLayouts.h - Who holds the values of a kernel --------*- C++ -*-===//

#ifndef STENCILDIALECT_TILE_VALUELAYOUTS_H
#define STENCILDIALECT_TILE_VALUELAYOUTS_H

#include "StencilDialect/Tile/Tile.h"
#include "llvm/ADT/EquivalenceClasses.h"

namespace stencil::tile {

/// The layouts of values that threads hold. Stages say them; what is shifted,
/// joined, carried by a walk or a loop, or a result of a tile.where has that of
/// what it is made of.
class ValueLayouts {
public:
  explicit ValueLayouts(KernelOp kernel);

  /// A #tile.layout or a #tile.core_and_rim; null for the layout of the kernel.
  Attribute get(Value value) const;

  /// Whether some stage makes a value, or what it is made of.
  bool isMade(Value value) const;

  /// Fails with an error where values of two layouts become one, or a stage
  /// reads values that other threads hold.
  LogicalResult verify() const;

private:
  void join(Value a, Value b);
  Value getLeader(Value value) const;

  KernelOp kernel;
  llvm::EquivalenceClasses<Value> classes;
  /// By leader: the first stage of each class.
  DenseMap<Value, ApplyOp> makers;
};

/// The layout of a stage; null for that of the kernel.
Attribute getLayout(ApplyOp stage);

} // namespace stencil::tile

#endif // STENCILDIALECT_TILE_VALUELAYOUTS_H
