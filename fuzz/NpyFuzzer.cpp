//===- NpyFuzzer.cpp - Fuzzes the reader of .npy files --------------------===//
//
// An input is read twice: as a whole file, and as the dictionary of a header
// whose magic bytes and length are right, so that the tokenizer sees more than
// broken lengths.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Support/Npy.h"

#include <cstdlib>
#include <vector>

using namespace stencil;

static void require(bool condition, const char *what) {
  if (condition)
    return;
  llvm::errs() << "fuzzing: expected " << what << '\n';
  std::abort();
}

/// Takes the message too, as that is made of the input. Returns whether there
/// was none.
static bool isSuccess(llvm::Error error) {
  if (!error)
    return true;
  std::string message = llvm::toString(std::move(error));
  require(llvm::StringRef(message).starts_with("'x.npy': "),
          "an error that names the file");
  require(message.size() < 1000, "an error of one line");
  require(message.find('\n') == std::string::npos, "an error of one line");
  return false;
}

/// Reads a file as whatever it says it is. The buffers are exactly as large as
/// they have to be, so that the sanitizer sees what is beyond them.
static void readFile(llvm::StringRef file) {
  llvm::MemoryBufferRef buffer(file, "x.npy");
  std::vector<char> small(4 * 4 * sizeof(double));
  isSuccess(parseNpyInto(buffer, ElementKind::F64, {4, 4}, small.data()));

  llvm::Expected<NpyHeader> header = parseNpyHeader(buffer);
  if (!header) {
    isSuccess(header.takeError());
    return;
  }
  require(header->dataOffset + header->getDataSize() == file.size(),
          "data up to the end of the file");
  ElementKind kind = header->type.getElementKind();
  require(header->type.matches(kind), "a type that matches its kind");
  std::vector<char> data(header->getDataSize());
  bool isRead =
      isSuccess(parseNpyInto(buffer, kind, header->shape, data.data()));
  require(isRead || kind == ElementKind::I1, "data that can be read");
}

// The name is libFuzzer's. NOLINTNEXTLINE
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef input(reinterpret_cast<const char *>(data), size);
  readFile(input);

  if (size > UINT16_MAX)
    return 0;
  std::vector<char> file = {
      '\x93',         'N', 'U', 'M', 'P', 'Y', 1, 0, char(size & 0xff),
      char(size >> 8)};
  file.insert(file.end(), input.begin(), input.end());
  readFile({file.data(), file.size()});
  return 0;
}
