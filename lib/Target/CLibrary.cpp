//===- CLibrary.cpp - Libraries for several targets -----------------------===//
//
// A library has an object per source and target. The source that is written
// here has the functions that users call: they pick the object.
//
//===----------------------------------------------------------------------===//

#include "CFunction.h"
#include "StencilDialect/Target/Vendors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace stencil;

std::string stencil::getLibraryPrefix(llvm::StringRef library,
                                      llvm::StringRef target) {
  std::string text = ("stencil_" + library + "_" + target + "_").str();
  for (char &c : text)
    if (!llvm::isAlnum(c))
      c = '_';
  return text;
}

/// What `stencilMatchDevice` is asked about a target of a GPU. Nothing for the
/// CPU and the emulator.
static std::optional<int> getBackend(llvm::StringRef target) {
  llvm::Expected<const TargetInfo &> info = getTargetInfo(target);
  if (!info) {
    llvm::consumeError(info.takeError());
    return std::nullopt;
  }
  return getVendorInfo(info->vendor).backend;
}

namespace {

class LibraryWriter {
public:
  LibraryWriter(const CHeaderOptions &options, llvm::raw_ostream &os)
      : options(options), os(os) {
    for (const std::string &target : options.targets)
      usesRuntime |= target != "cpu";
  }

  void writePrologue(llvm::StringRef header);
  void writeChoice();
  void writeSelection();
  void writeFunction(const CFunction &function);

private:
  std::string constant(llvm::StringRef target) {
    return getTargetConstant(options, target);
  }

  const CHeaderOptions &options;
  llvm::raw_ostream &os;
  bool usesRuntime = false;
};

} // namespace

void LibraryWriter::writePrologue(llvm::StringRef header) {
  os << "/* The functions of the library " << options.library
     << ": each calls the object of the target that is selected. */\n"
     << "#include \"" << header << "\"\n\n#include <stdio.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
     << "/* Of the objects, or of the runtime library. */\n"
     << "extern StencilErrorHandler stencilErrorHandler;\n";
  if (usesRuntime)
    os << "int32_t stencilMatchDevice(int32_t backend, const char *chip);\n";
  os << "\n";
}

/// What HEAT_TARGET_AUTO stands for.
void LibraryWriter::writeChoice() {
  std::string other;
  for (llvm::StringRef target : options.targets)
    if (target == "cpu" || (other.empty() && !getBackend(target)))
      other = constant(target);
  os << "static int32_t stencil_choose_target(void) {\n";
  // Code for the very chip first; then, so that the error says what is wrong,
  // code for another chip of the same vendor.
  for (int match : {2, 1}) {
    for (llvm::StringRef target : options.targets)
      if (std::optional<int> backend = getBackend(target))
        os << llvm::formatv("  if (stencilMatchDevice({0}, \"{1}\") == {2})\n"
                            "    return {3};\n",
                            *backend,
                            llvm::cantFail(getTargetInfo(target)).chip, match,
                            constant(target));
    if (!other.empty()) {
      os << "  return " << other << ";\n}\n\n";
      return;
    }
  }
  os << "  return " << constant(options.targets.front()) << ";\n}\n\n";
}

void LibraryWriter::writeSelection() {
  const std::string &library = options.library;
  std::string automatic = constant("auto");
  size_t count = options.targets.size();
  os << "static int32_t stencil_selected = " << automatic << ";\n"
     << "/* What " << automatic << " stands for, once it is known. */\n"
     << "static int32_t stencil_automatic = " << automatic << ";\n\n"
     << "int32_t " << library << "_selected_target(void) {\n"
     << "  int32_t target = __atomic_load_n(&stencil_selected, "
        "__ATOMIC_ACQUIRE);\n"
     << "  if (target == " << automatic << ")\n"
     << "    target = __atomic_load_n(&stencil_automatic, __ATOMIC_ACQUIRE);\n"
     << "  if (target == " << automatic << ") {\n"
     << "    target = stencil_choose_target();\n"
     << "    __atomic_store_n(&stencil_automatic, target, __ATOMIC_RELEASE);\n"
     << "  }\n  return target;\n}\n\n"
     << "int32_t " << library << "_select_target(int32_t target) {\n"
     << "  if (target >= 0 && target <= " << count << ") {\n"
     << "    __atomic_store_n(&stencil_selected, target, __ATOMIC_RELEASE);\n"
     << "    return STENCIL_OK;\n  } else {\n"
     << "    StencilErrorHandler handler =\n"
        "        __atomic_load_n(&stencilErrorHandler, __ATOMIC_ACQUIRE);\n"
     << "    char message[128];\n"
     << "    snprintf(message, sizeof message,\n"
     << "             \"" << library
     << "_select_target: expected a target from "
     << "0 to " << count << ", got %d\", (int)target);\n"
     << "    if (handler)\n      handler(STENCIL_CHECK_FAILED, message);\n"
     << "    else\n      fprintf(stderr, \"error: %s\\n\", message);\n"
     << "    return STENCIL_CHECK_FAILED;\n  }\n}\n\n"
     << "const char *" << library << "_target_name(int32_t target) {\n"
     << "  static const char *const names[] = {\"auto\"";
  for (llvm::StringRef target : options.targets)
    os << ", \"" << target << "\"";
  os << "};\n  return target >= 0 && target <= " << count
     << " ? names[target] : 0;\n}\n\n";
}

void LibraryWriter::writeFunction(const CFunction &function) {
  auto getSymbol = [&](llvm::StringRef target) {
    return getLibraryPrefix(options.library, target) + function.getName();
  };
  for (llvm::StringRef target : options.targets)
    os << "int32_t " << getSymbol(target) << function.makeObjectParameters()
       << ";\n";
  os << "\nint32_t " << function.makeHead(function.getName()) << " {\n";
  function.writeArrays(os);
  std::string operands = function.makeObjectOperands();
  os << "  switch (" << options.library << "_selected_target()) {\n";
  for (llvm::StringRef target : llvm::ArrayRef(options.targets).drop_front())
    os << "  case " << constant(target) << ":\n    return " << getSymbol(target)
       << "(" << operands << ");\n";
  os << "  default:\n    return " << getSymbol(options.targets.front()) << "("
     << operands << ");\n  }\n}\n\n";
  if (!options.deviceArrays)
    return;
  os << "int32_t "
     << function.makeHead(function.getName() + "_on_stream", "void *stream")
     << " {\n  int32_t code;\n"
     << (usesRuntime ? "  stencilSetStream(stream);\n" : "  (void)stream;\n")
     << "  code = " << function.getName() << "("
     << function.makeForwardedOperands() << ");\n"
     << (usesRuntime ? "  stencilSetStream(0);\n" : "")
     << "  return code;\n}\n\n";
}

LogicalResult stencil::emitCLibrary(llvm::ArrayRef<CProgram> programs,
                                    llvm::StringRef header,
                                    const CHeaderOptions &options,
                                    llvm::raw_ostream &os) {
  FailureOr<std::vector<CFunction>> functions =
      collectCFunctions(programs, options);
  if (failed(functions))
    return failure();
  LibraryWriter writer(options, os);
  writer.writePrologue(header);
  writer.writeChoice();
  writer.writeSelection();
  for (const CFunction &function : *functions)
    writer.writeFunction(function);
  os << "#ifdef __cplusplus\n}\n#endif\n";
  return success();
}
