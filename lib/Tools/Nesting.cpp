//===- Nesting.cpp - Programs that nest too deep --------------------------===//

#include "StencilDialect/Tools/Nesting.h"
#include "StencilDialect/Support/Nesting.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace stencil;

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
     << ": error: " << describeNestingLimit() << "\n";
  return failure();
}

namespace {

/// Levels of types, attributes and affine expressions, without recursion. What
/// is the same is stored once, and so is looked at once for each of its
/// greatest levels.
class ElementLevels {
public:
  void add(Attribute attribute, unsigned level) {
    if (attribute && grow(attribute.getAsOpaquePointer(), level))
      attributes.emplace_back(attribute, level);
  }
  void add(AffineExpr expression, unsigned level) {
    if (grow(expression.getAsOpaquePointer(), level))
      expressions.emplace_back(expression, level);
  }
  void add(Type type, unsigned level) {
    if (type && grow(type.getAsOpaquePointer(), level))
      types.emplace_back(type, level);
  }

  /// False if there are more than kMaxNesting.
  bool check() {
    while (!attributes.empty() || !types.empty() || !expressions.empty()) {
      if (!expressions.empty()) {
        auto [expression, level] = expressions.pop_back_val();
        if (level > kMaxNesting)
          return false;
        if (auto binary = dyn_cast<AffineBinaryOpExpr>(expression)) {
          add(binary.getLHS(), level + 1);
          add(binary.getRHS(), level + 1);
        }
        continue;
      }
      bool isType = attributes.empty();
      unsigned level = isType ? types.back().second : attributes.back().second;
      if (level > kMaxNesting)
        return false;
      auto addAttribute = [&](Attribute inner) { add(inner, level + 1); };
      auto addType = [&](Type inner) { add(inner, level + 1); };
      if (isType) {
        types.pop_back_val().first.walkImmediateSubElements(addAttribute,
                                                            addType);
        continue;
      }
      Attribute attribute = attributes.pop_back_val().first;
      attribute.walkImmediateSubElements(addAttribute, addType);
      if (auto map = dyn_cast<AffineMapAttr>(attribute))
        addAll(map.getValue().getResults(), level + 1);
      else if (auto set = dyn_cast<IntegerSetAttr>(attribute))
        addAll(set.getValue().getConstraints(), level + 1);
    }
    return true;
  }

private:
  void addAll(ArrayRef<AffineExpr> results, unsigned level) {
    for (AffineExpr result : results)
      add(result, level);
  }
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
  SmallVector<std::pair<AffineExpr, unsigned>> expressions;
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
  os << "error: " << describeNestingLimit() << "\n";
  return failure();
}
