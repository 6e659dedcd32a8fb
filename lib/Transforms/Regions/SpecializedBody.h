//===- SpecializedBody.h - A body some branches of which are taken -*- C++
//-*-===//
//
// A copy of the body of an apply for points at which some of its branches are
// known to go one way. Used by stencil-split-regions.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TRANSFORMS_SPECIALIZEDBODY_H
#define STENCILDIALECT_LIB_TRANSFORMS_SPECIALIZEDBODY_H

#include "StencilDialect/IR/StencilOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace stencil {

class SpecializedBody {
public:
  explicit SpecializedBody(ApplyOp apply);

  /// Copies the body. `decided` says of scf.if and arith.select which side they
  /// take, `known` which values of type i1 are constants.
  void build(const llvm::DenseMap<mlir::Operation *, bool> &decided,
             const llvm::DenseMap<mlir::Value, bool> &known);

  /// True if a result stores nothing at any point.
  bool isEmpty(unsigned result);

  /// Drops all results but these, and then what is not needed any more. A
  /// result that is stored at every point becomes a plain value.
  void keep(llvm::ArrayRef<unsigned> results);

  /// Gives the body to an apply with the operands of the original one and an
  /// empty body, which then loses those that it does not read.
  void moveTo(ApplyOp created);

private:
  void copy(mlir::Block &block, mlir::OpBuilder &builder);
  void copy(mlir::Operation &op, mlir::OpBuilder &builder);
  llvm::SmallVector<mlir::Value> getReturned(unsigned result);

  ApplyOp apply;
  mlir::Region region;
  mlir::IRMapping mapping;
  const llvm::DenseMap<mlir::Operation *, bool> *decided = nullptr;
  const llvm::DenseMap<mlir::Value, bool> *known = nullptr;
};

} // namespace stencil

#endif // STENCILDIALECT_LIB_TRANSFORMS_SPECIALIZEDBODY_H
