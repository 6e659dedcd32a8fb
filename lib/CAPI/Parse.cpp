//===- Parse.cpp - Programs as modules ------------------------------------===//

#include "Checked.h"
#include "StencilDialect-c/Dialect.h"
#include "StencilDialect/Support/Nesting.h"
#include "StencilDialect/Tools/Nesting.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace stencil;

/// The place of a character of a text.
static Location locate(MLIRContext *context, llvm::StringRef text,
                       llvm::StringRef name, size_t position) {
  llvm::StringRef before = text.take_front(position);
  unsigned line = before.count('\n') + 1;
  unsigned column = position - (before.rfind('\n') + 1) + 1;
  return FileLineColLoc::get(context, name, line, column);
}

static MlirModule fail(Location location, const llvm::Twine &message) {
  emitError(location) << message;
  return MlirModule{nullptr};
}

MlirModule stencilModuleCreateParse(MlirContext context, MlirStringRef program,
                                    MlirStringRef name) {
  if (mlirContextIsNull(context))
    return MlirModule{nullptr};
  MLIRContext *own = unwrap(context);
  Location nowhere = UnknownLoc::get(own);
  if (!program.data || !name.data)
    return fail(nowhere,
                "expected a program and a name for it, got a null pointer");
  static const std::string tooDeep = describeNestingLimit();
  llvm::StringRef text = unwrap(program);
  bool isText = !isBytecode(llvm::MemoryBufferRef(text, unwrap(name)));
  if (isText)
    if (std::optional<size_t> deep = findDeepNesting(text))
      return fail(locate(own, text, unwrap(name), *deep), tooDeep);
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, ParserConfig(own), unwrap(name));
  if (module && !isText && failed(checkNesting(*module, llvm::nulls())))
    return fail(nowhere, tooDeep);
  return wrap(module.release());
}
