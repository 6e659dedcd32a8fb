//===- ModelConstants.cpp - The numbers of the cost model -----------------===//

#include "StencilDialect/Analysis/ModelConstants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

#include <cstring>

using namespace stencil;
using llvm::StringRef;

/// The constants as they lie in memory: they are all members.
using Numbers = std::array<double, sizeof(ModelConstants) / sizeof(double)>;

/// Their names, in the same order, from what declares them: "a = 1, b = 2".
static llvm::ArrayRef<StringRef> getNames() {
  static const auto names = [] {
    constexpr StringRef kDeclared[] = {
#define MODEL_CONSTANTS(...) #__VA_ARGS__,
#include "StencilDialect/Analysis/ModelConstants.def"
    };
    llvm::SmallVector<StringRef> list;
    for (StringRef some : kDeclared)
      for (StringRef constant : llvm::split(some, ','))
        list.push_back(constant.split('=').first.trim());
    return list;
  }();
  return names;
}

const ModelConstants &ModelConstants::getDefault() {
  static const ModelConstants constants;
  return constants;
}

llvm::Expected<ModelConstants>
ModelConstants::with(const llvm::json::Object &numbers) const {
  auto changed = llvm::bit_cast<Numbers>(*this);
  for (const auto &[name, value] : numbers) {
    StringRef key(name);
    const auto *known = llvm::find(getNames(), key);
    if (known == getNames().end())
      return llvm::createStringError("the cost model has no constant '" + key +
                                     "'");
    std::optional<double> number = value.getAsNumber();
    if (!number || !(*number > 0))
      return llvm::createStringError("expected a positive number for '" + key +
                                     "'");
    changed[known - getNames().begin()] = *number;
  }
  ModelConstants result;
  std::memcpy(&result, changed.data(), sizeof(result));
  return result;
}

llvm::json::Object ModelConstants::toJson() const {
  llvm::json::Object object;
  for (auto [name, number] :
       llvm::zip_equal(getNames(), llvm::bit_cast<Numbers>(*this)))
    object[name] = number;
  return object;
}
