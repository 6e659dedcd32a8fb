//===- Reducer.cpp - The search for a smaller program ---------------------===//
//
// MLIR's reduction passes are fast where whole parts of a program have nothing
// to do with the fault. They take a change only if the text is shorter then,
// and all changes of an op or none, so that a search op by op follows them.
//
//===----------------------------------------------------------------------===//

#include "Reducer.h"
#include "Judge.h"
#include "StencilDialect/Support/FatalErrors.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/ScopeExit.h"

using namespace mlir;

Reducer::Reducer(OwningOpRef<ModuleOp> module,
                 std::function<bool(const std::string &)> isFaulty,
                 std::string program, llvm::SmallVector<std::string> arguments)
    : module(std::move(module)), isFaulty(std::move(isFaulty)),
      program(std::move(program)), arguments(std::move(arguments)) {}

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

bool Reducer::test(ModuleOp candidate) {
  if (failed(verify(candidate)))
    return false;
  ++tests;
  llvm::sys::fs::TempFile file = createTemporaryFile(".mlir");
  llvm::scope_exit discard([&] { llvm::consumeError(file.discard()); });
  llvm::raw_fd_ostream os(file.FD, /*shouldClose=*/false);
  candidate.print(os);
  os.flush();
  return isFaulty(file.TmpName);
}

/// Takes what the pass makes if it is shorter. What is looked for may be a
/// crash of that very pass, and MLIR's give up by ending the process.
bool Reducer::runPass(std::unique_ptr<Pass> pass) {
  OwningOpRef<ModuleOp> copy(module->clone());
  PassManager manager(module->getContext());
  manager.addPass(std::move(pass));
  bool done = false;
  if (auto error = stencil::catchFatalErrors(
          [&] { done = succeeded(manager.run(*copy)); })) {
    llvm::consumeError(std::move(error));
    // It is in any state: not even destroyed.
    (void)copy.release();
    return false;
  }
  if (!done || print(*copy).size() >= print(*module).size() || !test(*copy))
    return false;
  module = std::move(copy);
  return true;
}

bool Reducer::runPasses() {
  bool any = runPass(createSymbolDCEPass());
  any |= runPass(createCanonicalizerPass());
  any |= runPass(createCSEPass());
  return any;
}

bool Reducer::runTree() {
  ReductionTreePassOptions options;
  options.testerName = program;
  options.testerArgs = arguments;
  return runPass(createReductionTreePass(options));
}

/// The ops within, each before what is in it.
static std::vector<Operation *> listOps(ModuleOp module) {
  std::vector<Operation *> ops;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module)
      ops.push_back(op);
  });
  return ops;
}

/// Tries all ops at once, then halves, down to single ones; from the end, so
/// that the numbers of those that are left stay.
bool Reducer::simplify(Simplification simplification) {
  bool any = false;
  std::vector<std::pair<size_t, size_t>> ranges = {
      {0, listOps(*module).size()}};
  while (!ranges.empty()) {
    auto [begin, end] = ranges.back();
    ranges.pop_back();
    OwningOpRef<ModuleOp> copy(module->clone());
    std::vector<Operation *> ops = listOps(*copy);
    IRRewriter rewriter(copy->getContext());
    bool changed = false;
    for (size_t i = end; i-- > begin;)
      changed |= simplification(ops[i], rewriter);
    if (!changed)
      continue;
    if (test(*copy)) {
      module = std::move(copy);
      any = true;
    } else if (end - begin > 1) {
      size_t middle = begin + (end - begin) / 2;
      ranges.emplace_back(begin, middle);
      ranges.emplace_back(middle, end);
    }
  }
  return any;
}

void Reducer::reduce() {
  runTree();
  for (bool any = true; any;) {
    any = runPasses();
    for (Simplification simplification : getSimplifications())
      any |= simplify(simplification);
  }
}
