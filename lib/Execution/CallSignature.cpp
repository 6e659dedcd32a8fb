//===- CallSignature.cpp - What a call of a program is checked for --------===//

#include "CallSignature.h"
#include "StencilDialect/Analysis/FieldUses.h"
#include "StencilDialect/IR/Bounds.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace stencil;

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// An index is an integer of 64 bits.
static ElementKind getScalarKind(Type type) {
  return type.isIndex() ? ElementKind::I64 : *getElementKind(type);
}

static CallParameter describeParameter(const Parameter &parameter,
                                       FieldUse use) {
  CallParameter result;
  result.type = print(parameter.type);
  ExecutableParameter &description = result.description;
  description.name = parameter.name;
  if (!parameter.field) {
    description.element = getScalarKind(parameter.type);
    return result;
  }
  const FieldParameter &field = *parameter.field;
  description.isArray = true;
  description.element = field.element;
  for (int64_t extent : field.shape)
    description.shape.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  description.isRead = use.isRead;
  description.isWritten = use.isWritten;
  for (const FieldBox &box : field.boxes) {
    BoundsAttr bounds = box.type.getBounds();
    result.boxes.push_back({print(box.type),
                            {bounds.getLb().begin(), bounds.getLb().end()},
                            {bounds.getUb().begin(), bounds.getUb().end()}});
  }
  return result;
}

CallSignature stencil::makeCallSignature(func::FuncOp entry,
                                         const Signature &signature,
                                         const CompiledObject &object,
                                         const ExecutableOptions &options) {
  CallSignature result;
  result.name = entry.getName().str();
  llvm::SmallVector<FieldUse> uses = getFieldUses(entry);
  for (const Parameter &parameter : signature.parameters)
    result.parameters.push_back(
        describeParameter(parameter, uses[parameter.index]));
  result.resultSize = object.resultSize;
  // A single field is a descriptor, which has an offset for each of its parts.
  if (signature.results.size() != 1 || !isFieldLike(signature.results[0]))
    for (auto [type, offset] :
         llvm::zip(signature.results, object.resultOffsets))
      if (!isFieldLike(type))
        result.results.push_back({getScalarKind(type), offset});
  result.interior = options.extents;
  result.rank = signature.getRank();
  result.deviceArrays = options.deviceArrays;
  return result;
}

/// Points of the halo along each axis whose interior a call decides; -1 along
/// others.
static std::vector<int64_t> findHalos(const CallParameter &parameter) {
  std::vector<int64_t> halos(parameter.description.shape.size(), -1);
  for (const CallBox &box : parameter.boxes)
    for (auto [halo, lb, ub] : llvm::zip_equal(halos, box.lb, box.ub))
      if (isSymbolic(ub) && !isSymbolic(lb))
        halo = symbolicOffset(ub) - lb;
  return halos;
}

ExecutableSignature stencil::describe(const CallSignature &signature) {
  ExecutableSignature result;
  result.name = signature.name;
  for (const CallParameter &parameter : signature.parameters) {
    result.parameters.push_back(parameter.description);
    result.parameters.back().halos = findHalos(parameter);
  }
  for (const CallResult &scalar : signature.results)
    result.results.push_back(scalar.kind);
  return result;
}
