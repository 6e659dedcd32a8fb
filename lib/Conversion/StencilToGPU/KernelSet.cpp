//===- KernelSet.cpp - The kernels of a function, as they are made --------===//

#include "KernelBuilder.h"
#include "StencilDialect/Conversion/KernelName.h"
#include "StencilDialect/Conversion/SumLoops.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stencil;

/// That of the kernels of a function, next to it.
static gpu::GPUModuleOp getKernelModule(func::FuncOp function) {
  std::string name = (function.getName() + "_kernels").str();
  if (auto known = dyn_cast_or_null<gpu::GPUModuleOp>(
          SymbolTable::lookupSymbolIn(function->getParentOp(), name)))
    return known;
  OpBuilder builder(function);
  return gpu::GPUModuleOp::create(builder, function.getLoc(), name);
}

KernelSet::KernelSet(func::FuncOp function, const KernelOptions &options)
    : function(function), module(getKernelModule(function)), options(options),
      rows(getRowLayout(function)) {
  for (Operation &op : function.front()) {
    if (isa<ScratchOp>(op))
      lastScratch = &op;
    if (auto word = dyn_cast<ErrorWordOp>(op))
      errorWord = word;
  }
}

std::string KernelSet::nameKernel(StringRef role) {
  std::string name = makeKernelName((function.getName() + "_" + role).str());
  std::string own = name;
  // Kernels of tiles have been numbered with the others.
  bool isNumbered = llvm::isDigit(role.back());
  while (!isNumbered || module.lookupSymbol(own)) {
    own = name + std::to_string(numbers[role]++);
    isNumbered = true;
  }
  return own;
}

Value KernelSet::getExtent(OpBuilder &builder, Location loc, int64_t axis) {
  if (Operation *here = &*builder.getInsertionPoint(); place != here) {
    place = here;
    extents.clear();
  }
  Value &extent = extents[axis];
  if (!extent)
    extent = ExtentOp::create(builder, loc, axis);
  return extent;
}

Value KernelSet::getBound(OpBuilder &builder, Location loc, int64_t bound,
                          int64_t axis) {
  Extents known;
  if (isSymbolic(bound))
    known.set(axis, getExtent(builder, loc, axis));
  return known.getBound(builder, loc, bound, axis);
}

Value KernelSet::getErrorWord() {
  if (!errorWord) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.front());
    if (lastScratch)
      builder.setInsertionPointAfter(lastScratch);
    errorWord = ErrorWordOp::create(builder, function.getLoc(),
                                    MemRefType::get({1}, builder.getI32Type()),
                                    builder.getStrArrayAttr({}));
  }
  return errorWord.getWord();
}

int32_t KernelSet::addMessage(StringRef text) {
  Builder builder(function.getContext());
  SmallVector<Attribute> messages(errorWord.getMessages().getValue());
  messages.push_back(builder.getStringAttr(text));
  errorWord.setMessagesAttr(builder.getArrayAttr(messages));
  return messages.size();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// NVIDIA's and AMD's address spaces of memory that is not written, and of all
/// memory of the device.
static constexpr int64_t kConstantSpace = 4, kGlobalSpace = 1;

/// Where an array is to lie: a module may have little constant memory.
static int64_t chooseSpace(gpu::GPUModuleOp kernels, DenseElementsAttr values,
                           const TargetInfo &target) {
  auto getBytes = [](ShapedType type) {
    return type.getNumElements() * getElementBytes(type.getElementType());
  };
  uint64_t bytes = getBytes(values.getType());
  for (auto global : kernels.getOps<memref::GlobalOp>())
    if (global.getType().getMemorySpaceAsInt() == kConstantSpace &&
        global.getInitialValue() != values)
      bytes += getBytes(global.getType());
  return bytes > target.constantBytes ? kGlobalSpace : kConstantSpace;
}

Value KernelSet::getConstants(OpBuilder &builder, Location loc,
                              DenseElementsAttr values) {
  return getConstantArray(
      builder, loc, module, values,
      builder.getI64IntegerAttr(chooseSpace(module, values, options.target)));
}

Value KernelSet::getTable(OpBuilder &builder, Location loc,
                          DenseElementsAttr values) {
  return getConstantArray(builder, loc, module, values,
                          builder.getI64IntegerAttr(kGlobalSpace));
}
