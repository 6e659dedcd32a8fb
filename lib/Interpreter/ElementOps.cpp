//===- ElementOps.cpp - From ops on scalars to kernels --------------------===//

#include "ElementOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

int64_t Cell::getInteger(Kind kind) const {
  switch (kind) {
  case Kind::I1:
    return get<uint8_t>();
  case Kind::I8:
    return get<int8_t>();
  case Kind::I16:
    return get<int16_t>();
  case Kind::I32:
    return get<int32_t>();
  default:
    return get<int64_t>();
  }
}

Cell Cell::ofInteger(int64_t value, Kind kind) {
  if (kind == Kind::I1)
    return of(static_cast<uint8_t>(value & 1));
  // Little-endian: the low bytes come first.
  Cell cell = of(value);
  std::memset(cell.bytes + getSize(kind), 0,
              sizeof(cell.bytes) - getSize(kind));
  return cell;
}

long double Cell::getFloat(Kind kind) const {
  switch (kind) {
  case Kind::F16:
    return widen(get<Half>());
  case Kind::BF16:
    return widen(get<BFloat>());
  case Kind::F32:
    return get<float>();
  case Kind::F64:
    return get<double>();
  default:
    return get<long double>();
  }
}

Cell Cell::ofFloat(long double value, Kind kind) {
  switch (kind) {
  case Kind::F16:
    return of(narrow<Half>(value));
  case Kind::BF16:
    return of(narrow<BFloat>(value));
  case Kind::F32:
    return of(static_cast<float>(value));
  case Kind::F64:
    return of(static_cast<double>(value));
  default:
    return of(value);
  }
}

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

std::optional<Kind> stencil::interp::getKind(Type type, Precision precision) {
  if (isa<IndexType>(type))
    return Kind::I64;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    // Signed and unsigned types are not what arith computes with.
    if (!integer.isSignless())
      return std::nullopt;
    switch (integer.getWidth()) {
    case 1:
      return Kind::I1;
    case 8:
      return Kind::I8;
    case 16:
      return Kind::I16;
    case 32:
      return Kind::I32;
    case 64:
      return Kind::I64;
    default:
      return std::nullopt;
    }
  }
  auto kind = llvm::TypeSwitch<Type, std::optional<Kind>>(type)
                  .Case([](Float16Type) { return Kind::F16; })
                  .Case([](BFloat16Type) { return Kind::BF16; })
                  .Case([](Float32Type) { return Kind::F32; })
                  .Case([](Float64Type) { return Kind::F64; })
                  .Case([](Float80Type) { return Kind::F80; })
                  .Default([](Type) { return std::nullopt; });
  if (kind && precision == Precision::Extended)
    return Kind::F80;
  return kind;
}

FailureOr<Kind> stencil::interp::requireKind(Operation *op, Type type,
                                             Precision precision) {
  if (std::optional<Kind> kind = getKind(type, precision))
    return *kind;
  return op->emitError("the interpreter cannot compute with values of type ")
         << type;
}

std::optional<Cell> stencil::interp::getCell(Attribute attribute, Kind kind) {
  // Every number that a kind holds is exact in long double.
  APFloat exact(APFloat::x87DoubleExtended());
  bool inexact;
  if (auto integer = dyn_cast<IntegerAttr>(attribute)) {
    APInt value = integer.getValue();
    if (!isFloat(kind))
      return Cell::ofInteger(value.sextOrTrunc(64).getSExtValue(), kind);
    exact.convertFromAPInt(value, /*IsSigned=*/true,
                           APFloat::rmNearestTiesToEven);
  } else if (auto number = dyn_cast<FloatAttr>(attribute);
             number && isFloat(kind)) {
    exact = number.getValue();
    exact.convert(APFloat::x87DoubleExtended(), APFloat::rmNearestTiesToEven,
                  &inexact);
  } else {
    return std::nullopt;
  }
  Cell extended;
  APInt bits = exact.bitcastToAPInt();
  std::memcpy(extended.bytes, bits.getRawData(), 10);
  return Cell::ofFloat(extended.get<long double>(), kind);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

InFlightDiagnostic stencil::interp::emitUnknownOp(Operation *op) {
  return op->emitError("the interpreter does not know '")
         << op->getName() << "'";
}

StringRef stencil::interp::describe(FaultKind fault) {
  switch (fault) {
  case FaultKind::None:
    return "";
  case FaultKind::DivisionByZero:
    return "division by zero";
  case FaultKind::DivisionOverflow:
    return "the quotient overflows";
  case FaultKind::OutOfRange:
    return "coordinates out of range";
  case FaultKind::UnsetPoint:
    return "reads a point at which nothing was stored";
  case FaultKind::BadStep:
    return "expected a positive step";
  case FaultKind::Unspecified:
    return "may fail, and depends on a value that is not specified";
  }
  return "";
}

FailureOr<SmallVector<ElementOp, 2>>
stencil::interp::getElementOps(Operation *op, Precision precision) {
  StringRef dialect = op->getName().getDialectNamespace();
  if ((dialect != "arith" && dialect != "math") || op->getNumOperands() == 0 ||
      op->getNumOperands() > 3 || op->getNumResults() == 0)
    return emitUnknownOp(op);
  SmallVector<Kind> operands, results;
  for (Type type : op->getOperandTypes()) {
    FailureOr<Kind> kind = requireKind(op, type, precision);
    if (failed(kind))
      return failure();
    operands.push_back(*kind);
  }
  for (Type type : op->getResultTypes()) {
    FailureOr<Kind> kind = requireKind(op, type, precision);
    if (failed(kind))
      return failure();
    results.push_back(*kind);
  }

  StringRef name = op->getName().getStringRef();
  SmallVector<ElementOp, 2> found(results.size());
  for (auto [entry, kind] : llvm::zip_equal(found, results))
    entry.kind = kind;
  Kind kind = operands[0];
  if (results.size() == 2) {
    for (unsigned i = 0; i < 2; ++i)
      found[i].kernel = getPairKernel(name, i, kind);
  } else if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    found[0].kernel = getCompareFloatKernel(
        static_cast<unsigned>(compare.getPredicate()), kind);
  } else if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    found[0].kernel = getCompareIntegerKernel(
        static_cast<unsigned>(compare.getPredicate()), kind);
  } else if (isa<arith::SelectOp>(op)) {
    found[0].kernel = getSelectKernel(results[0]);
  } else if (isa<arith::BitcastOp>(op) && precision == Precision::Extended) {
    // The types differ from the kinds in which they are held.
    found[0].kernel = getExtendedBitcastKernel(
        *getKind(op->getOperand(0).getType(), Precision::Program),
        *getKind(op->getResult(0).getType(), Precision::Program));
  } else if (name == "math.fpowi") {
    found[0].kernel = getFPowIKernel(kind, operands[1]);
  } else if (Kernel cast = getCastKernel(name, kind, results[0])) {
    found[0].kernel = cast;
  } else if (isFloat(kind)) {
    found[0].kernel = getFloatKernel(name, kind);
    if (!found[0].kernel)
      found[0].kernel = getMathKernel(name, kind);
  } else {
    found[0].kernel = getIntegerKernel(name, kind);
    if (!found[0].kernel)
      found[0].checked = getCheckedKernel(name, kind);
  }
  for (const ElementOp &entry : found)
    if (!entry.kernel && !entry.checked)
      return emitUnknownOp(op);
  return found;
}
