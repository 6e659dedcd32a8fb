//===- Functions.cpp - Kernels and the functions that launch them ---------===//

#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/IR/Schedule.h"
#include "Writer.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

/// `head(parameters) {`, on several lines if it is long.
static std::string makeHead(const std::string &head,
                            ArrayRef<std::string> parameters) {
  std::string text = head + "(";
  constexpr size_t width = 80;
  size_t column = text.size();
  if (StringRef(head).contains('\n'))
    column = text.size() - head.rfind('\n') - 1;
  size_t indent = column;
  for (auto [index, parameter] : llvm::enumerate(parameters)) {
    bool last = index + 1 == parameters.size();
    size_t size = parameter.size() + (last ? 3 : 1);
    if (index && column + 1 + size > width) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (index) {
      text += " ";
      ++column;
    }
    text += parameter + (last ? "" : ",");
    column += size;
  }
  return text + ") {\n";
}

//===- Kernels ------------------------------------------------------------===//

/// "// From the stencil.apply at heat2d.mlir:34."
static void writeOrigin(Operation *function, llvm::raw_ostream &os) {
  if (auto source = function->getAttrOfType<StringAttr>("stencil.source")) {
    os << "// From " << source.getValue() << ".\n";
    return;
  }
  std::vector<std::string> places = getPlaces(function->getLoc());
  if (!places.empty())
    os << "// From " << llvm::join(places, ", ") << ".\n";
}

/// Threads per block, and how many blocks should fit, for the compiler's choice
/// of registers.
static std::string makeLaunchBounds(gpu::GPUFuncOp function,
                                    const Prologue &prologue) {
  std::optional<ArrayRef<int32_t>> size = function.getKnownBlockSize();
  if (!size)
    return "";
  int64_t threads = 1;
  for (int32_t extent : *size)
    threads *= extent;
  std::string text = "__launch_bounds__(" + std::to_string(threads);
  // The second number is of another kind on AMD: warps per execution unit.
  StringRef name = prologue.isCUDA() ? "nvvm.minctasm" : "rocdl.waves_per_eu";
  if (auto second = function->getAttrOfType<IntegerAttr>(name))
    text += ", " + std::to_string(second.getInt());
  return text + ")";
}

static std::string getArgumentName(Writer &writer, gpu::GPUFuncOp function,
                                   unsigned index) {
  if (auto name = function.getArgAttrOfType<StringAttr>(index, "stencil.name"))
    return name.str();
  // Results of an apply are written, and in order.
  unsigned result = 0;
  for (unsigned before = 0; before < index; ++before)
    result += function.getArgument(before).getLoc() ==
                  function.getArgument(index).getLoc() &&
              isa<MemRefType>(function.getArgument(before).getType());
  std::string name =
      isa<MemRefType>(function.getArgument(index).getType())
          ? writer.context.sourceNames.getFieldName(
                function.getArgument(index).getLoc(), result)
          : writer.context.sourceNames.getName(function.getArgument(index));
  return name.empty() ? "arg" + std::to_string(index) : name;
}

/// The declaration of argument `index`; an empty one after an error.
static std::string addParameter(Writer &writer, gpu::GPUFuncOp function,
                                unsigned index) {
  BlockArgument argument = function.getArgument(index);
  std::string name =
      writer.getNames().get(getArgumentName(writer, function, index));
  auto type = dyn_cast<MemRefType>(argument.getType());
  std::string ctype =
      writer.getType(type ? type.getElementType() : argument.getType());
  if (ctype.empty()) {
    function.emitError() << "argument " << index << " of type "
                         << argument.getType() << " has no form in C++";
    return "";
  }
  if (!type) {
    writer.bind(argument, {Expression::name(name)});
    return ctype + " " + name;
  }
  Memory memory = makeMemory(name, type);
  bool restricted =
      static_cast<bool>(function.getArgAttr(index, "llvm.noalias"));
  memory.isConst = !isWritten(argument);
  memory.isReadOnly = memory.isConst && restricted;
  std::string text = (memory.isConst ? "const " : "") + ctype + " *" +
                     (restricted ? "__restrict__ " : "") + name;
  writer.setMemory(argument, std::move(memory));
  return text;
}

/// An array that a kernel declares: shared by the block, or a thread's own.
static LogicalResult writeAttribution(Writer &writer, gpu::GPUFuncOp function,
                                      BlockArgument argument,
                                      StringRef qualifier, StringRef hint,
                                      DictionaryAttr attributes) {
  auto type = cast<MemRefType>(argument.getType());
  std::string ctype = writer.getType(type.getElementType());
  if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getRank() == 0 || ctype.empty())
    return function.emitError()
           << "memory of type " << type << " has no form in C++";
  std::string name = writer.getName(argument, hint.str());
  std::string text = qualifier.str() + ctype + " " + name;
  if (attributes)
    if (auto align = attributes.getAs<IntegerAttr>("llvm.align"))
      text = "alignas(" + std::to_string(align.getInt()) + ") " + text;
  for (int64_t size : type.getShape())
    text += "[" + std::to_string(size) + "]";
  writer.line(text + ";");
  Memory memory = makeMemory(name, type);
  memory.isArray = true;
  writer.setMemory(argument, std::move(memory));
  return success();
}

static bool hasStrictArithmetic(Operation *function) {
  return function
      ->walk([](Operation *op) {
        if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp>(op))
          return WalkResult::advance();
        auto math = cast<arith::ArithFastMathInterface>(op);
        return math.getFastMathFlagsAttr() &&
                       bitEnumContainsAll(
                           math.getFastMathFlagsAttr().getValue(),
                           arith::FastMathFlags::contract)
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

LogicalResult gpusource::writeKernel(Operation *op, Context &context,
                                     llvm::raw_ostream &os) {
  auto function = cast<gpu::GPUFuncOp>(op);
  Prologue &prologue = context.prologue;
  if (!function.getBody().hasOneBlock())
    return function.emitError()
           << "kernel '" << function.getName()
           << "' has branches between blocks, which have no form in C++";
  Writer writer(context, /*device=*/true);
  std::vector<std::string> parameters;
  for (unsigned index = 0; index < function.getNumArguments(); ++index) {
    parameters.push_back(addParameter(writer, function, index));
    if (parameters.back().empty())
      return failure();
  }
  if (!prologue.isCUDA() && hasStrictArithmetic(function))
    writer.line("#pragma clang fp contract(off)");
  auto attributesOf = [](std::optional<ArrayAttr> all, size_t index) {
    return all && index < all->size() ? cast<DictionaryAttr>((*all)[index])
                                      : DictionaryAttr();
  };
  for (auto [index, argument] :
       llvm::enumerate(function.getWorkgroupAttributions()))
    if (failed(writeAttribution(
            writer, function, argument, "__shared__ ", "tile",
            attributesOf(function.getWorkgroupAttribAttrs(), index))))
      return failure();
  for (auto [index, argument] :
       llvm::enumerate(function.getPrivateAttributions()))
    if (failed(writeAttribution(
            writer, function, argument, "", "local",
            attributesOf(function.getPrivateAttribAttrs(), index))))
      return failure();
  if (failed(writer.writeBlock(function.getBody().front())))
    return failure();
  std::string body = writer.takeText();

  // Sizes, for example, that only types needed.
  Kernel &kernel = context.kernels[op];
  std::vector<std::string> needed;
  for (const std::string &parameter : parameters) {
    kernel.needed.push_back(
        mentions(body, StringRef(parameter).rsplit(' ').second.ltrim('*')));
    if (kernel.needed.back())
      needed.push_back(parameter);
  }
  if (function->hasAttr(kEvictionAttrName))
    return function.emitError()
           << "kernel '" << function.getName()
           << "' has 'eviction = last', which has no form in C++";
  writeOrigin(function, os);
  std::string bounds = makeLaunchBounds(function, prologue);
  os << makeHead("__global__ void " + bounds + (bounds.empty() ? "" : "\n") +
                     kernel.name,
                 needed)
     << body << "}\n\n";
  return success();
}

//===- Host functions -----------------------------------------------------===//

/// As in the C header: 16-bit floats are bit patterns, integers int64_t...
static std::string getPrototypeType(Type type, bool isField,
                                    const Prologue &prologue) {
  if (type.isIndex())
    return "int64_t";
  if (type.isInteger() && !type.isInteger(1))
    return "int" + std::to_string(type.getIntOrFloatBitWidth()) + "_t";
  if (isField && (type.isF16() || type.isBF16()))
    return "uint16_t";
  return getCType(type, prologue.language);
}

static void addArray(Writer &writer, BlockArgument argument,
                     const std::string &name,
                     std::vector<std::string> &parameters) {
  auto type = cast<MemRefType>(argument.getType());
  Memory memory = makeMemory(name, type);
  parameters.push_back(
      getPrototypeType(type.getElementType(), true, writer.prologue) + " *" +
      name);
  // As in the header: all extents if one is dynamic.
  for (auto [axis, size] : llvm::enumerate(memory.sizes)) {
    if (type.hasStaticShape())
      break;
    std::string extent =
        writer.getNames().get(name + "_n" + std::to_string(axis));
    parameters.push_back("int64_t " + extent);
    if (size.text.empty())
      size = Expression::name(extent);
  }
  Expression stride = makeInteger(1);
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    memory.strides[axis] = stride;
    stride = stride.text == "1" ? memory.sizes[axis]
                                : makeBinary("*", Precedence::Multiply,
                                             memory.sizes[axis], stride);
    stride.stable = true;
  }
  writer.setMemory(argument, std::move(memory));
}

/// The type of the results, with its definition before it; empty without.
static FailureOr<std::string> makeResultType(func::FuncOp function,
                                             const Prologue &prologue,
                                             llvm::raw_ostream &os) {
  ArrayRef<Type> results = function.getResultTypes();
  for (Type type : results)
    if (getCType(type, prologue.language).empty())
      return function.emitError()
             << "a result of type " << type << " has no form in C++";
  if (results.empty())
    return std::string();
  if (results.size() == 1)
    return getPrototypeType(results[0], false, prologue);
  std::string name = (function.getName() + "_results").str();
  os << "struct " << name << " {\n";
  for (auto [index, type] : llvm::enumerate(results))
    os << "  " << getPrototypeType(type, false, prologue) << " r" << index
       << ";\n";
  os << "};\n\n";
  return name;
}

LogicalResult gpusource::writeHostFunction(Operation *op, Context &context,
                                           llvm::SourceMgr *sources,
                                           llvm::raw_ostream &os) {
  auto function = cast<func::FuncOp>(op);
  Prologue &prologue = context.prologue;
  if (isTaken(function.getName()))
    return function.emitError() << "expected a function name that is free in "
                                   "C++ with the vendor's headers, got '"
                                << function.getName() << "'";
  if (!function.getBody().hasOneBlock())
    return function.emitError()
           << "function '" << function.getName()
           << "' has branches between blocks, which have no form in C++";
  FailureOr<Signature> signature = getSignature(function, sources);
  if (failed(signature))
    return failure();
  Writer writer(context, /*device=*/false);
  std::vector<std::string> parameters;
  for (const Parameter &parameter : signature->parameters) {
    BlockArgument argument = function.getArgument(parameter.index);
    std::string name = writer.getNames().get(parameter.name);
    if (isa<MemRefType>(argument.getType())) {
      addArray(writer, argument, name, parameters);
      continue;
    }
    writer.bind(argument, {Expression::name(name)});
    parameters.push_back(getPrototypeType(argument.getType(), false, prologue) +
                         " " + name);
  }
  FailureOr<std::string> result = makeResultType(function, prologue, os);
  if (failed(result))
    return failure();
  std::string resultName;
  if (!result->empty()) {
    resultName = writer.getNames().get("result");
    parameters.push_back(*result + " *" + resultName);
  }
  os << makeHead("extern \"C\" int32_t " + function.getName().str(),
                 parameters);
  writer.held = writer.getNames().get("held");
  if (failed(writer.writeBlock(function.getBody().front())))
    return failure();
  SmallVector<Expression> results;
  for (Value value : function.getBody().front().getTerminator()->getOperands())
    results.push_back(writer.takeExact(value));
  if (results.size() == 1)
    writer.line("*" + resultName + " = " + results.front().text + ";");
  else if (!results.empty())
    writer.line("*" + resultName + " = {" +
                StringRef(makeCall("", results).text).drop_front().drop_back() +
                "};");
  writer.prologue.need(Helper::Errors);
  writer.line("return STENCIL_OK;");
  std::string body = writer.takeText();
  if (mentions(body, writer.held))
    os << "  StencilResources " << writer.held << ";\n";
  os << body << "}\n\n";
  return success();
}
