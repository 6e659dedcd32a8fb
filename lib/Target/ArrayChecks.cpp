//===- ArrayChecks.cpp - Checks of arrays that are handed in --------------===//
//
// Compiled functions take fields for row-major arrays without gaps, or with
// gaps between rows: what else a descriptor may say is refused here, before
// anything is read.
//
//===----------------------------------------------------------------------===//

#include "ArrayChecks.h"
#include "StencilDialect/Analysis/FieldUses.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/Conversion/RuntimeCall.h"
#include "StencilRuntime/Runtime.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace stencil;

llvm::SmallVector<InterfaceArray>
stencil::describeInterface(func::FuncOp function, bool paddedRows) {
  llvm::SmallVector<InterfaceArray> arrays;
  llvm::SmallVector<FieldUse> uses = getFieldUses(function);
  for (BlockArgument argument : function.getArguments()) {
    Type type = argument.getType();
    if (!isFieldLike(type))
      continue;
    auto field = dyn_cast<FieldType>(type);
    Type element = field ? field.getElementType()
                         : cast<MemRefType>(type).getElementType();
    unsigned index = argument.getArgNumber();
    if (std::optional<ElementKind> kind = getElementKind(element))
      arrays.push_back({index, getElementSize(*kind), uses[index].isWritten,
                        paddedRows && field && field.getRank() > 1});
  }
  return arrays;
}

InterfaceArrays stencil::describeInterfaces(ModuleOp module, bool paddedRows) {
  InterfaceArrays interfaces;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      interfaces[function.getName()] = describeInterface(function, paddedRows);
  return interfaces;
}

namespace {

class CheckWriter {
public:
  CheckWriter(LLVM::LLVMFuncOp interface, const StatusFunctions &runtime)
      : interface(interface), runtime(runtime),
        builder(interface.getContext()) {}

  void run(llvm::ArrayRef<InterfaceArray> arrays);

private:
  struct Array {
    unsigned argument;
    Value start;
    /// Elements from the first to the last, gaps between them included.
    Value count;
  };

  Value constant(int64_t value) {
    return LLVM::ConstantOp::create(builder, loc(), builder.getI64Type(),
                                    value);
  }
  Value compare(LLVM::ICmpPredicate predicate, Value a, Value b) {
    return LLVM::ICmpOp::create(builder, loc(), predicate, a, b);
  }
  Value combineAnd(Value a, Value b) {
    return LLVM::AndOp::create(builder, loc(), a, b);
  }
  Value combineOr(Value a, Value b) {
    return a ? LLVM::OrOp::create(builder, loc(), a, b) : b;
  }
  Value extract(Value descriptor, llvm::ArrayRef<int64_t> position) {
    return LLVM::ExtractValueOp::create(builder, loc(), descriptor, position);
  }
  Location loc() { return interface.getLoc(); }
  /// "argument 1 of 'heat2d'".
  std::string describeArgument(unsigned argument);
  void failIf(Value fails, const llvm::Twine &message);
  Array checkDescriptor(LLVM::LoadOp load, bool hasPaddedRows);
  void checkOverlap(const Array &a, const Array &b, unsigned bytesA,
                    unsigned bytesB);

  LLVM::LLVMFuncOp interface;
  const StatusFunctions &runtime;
  OpBuilder builder;
  /// Pairs of many arrays have many.
  unsigned numMessages = 0;
};

} // namespace

/// The rank of the array whose descriptor has this type; -1 of another type.
static int64_t getDescriptorRank(Type type) {
  auto descriptor = dyn_cast<LLVM::LLVMStructType>(type);
  if (!descriptor || descriptor.isOpaque())
    return -1;
  ArrayRef<Type> body = descriptor.getBody();
  if ((body.size() != 3 && body.size() != 5) ||
      !isa<LLVM::LLVMPointerType>(body[0]) ||
      !isa<LLVM::LLVMPointerType>(body[1]) || !body[2].isInteger(64))
    return -1;
  if (body.size() == 3)
    return 0;
  auto sizes = dyn_cast<LLVM::LLVMArrayType>(body[3]);
  return sizes ? static_cast<int64_t>(sizes.getNumElements()) : -1;
}

std::string CheckWriter::describeArgument(unsigned argument) {
  llvm::StringRef name = interface.getName();
  name.consume_front("_mlir_ciface_");
  return "argument " + std::to_string(argument) + " of '" + name.str() + "'";
}

/// Reports and returns here, if `fails`; the builder goes on behind it.
void CheckWriter::failIf(Value fails, const llvm::Twine &message) {
  auto module = interface->getParentOfType<ModuleOp>();
  std::string name;
  do
    name = "stencil.argument" + std::to_string(numMessages++);
  while (module.lookupSymbol(name));
  Block *before = builder.getInsertionBlock();
  Block *after = before->splitBlock(builder.getInsertionPoint());
  Block *failing = builder.createBlock(after);
  std::string text = describe(loc(), message) + '\0';
  Value address = LLVM::createGlobalString(loc(), builder, name, text,
                                           LLVM::Linkage::Internal);
  Value code = LLVM::ConstantOp::create(builder, loc(), builder.getI32Type(),
                                        STENCIL_CHECK_FAILED);
  LLVM::CallOp::create(builder, loc(), runtime.fail, ValueRange{code, address});
  Type type = interface.getFunctionType().getReturnType();
  if (isa<LLVM::LLVMVoidType>(type))
    LLVM::ReturnOp::create(builder, loc(), ValueRange());
  else
    LLVM::ReturnOp::create(builder, loc(),
                           LLVM::ZeroOp::create(builder, loc(), type));
  builder.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(builder, loc(), fails, failing, ValueRange(), after,
                         ValueRange(), std::make_pair(1, (1 << 20) - 1));
  builder.setInsertionPointToStart(after);
}

/// Each axis has the stride of the points of the one within; where rows may
/// have gaps, a larger one does, too.
CheckWriter::Array CheckWriter::checkDescriptor(LLVM::LoadOp load,
                                                bool hasPaddedRows) {
  unsigned argument = cast<BlockArgument>(load.getAddr()).getArgNumber();
  Value descriptor = load.getResult();
  int64_t rank = getDescriptorRank(descriptor.getType());
  builder.setInsertionPointAfter(load);
  Array array{argument, extract(descriptor, 1), constant(1)};
  Value gaps =
      compare(LLVM::ICmpPredicate::ne, extract(descriptor, 2), constant(0));
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    // An axis of one point has no stride.
    Value size = extract(descriptor, {3, axis});
    Value stride = extract(descriptor, {4, axis});
    bool mayBeLarger = hasPaddedRows && axis + 1 < rank;
    Value differs = compare(mayBeLarger ? LLVM::ICmpPredicate::slt
                                        : LLVM::ICmpPredicate::ne,
                            stride, array.count);
    Value several = compare(LLVM::ICmpPredicate::sgt, size, constant(1));
    gaps = combineOr(gaps, combineAnd(several, differs));
    if (mayBeLarger)
      array.count =
          LLVM::SelectOp::create(builder, loc(), several, stride, array.count);
    array.count = LLVM::MulOp::create(builder, loc(), array.count, size);
  }
  Value null = LLVM::ZeroOp::create(builder, loc(), array.start.getType());
  Value isNull = compare(LLVM::ICmpPredicate::eq, array.start, null);
  Value isSome = compare(LLVM::ICmpPredicate::sgt, array.count, constant(0));
  failIf(combineAnd(isNull, isSome),
         describeArgument(argument) + ": expected an array, got null");
  failIf(gaps,
         describeArgument(argument) + ": expected a row-major array " +
             (hasPaddedRows ? "with gaps between rows only" : "without gaps") +
             ", of offset 0");
  return array;
}

void CheckWriter::checkOverlap(const Array &a, const Array &b, unsigned bytesA,
                               unsigned bytesB) {
  auto getRange = [&](const Array &array, unsigned bytes) {
    Value begin = LLVM::PtrToIntOp::create(builder, loc(), builder.getI64Type(),
                                           array.start);
    Value size =
        LLVM::MulOp::create(builder, loc(), array.count, constant(bytes));
    Value end = LLVM::AddOp::create(builder, loc(), begin, size);
    return std::make_pair(begin, end);
  };
  auto [beginA, endA] = getRange(a, bytesA);
  auto [beginB, endB] = getRange(b, bytesB);
  Value overlap = combineAnd(compare(LLVM::ICmpPredicate::ult, beginA, endB),
                             compare(LLVM::ICmpPredicate::ult, beginB, endA));
  failIf(overlap, describeArgument(a.argument) + " and argument " +
                      std::to_string(b.argument) +
                      ": expected arrays that do not overlap, as one of them "
                      "is written");
}

void CheckWriter::run(llvm::ArrayRef<InterfaceArray> infos) {
  llvm::SmallVector<LLVM::LoadOp> loads;
  for (auto load : interface.front().getOps<LLVM::LoadOp>())
    if (isa<BlockArgument>(load.getAddr()) &&
        getDescriptorRank(load.getType()) >= 0)
      loads.push_back(load);
  bool areKnown = infos.size() == loads.size();
  llvm::SmallVector<Array> arrays;
  for (auto [number, load] : llvm::enumerate(loads))
    arrays.push_back(
        checkDescriptor(load, areKnown && infos[number].hasPaddedRows));
  // Behind the last load; all of them dominate it.
  if (!areKnown)
    return;
  for (size_t a = 0; a < arrays.size(); ++a)
    for (size_t b = a + 1; b < arrays.size(); ++b)
      if (infos[a].isWritten || infos[b].isWritten)
        checkOverlap(arrays[a], arrays[b], infos[a].elementBytes,
                     infos[b].elementBytes);
}

void stencil::addArrayChecks(LLVM::LLVMFuncOp interface,
                             const StatusFunctions &runtime,
                             llvm::ArrayRef<InterfaceArray> arrays) {
  CheckWriter(interface, runtime).run(arrays);
}
