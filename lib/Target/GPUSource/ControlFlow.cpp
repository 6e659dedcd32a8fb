//===- ControlFlow.cpp - Loops and conditions -----------------------------===//

#include "Writer.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

/// Types of values that no variable stands for.
static bool isInvisible(Type type) { return isa<gpu::AsyncTokenType>(type); }

namespace {

/// A variable that carries a value around a loop or out of a branch: the parts
/// of a scalar or vector, or a pointer.
struct Variable {
  Value value;
  Parts parts;
};

struct ControlFlowWriter {
  Writer &writer;

  LogicalResult write(scf::ForOp op);
  LogicalResult write(scf::WhileOp op);
  LogicalResult write(scf::IfOp op);
  LogicalResult write(scf::IndexSwitchOp op);
  LogicalResult write(scf::ExecuteRegionOp op);
  LogicalResult write(cf::AssertOp op);

private:
  LogicalResult checkTypes(Operation *op, TypeRange types);
  Variable declare(Value value, Value init);
  void alias(Value value, const Variable &variable);
  void assign(ArrayRef<Variable> variables, ValueRange newValues);
  LogicalResult writeBranch(Region &region, ArrayRef<Variable> results);
  LogicalResult declareResults(Operation *op, std::vector<Variable> &results);
};

} // namespace

LogicalResult ControlFlowWriter::checkTypes(Operation *op, TypeRange types) {
  for (Type type : types)
    if (!isInvisible(type) && !isa<MemRefType, LLVM::LLVMPointerType>(type) &&
        writer.getType(getElementTypeOrSelf(type)).empty())
      return emitNoForm(op, "with a value of type " + debugString(type));
  return success();
}

/// A variable for `value` that begins with `init`, or with nothing.
Variable ControlFlowWriter::declare(Value value, Value init) {
  Variable variable{value, {}};
  if (auto type = dyn_cast<MemRefType>(value.getType())) {
    Memory memory = makeMemory("", type);
    std::string first;
    if (init) {
      const Memory &source = writer.getMemory(init);
      first = " = " + source.base.text;
      // The extents do not change: the types say so, or the fields that swap
      // are of one shape.
      memory.sizes = source.sizes;
      memory.strides = source.strides;
    }
    memory.base = Expression::name(writer.getName(value, "field"));
    writer.line(writer.getType(memory.element) + " *" + memory.base.text +
                first + ";");
    variable.parts = {memory.base};
    writer.setMemory(value, memory);
    return variable;
  }
  if (init) {
    Parts parts = writer.takeAll(init);
    for (Expression &part : parts)
      if (part.form != Form::Literal || part.precedence != Precedence::Primary)
        part = makeExact(part, getElementTypeOrSelf(value.getType()),
                         writer.prologue.language);
    variable.parts = writer.declare(value, {}, &parts);
  } else {
    variable.parts = writer.declare(value, {}, nullptr);
  }
  writer.bind(value, variable.parts);
  return variable;
}

/// `value` is what the variable holds.
void ControlFlowWriter::alias(Value value, const Variable &variable) {
  if (isa<MemRefType>(value.getType()))
    writer.setMemory(value, Memory(writer.getMemory(variable.value)));
  else
    writer.bind(value, variable.parts);
}

/// All at once: a new value may mention any of the variables.
void ControlFlowWriter::assign(ArrayRef<Variable> variables,
                               ValueRange newValues) {
  struct Assignment {
    std::string to, from, type;
    bool pointer;
  };
  std::vector<Assignment> assignments;
  for (auto [variable, value] : llvm::zip_equal(variables, newValues)) {
    bool pointer = isa<MemRefType>(value.getType());
    Type type = getElementTypeOrSelf(value.getType());
    Parts parts =
        pointer ? Parts{writer.getMemory(value).base} : writer.takeAll(value);
    for (auto [to, from] : llvm::zip_equal(variable.parts, parts)) {
      if (from.form != Form::Literal && !pointer)
        from = makeExact(from, type, writer.prologue.language);
      if (to.text != from.text)
        assignments.push_back({to.text, from.text,
                               to.type.empty() ? writer.getType(type) : to.type,
                               pointer});
    }
  }
  writer.effect();
  // What is assigned before it is read is read in advance.
  for (size_t index = 1; index < assignments.size(); ++index) {
    Assignment &late = assignments[index];
    if (llvm::none_of(llvm::ArrayRef(assignments).take_front(index),
                      [&](const Assignment &early) {
                        return mentions(late.from, early.to);
                      }))
      continue;
    std::string name = writer.getNames().getNumbered("next");
    writer.line((late.pointer ? "" : "const ") + late.type +
                (late.pointer ? " *" : " ") + name + " = " + late.from + ";");
    late.from = name;
  }
  for (const Assignment &assignment : assignments)
    writer.line(assignment.to + " = " + assignment.from + ";");
}

LogicalResult
ControlFlowWriter::declareResults(Operation *op,
                                  std::vector<Variable> &results) {
  if (failed(checkTypes(op, op->getResultTypes())))
    return failure();
  for (Value result : op->getResults())
    if (!isInvisible(result.getType()))
      results.push_back(declare(result, nullptr));
  return success();
}

static SmallVector<Value> getVisible(ValueRange values) {
  return llvm::filter_to_vector(
      values, [](Value value) { return !isInvisible(value.getType()); });
}

/// The block of a branch, and the assignment of what it yields.
LogicalResult ControlFlowWriter::writeBranch(Region &region,
                                             ArrayRef<Variable> results) {
  if (!region.hasOneBlock())
    return emitNoForm(region.getParentOp(), "it has branches between blocks");
  if (failed(writer.writeBlock(region.front())))
    return failure();
  assign(results, getVisible(region.front().getTerminator()->getOperands()));
  return success();
}

LogicalResult ControlFlowWriter::write(scf::IfOp op) {
  std::vector<Variable> results;
  std::string condition = writer.take(op.getCondition()).text;
  writer.effect();
  if (failed(declareResults(op, results)))
    return failure();
  writer.open("if (" + condition + ")");
  if (failed(writeBranch(op.getThenRegion(), results)))
    return failure();
  if (op.elseBlock() &&
      (!op.elseBlock()->without_terminator().empty() || !results.empty())) {
    writer.reopen("else");
    if (failed(writeBranch(op.getElseRegion(), results)))
      return failure();
  }
  writer.close();
  return success();
}

LogicalResult ControlFlowWriter::write(scf::IndexSwitchOp op) {
  std::vector<Variable> results;
  std::string selector = writer.takeExact(op.getArg()).text;
  writer.effect();
  if (failed(declareResults(op, results)))
    return failure();
  writer.open("switch (" + selector + ")");
  auto writeCase = [&](const Twine &label, Region &region) {
    writer.open(label);
    if (failed(writeBranch(region, results)))
      return failure();
    writer.line("break;");
    writer.close();
    return success();
  };
  for (auto [value, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions()))
    if (failed(writeCase("case " + Twine(value) + ":", region)))
      return failure();
  if (failed(writeCase("default:", op.getDefaultRegion())))
    return failure();
  writer.close();
  return success();
}

LogicalResult ControlFlowWriter::write(scf::ExecuteRegionOp op) {
  std::vector<Variable> results;
  writer.effect();
  if (failed(declareResults(op, results)))
    return failure();
  writer.open("do");
  if (failed(writeBranch(op.getRegion(), results)))
    return failure();
  writer.close("while (false);");
  return success();
}

/// True if a variable of type int counts from `lower` to `upper`.
static bool countsInInt(scf::ForOp op) {
  std::optional<int64_t> lower = getConstantIntValue(op.getLowerBound()),
                         upper = getConstantIntValue(op.getUpperBound()),
                         step = getConstantIntValue(op.getStep());
  auto fits = [](std::optional<int64_t> value) {
    return value && *value >= 0 && *value < (1 << 30);
  };
  return fits(lower) && fits(upper) && fits(step);
}

LogicalResult ControlFlowWriter::write(scf::ForOp op) {
  Value counter = op.getInductionVar();
  Type type = counter.getType();
  if (op.getUnsignedCmp() || writer.getType(type).empty())
    return emitNoForm(op, "with this counter");
  if (failed(checkTypes(op, op.getResultTypes())))
    return failure();
  Expression lower = writer.takeExact(op.getLowerBound());
  Expression upper = writer.take(op.getUpperBound());
  if (upper.form != Form::Narrow)
    upper = makeExact(upper, type, writer.prologue.language);
  Expression step = writer.takeExact(op.getStep());
  if (upper.reads || upper.precedence < Precedence::Add)
    upper = writer.makeStable(upper, type);
  step = writer.makeStable(step, type);

  std::vector<Variable> variables;
  for (auto [argument, init] :
       llvm::zip_equal(op.getRegionIterArgs(), op.getInitArgs()))
    if (!isInvisible(argument.getType()))
      variables.push_back(declare(argument, init));
  writer.effect();

  std::string own = writer.context.sourceNames.getName(counter);
  std::string name =
      own.empty() ? writer.getNames().getCounter() : writer.getNames().get(own);
  bool narrow = (type.isIndex() || type.isInteger(64)) && countsInInt(op);
  writer.bind(counter,
              {Expression::name(name, narrow ? Form::Narrow : Form::Exact)});
  std::string next = step.text == "1" ? "++" + name : name + " += " + step.text;
  writer.open("for (" + (narrow ? "int" : writer.getType(type)) + " " + name +
              " = " + lower.text + "; " + name + " < " +
              inside(upper, Precedence::Add) + "; " + next + ")");
  if (failed(writer.writeBlock(*op.getBody())))
    return failure();
  assign(variables, getVisible(op.getBody()->getTerminator()->getOperands()));
  writer.close();
  for (auto [result, variable] :
       llvm::zip_equal(getVisible(op.getResults()), variables))
    alias(result, variable);
  return success();
}

LogicalResult ControlFlowWriter::write(scf::WhileOp op) {
  if (failed(checkTypes(op, op.getOperandTypes())) ||
      failed(checkTypes(op, op.getResultTypes())))
    return failure();
  std::vector<Variable> variables, results;
  for (auto [argument, init] :
       llvm::zip_equal(op.getBeforeArguments(), op.getInits()))
    if (!isInvisible(argument.getType()))
      variables.push_back(declare(argument, init));
  // Where the condition hands on the loop's variables, they are the results.
  scf::ConditionOp condition = op.getConditionOp();
  auto handsOn = llvm::equal(getVisible(condition.getArgs()),
                             getVisible(op.getBeforeArguments()));
  if (!handsOn)
    for (Value result : op.getResults())
      if (!isInvisible(result.getType()))
        results.push_back(declare(result, nullptr));
  writer.effect();
  ArrayRef<Variable> handedOn = handsOn ? variables : results;

  size_t begin = writer.getLength();
  writer.open("while (true)");
  size_t opened = writer.getLength();
  if (failed(writer.writeBlock(*op.getBeforeBody())))
    return failure();
  Expression again = writer.take(condition.getCondition());
  if (!handsOn) {
    again = writer.makeStable(again, condition.getCondition().getType());
    assign(results, getVisible(condition.getArgs()));
  }
  if (writer.getLength() == opened) {
    writer.replaceOpening(begin, "while (" + again.text + ")");
  } else {
    writer.line("if (" + makeUnary("!", again).text + ")");
    writer.line("  break;");
  }
  for (auto [argument, variable] :
       llvm::zip_equal(getVisible(op.getAfterArguments()), handedOn))
    alias(argument, variable);
  if (failed(writer.writeBlock(*op.getAfterBody())))
    return failure();
  assign(variables,
         getVisible(op.getAfterBody()->getTerminator()->getOperands()));
  writer.close();
  for (auto [result, variable] :
       llvm::zip_equal(getVisible(op.getResults()), handedOn))
    alias(result, variable);
  return success();
}

/// A message and the way out, as on the CPU.
LogicalResult ControlFlowWriter::write(cf::AssertOp op) {
  if (writer.device)
    return emitNoForm(op, "in a kernel");
  Expression condition = writer.take(op.getArg());
  writer.effect();
  std::string message;
  llvm::raw_string_ostream os(message);
  os.write_escaped(op.getMsg());
  writer.prologue.need(Helper::Errors);
  writer.line("if (" + makeUnary("!", condition).text + ")");
  writer.line("  return stencilReport(STENCIL_CHECK_FAILED, \"" + message +
              "\");");
  return success();
}

LogicalResult gpusource::writeControlFlow(Writer &writer, Operation *op) {
  ControlFlowWriter control{writer};
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::ForOp, scf::WhileOp, scf::IfOp, scf::IndexSwitchOp,
            scf::ExecuteRegionOp, cf::AssertOp>(
          [&](auto op) { return control.write(op); })
      .Default([](Operation *op) { return emitNoForm(op); });
}
