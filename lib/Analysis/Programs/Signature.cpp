//===- Signature.cpp - What a program takes and gives ---------------------===//

#include "StencilDialect/Analysis/Signature.h"
#include "Recursion.h"
#include "StencilDialect/Analysis/ProgramCheck.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/StencilOps.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace stencil;

std::string Parameter::str() const {
  return llvm::formatv("argument {0} '%{1}'", index, name);
}

bool Parameter::isPointer() const { return isa<LLVM::LLVMPointerType>(type); }

unsigned Signature::getRank() const {
  size_t rank = 0;
  for (const Parameter &parameter : parameters)
    if (parameter.field)
      rank = std::max(rank, parameter.field->shape.size());
  return rank;
}

bool stencil::isFieldLike(Type type) {
  return isa<FieldType, MemRefType>(type);
}

std::optional<ElementKind> stencil::getElementKind(Type type) {
  // Signed and unsigned integers have no arithmetic in MLIR.
  if (auto integer = dyn_cast<IntegerType>(type))
    if (!integer.isSignless())
      return std::nullopt;
  if (!type.isIntOrFloat())
    return std::nullopt;
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return parseElementKind(name);
}

FailureOr<func::FuncOp> stencil::findEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> choices;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (function.getName() == name)
      return function;
    if (!name.empty() || function.isPublic())
      choices.push_back(function);
  }
  if (name.empty() && choices.size() == 1)
    return choices.front();

  std::string list;
  llvm::raw_string_ostream os(list);
  llvm::interleaveComma(choices, os, [&](func::FuncOp function) {
    os << "'" << function.getName() << "'";
  });
  if (choices.empty())
    list = "none";
  Location nowhere = UnknownLoc::get(module.getContext());
  if (name.empty())
    return emitError(nowhere)
           << "expected one public function to run, or --entry with one of: "
           << list;
  return emitError(nowhere)
         << "unknown entry '" << name << "', expected one of: " << list;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool stencil::isRuntimeName(StringRef name) {
  constexpr StringRef prefixes[] = {"stencil", "mgpu", "_mlir",
                                    "__kmpc",  "omp_", "llvm."};
  constexpr StringRef names[] = {"malloc", "free",          "puts",
                                 "abort",  "aligned_alloc", "memrefCopy"};
  return llvm::is_contained(names, name) ||
         llvm::any_of(prefixes, [&](StringRef prefix) {
           return name.starts_with(prefix);
         });
}

LogicalResult CallWalker::walk(FunctionOpInterface function, Check check) {
  if (!done.insert(function).second)
    return success();
  active.insert(function);
  auto follow = [&](CallOpInterface call) -> LogicalResult {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(
        call.resolveCallableInTable(&symbols));
    if (failed(check(call, callee)))
      return failure();
    if (!callee)
      return success();
    if (active.contains(callee))
      return call.emitError() << "'" << callee.getName()
                              << "' calls itself: programs cannot recurse";
    return walk(callee, check);
  };
  LogicalResult result = checkWithin(*function, follow);
  active.pop_back();
  return result;
}

/// What C passes and returns as MLIR does.
static bool isExternalType(Type type) {
  return type.isIndex() || type.isF32() || type.isF64() ||
         type.isSignlessInteger(32) || type.isSignlessInteger(64) ||
         isa<LLVM::LLVMPointerType>(type);
}

static LogicalResult checkExternalCall(CallOpInterface call,
                                       func::FuncOp callee) {
  auto note = [&](InFlightDiagnostic diagnostic) -> LogicalResult {
    diagnostic.attachNote(callee.getLoc())
        << "'" << callee.getName() << "' has no body";
    return diagnostic;
  };
  if (call->getParentOfType<ApplyOp>())
    return note(call.emitError("expected a call of a function of the program "
                               "in the body of an apply"));
  if (isRuntimeName(callee.getName()))
    return note(call.emitError("expected another name for a function that is "
                               "not of the program: the runtime has '")
                << callee.getName() << "'");
  for (Type type : llvm::concat<const Type>(callee.getArgumentTypes(),
                                            callee.getResultTypes()))
    if (!isExternalType(type))
      return note(call.emitError("expected a function that is not of the "
                                 "program to take and return i32, i64, index, "
                                 "f32, f64 and !llvm.ptr only, got ")
                  << type);
  if (callee.getNumResults() > 1)
    return note(call.emitError("expected a function that is not of the program "
                               "to have at most one result, got ")
                << callee.getNumResults());
  return success();
}

bool stencil::isTimer(func::FuncOp function) {
  auto isF64 = [](Type type) { return type.isF64(); };
  size_t arguments = function.getName() == "timer_start" ? 0 : 1;
  return function.isExternal() &&
         (arguments == 0 || function.getName() == "timer_end") &&
         function.getNumArguments() == arguments &&
         function.getNumResults() == 1 &&
         llvm::all_of(function.getArgumentTypes(), isF64) &&
         isF64(function.getResultTypes().front());
}

/// Fails with an error at a call that `entry` reaches if a function value is
/// called, if it is recursive, or if a function without a body is called from
/// an apply, has a name of the runtime's, or takes or gives anything but i32,
/// i64, index, f32, f64 and pointers: nobody knows what it would do to a field.
static LogicalResult checkCalls(func::FuncOp entry) {
  auto check = [](CallOpInterface call, Operation *callee) -> LogicalResult {
    auto function = dyn_cast_or_null<func::FuncOp>(callee);
    if (!function)
      return call.emitError("expected a call of a function of the program");
    return function.isExternal() ? checkExternalCall(call, function)
                                 : success();
  };
  return CallWalker().walk(entry, check);
}

FailureOr<func::FuncOp> stencil::findCheckedEntry(ModuleOp module,
                                                  StringRef name) {
  FailureOr<func::FuncOp> entry = findEntry(module, name);
  if (failed(entry) || failed(checkCalls(*entry)) ||
      failed(checkProgram(*entry)))
    return failure();
  return entry;
}

SmallVector<func::FuncOp> stencil::getExternalCallees(func::FuncOp entry) {
  llvm::SetVector<Operation *> reached;
  reached.insert(entry);
  for (size_t i = 0; i < reached.size(); ++i)
    reached[i]->walk([&](CallOpInterface call) {
      if (Operation *callee = call.resolveCallable())
        reached.insert(callee);
    });
  SmallVector<func::FuncOp> external;
  for (Operation *op : reached)
    if (auto function = dyn_cast<func::FuncOp>(op);
        function && function.isExternal())
      external.push_back(function);
  return external;
}

/// The identifier behind a `%` at `location` in the source; empty if there is
/// none.
static StringRef readName(Location location, llvm::SourceMgr &sources) {
  auto position = dyn_cast<FileLineColLoc>(location);
  if (!position || sources.getNumBuffers() == 0)
    return {};
  const llvm::MemoryBuffer *buffer = sources.getMemoryBuffer(1);
  if (position.getFilename() != buffer->getBufferIdentifier())
    return {};
  SMLoc start = sources.FindLocForLineAndColumn(1, position.getLine(),
                                                position.getColumn());
  if (!start.isValid())
    return {};
  StringRef text(start.getPointer(),
                 buffer->getBufferEnd() - start.getPointer());
  if (!text.consume_front("%"))
    return {};
  return text.take_while([](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-';
  });
}

/// Adds the boxes that uses of `value` ask for.
static void collectBoxes(Value value, std::vector<FieldBox> &boxes) {
  // The last use comes first.
  llvm::SmallVector<Operation *> users(value.getUsers());
  for (Operation *user : llvm::reverse(users)) {
    if (!user->hasTrait<FieldView>())
      continue;
    auto type = dyn_cast<FieldType>(user->getResult(0).getType());
    if (!type)
      continue;
    if (type.getBounds())
      boxes.push_back({type, user->getLoc()});
    collectBoxes(user->getResult(0), boxes);
  }
}

static LogicalResult describeField(BlockArgument argument,
                                   Parameter &parameter) {
  Type elementType;
  FieldParameter field;
  if (auto type = dyn_cast<FieldType>(parameter.type)) {
    elementType = type.getElementType();
    if (BoundsAttr bounds = type.getBounds()) {
      field.shape.assign(bounds.getShape());
      field.boxes.push_back({type, parameter.location});
    } else {
      field.shape.assign(type.getRank(), ShapedType::kDynamic);
    }
  } else {
    auto memref = cast<MemRefType>(parameter.type);
    elementType = memref.getElementType();
    field.shape.assign(memref.getShape());
    if (!memref.getLayout().isIdentity())
      return emitError(parameter.location)
             << parameter.str() << ": expected the identity layout, got type "
             << memref;
  }
  std::optional<ElementKind> element = getElementKind(elementType);
  if (!element)
    return emitError(parameter.location)
           << parameter.str()
           << ": expected elements of type f16, bf16, f32, f64, i1, i8, i16, "
              "i32 or i64, got "
           << elementType;
  field.element = *element;
  collectBoxes(argument, field.boxes);
  parameter.field = std::move(field);
  return success();
}

FailureOr<Signature> stencil::getSignature(func::FuncOp entry,
                                           llvm::SourceMgr *sources) {
  Signature signature;
  for (BlockArgument argument : entry.getArguments()) {
    Parameter parameter{argument.getArgNumber(), "", argument.getType(),
                        argument.getLoc(), std::nullopt};
    if (sources)
      parameter.name = readName(argument.getLoc(), *sources).str();
    if (parameter.name.empty())
      parameter.name = "arg" + std::to_string(parameter.index);
    if (isFieldLike(parameter.type)) {
      if (failed(describeField(argument, parameter)))
        return failure();
    } else if (!parameter.type.isIndex() && !parameter.isPointer() &&
               !getElementKind(parameter.type)) {
      return emitError(parameter.location)
             << parameter.str()
             << ": expected a field, a memref, index, i1, i8, i16, i32, i64, "
                "f16, bf16, f32, f64 or !llvm.ptr, got "
             << parameter.type;
    }
    signature.parameters.push_back(std::move(parameter));
  }
  for (Type type : entry.getResultTypes()) {
    if (!isFieldLike(type) && !type.isIndex() && !getElementKind(type))
      return entry.emitError()
             << "expected results to be fields, index, integers of up to 64 "
                "bits, f16, bf16, f32 or f64, got "
             << type;
    signature.results.push_back(type);
  }
  return signature;
}
