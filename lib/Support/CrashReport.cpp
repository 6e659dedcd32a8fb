//===- CrashReport.cpp - What is left of a crash --------------------------===//
//
// All text is made beforehand: after a crash memory may be in any state, so
// that the handler only opens a file and writes. The program is the source as
// it was read, which no pass changes, on whatever thread it crashes.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Support/CrashReport.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <fcntl.h>
#include <string>
#include <unistd.h>

using namespace llvm;

namespace {

struct Report {
  std::string tool, command;
  /// Without an ending; empty: no reports are wanted.
  std::string path;
  /// The thread whose program is reported: others compile parts of it.
  uint64_t thread = 0;
  StringRef source;
  std::string pipeline;
  /// What the handler uses.
  std::string file, before, after, message, failure;
  std::atomic<bool> isReady = false, isWritten = false;
};

} // namespace

/// Never destroyed: threads may crash while the process ends.
static Report &getReport() {
  static auto *report = new Report;
  return *report;
}

/// MLIR's first bytes of bytecode, with a byte that no text begins with.
static bool isBytecode(StringRef source) {
  return source.starts_with("ML\xefR");
}

std::string stencil::makeReproducerResource(StringRef pipeline) {
  std::string text;
  raw_string_ostream os(text);
  os << "\n{-#\n  external_resources: {\n    mlir_reproducer: {\n      "
        "pipeline: \"";
  printEscapedString(pipeline, os);
  os << "\",\n      disable_threading: true,\n      verify_each: true\n    "
        "}\n  }\n#-}\n";
  return text;
}

static void prepare(Report &report) {
  report.isReady = false;
  if (report.path.empty() || report.source.empty())
    return;
  bool isText = !isBytecode(report.source);
  report.file = report.path + (isText ? ".mlir" : ".mlirbc");
  report.before.clear();
  report.after.clear();
  std::string repeat = report.command;
  if (isText) {
    report.before = "// " + report.command + "\n";
    if (!report.pipeline.empty()) {
      report.after = stencil::makeReproducerResource(report.pipeline);
      repeat = report.tool + " --run-reproducer " + report.file;
    }
  }
  report.message =
      "error: " + report.tool +
      " crashed; this is a fault of the compiler, not of the program\nnote: "
      "the program is in " +
      report.file + "\nnote: repeat it with: " + repeat +
      "\nnote: stencil-reduce makes it smaller; please report what is left\n";
  report.failure =
      "error: " + report.tool +
      " crashed; this is a fault of the compiler, not of the program\nnote: " +
      report.file + " could not be written\n";
  report.isReady = true;
}

static bool write(int file, StringRef text) {
  while (!text.empty()) {
    ssize_t written = ::write(file, text.data(), text.size());
    if (written <= 0)
      return false;
    text = text.drop_front(written);
  }
  return true;
}

void stencil::writeCrashReport() {
  Report &report = getReport();
  if (!report.isReady || report.isWritten.exchange(true))
    return;
  // Nobody else's file, nor a link.
  int file = ::open(report.file.c_str(),
                    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  bool done = file >= 0;
  for (StringRef part :
       {StringRef(report.before), report.source, StringRef(report.after)})
    done = done && write(file, part);
  if (file >= 0)
    ::close(file);
  write(STDERR_FILENO, done ? report.message : report.failure);
}

static std::string getDirectory() {
  if (std::optional<std::string> given =
          sys::Process::GetEnv("STENCIL_CRASH_DIR"))
    return *given;
  SmallString<128> directory;
  sys::path::system_temp_directory(/*erasedOnReboot=*/true, directory);
  return directory.str().str();
}

void stencil::enableCrashReports(ArrayRef<const char *> command) {
  Report &report = getReport();
  report.tool = sys::path::filename(command.front()).str();
  report.thread = get_threadid();
  raw_string_ostream os(report.command);
  os << report.tool;
  for (StringRef argument : command.drop_front()) {
    os << ' ';
    sys::printArg(os, argument, /*Quote=*/false);
  }
  // One line, to be a comment.
  for (char &c : report.command)
    if (c == '\n' || c == '\r')
      c = ' ';
  std::string directory = getDirectory();
  if (directory.empty())
    return;
  SmallString<128> path(directory);
  sys::path::append(path, report.tool + "-%%%%%%%%");
  if (sys::fs::make_absolute(path))
    return;
  SmallString<128> unique;
  sys::fs::createUniquePath(path, unique, /*MakeAbsolute=*/false);
  report.path = unique.str().str();
  // LLVM's asks for a report to LLVM.
  setBugReportMsg("");
  sys::AddSignalHandler([](void *) { writeCrashReport(); }, nullptr);
}

void stencil::setCrashProgram(StringRef source) {
  Report &report = getReport();
  // Hosts of the compiler, which have threads, write none.
  if (report.path.empty() || report.thread != get_threadid())
    return;
  report.source = source;
  report.pipeline.clear();
  prepare(report);
}

void stencil::setCrashPipeline(StringRef pipeline) {
  Report &report = getReport();
  // The same one, for each piece of a file.
  if (report.path.empty() || report.thread != get_threadid() ||
      report.pipeline == pipeline)
    return;
  report.pipeline = pipeline.str();
  prepare(report);
}
