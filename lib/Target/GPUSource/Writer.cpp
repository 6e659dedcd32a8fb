//===- Writer.cpp - Statements of one function ----------------------------===//

#include "Writer.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

/// An expression that is longer becomes a variable.
static constexpr size_t maxInlineLength = 64;

LogicalResult gpusource::emitNoForm(Operation *op, const Twine &reason) {
  InFlightDiagnostic diagnostic = op->emitError() << "'" << op->getName()
                                                  << "' has no form in C++";
  if (!reason.isTriviallyEmpty())
    diagnostic << ": " << reason.str();
  return diagnostic;
}

//===- Text ---------------------------------------------------------------===//

void Writer::line(const Twine &content) {
  text.append(2 * static_cast<size_t>(indent), ' ');
  text += content.str();
  text += '\n';
}

void Writer::open(const Twine &content) {
  line(content + " {");
  ++indent;
  names.open();
}

void Writer::replaceOpening(size_t length, const Twine &content) {
  text.resize(length);
  --indent;
  line(content + " {");
  ++indent;
}

void Writer::close(const Twine &content) {
  names.close();
  --indent;
  line(content.isTriviallyEmpty() ? Twine("}") : "} " + content);
}

void Writer::reopen(const Twine &content) {
  names.close();
  --indent;
  line("} " + content + " {");
  ++indent;
  names.open();
}

//===- Values -------------------------------------------------------------===//

std::string Writer::getType(Type type) {
  if (type.isF16())
    prologue.need(Helper::Half);
  if (type.isBF16())
    prologue.need(Helper::BFloat16);
  return getCType(type, prologue.language);
}

/// The beginning of names of values of a type.
static StringRef getHint(Type type) {
  return type.isInteger(1) ? "p" : isa<FloatType>(type) ? "t" : "i";
}

std::string Writer::getName(Value value, std::string hint) {
  if (std::string name = context.sourceNames.getName(value); !name.empty())
    return names.get(name);
  if (hint.empty())
    hint = getHint(getElementTypeOrSelf(value.getType())).str();
  // u0, but u1_0.
  return names.getNumbered(llvm::isDigit(hint.back()) ? hint + "_" : hint);
}

Parts Writer::takeAll(Value value) {
  auto *found = waiting.find(value);
  if (found == waiting.end())
    return values.lookup(value);
  Parts parts = std::move(found->second.parts);
  waiting.erase(found);
  return parts;
}

Expression Writer::take(Value value) {
  Parts parts = takeAll(value);
  return parts.empty() ? Expression() : parts.front();
}

Expression Writer::takeExact(Value value) {
  return makeExact(take(value), value.getType(), prologue.language);
}

Expression Writer::takeStable(Value value) {
  return makeStable(takeExact(value), value.getType());
}

Expression Writer::makeStable(const Expression &expression, Type type,
                              StringRef hint) {
  if (expression.stable)
    return expression;
  return makeVariable(expression, type,
                      names.getNumbered(hint.empty() ? getHint(type) : hint));
}

/// `const T name = ...;`
Expression Writer::makeVariable(const Expression &expression, Type type,
                                const std::string &name) {
  std::string ctype = "const " + getType(type) + " ";
  Form form = Form::Exact;
  if (expression.form == Form::Narrow) {
    ctype = "const int ";
    form = Form::Narrow;
  } else if (expression.form == Form::Address) {
    ctype = (expression.type.empty() ? "char" : expression.type) + " *";
    form = Form::Address;
  } else if (!expression.type.empty()) {
    ctype = expression.type + " ";
  }
  line(ctype + name + " = " + expression.text + ";");
  Expression variable = Expression::name(name, form);
  variable.type = expression.type;
  return variable;
}

void Writer::materialize(Value value, Parts parts, StringRef hint) {
  Type type = getElementTypeOrSelf(value.getType());
  for (Expression &part : parts) {
    if (part.stable)
      continue;
    std::string prefix =
        part.form == Form::Address && hint.empty() ? "start" : hint.str();
    part = makeVariable(part, type, getName(value, prefix));
  }
  values[value] = std::move(parts);
}

void Writer::define(Value value, Parts parts, StringRef hint) {
  auto isStable = [](const Expression &part) { return part.stable; };
  auto isShort = [](const Expression &part) {
    return part.text.size() <= maxInlineLength;
  };
  if (llvm::all_of(parts, isStable))
    return bind(value, std::move(parts));
  if (value.use_empty())
    return;
  if (value.hasOneUse() &&
      value.getUses().begin()->getOwner()->getBlock() ==
          value.getParentBlock() &&
      llvm::all_of(parts, isShort)) {
    waiting[value] = {std::move(parts), hint.str()};
    return;
  }
  materialize(value, std::move(parts), hint);
}

void Writer::define(Value value, Expression expression, StringRef hint) {
  define(value, Parts{std::move(expression)}, hint);
}

void Writer::defineVariable(Value value, Expression expression,
                            StringRef hint) {
  expression.stable = false;
  materialize(value, {std::move(expression)}, hint);
}

Parts Writer::declare(Value value, StringRef hint, const Parts *init) {
  Type type = getElementTypeOrSelf(value.getType());
  size_t count = 1;
  if (auto vector = dyn_cast<VectorType>(value.getType()))
    count = vector.getNumElements();
  Parts parts;
  for (size_t index = 0; index < count; ++index) {
    std::string ctype = getType(type);
    std::string first;
    if (init) {
      const Expression &part = (*init)[index];
      first = " = " + (part.form == Form::Address
                           ? makeExact(part, type, prologue.language).text
                           : part.text);
      if (!part.type.empty())
        ctype = part.type;
    }
    Expression variable = Expression::name(getName(value, hint.str()));
    if (init)
      variable.type = (*init)[index].type;
    line(ctype + " " + variable.text + first + ";");
    parts.push_back(variable);
  }
  return parts;
}

void Writer::effect() {
  SmallVector<Value> readers;
  for (auto &[value, entry] : waiting)
    if (llvm::any_of(entry.parts,
                     [](const Expression &part) { return part.reads; }))
      readers.push_back(value);
  for (Value value : readers) {
    auto *found = waiting.find(value);
    Waiting entry = std::move(found->second);
    waiting.erase(found);
    materialize(value, std::move(entry.parts), entry.hint);
  }
}

//===- Ops ----------------------------------------------------------------===//

LogicalResult Writer::writeBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(writeOp(&op)))
      return failure();
  return success();
}

LogicalResult Writer::writeOp(Operation *op) {
  // Any value is as good as another one.
  if (auto poison = dyn_cast<ub::PoisonOp>(op)) {
    Type type = getElementTypeOrSelf(poison.getType());
    if (getType(type).empty())
      return emitNoForm(op);
    Expression zero = makeInteger(0);
    if (auto vector = dyn_cast<VectorType>(poison.getType()))
      bind(poison, Parts(vector.getNumElements(), zero));
    else
      bind(poison, {zero});
    return success();
  }
  StringRef dialect = op->getName().getDialectNamespace();
  using Function = LogicalResult (*)(Writer &, Operation *);
  Function function = llvm::StringSwitch<Function>(dialect)
                          .Cases({"arith", "math"}, writeElementwise)
                          .Cases({"scf", "cf"}, writeControlFlow)
                          .Case("memref", writeMemRef)
                          .Case("vector", writeVector)
                          .Case("gpu", device ? writeGPU : writeHost)
                          .Case("func", writeHost)
                          .Case("nvgpu", writeNVGPU)
                          .Case("amdgpu", writeAMDGPU)
                          .Cases({"llvm", "nvvm"}, writeLLVM)
                          .Default(nullptr);
  return function ? function(*this, op) : emitNoForm(op);
}
