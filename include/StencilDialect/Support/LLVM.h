//===- LLVM.h - Names of LLVM and MLIR in ::stencil -------------*- C++ -*-===//
//
// What mlir/Support/LLVM.h does for ::mlir: headers name without a prefix what
// most of their lines are about.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_LLVM_H
#define STENCILDIALECT_SUPPORT_LLVM_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class Attribute;
class Block;
class DenseElementsAttr;
class ImplicitLocOpBuilder;
class Location;
class MLIRContext;
class OpBuilder;
class Operation;
class Type;
class Value;
class ValueRange;
} // namespace mlir

namespace stencil {

using mlir::ArrayRef;
using mlir::Attribute;
using mlir::Block;
using mlir::DenseElementsAttr;
using mlir::DenseMap;
using mlir::FailureOr;
using mlir::function_ref;
using mlir::ImplicitLocOpBuilder;
using mlir::Location;
using mlir::LogicalResult;
using mlir::MLIRContext;
using mlir::OpBuilder;
using mlir::Operation;
using mlir::SmallVector;
using mlir::SmallVectorImpl;
using mlir::StringRef;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_LLVM_H
