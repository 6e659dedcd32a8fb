//===- Executable.cpp - Compile and call ----------------------------------===//

#include "StencilDialect-c/Executable.h"
#include "Handles.h"
#include "Options.h"
#include "Status.h"
#include "StencilDialect-c/CompileModule.h"
#include "StencilDialect/Execution/Executable.h"

using namespace stencil;
using capi::fail;

using ExecutableTable = capi::HandleTable<const Executable>;

static_assert(static_cast<int>(ElementKind::F16) == STENCIL_F16 &&
              static_cast<int>(ElementKind::BF16) == STENCIL_BF16 &&
              static_cast<int>(ElementKind::F32) == STENCIL_F32 &&
              static_cast<int>(ElementKind::F64) == STENCIL_F64 &&
              static_cast<int>(ElementKind::I1) == STENCIL_I1 &&
              static_cast<int>(ElementKind::I8) == STENCIL_I8 &&
              static_cast<int>(ElementKind::I16) == STENCIL_I16 &&
              static_cast<int>(ElementKind::I32) == STENCIL_I32 &&
              static_cast<int>(ElementKind::I64) == STENCIL_I64);

static int32_t failNull(llvm::StringRef what) {
  return fail(STENCIL_STATUS_INVALID_ARGUMENT,
              "expected " + what + ", got a null pointer");
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Compiles by `run`, with the options of a handle.
template <typename Run>
static int32_t compile(StencilOptions optionsHandle, StencilExecutable *result,
                       Run run) {
  if (!result)
    return failNull("a place for the executable");
  std::optional<ExecutableOptions> options = capi::getOptions(optionsHandle);
  if (!options)
    return capi::failHandle("options", optionsHandle);
  llvm::Expected<std::shared_ptr<const Executable>> made = run(*options);
  if (!made)
    return fail(STENCIL_STATUS_COMPILATION_FAILED, made.takeError());
  *result = ExecutableTable::get().add(std::move(*made));
  return STENCIL_STATUS_OK;
}

int32_t stencilExecutableCompile(const char *program, size_t length,
                                 const char *name, StencilOptions options,
                                 StencilExecutable *executable) {
  if (!program || !name)
    return failNull("a program and a name for it");
  return compile(options, executable, [&](const ExecutableOptions &set) {
    return Executable::compile(llvm::StringRef(program, length), name, set);
  });
}

int32_t stencilExecutableCompileFile(const char *path, StencilOptions options,
                                     StencilExecutable *executable) {
  if (!path)
    return failNull("the path of a program");
  return compile(options, executable, [&](const ExecutableOptions &set) {
    return Executable::compileFile(path, set);
  });
}

int32_t stencilExecutableCompileModule(MlirModule module,
                                       StencilOptions options,
                                       StencilExecutable *executable) {
  if (mlirModuleIsNull(module))
    return failNull("a module");
  return compile(options, executable, [&](const ExecutableOptions &set) {
    return Executable::compile(unwrap(module), set);
  });
}

int32_t stencilExecutableRetain(StencilExecutable executable) {
  return ExecutableTable::get().retain(executable)
             ? int32_t(STENCIL_STATUS_OK)
             : capi::failHandle("an executable", executable);
}

int32_t stencilExecutableRelease(StencilExecutable executable) {
  return ExecutableTable::get().release(executable)
             ? int32_t(STENCIL_STATUS_OK)
             : capi::failHandle("an executable", executable);
}

//===----------------------------------------------------------------------===//
// Queries
//===----------------------------------------------------------------------===//

/// Writes what `read` finds in an executable to `result`.
template <typename T, typename Read>
static int32_t query(StencilExecutable handle, T *result, Read read) {
  std::shared_ptr<const Executable> executable =
      ExecutableTable::get().find(handle);
  if (!executable)
    return capi::failHandle("an executable", handle);
  if (!result)
    return failNull("a place for the answer");
  *result = read(*executable);
  return STENCIL_STATUS_OK;
}

/// The same of one entry of a list.
template <typename T, typename List, typename Read>
static int32_t queryEntry(StencilExecutable handle, T *result,
                          List ExecutableSignature::*member, intptr_t index,
                          Read read) {
  std::shared_ptr<const Executable> executable =
      ExecutableTable::get().find(handle);
  if (!executable)
    return capi::failHandle("an executable", handle);
  const List &list = executable->getSignature().*member;
  if (index < 0 || index >= static_cast<intptr_t>(list.size()))
    return fail(STENCIL_STATUS_INVALID_ARGUMENT,
                "expected an index less than " + llvm::Twine(list.size()) +
                    ", got " + llvm::Twine(index));
  if (!result)
    return failNull("a place for the answer");
  *result = read(list[index]);
  return STENCIL_STATUS_OK;
}

int32_t stencilExecutableGetName(StencilExecutable executable,
                                 const char **name) {
  return query(executable, name, [](const Executable &value) {
    return value.getSignature().name.c_str();
  });
}

int32_t stencilExecutableGetTarget(StencilExecutable executable,
                                   const char **target) {
  return query(executable, target, [](const Executable &value) {
    return value.getOptions().target.c_str();
  });
}

int32_t stencilExecutableGetNumParameters(StencilExecutable executable,
                                          intptr_t *count) {
  return query(executable, count, [](const Executable &value) {
    return static_cast<intptr_t>(value.getSignature().parameters.size());
  });
}

int32_t stencilExecutableGetParameter(StencilExecutable executable,
                                      intptr_t index,
                                      StencilParameter *parameter) {
  return queryEntry(executable, parameter, &ExecutableSignature::parameters,
                    index, [](const ExecutableParameter &value) {
                      return StencilParameter{
                          value.name.c_str(),
                          static_cast<int32_t>(value.element),
                          static_cast<int32_t>(value.shape.size()),
                          value.shape.data(),
                          value.isArray,
                          value.isRead,
                          value.isWritten};
                    });
}

int32_t stencilExecutableGetNumResults(StencilExecutable executable,
                                       intptr_t *count) {
  return query(executable, count, [](const Executable &value) {
    return static_cast<intptr_t>(value.getSignature().results.size());
  });
}

int32_t stencilExecutableGetResult(StencilExecutable executable, intptr_t index,
                                   int32_t *element) {
  return queryEntry(
      executable, element, &ExecutableSignature::results, index,
      [](ElementKind value) { return static_cast<int32_t>(value); });
}

int32_t stencilExecutableWasCached(StencilExecutable executable,
                                   bool *wasCached) {
  return query(executable, wasCached,
               [](const Executable &value) { return value.wasCached(); });
}

int32_t stencilExecutableGetRemarks(StencilExecutable executable,
                                    const char **remarks) {
  return query(executable, remarks, [](const Executable &value) {
    // Of a std::string.
    return value.getRemarks().data();
  });
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// What is wrong with an array by itself; empty if nothing is.
static std::string checkArray(const StencilArgument &argument) {
  if (argument.element < STENCIL_F16 || argument.element > STENCIL_I64)
    return ("expected a StencilElement, got " + llvm::Twine(argument.element))
        .str();
  if (argument.rank < 1 || argument.rank > capi::kMaxRank)
    return ("expected from 1 to " + llvm::Twine(capi::kMaxRank) +
            " axes, got " + llvm::Twine(argument.rank))
        .str();
  if (!argument.shape)
    return "expected a shape, got a null pointer";
  if (argument.flags &
      ~uint32_t(STENCIL_ARRAY_ON_DEVICE | STENCIL_ARRAY_READ_ONLY))
    return ("expected flags of arrays, got " + llvm::Twine(argument.flags))
        .str();
  return "";
}

static ExecutableArgument convert(const StencilArgument &argument) {
  if (argument.kind == STENCIL_ARGUMENT_INTEGER)
    return ScalarArgument(argument.integer);
  if (argument.kind == STENCIL_ARGUMENT_FLOAT)
    return ScalarArgument(argument.floating);
  ArrayArgument array;
  array.element = static_cast<ElementKind>(argument.element);
  array.data = argument.data;
  array.shape = {argument.shape, static_cast<size_t>(argument.rank)};
  if (argument.strides)
    array.strides = {argument.strides, static_cast<size_t>(argument.rank)};
  array.onDevice = argument.flags & STENCIL_ARRAY_ON_DEVICE;
  array.isReadOnly = argument.flags & STENCIL_ARRAY_READ_ONLY;
  return array;
}

static StencilScalar convert(ElementKind element, const ScalarArgument &value) {
  StencilScalar result = {static_cast<int32_t>(element), 0, 0, 0.0};
  if (const int64_t *integer = std::get_if<int64_t>(&value))
    result.integer = *integer;
  else
    result.floating = std::get<double>(value);
  return result;
}

int32_t stencilExecutableCall(StencilExecutable handle, intptr_t numArguments,
                              const StencilArgument *arguments,
                              intptr_t numResults, StencilScalar *results,
                              void *stream) {
  std::shared_ptr<const Executable> executable =
      ExecutableTable::get().find(handle);
  if (!executable)
    return capi::failHandle("an executable", handle);
  const ExecutableSignature &signature = executable->getSignature();
  auto taken = static_cast<intptr_t>(signature.parameters.size());
  if (numArguments != taken)
    return fail(STENCIL_STATUS_INVALID_ARGUMENT,
                "'" + signature.name + "' takes " + llvm::Twine(taken) +
                    " arguments, got " + llvm::Twine(numArguments));
  if (numArguments > 0 && !arguments)
    return failNull("arguments");
  auto produced = static_cast<intptr_t>(signature.results.size());
  if (numResults != produced)
    return fail(STENCIL_STATUS_INVALID_ARGUMENT,
                "'" + signature.name + "' has " + llvm::Twine(produced) +
                    " results, got places for " + llvm::Twine(numResults));
  if (numResults > 0 && !results)
    return failNull("places for results");

  llvm::SmallVector<ExecutableArgument> converted;
  for (intptr_t i = 0; i < numArguments; ++i) {
    int32_t kind = arguments[i].kind;
    std::string wrong;
    if (kind == STENCIL_ARGUMENT_ARRAY)
      wrong = checkArray(arguments[i]);
    else if (kind != STENCIL_ARGUMENT_INTEGER && kind != STENCIL_ARGUMENT_FLOAT)
      wrong = ("expected a kind of argument, got " + llvm::Twine(kind)).str();
    if (!wrong.empty())
      return fail(STENCIL_STATUS_INVALID_ARGUMENT,
                  "argument " + llvm::Twine(i) + " '" +
                      signature.parameters[i].name + "': " + wrong);
    converted.push_back(convert(arguments[i]));
  }
  std::vector<ScalarArgument> values;
  if (llvm::Error error = executable->call(converted, values, stream))
    return fail(STENCIL_STATUS_INVALID_ARGUMENT, std::move(error));
  for (auto [index, value] : llvm::enumerate(values))
    results[index] = convert(signature.results[index], value);
  return STENCIL_STATUS_OK;
}
