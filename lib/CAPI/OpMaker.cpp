//===- OpMaker.cpp - Ops of what C hands in -------------------------------===//

#include "OpMaker.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::capi;

OpParts::OpParts(MlirLocation handle, llvm::StringRef name) {
  if (std::optional<Location> location = check(handle))
    state.emplace(*location, name);
}

void OpParts::fail(const llvm::Twine &message) {
  if (!state)
    return;
  emitError(state->location) << "'" << state->name << "': " << message;
  state.reset();
}

bool OpParts::checkContext(MLIRContext *context) {
  if (state && !capi::checkContext(state->location, context))
    state.reset();
  return isGood();
}

void OpParts::addOperand(MlirValue value) {
  if (mlirValueIsNull(value))
    return fail("expected an operand, got a null handle");
  if (checkContext(unwrap(value).getContext()))
    state->addOperands(unwrap(value));
}

void OpParts::addOperands(intptr_t count, const MlirValue *values) {
  if (!state)
    return;
  if (!checkCount(state->location, count, values, "operands")) {
    state.reset();
    return;
  }
  for (MlirValue value : llvm::ArrayRef(values, count))
    addOperand(value);
}

void OpParts::addSegments(llvm::ArrayRef<intptr_t> sizes) {
  if (!state)
    return;
  auto numbers = llvm::map_to_vector(
      sizes, [](intptr_t size) { return static_cast<int32_t>(size); });
  addAttribute("operandSegmentSizes",
               DenseI32ArrayAttr::get(getContext(), numbers));
}

void OpParts::addResult(Type type) {
  if (!type)
    return fail("expected a result type, got a null handle");
  if (checkContext(type.getContext()))
    state->addTypes(type);
}

void OpParts::addResults(intptr_t count, const MlirType *types) {
  if (!state)
    return;
  if (!checkCount(state->location, count, types, "result types")) {
    state.reset();
    return;
  }
  for (MlirType type : llvm::ArrayRef(types, count))
    addResult(unwrap(type));
}

void OpParts::addAttribute(llvm::StringRef name, Attribute attribute) {
  if (!attribute)
    return fail("expected an attribute '" + name + "', got a null handle");
  if (checkContext(attribute.getContext()))
    state->addAttribute(name, attribute);
}

void OpParts::addAttributes(llvm::StringRef name, intptr_t count,
                            const MlirAttribute *attributes) {
  if (!state)
    return;
  if (!checkCount(state->location, count, attributes, name)) {
    state.reset();
    return;
  }
  llvm::SmallVector<Attribute> list;
  for (MlirAttribute attribute : llvm::ArrayRef(attributes, count)) {
    if (mlirAttributeIsNull(attribute))
      return fail("expected attributes in '" + name + "', got a null handle");
    if (!checkContext(unwrap(attribute).getContext()))
      return;
    list.push_back(unwrap(attribute));
  }
  addAttribute(name, ArrayAttr::get(getContext(), list));
}

void OpParts::addIndex(llvm::StringRef name, intptr_t rank,
                       const int64_t *values) {
  if (!state)
    return;
  auto numbers = getNumbers(state->location, rank, values, name);
  auto index = numbers
                   ? getChecked<stencil::IndexAttr>(state->location, *numbers)
                   : stencil::IndexAttr();
  if (index)
    addAttribute(name, index);
  else
    state.reset();
}

void OpParts::addNumbers(llvm::StringRef name, intptr_t count,
                         const int64_t *values) {
  if (!state)
    return;
  auto numbers =
      getNumbers(state->location, count, values, name, kMaxCount * kMaxRank);
  if (numbers)
    addAttribute(name, DenseI64ArrayAttr::get(getContext(), *numbers));
  else
    state.reset();
}

void OpParts::addNumber(llvm::StringRef name, int64_t value) {
  if (state)
    addAttribute(name, Builder(getContext()).getIndexAttr(value));
}

void OpParts::addBody(TypeRange arguments) {
  if (!state)
    return;
  Block *body = &state->addRegion()->emplaceBlock();
  llvm::SmallVector<Location> locations(arguments.size(), state->location);
  body->addArguments(arguments, locations);
}

GridType OpParts::grid(MlirValue value) {
  if (!state)
    return {};
  auto type = mlirValueIsNull(value)
                  ? GridType()
                  : dyn_cast<GridType>(unwrap(value).getType());
  if (!type)
    fail("expected a stencil.field or stencil.temp");
  return type;
}

Type OpParts::elementType(MlirValue value) {
  GridType type = grid(value);
  return type ? type.getElementType() : Type();
}

Type OpParts::indexType() {
  return state ? Builder(getContext()).getIndexType() : Type();
}

llvm::SmallVector<Type> OpParts::operandTypes() const {
  if (!state)
    return {};
  return llvm::to_vector(ValueRange(state->operands).getTypes());
}

MlirOperation OpParts::make() {
  return state ? wrap(Operation::create(*state)) : MlirOperation{nullptr};
}
