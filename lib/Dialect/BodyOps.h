//===- BodyOps.h - What the ops of an apply body check ----------*- C++ -*-===//

#ifndef STENCIL_LIB_DIALECT_BODYOPS_H
#define STENCIL_LIB_DIALECT_BODYOPS_H

#include "StencilDialect/IR/BoundaryConditions.h"
#include "StencilDialect/IR/Casts.h"

namespace stencil {

/// The apply that `op` is in, or an error. A function or module within the body
/// of an apply is a program of its own.
mlir::FailureOr<ApplyOp> getEnclosingApply(mlir::Operation *op);

/// Checks that a field's box is known, and that a box lies in that of a grid.
mlir::LogicalResult verifyFieldHasBounds(mlir::Operation *op,
                                         mlir::Value field);
mlir::LogicalResult verifyBoxIn(mlir::Operation *op, BoundsAttr box,
                                GridType type, llvm::StringRef what);

/// The error that `op` reads [first, end) of an axis of a grid that has less.
mlir::InFlightDiagnostic emitBeyond(mlir::Operation *op, int64_t first,
                                    int64_t end, int64_t axis, GridType type);

/// What stencil.boundary checks, of the halo of a field around a box.
mlir::LogicalResult verifyHalo(mlir::Operation *op, mlir::Value field,
                               BoundsAttr box, mlir::ArrayAttr conditions);

/// Whatever is in a pipeline is ahead by at most so many planes.
constexpr int64_t kMaxLead = 1024;
mlir::LogicalResult verifyLead(mlir::Operation *op, int64_t lead);

/// Threads compute a stage at most so far from their points of the tile.
constexpr int64_t kMaxSkew = 1024;

/// Checks that `temp` is an operand of `apply`, seen from within its body.
mlir::LogicalResult verifyIsInput(mlir::Operation *op, ApplyOp apply,
                                  mlir::Value temp);

/// Checks that offsets of this rank fit an input of this type, with the axes
/// that the mapping gives it.
mlir::LogicalResult verifyOffsetAxes(mlir::Operation *op, ApplyOp apply,
                                     GridType type, int64_t offsetRank,
                                     std::optional<IndexAttr> mapping);

/// Emits an error if `attributes {...}` repeats what the syntax of an op gives.
mlir::ParseResult checkNotRepeated(mlir::OpAsmParser &parser, llvm::SMLoc loc,
                                   const mlir::OperationState &result,
                                   llvm::ArrayRef<llvm::StringRef> names);

/// `(%x = %t : T, ...)`: arguments of a body, and what each stands for.
mlir::ParseResult parseBindings(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::Argument> &arguments,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands,
    llvm::SmallVectorImpl<mlir::Type> &types);
/// That there is one argument per operand, of its type.
mlir::LogicalResult verifyBindings(mlir::Operation *op, mlir::Block &body,
                                   mlir::ValueRange operands);

/// The canonical form of weighted sums (WeightedSumPatterns.cpp).
void populateWeightedSumPatterns(mlir::RewritePatternSet &patterns);

} // namespace stencil

#endif // STENCIL_LIB_DIALECT_BODYOPS_H
