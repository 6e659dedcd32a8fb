//===- TimedProgram.cpp - An apply by itself, to be timed -----------------===//

#include "TimedProgram.h"
#include "RandomBits.h"
#include "StencilDialect/IR/ChoiceAttrs.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace stencil;

namespace {

class TimedProgram {
public:
  TimedProgram(ApplyOp apply, bool areFieldsGiven)
      : apply(apply), areFieldsGiven(areFieldsGiven),
        module(ModuleOp::create(UnknownLoc::get(apply.getContext()))),
        loc(module->getLoc()), builder(apply.getContext()) {}

  /// Null if a field has no known extents.
  OwningOpRef<ModuleOp> make(ScheduleAttr schedule);

private:
  bool isMadeHere(Value operand) const {
    return !areFieldsGiven && isa<FieldType>(operand.getType());
  }
  Value makeConstant(OpBuilder &body, Type type, double value) const;
  Value makeValue(OpBuilder &body, Type element, int64_t rank) const;
  Value makeField(FieldType type);

  ApplyOp apply;
  bool areFieldsGiven;
  OwningOpRef<ModuleOp> module;
  Location loc;
  OpBuilder builder;
};

} // namespace

Value TimedProgram::makeConstant(OpBuilder &body, Type type,
                                 double value) const {
  return arith::ConstantOp::create(body, loc, body.getFloatAttr(type, value));
}

/// The coordinates of a point, mixed as those of SplitMix64 are.
Value TimedProgram::makeValue(OpBuilder &body, Type element,
                              int64_t rank) const {
  Type i64 = body.getI64Type();
  auto number = [&](uint64_t bits) -> Value {
    return arith::ConstantOp::create(
        body, loc, body.getI64IntegerAttr(static_cast<int64_t>(bits)));
  };
  Value hash = number(1);
  for (int64_t axis = 0; axis < rank; ++axis) {
    Value at = stencil::IndexOp::create(body, loc, axis,
                                        SmallVector<int64_t>(rank, 0));
    at = arith::IndexCastOp::create(body, loc, i64, at);
    hash = arith::MulIOp::create(body, loc, hash, number(kRandomGamma));
    hash = arith::AddIOp::create(body, loc, hash, at);
    Value high = arith::ShRUIOp::create(body, loc, hash, number(29));
    hash = arith::XOrIOp::create(body, loc, hash, high);
  }
  hash = arith::MulIOp::create(body, loc, hash, number(0xbf58476d1ce4e5b9));
  hash = arith::ShRUIOp::create(body, loc, hash, number(40));
  if (auto integer = dyn_cast<IntegerType>(element)) {
    // Nothing divides by them, unless they are bits.
    unsigned width = integer.getWidth();
    Value small =
        arith::AndIOp::create(body, loc, hash, number(width > 3 ? 7 : 1));
    if (width > 3)
      small = arith::AddIOp::create(body, loc, small, number(1));
    return width == 64
               ? small
               : arith::TruncIOp::create(body, loc, element, small).getResult();
  }
  Type wide = element.isF64() ? element : Type(body.getF32Type());
  Value value = arith::UIToFPOp::create(body, loc, wide, hash);
  constexpr double kScale = 63.0 / 64 / (1 << 24);
  value =
      arith::MulFOp::create(body, loc, value, makeConstant(body, wide, kScale));
  value = arith::AddFOp::create(body, loc, value,
                                makeConstant(body, wide, 1.0 / 64));
  if (wide == element)
    return value;
  return arith::TruncFOp::create(body, loc, element, value);
}

Value TimedProgram::makeField(FieldType type) {
  Value field = AllocOp::create(builder, loc, type);
  auto fill = ApplyOp::create(
      builder, loc,
      TypeRange(TempType::get(type.getBounds(), type.getElementType())),
      ValueRange());
  OpBuilder body = OpBuilder::atBlockEnd(fill.getBodyBlock());
  Value value = makeValue(body, type.getElementType(), type.getRank());
  stencil::ReturnOp::create(body, loc, ValueRange(value), stencil::IndexAttr());
  StoreOp::create(builder, loc, fill.getRes().front(), field, type.getBounds());
  return field;
}

OwningOpRef<ModuleOp> TimedProgram::make(ScheduleAttr schedule) {
  llvm::SetVector<Value> parameters, fields;
  SmallVector<Operation *> constants;
  for (Value operand : apply->getOperands()) {
    Operation *op = operand.getDefiningOp();
    if (isMadeHere(operand)) {
      auto type = cast<FieldType>(operand.getType());
      if (!type.getBounds() ||
          llvm::is_contained(type.getBounds().getShape(),
                             ShapedType::kDynamic) ||
          !type.getElementType().isIntOrFloat())
        return {};
      fields.insert(operand);
    } else if (op && op->hasTrait<OpTrait::ConstantLike>()) {
      // What is known of a number stays known.
      constants.push_back(op);
    } else {
      parameters.insert(operand);
    }
  }
  builder.setInsertionPointToEnd(module->getBody());
  SmallVector<Type> types = llvm::map_to_vector(
      parameters, [](Value parameter) { return parameter.getType(); });
  types.push_back(builder.getIndexType());
  auto function = func::FuncOp::create(builder, loc, "timed",
                                       builder.getFunctionType(types, {}));
  Block *block = function.addEntryBlock();
  builder.setInsertionPointToEnd(block);
  IRMapping mapping;
  mapping.map(parameters.getArrayRef(), block->getArguments().drop_back());
  for (Value field : fields)
    mapping.map(field, makeField(cast<FieldType>(field.getType())));
  for (Operation *constant : constants)
    if (!mapping.contains(constant->getResult(0)))
      builder.clone(*constant, mapping);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loop =
      scf::ForOp::create(builder, loc, zero, block->getArguments().back(), one);
  func::ReturnOp::create(builder, loc);
  builder.setInsertionPointToStart(loop.getBody());
  Operation *copy = builder.clone(*apply, mapping);
  for (StringRef name : {StringRef(kChoiceAttr), StringRef(kDeclinedAttr),
                         StringRef(kEvidenceAttr)})
    copy->removeAttr(name);
  if (schedule)
    copy->setAttr(ScheduleAttr::kAttrName, schedule);
  else
    copy->removeAttr(ScheduleAttr::kAttrName);
  return std::move(module);
}

std::string stencil::makeTimedProgram(ApplyOp apply, ScheduleAttr schedule,
                                      bool areFieldsGiven) {
  OwningOpRef<ModuleOp> module =
      TimedProgram(apply, areFieldsGiven).make(schedule);
  std::string text;
  if (!module)
    return text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().useLocalScope());
  return text;
}
