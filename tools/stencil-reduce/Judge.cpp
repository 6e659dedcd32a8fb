//===- Judge.cpp - Whether a program shows a fault ------------------------===//

#include "Judge.h"
#include "Options.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;

/// What ExecuteAndWait returns for programs that crash, or take too long.
static constexpr int kCrashed = -2;

sys::fs::TempFile createTemporaryFile(StringRef ending) {
  SmallString<128> path;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, path);
  sys::path::append(path, "stencil-reduce-%%%%%%%%" + ending);
  Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(path);
  if (!file)
    report_fatal_error(file.takeError(), /*gen_crash_diag=*/false);
  return std::move(*file);
}

static bool contains(StringRef path, StringRef text) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer && (*buffer)->getBuffer().contains(text);
}

bool showsFault(const Options &options) {
  SmallVector<StringRef> command;
  if (options.test.empty()) {
    command = {options.opt, options.file, "--mlir-disable-threading", "-o",
               "/dev/null"};
    if (!options.pipeline.empty())
      command.append({"--pass-pipeline", options.pipeline});
  } else {
    command = {options.test};
    append_range(command, options.testArguments);
    command.push_back(options.file);
  }
  sys::fs::TempFile output = createTemporaryFile(".txt");
  llvm::scope_exit discard([&] { consumeError(output.discard()); });
  // A report for each crash is not wanted.
  ::setenv("STENCIL_CRASH_DIR", "", /*overwrite=*/1);
  std::string message;
  bool failedToStart = false;
  // Output would be that of hundreds of runs.
  std::optional<StringRef> streams[] = {"", "", StringRef(output.TmpName)};
  int code = sys::ExecuteAndWait(command.front(), command, std::nullopt,
                                 streams, options.timeout, /*MemoryLimit=*/0,
                                 &message, &failedToStart);
  if (failedToStart) {
    errs() << "error: " << message << "\n";
    return false;
  }
  bool timedOut = code == kCrashed && StringRef(message).contains("timed out");
  if (timedOut)
    return false;
  if (!options.test.empty())
    return code != 0;
  if (options.error.empty())
    return code == kCrashed;
  return code != 0 && contains(output.TmpName, options.error);
}
