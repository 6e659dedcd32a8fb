//===- Interpreter.cpp - Reference evaluation of stencil programs ---------===//

#include "StencilDialect/Interpreter/Interpreter.h"
#include "Evaluator.h"
#include "mlir/Dialect/LLVMIR/LLVMTypes.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::interp;

/// The caller's array as the field or memref that argument `index` is.
static FailureOr<RuntimeValue> bindArray(func::FuncOp entry, unsigned index,
                                         const FieldArgument &array,
                                         Precision precision) {
  Type type = entry.getArgumentTypes()[index], elementType;
  int64_t rank = 0;
  auto emit = [&] { return entry.emitError("argument ") << index << ": "; };
  if (auto field = dyn_cast<FieldType>(type)) {
    elementType = field.getElementType();
    rank = field.getRank();
  } else if (auto memref = dyn_cast<MemRefType>(type)) {
    if (!memref.getLayout().isIdentity() || memref.getRank() == 0)
      return emit()
             << "the interpreter expects a row-major memref of rank 1 or "
                "more, got "
             << type;
    elementType = memref.getElementType();
    rank = memref.getRank();
    if (static_cast<size_t>(rank) == array.shape.size())
      for (auto [axis, expected, got] :
           llvm::enumerate(memref.getShape(), array.shape))
        if (!ShapedType::isDynamic(expected) && expected != got)
          return emit() << "expected an extent of " << expected << " on axis "
                        << axis << ", got " << got;
  } else if (isa<LLVM::LLVMPointerType>(type)) {
    elementType = IntegerType::get(entry.getContext(), 8);
    rank = 1;
  } else {
    return emit() << "expected a value of type " << type << ", got an array";
  }
  FailureOr<Kind> kind = requireKind(entry, elementType, precision);
  if (failed(kind))
    return failure();
  if (array.shape.size() != static_cast<size_t>(rank))
    return emit() << "expected an array of rank " << rank << ", got "
                  << array.shape.size();
  for (auto [axis, extent] : llvm::enumerate(array.shape))
    if (extent < 1)
      return emit() << "expected a positive extent of axis " << axis << ", got "
                    << extent;
  FieldValue value;
  value.storage = std::make_shared<FieldStorage>();
  value.storage->data = static_cast<char *>(array.data);
  value.storage->kind = *kind;
  value.storage->shape.assign(array.shape.begin(), array.shape.end());
  return RuntimeValue(value);
}

static FailureOr<RuntimeValue> bindScalar(func::FuncOp entry, unsigned index,
                                          const ScalarValue &scalar,
                                          Precision precision) {
  Type type = entry.getArgumentTypes()[index];
  auto emit = [&] { return entry.emitError("argument ") << index << ": "; };
  if (isa<GridType, ShapedType>(type))
    return emit() << "expected an array of type " << type << ", got a number";
  FailureOr<Kind> kind = requireKind(entry, type, precision);
  if (failed(kind))
    return failure();
  if (const auto *integer = std::get_if<int64_t>(&scalar)) {
    if (isFloat(*kind))
      return emit() << "expected a value of type " << type
                    << ", got an integer";
    unsigned width = *kind == Kind::I1 ? 1 : 8 * getSize(*kind);
    if (!llvm::isIntN(width, *integer) &&
        (*integer < 0 || !llvm::isUIntN(width, *integer)))
      return emit() << "expected a value of type " << type << ", got "
                    << *integer;
    return RuntimeValue(Scalar{*kind, Cell::ofInteger(*integer, *kind)});
  }
  if (!isFloat(*kind))
    return emit() << "expected a value of type " << type
                  << ", got a floating-point number";
  return RuntimeValue(
      Scalar{*kind, Cell::ofFloat(std::get<long double>(scalar), *kind)});
}

/// Distinct arguments do not overlap: no program could tell what it computes.
static LogicalResult checkDistinct(func::FuncOp entry,
                                   ArrayRef<RuntimeValue> values) {
  struct Range {
    const char *begin, *end;
    unsigned index;
  };
  SmallVector<Range> ranges;
  for (auto [index, value] : llvm::enumerate(values))
    if (const auto *field = std::get_if<FieldValue>(&value)) {
      const FieldStorage &storage = *field->storage;
      ranges.push_back({storage.data, storage.data + storage.getNumBytes(),
                        static_cast<unsigned>(index)});
    }
  llvm::sort(ranges,
             [](const Range &a, const Range &b) { return a.begin < b.begin; });
  for (size_t i = 1; i < ranges.size(); ++i)
    if (ranges[i].begin < ranges[i - 1].end)
      return entry.emitError("arguments ")
             << std::min(ranges[i - 1].index, ranges[i].index) << " and "
             << std::max(ranges[i - 1].index, ranges[i].index)
             << " share memory, expected distinct arrays";
  return success();
}

LogicalResult stencil::interpret(func::FuncOp entry,
                                 MutableArrayRef<InterpreterArgument> arguments,
                                 SmallVectorImpl<ScalarValue> &results,
                                 const InterpreterOptions &options) {
  if (entry.isExternal())
    return entry.emitError("expected a function with a body");
  if (arguments.size() != entry.getNumArguments())
    return entry.emitError("expected ")
           << entry.getNumArguments() << " arguments, got " << arguments.size();
  SmallVector<RuntimeValue> values, returned;
  if (options.bounds)
    options.bounds->fields.assign(arguments.size(), {});
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    const auto *array = std::get_if<FieldArgument>(&argument);
    FailureOr<RuntimeValue> value =
        array ? bindArray(entry, index, *array, options.precision)
              : bindScalar(entry, index, std::get<ScalarValue>(argument),
                           options.precision);
    if (failed(value))
      return failure();
    if (array && options.bounds) {
      FieldStorage &storage = *std::get<FieldValue>(*value).storage;
      options.bounds->fields[index].assign(storage.getNumPoints(), {});
      storage.errors = options.bounds->fields[index].data();
    }
    values.push_back(std::move(*value));
  }
  if (failed(checkDistinct(entry, values)))
    return failure();
  Evaluator evaluator(options);
  if (failed(evaluator.call(entry, std::move(values), returned)))
    return failure();
  if (options.bounds) {
    options.bounds->results.clear();
    options.bounds->undecided = evaluator.getAnalysis()->undecided;
    options.bounds->undecidedBranches =
        evaluator.getAnalysis()->undecidedBranches;
  }
  for (const RuntimeValue &value : returned)
    if (const auto *scalar = std::get_if<Scalar>(&value)) {
      if (options.bounds)
        options.bounds->results.push_back(scalar->error);
      if (isFloat(scalar->kind))
        results.push_back(scalar->cell.getFloat(scalar->kind));
      else
        results.push_back(scalar->cell.getInteger(scalar->kind));
    }
  return success();
}
