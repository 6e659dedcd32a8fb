//===- CHeader.cpp - Prototypes of compiled functions ---------------------===//

#include "StencilDialect/Target/CHeader.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/Target/Identifier.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mlir;
using namespace stencil;

/// The C type of an element; 16-bit floats, which not every C compiler has, are
/// bit patterns.
static llvm::StringRef getElementCType(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
  case ElementKind::BF16:
    return "uint16_t";
  case ElementKind::F32:
    return "float";
  case ElementKind::F64:
    return "double";
  case ElementKind::I1:
    return "bool";
  case ElementKind::I8:
    return "int8_t";
  case ElementKind::I16:
    return "int16_t";
  case ElementKind::I32:
    return "int32_t";
  case ElementKind::I64:
    return "int64_t";
  }
  return "";
}

/// The C type of a scalar; empty if it cannot be passed by value.
static llvm::StringRef getScalarCType(Type type) {
  if (type.isF16() || type.isBF16())
    return "";
  return getElementCType(getElementKind(type).value_or(ElementKind::I64));
}

static int64_t getFieldRank(Type type) {
  if (auto field = dyn_cast<FieldType>(type))
    return field.getRank();
  return cast<MemRefType>(type).getRank();
}

static std::string getArrayCType(int64_t rank) {
  return llvm::formatv("struct stencil_array_{0}d", rank);
}

namespace {

/// Writes the header of one module.
class HeaderWriter {
public:
  HeaderWriter(llvm::SourceMgr *sources, llvm::raw_ostream &os)
      : sources(sources), os(os) {}

  LogicalResult addFunction(func::FuncOp function);
  void write(llvm::StringRef name);

private:
  struct Function {
    std::string name;
    Signature signature;
    /// Names of the arguments in C.
    std::vector<std::string> names;
  };

  void chooseNames(Function &function);
  std::string getResultCType(const Function &function) const;
  void writeArrayTypes();
  void writeComment(const Function &function);
  void writeFunction(const Function &function);
  void writeBody(const Function &function);

  llvm::SourceMgr *sources;
  llvm::raw_ostream &os;
  std::vector<Function> functions;
};

} // namespace

static bool isDynamic(const Parameter &parameter) {
  return parameter.field &&
         llvm::any_of(parameter.field->shape, ShapedType::isDynamic);
}

/// The names in the source, if they are names in C and all different.
void HeaderWriter::chooseNames(Function &function) {
  std::set<std::string> seen = {"result"};
  bool usable = true;
  for (const Parameter &parameter : function.signature.parameters) {
    usable &= isCIdentifier(parameter.name) &&
              seen.insert(parameter.name).second &&
              seen.insert(parameter.name + "_array").second;
    if (isDynamic(parameter))
      for (size_t axis = 0; axis < parameter.field->shape.size(); ++axis)
        usable &=
            seen.insert(parameter.name + "_n" + std::to_string(axis)).second;
  }
  for (const Parameter &parameter : function.signature.parameters)
    function.names.push_back(usable ? parameter.name
                                    : "arg" + std::to_string(parameter.index));
}

LogicalResult HeaderWriter::addFunction(func::FuncOp op) {
  if (!isCIdentifier(op.getName()))
    return op.emitError() << "expected a function name that is an identifier "
                             "in C and C++, got '"
                          << op.getName() << "'";
  FailureOr<Signature> signature = getSignature(op, sources);
  if (failed(signature))
    return failure();
  for (const Parameter &parameter : signature->parameters)
    if (!parameter.field && getScalarCType(parameter.type).empty())
      return emitError(parameter.location)
             << parameter.str() << ": " << parameter.type
             << " cannot be passed by value from C, expected f32 or f64";
  for (Type type : signature->results)
    if (!isFieldLike(type) && getScalarCType(type).empty())
      return op.emitError()
             << type << " cannot be returned to C, expected f32 or f64";
  Function function{op.getName().str(), std::move(*signature), {}};
  chooseNames(function);
  functions.push_back(std::move(function));
  return success();
}

void HeaderWriter::writeArrayTypes() {
  std::set<int64_t> ranks;
  for (const Function &function : functions) {
    for (const Parameter &parameter : function.signature.parameters)
      if (parameter.field)
        ranks.insert(parameter.field->shape.size());
    for (Type type : function.signature.results)
      if (isFieldLike(type))
        ranks.insert(getFieldRank(type));
  }
  for (int64_t rank : ranks) {
    os << "#ifndef STENCIL_ARRAY_" << rank << "D\n"
       << "#define STENCIL_ARRAY_" << rank << "D\n"
       << "/* An array of " << rank << " axes: element [i]... is "
       << "aligned[offset + i * strides[0] + ...]. */\n"
       << getArrayCType(rank) << " {\n"
       << "  void *allocated;\n  void *aligned;\n  int64_t offset;\n";
    if (rank > 0)
      os << "  int64_t sizes[" << rank << "];\n  int64_t strides[" << rank
         << "];\n";
    os << "};\n#endif\n\n";
  }
}

/// What the results are written to; empty if there are none.
std::string HeaderWriter::getResultCType(const Function &function) const {
  llvm::ArrayRef<Type> results = function.signature.results;
  if (results.empty())
    return "";
  if (results.size() == 1 && !isFieldLike(results[0]))
    return getScalarCType(results[0]).str();
  return "struct " + function.name + "_results";
}

/// "256x256", or "u_n0 x u_n1".
static std::string describeExtents(const Parameter &parameter,
                                   llvm::StringRef name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  bool dynamic = isDynamic(parameter);
  for (auto [axis, extent] : llvm::enumerate(parameter.field->shape)) {
    if (axis)
      os << " x ";
    if (dynamic)
      os << name << "_n" << axis;
    else
      os << extent;
  }
  return text.empty() ? "one element" : text;
}

void HeaderWriter::writeComment(const Function &function) {
  os << "/* " << function.name << "\n";
  for (const Parameter &parameter : function.signature.parameters) {
    llvm::StringRef name = function.names[parameter.index];
    os << " *   " << name << ": ";
    if (!parameter.field) {
      os << parameter.type << "\n";
      continue;
    }
    os << describeExtents(parameter, name) << " of "
       << getElementName(parameter.field->element);
    if (!parameter.field->boxes.empty()) {
      const FieldBox &box = parameter.field->boxes.front();
      os << ", as " << box.type;
    }
    os << "\n";
  }
  os << " */\n";
}

void HeaderWriter::writeBody(const Function &function) {
  std::vector<std::string> operands;
  if (!function.signature.results.empty())
    operands.emplace_back("result");
  for (const Parameter &parameter : function.signature.parameters) {
    const std::string &name = function.names[parameter.index];
    if (!parameter.field) {
      operands.push_back(name);
      continue;
    }
    operands.push_back("&" + name + "_array");
    size_t rank = parameter.field->shape.size();
    os << "  " << getArrayCType(rank) << " " << name << "_array = {" << name
       << ", " << name << ", 0";
    std::vector<std::string> extents, strides;
    for (auto [axis, extent] : llvm::enumerate(parameter.field->shape))
      extents.push_back(isDynamic(parameter)
                            ? name + "_n" + std::to_string(axis)
                            : std::to_string(extent));
    for (size_t axis = 0; axis < rank; ++axis) {
      std::vector<std::string> factors(extents.begin() + axis + 1,
                                       extents.end());
      strides.push_back(factors.empty() ? "1" : llvm::join(factors, " * "));
    }
    if (rank > 0)
      os << ", {" << llvm::join(extents, ", ") << "}, {"
         << llvm::join(strides, ", ") << "}";
    os << "};\n";
  }
  os << "  return _mlir_ciface_" << function.name << "("
     << llvm::join(operands, ", ") << ");\n";
}

void HeaderWriter::writeFunction(const Function &function) {
  std::string resultType = getResultCType(function);
  if (llvm::StringRef(resultType).starts_with("struct ")) {
    os << resultType << " {\n";
    for (auto [index, type] : llvm::enumerate(function.signature.results))
      os << "  "
         << (isFieldLike(type) ? getArrayCType(getFieldRank(type))
                               : getScalarCType(type).str())
         << " r" << index << ";\n";
    os << "};\n";
  }

  std::vector<std::string> raw, inputs;
  if (!resultType.empty())
    raw.push_back(resultType + " *");
  for (const Parameter &parameter : function.signature.parameters) {
    const std::string &name = function.names[parameter.index];
    if (!parameter.field) {
      raw.push_back(getScalarCType(parameter.type).str());
      inputs.push_back(raw.back() + " " + name);
      continue;
    }
    size_t rank = parameter.field->shape.size();
    raw.push_back(getArrayCType(rank) + " *");
    inputs.push_back(
        (getElementCType(parameter.field->element) + " *" + name).str());
    if (isDynamic(parameter))
      for (size_t axis = 0; axis < rank; ++axis)
        inputs.push_back("int64_t " + name + "_n" + std::to_string(axis));
  }
  if (!resultType.empty())
    inputs.push_back(resultType + " *result");
  auto list = [](llvm::ArrayRef<std::string> items) {
    return items.empty() ? std::string("void") : llvm::join(items, ", ");
  };
  os << "int32_t _mlir_ciface_" << function.name << "(" << list(raw)
     << ");\n\n";
  writeComment(function);
  os << "static inline int32_t " << function.name << "(" << list(inputs)
     << ") {\n";
  writeBody(function);
  os << "}\n\n";
}

/// Also in StencilRuntime/Runtime.h: a program may include both, in any order.
static constexpr llvm::StringLiteral errorsText =
    R"(#ifndef STENCIL_ERRORS
#define STENCIL_ERRORS
enum {
  STENCIL_OK = 0,
  STENCIL_CHECK_FAILED = 1,  /* what the program expects does not hold */
  STENCIL_OUT_OF_MEMORY = 2, /* of the host or of the device */
  STENCIL_DEVICE_FAILED = 3  /* no device, or its driver reports an error */
};
/* Gets the code and one line of text, on the thread that found the error. */
typedef void (*StencilErrorHandler)(int32_t code, const char *message);
/* Replaces the handler of the process and returns the one before. Null stands
   for the default, which prints `error: MESSAGE` to the standard error
   stream. */
StencilErrorHandler stencilSetErrorHandler(StencilErrorHandler handler);
#endif

)";

void HeaderWriter::write(llvm::StringRef name) {
  llvm::StringRef base = llvm::sys::path::filename(name);
  std::string guard = "STENCIL_";
  for (char c : base)
    guard += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  guard += "_H";
  os << "/* Functions compiled from " << base
     << " by stencil-translate --to-object.\n"
        " *\n"
        " * A field is an array in row-major order, halo included; `u_n0` is "
        "its\n"
        " * extent on axis 0, halo included. Nothing is copied: fields are "
        "updated\n"
        " * in place. They must not overlap. f16 and bf16 are bit patterns.\n"
        " *\n"
        " * A function returns 0, or the code of an error, whose text the "
        "handler\n"
        " * has got; then `result` and the fields that it writes hold "
        "anything.\n"
        " */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include <stdbool.h>\n#include <stdint.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  os << errorsText;
  writeArrayTypes();
  for (const Function &function : functions)
    writeFunction(function);
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
}

LogicalResult stencil::emitCHeader(ModuleOp module, llvm::StringRef name,
                                   llvm::SourceMgr *sources,
                                   llvm::raw_ostream &os) {
  HeaderWriter writer(sources, os);
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal() &&
        failed(writer.addFunction(function)))
      return failure();
  writer.write(name);
  return success();
}
