// Compiles a program of two fields on a line, and calls it.
//
//   jit FILE.mlir [TARGET]
//
// TARGET is cpu, cuda, hip or emulator.
#include "StencilDialect/Execution/Executable.h"
#include "llvm/Support/raw_ostream.h"

using namespace stencil;

static llvm::Error run(llvm::StringRef path, llvm::StringRef target) {
  ExecutableOptions options;
  options.target = target.str();
  auto program = Executable::compileFile(path, options);
  if (!program)
    return program.takeError();
  double u[6] = {0, 1, 4, 9, 16, 25}, v[6] = {};
  const int64_t shape[] = {6}; // One cell of halo on each side.
  std::vector<ScalarArgument> results;
  ArrayArgument in{ElementKind::F64, u, shape}, out{ElementKind::F64, v, shape};
  if (auto error = (*program)->call({in, out}, results))
    return error;
  llvm::outs() << v[1] << " " << v[4] << "\n";
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    llvm::errs() << "usage: " << argv[0] << " FILE.mlir [TARGET]\n";
    return 2;
  }
  if (auto error = run(argv[1], argc > 2 ? argv[2] : "cpu")) {
    llvm::errs() << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
