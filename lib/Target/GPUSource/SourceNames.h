//===- SourceNames.h - Names that the program's text gives ---------*- C++
//-*-===//
//
// MLIR's parser forgets the names of values. Locations lead back to them.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_GPUSOURCE_SOURCENAMES_H
#define STENCILDIALECT_TARGET_GPUSOURCE_SOURCENAMES_H

#include "mlir/IR/Value.h"

#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace stencil::gpusource {

class SourceNames {
public:
  /// Without `sources` nothing has a name.
  explicit SourceNames(llvm::SourceMgr *sources) : sources(sources) {}

  /// The name of a value: what a NameLoc says, else what the text has where the
  /// value comes from. Empty if it has none of its own there.
  std::string getName(mlir::Value value) const;

  /// The name of a field that a kernel gets: an argument of an apply, the
  /// `index`-th result of one, or the operand of another op.
  std::string getFieldName(mlir::Location location, unsigned index) const;

private:
  /// The text of the line at a location, and before it.
  struct Line {
    llvm::StringRef before, after;
  };
  Line getLine(mlir::Location location) const;

  llvm::SourceMgr *sources;
};

} // namespace stencil::gpusource

#endif // STENCILDIALECT_TARGET_GPUSOURCE_SOURCENAMES_H
