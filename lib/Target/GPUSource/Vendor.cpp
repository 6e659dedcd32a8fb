//===- Vendor.cpp - Ops of NVIDIA's devices, and assembly -----------------===//

#include "Writer.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

//===- Asynchronous copies ------------------------------------------------===//

static LogicalResult writeAsyncCopy(Writer &writer,
                                    nvgpu::DeviceAsyncCopyOp op) {
  Type element = cast<MemRefType>(op.getSrc().getType()).getElementType();
  std::string ctype = writer.getType(element);
  int64_t bytes =
      op.getDstElements().getSExtValue() * getStorageBits(element) / 8;
  if (ctype.empty() || (bytes != 4 && bytes != 8 && bytes != 16))
    return emitNoForm(op, "of " + Twine(bytes) + " bytes");
  auto takeAddress = [&](Value memref, OperandRange operands) {
    SmallVector<Expression> indices;
    for (Value operand : operands)
      indices.push_back(writer.take(operand));
    return makeElementAddress(writer.getMemory(memref), indices).text;
  };
  std::string to = takeAddress(op.getDst(), op.getDstIndices());
  std::string from = takeAddress(op.getSrc(), op.getSrcIndices());
  std::string text = "__pipeline_memcpy_async(" + to + ", " + from + ", " +
                     std::to_string(bytes);
  // The rest becomes zero.
  if (op.getSrcElements()) {
    Expression count = writer.take(op.getSrcElements());
    text += ", " + std::to_string(bytes) + " - " +
            inside(count, Precedence::Unary) + " * sizeof(" + ctype + ")";
  }
  writer.effect();
  writer.line(text + ");");
  return success();
}

LogicalResult gpusource::writeNVGPU(Writer &writer, Operation *op) {
  if (!writer.device || !writer.prologue.isCUDA())
    return emitNoForm(op, writer.device ? "in HIP" : "on the host");
  writer.prologue.need(Helper::Pipeline);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](nvgpu::DeviceAsyncCopyOp copy) {
        return writeAsyncCopy(writer, copy);
      })
      .Case([&](nvgpu::DeviceAsyncCreateGroupOp) {
        writer.effect();
        writer.line("__pipeline_commit();");
        return success();
      })
      .Case([&](nvgpu::DeviceAsyncWaitOp wait) {
        writer.effect();
        writer.line("__pipeline_wait_prior(" +
                    Twine(wait.getNumGroups().value_or(0)) + ");");
        return success();
      })
      .Default([](Operation *op) { return emitNoForm(op); });
}

//===- Assembly -----------------------------------------------------------===//

/// `$0` is `%0` there, `$$` is `$`, and `%` is `%%`.
static FailureOr<std::string> convertTemplate(StringRef text) {
  std::string result;
  for (size_t at = 0; at < text.size(); ++at) {
    char next = at + 1 < text.size() ? text[at + 1] : '\0';
    if (text[at] == '%') {
      result += "%%";
    } else if (text[at] != '$') {
      result += text[at];
    } else if (next == '$') {
      result += '$';
      ++at;
    } else if (llvm::isDigit(next)) {
      result += '%';
    } else {
      return failure();
    }
  }
  return result;
}

static SmallVector<Type> getResultTypes(LLVM::InlineAsmOp op) {
  if (op->getNumResults() == 0)
    return {};
  if (auto type = dyn_cast<LLVM::LLVMStructType>(op->getResult(0).getType()))
    return llvm::to_vector(type.getBody());
  return {op->getResult(0).getType()};
}

static std::string quote(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '"';
  os.write_escaped(text);
  os << '"';
  return result;
}

static LogicalResult writeAssembly(Writer &writer, LLVM::InlineAsmOp op) {
  FailureOr<std::string> text = convertTemplate(op.getAsmString());
  SmallVector<StringRef> constraints;
  op.getConstraints().split(constraints, ',', -1, false);
  SmallVector<Type> types = getResultTypes(op);
  if (failed(text) || !writer.device)
    return emitNoForm(op, "with this text");
  SmallVector<Expression> operands;
  for (Value operand : op.getOperands()) {
    if (writer.getType(operand.getType()).empty())
      return emitNoForm(op, "with an operand of type " +
                                debugString(operand.getType()));
    operands.push_back(writer.takeExact(operand));
  }
  writer.effect();

  std::vector<std::string> outputs, inputs, clobbers;
  Parts results;
  for (StringRef constraint : constraints) {
    if (constraint.consume_front("~{")) {
      clobbers.push_back(quote(constraint.drop_back()));
    } else if (constraint.starts_with("=") && results.size() < types.size()) {
      std::string ctype = writer.getType(types[results.size()]);
      if (ctype.empty())
        return emitNoForm(op, "with this result");
      std::string name = writer.getNames().getNumbered("r");
      writer.line(ctype + " " + name + ";");
      outputs.push_back(quote(constraint) + "(" + name + ")");
      results.push_back(Expression::name(name));
    } else if (inputs.size() < operands.size() &&
               llvm::all_of(constraint, llvm::isAlpha)) {
      inputs.push_back(quote(constraint) + "(" + operands[inputs.size()].text +
                       ")");
    } else {
      return emitNoForm(op, "with constraint '" + constraint + "'");
    }
  }
  if (results.size() != types.size() || inputs.size() != operands.size())
    return emitNoForm(op, "with these constraints");
  std::string statement = op.getHasSideEffects() ? "asm volatile(" : "asm(";
  statement += quote(*text);
  if (!outputs.empty() || !inputs.empty() || !clobbers.empty())
    statement += " : " + llvm::join(outputs, ", ");
  if (!inputs.empty() || !clobbers.empty())
    statement += " : " + llvm::join(inputs, ", ");
  if (!clobbers.empty())
    statement += " : " + llvm::join(clobbers, ", ");
  writer.line(statement + ");");
  if (!types.empty())
    writer.bind(op->getResult(0), std::move(results));
  return success();
}

LogicalResult gpusource::writeLLVM(Writer &writer, Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LLVM::InlineAsmOp assembly) {
        return writeAssembly(writer, assembly);
      })
      .Case([&](NVVM::ConvertFloatToTF32Op conversion) -> LogicalResult {
        if (conversion.getRnd() != NVVM::FPRoundingMode::RNA ||
            conversion.getRelu() ||
            conversion.getSat() != NVVM::SaturationMode::NONE)
          return emitNoForm(op);
        Expression value = writer.takeExact(conversion.getSrc());
        std::string name = writer.getNames().getNumbered("r");
        writer.line(writer.getType(conversion.getType()) + " " + name + ";");
        writer.line("asm(\"cvt.rna.tf32.f32 %0, %1;\" : \"=r\"(" + name +
                    ") : \"f\"(" + value.text + "));");
        writer.bind(conversion, {Expression::name(name)});
        return success();
      })
      .Case([&](LLVM::ExtractValueOp extract) -> LogicalResult {
        Parts parts = writer.takeAll(extract.getContainer());
        ArrayRef<int64_t> position = extract.getPosition();
        if (position.size() != 1 ||
            position[0] >= static_cast<int64_t>(parts.size()))
          return emitNoForm(op);
        writer.define(extract, parts[position[0]]);
        return success();
      })
      .Case([&](LLVM::IntToPtrOp cast) -> LogicalResult {
        Expression pointer = writer.take(cast.getArg());
        if (pointer.form != Form::Address)
          return emitNoForm(op);
        writer.define(cast, pointer);
        return success();
      })
      .Case([&](LLVM::ZeroOp zero) -> LogicalResult {
        if (!isa<LLVM::LLVMPointerType>(zero.getType()))
          return emitNoForm(op);
        writer.bind(zero, {Expression::name("nullptr")});
        return success();
      })
      .Default([](Operation *op) { return emitNoForm(op); });
}
