//===- Fingerprint.cpp - Which program an entry is for --------------------===//

#include "StencilDialect/Tuning/Fingerprint.h"
#include "StencilDialect/IR/StencilOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace stencil;

namespace {

/// Writes a text that is equal for programs that are to have one fingerprint.
class Describer {
public:
  explicit Describer(llvm::raw_ostream &os) : os(os) {}

  void describe(Operation *op);

private:
  void describe(Attribute attribute);
  void describe(Type type);

  /// The position at which it was first met.
  template <typename T> void number(llvm::DenseMap<T, unsigned> &map, T key) {
    os << map.try_emplace(key, map.size()).first->second;
  }

  llvm::raw_ostream &os;
  llvm::DenseMap<Value, unsigned> values;
  llvm::DenseMap<Block *, unsigned> blocks;
  llvm::DenseMap<StringAttr, unsigned> symbols;
};

} // namespace

void Describer::describe(Type type) {
  if (auto grid = dyn_cast<GridType>(type)) {
    os << type.getAbstractType().getName() << '<' << grid.getRank() << 'x'
       << grid.getElementType() << '>';
    return;
  }
  if (auto shaped = dyn_cast<MemRefType>(type)) {
    os << "memref<" << shaped.getRank() << 'x' << shaped.getElementType()
       << '>';
    return;
  }
  if (auto function = dyn_cast<FunctionType>(type)) {
    for (Type input : function.getInputs())
      describe(input);
    os << "->";
    for (Type result : function.getResults())
      describe(result);
    return;
  }
  os << type;
}

void Describer::describe(Attribute attribute) {
  if (isa<BoundsAttr>(attribute)) {
    os << "box";
  } else if (auto type = dyn_cast<TypeAttr>(attribute)) {
    describe(type.getValue());
  } else if (auto symbol = dyn_cast<SymbolRefAttr>(attribute)) {
    os << '@';
    number(symbols, symbol.getLeafReference());
  } else if (auto list = dyn_cast<ArrayAttr>(attribute)) {
    os << '[';
    llvm::interleaveComma(list, os,
                          [&](Attribute element) { describe(element); });
    os << ']';
  } else {
    attribute.print(os);
  }
}

void Describer::describe(Operation *op) {
  os << op->getName();
  if (auto name =
          op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName())) {
    os << '@';
    number(symbols, name);
  }
  for (Value operand : op->getOperands()) {
    os << " %";
    number(values, operand);
  }
  for (Block *successor : op->getSuccessors()) {
    os << " ^";
    number(blocks, successor);
  }
  // Properties included, sorted by name.
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    llvm::StringRef name = attribute.getName();
    // Attributes of ours that no op has by itself: schedules, and what passes
    // have noted about sizes.
    if (name.starts_with("stencil.") ||
        name == SymbolTable::getSymbolAttrName() ||
        name == SymbolTable::getVisibilityAttrName())
      continue;
    os << ' ' << name << '=';
    describe(attribute.getValue());
  }
  for (Value result : op->getResults()) {
    os << " -> %";
    number(values, result);
    os << ':';
    describe(result.getType());
  }
  for (Region &region : op->getRegions()) {
    os << " {";
    for (Block &block : region) {
      os << '^';
      number(blocks, &block);
      for (Value argument : block.getArguments()) {
        os << " %";
        number(values, argument);
        os << ':';
        describe(argument.getType());
      }
      os << '\n';
      for (Operation &inner : block)
        describe(&inner);
    }
    os << '}';
  }
  os << '\n';
}

ProgramFingerprint stencil::getFingerprint(ModuleOp module) {
  ProgramFingerprint fingerprint;
  std::string text;
  llvm::raw_string_ostream os(text);
  Describer describer(os);
  // The module's own attributes say nothing about its program.
  for (Operation &op : *module.getBody())
    describer.describe(&op);
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  fingerprint.program =
      llvm::utohexstr(hash.high64, /*LowerCase=*/true, /*Width=*/16) +
      llvm::utohexstr(hash.low64, true, 16);
  module.walk<WalkOrder::PreOrder>([&](ApplyOp apply) {
    std::vector<int64_t> &extents = fingerprint.extents.emplace_back();
    if (BoundsAttr domain = apply.getDomain())
      for (int64_t extent : domain.getShape())
        extents.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  });
  return fingerprint;
}
