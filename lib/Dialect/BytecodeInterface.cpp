//===- BytecodeInterface.cpp - Versions of bytecode -----------------------===//
//
// Types and attributes are in bytecode as the text that they print as, ops as
// their operands and a dictionary of their attributes: what is added to one of
// them needs no new version, if it is left out where it was not there.
//
//===----------------------------------------------------------------------===//

#include "BytecodeInterface.h"
#include "StencilDialect/IR/BytecodeVersion.h"
#include "StencilDialect/IR/StencilDialect.h"

using namespace mlir;
using namespace stencil;

namespace {

struct StencilBytecodeInterface : BytecodeDialectInterface {
  explicit StencilBytecodeInterface(Dialect *dialect)
      : BytecodeDialectInterface(dialect) {}

  /// Who writes may ask for another version (BytecodeWriterConfig).
  void writeVersion(DialectBytecodeWriter &writer) const override {
    uint64_t number = BytecodeVersion::kCurrent;
    FailureOr<const DialectVersion *> asked =
        writer.getDialectVersion<StencilDialect>();
    if (succeeded(asked))
      number = static_cast<const BytecodeVersion *>(*asked)->number;
    writer.writeVarInt(number);
  }

  std::unique_ptr<DialectVersion>
  readVersion(DialectBytecodeReader &reader) const override {
    uint64_t number = 0;
    if (failed(reader.readVarInt(number)))
      return nullptr;
    if (number <= BytecodeVersion::kCurrent)
      return std::make_unique<BytecodeVersion>(number);
    reader.emitError() << "expected version " << BytecodeVersion::kCurrent
                       << " or older of the stencil dialect, got " << number
                       << ": a newer StencilDialect has written this";
    return nullptr;
  }
};

} // namespace

void stencil::addBytecodeInterface(StencilDialect &dialect) {
  dialect.addInterface(std::make_unique<StencilBytecodeInterface>(&dialect));
}
