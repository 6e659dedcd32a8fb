//===- TuningFuzzer.cpp - Fuzzes the reader of tuning databases -----------===//
//
// An input is a file. What can be read is printed, and has to be read again as
// the same.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Tuning/Database.h"

#include <cstdlib>

using namespace stencil;

static void require(bool condition, const char *what) {
  if (condition)
    return;
  llvm::errs() << "fuzzing: expected " << what << '\n';
  std::abort();
}

static std::string print(const TuningDatabase &database) {
  std::string text;
  llvm::raw_string_ostream os(text);
  database.print(os);
  return text;
}

// The name is libFuzzer's. NOLINTNEXTLINE
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  auto database = TuningDatabase::parse(input, "x.json");
  if (!database) {
    std::string message = llvm::toString(database.takeError());
    require(llvm::StringRef(message).starts_with("'x.json': "),
            "an error that names the file");
    require(message.size() < 1000, "an error of one line");
    return 0;
  }
  std::string text = print(*database);
  auto again = TuningDatabase::parse(text, "x.json");
  require(bool(again), "a database that can be read again");
  require(print(*again) == text, "the same database");
  return 0;
}
