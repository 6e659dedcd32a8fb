//===- stencil-lsp-server.cpp - Language server for editors ---------------===//

#include "StencilDialect/Tools/RegisterAll.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/thread.h"

#include <optional>

/// MLIR's server parses what an editor sends, and cannot be told to look first
/// how deep it nests: there is room for some hundred thousand levels.
static constexpr std::optional<unsigned> kStackBytes = 1U << 30;

int main(int argc, char **argv) {
  bool failed = false;
  llvm::thread server(kStackBytes, [&] {
    mlir::DialectRegistry registry;
    stencil::registerAllDialects(registry);
    failed = mlir::failed(mlir::MlirLspServerMain(argc, argv, registry));
  });
  server.join();
  return failed ? 1 : 0;
}
