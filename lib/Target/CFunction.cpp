//===- CFunction.cpp - A compiled function as C sees it -------------------===//

#include "CFunction.h"
#include "StencilDialect/Target/Identifier.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

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
  if (isa<LLVM::LLVMPointerType>(type))
    return "void *";
  return getElementCType(getElementKind(type).value_or(ElementKind::I64));
}

static int64_t getFieldRank(Type type) {
  if (auto field = dyn_cast<FieldType>(type))
    return field.getRank();
  return cast<MemRefType>(type).getRank();
}

std::string stencil::getArrayCType(int64_t rank) {
  return llvm::formatv("struct stencil_array_{0}d", rank);
}

static bool isDynamic(const Parameter &parameter) {
  return parameter.field &&
         llvm::any_of(parameter.field->shape, ShapedType::isDynamic);
}

//===----------------------------------------------------------------------===//
// From the program
//===----------------------------------------------------------------------===//

/// The lines of comment right above `location`, without slashes. Not those for
/// lit and FileCheck.
static std::vector<std::string> readComment(Location location,
                                            llvm::SourceMgr &sources) {
  auto position = dyn_cast<FileLineColLoc>(location);
  if (!position || sources.getNumBuffers() == 0)
    return {};
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(1);
  if (position.getFilename() != buffer->getBufferIdentifier())
    return {};
  llvm::SmallVector<llvm::StringRef> lines;
  buffer->getBuffer().split(lines, '\n');
  std::vector<std::string> comment;
  for (size_t line = position.getLine() - 1; line > 0 && line <= lines.size();
       --line) {
    llvm::StringRef text = lines[line - 1].trim();
    if (!text.consume_front("//"))
      break;
    text = text.ltrim("/").rtrim();
    text.consume_front(" ");
    if (text.starts_with("RUN:") || text.starts_with("CHECK"))
      continue;
    // Neither ends the comment that it goes to, nor begins another one.
    std::string safe;
    for (char c : text) {
      if (!safe.empty() && ((safe.back() == '*' && c == '/') ||
                            (safe.back() == '/' && c == '*')))
        safe += ' ';
      safe += c;
    }
    comment.insert(comment.begin(), safe);
  }
  return comment;
}

FailureOr<CFunction> CFunction::create(func::FuncOp op,
                                       const CProgram &program) {
  if (!isCIdentifier(op.getName()))
    return op.emitError() << "expected a function name that is an identifier "
                             "in C and C++, got '"
                          << op.getName() << "'";
  FailureOr<Signature> signature = getSignature(op, program.sources);
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
  CFunction function;
  function.name = op.getName().str();
  function.place = llvm::sys::path::filename(program.name).str();
  if (auto position = dyn_cast<FileLineColLoc>(op.getLoc()))
    function.place += ":" + std::to_string(position.getLine());
  if (program.sources)
    function.documentation = readComment(op.getLoc(), *program.sources);
  function.signature = std::move(*signature);
  function.uses = getFieldUses(op);
  function.chooseNames();
  return function;
}

/// The names in the source, if they are names in C and all different; with `_`
/// where the text of a function needs the name.
void CFunction::chooseNames() {
  const std::set<std::string> taken = {name,      "result",  "stream",
                                       "code",    "int8_t",  "int16_t",
                                       "int32_t", "int64_t", "uint16_t"};
  std::set<std::string> seen;
  std::vector<std::string> wanted;
  bool usable = true;
  for (const Parameter &parameter : signature.parameters) {
    const std::string &own = parameter.name;
    std::string text = taken.count(own) ? own + "_" : own;
    usable &= isCIdentifier(text) && seen.insert(text).second &&
              seen.insert(text + "_array").second;
    if (isDynamic(parameter))
      for (size_t axis = 0; axis < parameter.field->shape.size(); ++axis)
        usable &= seen.insert(text + "_n" + std::to_string(axis)).second;
    wanted.push_back(std::move(text));
  }
  for (const Parameter &parameter : signature.parameters)
    names.push_back(usable ? wanted[parameter.index]
                           : "arg" + std::to_string(parameter.index));
}

llvm::SmallVector<int64_t> CFunction::getRanks() const {
  llvm::SmallVector<int64_t> ranks;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.field)
      ranks.push_back(parameter.field->shape.size());
  for (Type type : signature.results)
    if (isFieldLike(type))
      ranks.push_back(getFieldRank(type));
  return ranks;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void stencil::writeArrayTypes(llvm::ArrayRef<int64_t> ranks,
                              llvm::raw_ostream &os) {
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
std::string CFunction::getResultType() const {
  llvm::ArrayRef<Type> results = signature.results;
  if (results.empty())
    return "";
  if (results.size() == 1 && !isFieldLike(results[0]))
    return getScalarCType(results[0]).str();
  return "struct " + name + "_results";
}

std::string CFunction::makeResultsStruct() const {
  std::string type = getResultType();
  if (!llvm::StringRef(type).starts_with("struct "))
    return "";
  std::string text = type + " {\n";
  for (auto [index, type] : llvm::enumerate(signature.results))
    text += "  " +
            (isFieldLike(type) ? getArrayCType(getFieldRank(type))
                               : getScalarCType(type).str()) +
            " r" + std::to_string(index) + ";\n";
  return text + "};\n";
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

std::vector<std::string> CFunction::makeExtents(unsigned index) const {
  const Parameter &parameter = signature.parameters[index];
  std::vector<std::string> extents;
  for (auto [axis, extent] : llvm::enumerate(parameter.field->shape))
    extents.push_back(isDynamic(parameter)
                          ? names[index] + "_n" + std::to_string(axis)
                          : std::to_string(extent));
  return extents;
}

std::vector<std::string> CFunction::makeStrides(unsigned index) const {
  std::vector<std::string> extents = makeExtents(index), strides;
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    llvm::ArrayRef<std::string> factors =
        llvm::ArrayRef(extents).drop_front(axis + 1);
    strides.push_back(factors.empty() ? "1" : llvm::join(factors, " * "));
  }
  return strides;
}

/// "u[2 * u_n1 + 2]", the element of the point (0, 0); empty if it has none.
std::string CFunction::describeOrigin(unsigned index) const {
  const FieldParameter &field = *signature.parameters[index].field;
  if (field.boxes.empty())
    return "";
  std::vector<std::string> terms, strides = makeStrides(index);
  llvm::SmallVector<int64_t> lower(
      field.boxes.front().type.getBounds().getLb());
  for (auto [bound, stride] : llvm::zip_equal(lower, strides)) {
    if (bound > 0)
      return "";
    if (bound < 0)
      terms.push_back(stride == "1" ? std::to_string(-bound)
                      : bound == -1 ? stride
                                    : std::to_string(-bound) + " * " + stride);
  }
  return names[index] + "[" +
         (terms.empty() ? std::string("0") : llvm::join(terms, " + ")) + "]";
}

/// "u_n0 x u_n1 of f64, row-major, as TYPE, whose point (0, 0) is u[...];
/// read".
std::string CFunction::describeArray(unsigned index) const {
  const FieldParameter &field = *signature.parameters[index].field;
  std::string text = llvm::join(makeExtents(index), " x ");
  llvm::raw_string_ostream os(text);
  os << (text.empty() ? "one element" : "") << " of "
     << getElementName(field.element);
  if (!field.boxes.empty()) {
    os << ", as " << field.boxes.front().type;
    if (std::string origin = describeOrigin(index); !origin.empty()) {
      os << ", whose point (";
      for (size_t axis = 0; axis < field.shape.size(); ++axis)
        os << (axis ? ", 0" : "0");
      os << ") is " << origin;
    }
  }
  const FieldUse &use = uses[index];
  os << (use.isRead && use.isWritten ? "; read and written"
         : use.isRead                ? "; read"
         : use.isWritten             ? "; written"
                                     : "; not used");
  return text;
}

void CFunction::writeComment(llvm::raw_ostream &os) const {
  os << "/* " << name << ", at " << place << "\n";
  if (!documentation.empty())
    os << " *\n";
  for (const std::string &line : documentation)
    os << llvm::StringRef(" *   " + line).rtrim() << "\n";
  if (!documentation.empty())
    os << " *\n";
  for (const Parameter &parameter : signature.parameters) {
    os << " *   " << names[parameter.index] << ": ";
    if (parameter.field)
      os << describeArray(parameter.index) << "\n";
    else
      os << parameter.type << "\n";
  }
  if (!signature.results.empty()) {
    os << " *   result: ";
    llvm::interleaveComma(signature.results, os);
    os << "\n";
  }
  os << " */\n";
}

std::string CFunction::makeHead(llvm::StringRef head,
                                llvm::StringRef last) const {
  std::vector<std::string> inputs;
  for (const Parameter &parameter : signature.parameters) {
    const std::string &name = names[parameter.index];
    if (!parameter.field) {
      inputs.push_back((getScalarCType(parameter.type) +
                        (parameter.isPointer() ? "" : " ") + name)
                           .str());
      continue;
    }
    bool isConst = !uses[parameter.index].isWritten;
    inputs.push_back(((isConst ? "const " : "") +
                      getElementCType(parameter.field->element) + " *" + name)
                         .str());
    if (isDynamic(parameter))
      for (const std::string &extent : makeExtents(parameter.index))
        inputs.push_back("int64_t " + extent);
  }
  if (std::string type = getResultType(); !type.empty())
    inputs.push_back(type + " *result");
  if (!last.empty())
    inputs.push_back(last.str());
  return (head + "(" + (inputs.empty() ? "void" : llvm::join(inputs, ", ")) +
          ")")
      .str();
}

std::string CFunction::makeForwardedOperands() const {
  std::vector<std::string> operands;
  for (const Parameter &parameter : signature.parameters) {
    operands.push_back(names[parameter.index]);
    if (isDynamic(parameter))
      llvm::append_range(operands, makeExtents(parameter.index));
  }
  if (!signature.results.empty())
    operands.emplace_back("result");
  return llvm::join(operands, ", ");
}

std::string CFunction::makeObjectParameters() const {
  std::vector<std::string> types;
  if (std::string result = getResultType(); !result.empty())
    types.push_back(result + " *");
  for (const Parameter &parameter : signature.parameters)
    types.push_back(parameter.field
                        ? getArrayCType(parameter.field->shape.size()) + " *"
                        : getScalarCType(parameter.type).str());
  return "(" + (types.empty() ? "void" : llvm::join(types, ", ")) + ")";
}

void CFunction::writeArrays(llvm::raw_ostream &os) const {
  for (const Parameter &parameter : signature.parameters) {
    if (!parameter.field)
      continue;
    const std::string &name = names[parameter.index];
    std::string start =
        uses[parameter.index].isWritten ? name : "(void *)(uintptr_t)" + name;
    size_t rank = parameter.field->shape.size();
    os << "  " << getArrayCType(rank) << " " << name << "_array = {" << start
       << ", " << start << ", 0";
    if (rank > 0)
      os << ", {" << llvm::join(makeExtents(parameter.index), ", ") << "}, {"
         << llvm::join(makeStrides(parameter.index), ", ") << "}";
    os << "};\n";
  }
}

std::string CFunction::makeObjectOperands() const {
  std::vector<std::string> operands;
  if (!signature.results.empty())
    operands.emplace_back("result");
  for (const Parameter &parameter : signature.parameters) {
    const std::string &name = names[parameter.index];
    operands.push_back(parameter.field ? "&" + name + "_array" : name);
  }
  return llvm::join(operands, ", ");
}
