//===- CHeader.cpp - Headers of compiled functions ------------------------===//

#include "StencilDialect/Target/CHeader.h"
#include "CFunction.h"
#include "StencilRuntime/ABI.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace mlir;
using namespace stencil;

/// "heat2d.mlir, wave.mlir".
static std::string listSources(llvm::ArrayRef<CProgram> programs) {
  std::vector<std::string> names;
  for (const CProgram &program : programs)
    names.push_back(llvm::sys::path::filename(program.name).str());
  return llvm::join(names, ", ");
}

static constexpr llvm::StringLiteral rulesText = R"( *
 * A field is an array in row-major order without gaps, halo included; sizes are
 * in elements: `u_n0` is the extent of `u` on axis 0, halo included, and element
 * [i, j] of a plane is u[i * u_n1 + j]. Nothing is copied: fields are updated in
 * place. What is written must not overlap anything else. f16 and bf16 are bit
 * patterns.
 *
 * A function returns 0, or the code of an error, whose text the handler has got;
 * then `result` and the fields that it writes hold anything.
)";

/// LIBRARY is the name of the library.
static constexpr llvm::StringLiteral targetsText =
    R"(/* What calls run on, for the whole process. HEAT_TARGET_AUTO, at first: the first
 * GPU of the list that is at hand and takes the code, else the CPU, else the
 * emulator. Another target is used even where it fails: its functions then
 * return STENCIL_DEVICE_FAILED. Returns STENCIL_CHECK_FAILED for a number that
 * is no target. */
int32_t LIBRARY_select_target(int32_t target);
/* The target of the next call, never HEAT_TARGET_AUTO. */
int32_t LIBRARY_selected_target(void);
/* "cpu", "sm_90", ..., "auto"; null for a number that is no target. */
const char *LIBRARY_target_name(int32_t target);

)";

std::string stencil::getTargetConstant(const CHeaderOptions &options,
                                       llvm::StringRef target) {
  std::string text = options.library + "_target_" + target.str();
  for (char &c : text)
    c = llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return text;
}

static void writeTargets(const CHeaderOptions &options, llvm::raw_ostream &os) {
  os << "enum {\n  " << getTargetConstant(options, "auto") << " = 0";
  for (auto [index, target] : llvm::enumerate(options.targets))
    os << ",\n  " << getTargetConstant(options, target) << " = " << index + 1;
  os << "\n};\n";
  std::string text = targetsText.str();
  auto replace = [&](llvm::StringRef from, llvm::StringRef to) {
    for (size_t at = 0; (at = text.find(from, at)) != std::string::npos;
         at += to.size())
      text.replace(at, from.size(), to);
  };
  replace("HEAT_TARGET_AUTO", getTargetConstant(options, "auto"));
  replace("LIBRARY", options.library);
  os << text;
}

FailureOr<std::vector<CFunction>>
stencil::collectCFunctions(llvm::ArrayRef<CProgram> programs,
                           const CHeaderOptions &options) {
  // What a header of a library declares for itself.
  std::set<std::string> own = {options.library + "_select_target",
                               options.library + "_selected_target",
                               options.library + "_target_name"};
  std::vector<CFunction> functions;
  for (const CProgram &program : programs)
    for (auto op : ModuleOp(program.module).getOps<func::FuncOp>()) {
      if (!op.isPublic() || op.isExternal())
        continue;
      llvm::StringRef name = op.getName();
      if (!options.library.empty() &&
          (own.count(name.str()) || name == "main" ||
           name.starts_with("stencil")))
        return op.emitError()
               << "expected a function name that library '" << options.library
               << "' leaves free, got '" << name << "'";
      for (const CFunction &other : functions)
        if (other.getName() == name ||
            (options.deviceArrays &&
             (other.getName() + "_on_stream" == name ||
              name.str() + "_on_stream" == other.getName())))
          return op.emitError()
                 << "expected functions of different names in a library, but '"
                 << name << "' clashes with '" << other.getName() << "' at "
                 << other.getPlace();
      FailureOr<CFunction> function = CFunction::create(op, program);
      if (failed(function))
        return failure();
      functions.push_back(std::move(*function));
    }
  return functions;
}

static constexpr llvm::StringLiteral deviceText = R"( *
 * Arrays are in the memory of the GPU; of the host, where calls run on the CPU. A
 * call gives the work to the stream of stencilSetStream, or to that of
 * NAME_on_stream, and waits for it only if it returns a scalar or finds errors on
 * the GPU.
)";

/// Also in StencilRuntime/Runtime.h.
static constexpr llvm::StringLiteral setStreamText =
    R"(#ifndef STENCIL_SET_STREAM
#define STENCIL_SET_STREAM
/* What the calling thread's further calls give work to: a CUstream, cudaStream_t
   or hipStream_t. Null: to a stream of the call's own, which is waited for. */
void stencilSetStream(void *stream);
#endif

)";

static constexpr llvm::StringLiteral streamText =
    "/* The same on this stream; later calls have a stream of their own again. "
    "*/\n";

/// Of one object: the function, inline.
static void writeInline(const CFunction &function, bool onStream,
                        llvm::raw_ostream &os) {
  os << "int32_t _mlir_ciface_" << function.getName()
     << function.makeObjectParameters() << ";\n\n";
  function.writeComment(os);
  os << "static inline int32_t " << function.makeHead(function.getName())
     << " {\n";
  function.writeArrays(os);
  os << "  return _mlir_ciface_" << function.getName() << "("
     << function.makeObjectOperands() << ");\n}\n\n";
  if (!onStream)
    return;
  std::string name = function.getName() + "_on_stream";
  os << streamText << "static inline int32_t "
     << function.makeHead(name, "void *stream") << " {\n  int32_t code;\n"
     << "  stencilSetStream(stream);\n  code = " << function.getName() << "("
     << function.makeForwardedOperands()
     << ");\n  stencilSetStream(0);\n  return code;\n}\n\n";
}

static void writeDeclaration(const CFunction &function, bool onStream,
                             llvm::raw_ostream &os) {
  function.writeComment(os);
  os << "int32_t " << function.makeHead(function.getName()) << ";\n";
  if (onStream)
    os << streamText << "int32_t "
       << function.makeHead(function.getName() + "_on_stream", "void *stream")
       << ";\n";
  os << "\n";
}

LogicalResult stencil::emitCHeader(llvm::ArrayRef<CProgram> programs,
                                   llvm::StringRef name,
                                   const CHeaderOptions &options,
                                   llvm::raw_ostream &os) {
  FailureOr<std::vector<CFunction>> functions =
      collectCFunctions(programs, options);
  if (failed(functions))
    return failure();
  bool isLibrary = !options.library.empty();
  std::string guard = "STENCIL_";
  for (char c : llvm::sys::path::filename(name))
    guard += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  guard += "_H";
  if (isLibrary)
    os << "/* Functions of the library " << options.library
       << ", compiled from " << listSources(programs) << "\n * for "
       << llvm::join(options.targets, ", ") << ".\n";
  else
    os << "/* Functions compiled from " << listSources(programs)
       << " by stencil-translate --to-object.\n";
  os << rulesText;
  if (options.deviceArrays)
    os << deviceText;
  os << " */\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include <stdbool.h>\n#include <stdint.h>\n\n"
     << getErrorCodesText()
     << "#if STENCIL_ABI_VERSION != " << STENCIL_ABI_VERSION
     << "\n#error \"expected headers of the stencil compiler with "
        "STENCIL_ABI_VERSION "
     << STENCIL_ABI_VERSION << "\"\n#endif\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  std::set<int64_t> ranks;
  for (const CFunction &function : *functions)
    llvm::for_each(function.getRanks(),
                   [&](int64_t rank) { ranks.insert(rank); });
  writeArrayTypes(llvm::to_vector(ranks), os);
  // A library for the CPU alone does without the runtime.
  bool usesRuntime =
      !isLibrary || llvm::any_of(options.targets, [](llvm::StringRef target) {
        return target != "cpu";
      });
  if (options.deviceArrays && usesRuntime)
    os << setStreamText;
  if (isLibrary)
    writeTargets(options, os);
  for (const CFunction &function : *functions) {
    os << function.makeResultsStruct();
    if (isLibrary)
      writeDeclaration(function, options.deviceArrays, os);
    else
      writeInline(function, options.deviceArrays, os);
  }
  os << "#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return success();
}

LogicalResult stencil::emitCHeader(ModuleOp module, llvm::StringRef name,
                                   llvm::SourceMgr *sources,
                                   llvm::raw_ostream &os) {
  return emitCHeader(CProgram{module, name.str(), sources}, name, {}, os);
}
