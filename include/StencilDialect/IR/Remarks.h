//===- Remarks.h - What passes say they did ---------------------*- C++ -*-===//

#ifndef STENCILDIALECT_IR_REMARKS_H
#define STENCILDIALECT_IR_REMARKS_H

#include "mlir/IR/Remarks.h"

namespace stencil {

/// A remark that something was done, with the names of its category and of its
/// kind.
inline void remarkPassed(mlir::Location loc, llvm::StringRef category,
                         llvm::StringRef name, const llvm::Twine &text) {
  mlir::remark::passed(loc,
                       mlir::remark::RemarkOpts::name(name).category(category))
      << text.str();
}

/// The same of something that was not done.
inline void remarkMissed(mlir::Location loc, llvm::StringRef category,
                         llvm::StringRef name, const llvm::Twine &text) {
  mlir::remark::missed(loc,
                       mlir::remark::RemarkOpts::name(name).category(category))
      << text.str();
}

} // namespace stencil

#endif // STENCILDIALECT_IR_REMARKS_H
