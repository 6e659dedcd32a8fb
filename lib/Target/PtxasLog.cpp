//===- PtxasLog.cpp - What ptxas says -------------------------------------===//
//
// The text of `ptxas -v` is not specified; this is what CUDA 11 to 13 print:
//
//   ptxas info    : Compiling entry function 'k' for 'sm_90'
//   ptxas info    : Function properties for k
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 10 registers, used 1 barriers, 8192 bytes smem
//   ptxas error   : Entry function 'k' uses too much shared data (0x19000
//   bytes, 0xc000 max) ptxas /tmp/a.ptx, line 7; error   : Unknown symbol 'x'
//
//===----------------------------------------------------------------------===//

#include "KernelSerializer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

#include <map>

using namespace mlir;
using namespace stencil;

/// The number before ` bytes stack frame` and the like; 0 if there is none.
static uint64_t getNumberBefore(llvm::StringRef line, llvm::StringRef what) {
  size_t position = line.find(what);
  if (position == llvm::StringRef::npos)
    return 0;
  llvm::StringRef before = line.take_front(position).rtrim();
  size_t start = before.find_last_not_of("0123456789");
  uint64_t number = 0;
  if (before.substr(start == llvm::StringRef::npos ? 0 : start + 1)
          .getAsInteger(10, number))
    return 0;
  return number;
}

/// The text between the first two quotes.
static llvm::StringRef getQuoted(llvm::StringRef line) {
  return line.split('\'').second.split('\'').first;
}

std::vector<KernelResources> stencil::parsePtxasLog(llvm::StringRef log) {
  // Sorted by name.
  std::map<std::string, KernelResources> kernels;
  KernelResources *current = nullptr;
  for (llvm::StringRef line : llvm::split(log, '\n')) {
    if (line.contains("Compiling entry function")) {
      current = &kernels[getQuoted(line).str()];
      current->kernel = getQuoted(line).str();
    } else if (current && line.contains("bytes stack frame")) {
      current->stackBytes = getNumberBefore(line, " bytes stack frame");
      current->spillStores = getNumberBefore(line, " bytes spill stores");
      current->spillLoads = getNumberBefore(line, " bytes spill loads");
    } else if (current && line.contains(": Used ")) {
      current->registers = getNumberBefore(line, " registers");
      current->sharedBytes = getNumberBefore(line, " bytes smem");
      // What follows is of another function.
      current = nullptr;
    }
  }
  std::vector<KernelResources> result;
  for (auto &[name, resources] : kernels)
    result.push_back(std::move(resources));
  return result;
}

/// The kernel that a line (from 1) of a PTX text belongs to; empty if to none.
static llvm::StringRef findKernel(llvm::StringRef ptx, unsigned line) {
  llvm::StringRef kernel;
  for (llvm::StringRef text : llvm::split(ptx, '\n')) {
    if (line-- == 0)
      break;
    size_t position = text.find(".entry ");
    if (position != llvm::StringRef::npos)
      kernel = text.drop_front(position + 7).split('(').first.trim();
  }
  return kernel;
}

LogicalResult stencil::reportPtxasErrors(llvm::StringRef log,
                                         gpu::GPUModuleOp module,
                                         llvm::StringRef chip,
                                         llvm::StringRef ptx) {
  std::string texts;
  llvm::StringRef kernel;
  for (llvm::StringRef line : llvm::split(log, '\n')) {
    llvm::SmallVector<llvm::StringRef> parts;
    if (llvm::Regex("Entry function '(.*)' uses too much shared data "
                    "\\(0x([0-9a-f]+) bytes, 0x([0-9a-f]+) max\\)")
            .match(line, &parts)) {
      uint64_t bytes = 0, most = 0;
      parts[2].getAsInteger(16, bytes);
      parts[3].getAsInteger(16, most);
      return emitError(getKernelLocation(module, parts[1]))
             << "'" << parts[1] << "': expected at most " << most
             << " bytes of static shared memory on " << chip << ", got "
             << bytes;
    }
    if (!llvm::Regex("(error|fatal) *: *(.*)").match(line, &parts) ||
        parts[2].contains("aborted due to errors"))
      continue;
    if (!texts.empty())
      texts += "; ";
    texts += parts[2].rtrim();
    unsigned number = 0;
    if (kernel.empty() && llvm::Regex("line ([0-9]+);").match(line, &parts) &&
        !parts[1].getAsInteger(10, number))
      kernel = findKernel(ptx, number);
  }
  // Not a message that we know: all that it says.
  if (texts.empty())
    texts = log.trim().str();
  if (kernel.empty())
    kernel = getQuoted(texts);
  return emitError(getKernelLocation(module, kernel))
         << "ptxas for " << chip << ": "
         << (texts.empty() ? "failed without a message" : texts);
}
