//===- Nesting.cpp - Programs that nest too deep --------------------------===//

#include "StencilDialect/Tools/Nesting.h"
#include "StencilDialect/Support/Nesting.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace stencil;

static std::string describe() {
  return "expected at most " + std::to_string(kMaxNesting) +
         " levels of regions, types and attributes, got more";
}

LogicalResult stencil::checkNesting(llvm::SourceMgr &sources,
                                    llvm::StringRef splitMarker,
                                    llvm::raw_ostream &os) {
  const llvm::MemoryBuffer *buffer =
      sources.getMemoryBuffer(sources.getMainFileID());
  std::optional<size_t> position =
      findDeepNesting(buffer->getBuffer(), kMaxNesting, splitMarker);
  if (!position)
    return success();
  auto loc = SMLoc::getFromPointer(buffer->getBufferStart() + *position);
  auto [line, column] = sources.getLineAndColumn(loc);
  // Not the line, which may be as long as it is deep.
  os << buffer->getBufferIdentifier() << ":" << line << ":" << column
     << ": error: " << describe() << "\n";
  return failure();
}

namespace {

/// Levels of types and attributes, without recursion. What is the same is
/// stored once, and so is looked at once for each of its greatest levels.
class ElementLevels {
public:
  void add(Attribute attribute, unsigned level) {
    if (attribute && grow(attribute.getAsOpaquePointer(), level))
      attributes.emplace_back(attribute, level);
  }
  void add(Type type, unsigned level) {
    if (type && grow(type.getAsOpaquePointer(), level))
      types.emplace_back(type, level);
  }

  /// False if there are more than kMaxNesting.
  bool check() {
    while (!attributes.empty() || !types.empty()) {
      bool isType = attributes.empty();
      unsigned level = isType ? types.back().second : attributes.back().second;
      if (level > kMaxNesting)
        return false;
      auto addAttribute = [&](Attribute inner) { add(inner, level + 1); };
      auto addType = [&](Type inner) { add(inner, level + 1); };
      if (isType)
        types.pop_back_val().first.walkImmediateSubElements(addAttribute,
                                                            addType);
      else
        attributes.pop_back_val().first.walkImmediateSubElements(addAttribute,
                                                                 addType);
    }
    return true;
  }

private:
  bool grow(const void *element, unsigned level) {
    unsigned &most = levels[element];
    if (most >= level)
      return false;
    most = level;
    return true;
  }

  llvm::DenseMap<const void *, unsigned> levels;
  SmallVector<std::pair<Attribute, unsigned>> attributes;
  SmallVector<std::pair<Type, unsigned>> types;
};

} // namespace

LogicalResult stencil::checkNesting(ModuleOp module, llvm::raw_ostream &os) {
  ElementLevels elements;
  SmallVector<std::pair<Operation *, unsigned>> ops{{module, 0}};
  bool holds = true;
  while (holds && !ops.empty()) {
    auto [op, level] = ops.pop_back_val();
    elements.add(Attribute(op->getAttrDictionary()), 1);
    elements.add(Attribute(LocationAttr(op->getLoc())), 1);
    for (Type type : op->getResultTypes())
      elements.add(type, 1);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        for (BlockArgument argument : block.getArguments())
          elements.add(argument.getType(), 1);
        for (Operation &inner : block)
          ops.emplace_back(&inner, level + 1);
      }
    holds = level <= kMaxNesting && elements.check();
  }
  if (holds)
    return success();
  os << "error: " << describe() << "\n";
  return failure();
}
