//===- Arith.cpp - Arithmetic of floating-point numbers -------------------===//
//
// Compilers for GPUs fuse a product and a sum by default, which is what ops
// with the flag `contract` allow. A product without the flag that could meet a
// sum is written as an intrinsic that nvcc never fuses; hipcc knows a pragma,
// which the kernel begins with.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "Writer.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

static bool mayContract(Operation *op) {
  auto math = dyn_cast<arith::ArithFastMathInterface>(op);
  if (!math || !math.getFastMathFlagsAttr())
    return false;
  return bitEnumContainsAll(math.getFastMathFlagsAttr().getValue(),
                            arith::FastMathFlags::contract);
}

/// True if a compiler may see the result of `op` as the operand of a sum: in
/// doubt, for example if it goes around a loop.
static bool mayMeetSum(Operation *op) {
  return !llvm::all_of(op->getUsers(), [](Operation *user) {
    return isa<arith::MulFOp, arith::DivFOp, math::FmaOp, arith::CmpFOp,
               memref::StoreOp, vector::StoreOp, arith::FPToSIOp,
               arith::FPToUIOp>(user);
  });
}

/// True if an operand is a product that may be fused with a sum.
static bool hasContractedProduct(Operation *op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    if (auto negation = operand.getDefiningOp<arith::NegFOp>())
      operand = negation.getOperand();
    auto product = operand.getDefiningOp<arith::MulFOp>();
    return product && mayContract(product);
  });
}

/// `__dadd_rn`, `__fmul_rn`, ...
static std::string getRoundedFunction(StringRef name, Type type) {
  if (type.isF64())
    return ("__d" + name + "_rn").str();
  if (type.isF32())
    return ("__f" + name + "_rn").str();
  return ("__h" + name + "_rn").str();
}

/// a + b, a - b, a * b.
static Expression makeRing(Writer &writer, Operation *op, StringRef symbol,
                           StringRef name, Precedence precedence,
                           ArrayRef<Expression> operands, Type type) {
  bool product = isa<arith::MulFOp>(op);
  bool strict = writer.device && writer.prologue.isCUDA() && !mayContract(op) &&
                (product ? mayMeetSum(op) : hasContractedProduct(op));
  if (strict)
    return makeCall(getRoundedFunction(name, type), operands);
  return makeBinary(symbol, precedence, operands[0], operands[1]);
}

static Expression makeComparison(Writer &writer, arith::CmpFOp op,
                                 ArrayRef<Expression> operands) {
  using Predicate = arith::CmpFPredicate;
  Predicate predicate = op.getPredicate();
  Type type = getElementTypeOrSelf(op.getLhs().getType());
  Expression left = operands[0], right = operands[1];
  auto compare = [&](StringRef symbol) {
    bool equality = symbol == "==" || symbol == "!=";
    return makeBinary(symbol,
                      equality ? Precedence::Equality : Precedence::Relational,
                      left, right);
  };
  auto keep = [&] {
    left = writer.makeStable(left, type);
    right = writer.makeStable(right, type);
  };
  auto isNaN = [&](const Expression &operand, StringRef symbol) {
    return makeBinary(symbol, Precedence::Equality, operand, operand);
  };
  // Every comparison with NaN is false in C++, but for !=.
  switch (predicate) {
  case Predicate::OEQ:
    return compare("==");
  case Predicate::OGT:
    return compare(">");
  case Predicate::OGE:
    return compare(">=");
  case Predicate::OLT:
    return compare("<");
  case Predicate::OLE:
    return compare("<=");
  case Predicate::UNE:
    return compare("!=");
  case Predicate::UGT:
    return makeUnary("!", compare("<="));
  case Predicate::UGE:
    return makeUnary("!", compare("<"));
  case Predicate::ULT:
    return makeUnary("!", compare(">="));
  case Predicate::ULE:
    return makeUnary("!", compare(">"));
  case Predicate::ONE:
  case Predicate::UEQ: {
    keep();
    Expression different =
        makeBinary("||", Precedence::Or, compare("<"), compare(">"));
    return predicate == Predicate::ONE ? different : makeUnary("!", different);
  }
  case Predicate::ORD:
    keep();
    return makeBinary("&&", Precedence::And, isNaN(left, "=="),
                      isNaN(right, "=="));
  case Predicate::UNO:
    keep();
    return makeBinary("||", Precedence::Or, isNaN(left, "!="),
                      isNaN(right, "!="));
  case Predicate::AlwaysFalse:
    return makeInteger(llvm::APInt(1, 0), op.getType());
  case Predicate::AlwaysTrue:
    return makeInteger(llvm::APInt(1, 1), op.getType());
  }
  llvm_unreachable("a predicate");
}

static Expression makeSelect(Writer &writer, ArrayRef<Expression> operands,
                             Type type) {
  Expression left = operands[1], right = operands[2];
  auto isSmall = [](const Expression &operand) {
    return operand.form == Form::Narrow ||
           (operand.form == Form::Literal &&
            !StringRef(operand.text).ends_with("LL"));
  };
  bool wide = type.isIndex() || type.isInteger(64);
  Form form =
      wide && isSmall(left) && isSmall(right) ? Form::Narrow : Form::Exact;
  if (form == Form::Exact) {
    left = makeExact(left, type, writer.prologue.language);
    right = makeExact(right, type, writer.prologue.language);
  }
  Expression result = makeConditional(operands[0], left, right);
  result.form = form;
  return result;
}

/// A function of C's, by its name for double.
static Expression makeLibraryCall(Writer &writer, StringRef name,
                                  ArrayRef<Expression> operands, Type type) {
  if (type.isF64())
    return makeCall(name, operands);
  std::string single = (name + "f").str();
  if (type.isF32())
    return makeCall(single, operands);
  SmallVector<Expression> widened;
  for (const Expression &operand : operands)
    widened.push_back(makeCast("float", operand));
  return makeCall(writer.getType(type), {makeCall(single, widened)});
}

FailureOr<Expression> gpusource::makeArith(Writer &writer, Operation *op,
                                           ArrayRef<Expression> operands,
                                           Type type) {
  auto ring = [&](StringRef symbol, StringRef name, Precedence precedence) {
    return makeRing(writer, op, symbol, name, precedence, operands, type);
  };
  auto helper = [&](Helper which, StringRef name) {
    writer.prologue.need(which);
    return makeCall(name, operands);
  };
  return llvm::TypeSwitch<Operation *, FailureOr<Expression>>(op)
      .Case([&](arith::AddFOp) { return ring("+", "add", Precedence::Add); })
      .Case([&](arith::SubFOp) { return ring("-", "sub", Precedence::Add); })
      .Case(
          [&](arith::MulFOp) { return ring("*", "mul", Precedence::Multiply); })
      .Case([&](arith::DivFOp) {
        return makeBinary("/", Precedence::Multiply, operands[0], operands[1]);
      })
      .Case([&](arith::RemFOp) {
        return makeLibraryCall(writer, "fmod", operands, type);
      })
      .Case([&](arith::NegFOp) { return makeUnary("-", operands[0]); })
      .Case([&](arith::MaxNumFOp) {
        return makeLibraryCall(writer, "fmax", operands, type);
      })
      .Case([&](arith::MinNumFOp) {
        return makeLibraryCall(writer, "fmin", operands, type);
      })
      .Case([&](arith::MaximumFOp) {
        return helper(Helper::Maximum, "stencilMaximum");
      })
      .Case([&](arith::MinimumFOp) {
        return helper(Helper::Minimum, "stencilMinimum");
      })
      .Case([&](arith::CmpFOp compare) {
        return makeComparison(writer, compare, operands);
      })
      .Case([&](arith::SelectOp) { return makeSelect(writer, operands, type); })
      .Case<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp,
            arith::FPToSIOp, arith::FPToUIOp, arith::ExtSIOp, arith::ExtUIOp,
            arith::TruncIOp, arith::IndexCastOp, arith::IndexCastUIOp,
            arith::BitcastOp>([&](Operation *) {
        return makeConversion(writer, op, operands, type);
      })
      .Default([&](Operation *) {
        return makeIntegerArith(writer, op, operands, type);
      });
}
