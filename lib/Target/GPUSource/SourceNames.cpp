//===- SourceNames.cpp - Names that the program's text gives --------------===//

#include "SourceNames.h"
#include "Names.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

static FileLineColLoc findPosition(Location location) {
  if (auto position = dyn_cast<FileLineColLoc>(location))
    return position;
  if (auto named = dyn_cast<NameLoc>(location))
    return findPosition(named.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(location))
    return findPosition(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(location))
    for (Location part : fused.getLocations())
      if (FileLineColLoc position = findPosition(part))
        return position;
  return {};
}

SourceNames::Line SourceNames::getLine(Location location) const {
  FileLineColLoc position = findPosition(location);
  if (!position || !sources || sources->getNumBuffers() == 0)
    return {};
  const llvm::MemoryBuffer *buffer = sources->getMemoryBuffer(1);
  if (position.getFilename() != buffer->getBufferIdentifier())
    return {};
  llvm::SMLoc start = sources->FindLocForLineAndColumn(1, position.getLine(),
                                                       position.getColumn());
  if (!start.isValid())
    return {};
  llvm::StringRef text = buffer->getBuffer();
  size_t at = start.getPointer() - text.data();
  return {text.take_front(at).rsplit('\n').second,
          text.drop_front(at).split('\n').first};
}

/// The identifier at the beginning of `text`, after a `%`; empty for numbers.
static llvm::StringRef takeName(llvm::StringRef text) {
  if (!text.consume_front("%"))
    return {};
  llvm::StringRef name =
      text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  return !name.empty() && llvm::isDigit(name.front()) ? llvm::StringRef()
                                                      : name;
}

/// The name of result `index` in `%a, %b:2 = `.
static llvm::StringRef takeResultName(llvm::StringRef before, unsigned index) {
  before = before.rtrim();
  if (!before.consume_back("="))
    return {};
  llvm::SmallVector<llvm::StringRef> groups;
  before.trim().split(groups, ',');
  for (llvm::StringRef group : groups) {
    auto [name, count] = group.trim().split(':');
    unsigned size = 1;
    if (!count.empty() && count.getAsInteger(10, size))
      return {};
    if (index < size)
      return takeName(name.trim());
    index -= size;
  }
  return {};
}

std::string SourceNames::getName(Value value) const {
  if (llvm::StringRef name = getNameInLocation(value.getLoc()); !name.empty())
    return name.str();
  Line line = getLine(value.getLoc());
  if (isa<BlockArgument>(value))
    return takeName(line.after).str();
  // Ops that come from another one share its place, but not its name.
  Operation *op = value.getDefiningOp();
  llvm::StringRef mnemonic = line.after.take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  bool field = isa<gpu::AllocOp>(op) && mnemonic.starts_with("stencil.");
  bool access = isa<memref::LoadOp>(op) && mnemonic == "stencil.access";
  if (!field && !access && mnemonic != op->getName().getStringRef())
    return {};
  return takeResultName(line.before, cast<OpResult>(value).getResultNumber())
      .str();
}

std::string SourceNames::getFieldName(Location location, unsigned index) const {
  if (llvm::StringRef name = getNameInLocation(location); !name.empty())
    return name.str();
  Line line = getLine(location);
  if (line.after.starts_with("%"))
    return takeName(line.after).str();
  if (line.after.starts_with("stencil.apply"))
    return takeResultName(line.before, index).str();
  size_t operand = line.after.find('%');
  return operand == llvm::StringRef::npos
             ? std::string()
             : takeName(line.after.drop_front(operand)).str();
}
