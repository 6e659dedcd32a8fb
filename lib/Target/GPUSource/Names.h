//===- Names.h - Names of variables --------------------------------*- C++
//-*-===//

#ifndef STENCILDIALECT_TARGET_GPUSOURCE_NAMES_H
#define STENCILDIALECT_TARGET_GPUSOURCE_NAMES_H

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringSet.h"

#include <string>
#include <vector>

namespace stencil::gpusource {

/// Gives different things in scope different names. A name is free again when
/// its scope ends.
class Names {
public:
  Names() : scopes(1) {}

  /// `wanted`, made an identifier, with `_1`, `_2`, ... if it is taken.
  std::string get(llvm::StringRef wanted);
  /// `prefix` with the smallest number that is free.
  std::string getNumbered(llvm::StringRef prefix);
  /// i, j, k, ...
  std::string getCounter();

  void open() { scopes.emplace_back(); }
  void close();

private:
  std::string take(std::string name);

  llvm::StringSet<> taken;
  std::vector<std::vector<std::string>> scopes;
};

/// True if a name means something else in C++, in the headers that a source
/// includes, or in a helper of ours.
bool isTaken(llvm::StringRef name);

/// True if `text` has the identifier `name` in it.
bool mentions(llvm::StringRef text, llvm::StringRef name);

/// The name that a location carries; empty if it carries none.
llvm::StringRef getNameInLocation(mlir::Location location);

/// The places in files in a location, as `file:line`, in order, each once.
std::vector<std::string> getPlaces(mlir::Location location);

} // namespace stencil::gpusource

#endif // STENCILDIALECT_TARGET_GPUSOURCE_NAMES_H
