//===- Npy.cpp - NumPy .npy files -----------------------------------------===//

#include "StencilDialect/Support/Npy.h"

#include "FileError.h"
#include "NpyHeader.h"

#include "StencilDialect/Support/Machine.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstring>

using namespace stencil;
using llvm::ArrayRef;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;
namespace fs = llvm::sys::fs;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "data goes between file and memory as it is");

/// Cache lines, and the widest vectors.
static constexpr uint64_t kAlignment = 64;

NpyType NpyType::get(ElementKind kind) {
  unsigned size = getElementSize(kind);
  if (kind == ElementKind::BF16)
    return {'V', size};
  if (kind == ElementKind::I1)
    return {'b', size};
  return {isFloatKind(kind) ? 'f' : 'i', size};
}

bool NpyType::matches(ElementKind expected) const {
  if (size != getElementSize(expected))
    return false;
  if (expected == ElementKind::BF16)
    return kind == 'V';
  if (expected == ElementKind::I1)
    return kind == 'b';
  if (isFloatKind(expected))
    return kind == 'f';
  return kind == 'i' || kind == 'u';
}

ElementKind NpyType::getElementKind() const {
  for (ElementKind candidate : kAllElementKinds)
    if (matches(candidate))
      return candidate;
  return ElementKind::BF16;
}

std::string NpyType::str() const {
  return (size == 1 ? "|" : "<") + std::string(1, kind) + std::to_string(size);
}

int64_t NpyHeader::getNumElements() const {
  return getByteSize(shape, 1).value_or(0);
}

std::string stencil::formatShape(ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "()";
  std::string result;
  llvm::raw_string_ostream os(result);
  llvm::interleave(shape, os, "x");
  return result;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static Error checkMatches(StringRef path, const NpyHeader &header,
                          ElementKind kind, ArrayRef<int64_t> shape) {
  if (!header.type.matches(kind))
    return makeFileError(path, "expected element type " + getElementName(kind) +
                                   ", got '" + header.type.str() + "'");
  if (shape != ArrayRef(header.shape))
    return makeFileError(path, "expected shape " + formatShape(shape) +
                                   ", got " + formatShape(header.shape));
  return Error::success();
}

/// A byte of a bool that is neither 0 nor 1 is undefined in compiled code.
static Error checkBools(StringRef path, NpyType type, const void *data,
                        uint64_t count) {
  if (type.kind != 'b')
    return Error::success();
  ArrayRef<uint8_t> bytes(static_cast<const uint8_t *>(data), count);
  const uint8_t *bad = llvm::find_if(bytes, [](uint8_t b) { return b > 1; });
  if (bad == bytes.end())
    return Error::success();
  return makeFileError(path, "expected 0 or 1 as a bool, got " +
                                 Twine(unsigned(*bad)) + " in element " +
                                 Twine(bad - bytes.begin()));
}

namespace {
/// A file that is open for reading.
class InputFile {
public:
  explicit InputFile(StringRef path) : path(path) {}
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  ~InputFile() {
    if (handle != fs::kInvalidFile)
      llvm::consumeError(llvm::errorCodeToError(fs::closeFile(handle)));
  }

  Error open() {
    // Opening a pipe would wait for somebody to write to it.
    fs::file_status status;
    if (std::error_code code = fs::status(path, status))
      return makeFileError(path, code);
    if (fs::is_directory(status))
      return makeFileError(path, "expected a file, got a directory");
    if (!fs::is_regular_file(status))
      return makeFileError(path, "expected a regular file, got a special one");
    size = status.getSize();
    Expected<fs::file_t> file = fs::openNativeFileForRead(path);
    if (!file)
      return makeFileError(path, llvm::errorToErrorCode(file.takeError()));
    handle = *file;
    return Error::success();
  }

  /// Fills `buffer` from `offset` on.
  Error read(llvm::MutableArrayRef<char> buffer, uint64_t offset) {
    // Linux reads at most some 2 GiB at once.
    constexpr size_t slice = size_t(1) << 30;
    while (!buffer.empty()) {
      Expected<size_t> got =
          fs::readNativeFileSlice(handle, buffer.take_front(slice), offset);
      if (!got)
        return makeFileError(path, llvm::errorToErrorCode(got.takeError()));
      if (*got == 0)
        return makeFileError(path, "the file became shorter while it was read");
      buffer = buffer.drop_front(*got);
      offset += *got;
    }
    return Error::success();
  }

  Expected<NpyHeader> readHeader() {
    std::string prefix(std::min(size, kMaxNpyPrefix), '\0');
    if (Error error = read({prefix.data(), prefix.size()}, 0))
      return error;
    return parseNpyPrefix(path, prefix, size);
  }

  Error readData(const NpyHeader &header, void *dst) {
    uint64_t bytes = header.getDataSize();
    if (Error error =
            read({static_cast<char *>(dst), bytes}, header.dataOffset))
      return error;
    return checkBools(path, header.type, dst, bytes);
  }

private:
  StringRef path;
  fs::file_t handle = fs::kInvalidFile;
  uint64_t size = 0;
};
} // namespace

Expected<NpyHeader> stencil::readNpyHeader(StringRef path) {
  InputFile file(path);
  if (Error error = file.open())
    return error;
  return file.readHeader();
}

Error stencil::readNpyInto(StringRef path, ElementKind kind,
                           ArrayRef<int64_t> shape, void *dst) {
  InputFile file(path);
  if (Error error = file.open())
    return error;
  Expected<NpyHeader> header = file.readHeader();
  if (!header)
    return header.takeError();
  if (Error error = checkMatches(path, *header, kind, shape))
    return error;
  return file.readData(*header, dst);
}

Expected<NpyArray> stencil::readNpy(StringRef path) {
  InputFile file(path);
  if (Error error = file.open())
    return error;
  Expected<NpyHeader> header = file.readHeader();
  if (!header)
    return header.takeError();
  uint64_t bytes = header->getDataSize();
  if (Error error = checkFitsInMemory(bytes, "'" + path + "'"))
    return error;
  NpyArray array{header->type, header->shape, nullptr};
  // At least one line, so that an array without elements is not null.
  array.data.reset(std::aligned_alloc(
      kAlignment, llvm::alignTo(std::max<uint64_t>(bytes, 1), kAlignment)));
  if (!array.data)
    return makeFileError(path, "expected " + Twine(bytes) +
                                   " bytes of memory, got none");
  if (Error error = file.readData(*header, array.data.get()))
    return error;
  return array;
}

Expected<NpyHeader> stencil::parseNpyHeader(llvm::MemoryBufferRef buffer) {
  return parseNpyPrefix(buffer.getBufferIdentifier(), buffer.getBuffer(),
                        buffer.getBufferSize());
}

Error stencil::parseNpyInto(llvm::MemoryBufferRef buffer, ElementKind kind,
                            ArrayRef<int64_t> shape, void *dst) {
  StringRef path = buffer.getBufferIdentifier();
  Expected<NpyHeader> header = parseNpyHeader(buffer);
  if (!header)
    return header.takeError();
  if (Error error = checkMatches(path, *header, kind, shape))
    return error;
  uint64_t bytes = header->getDataSize();
  if (bytes)
    std::memcpy(dst, buffer.getBufferStart() + header->dataOffset, bytes);
  return checkBools(path, header->type, dst, bytes);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Magic, version, length and dictionary, as NumPy writes them.
static std::string makePrefix(NpyType type, ArrayRef<int64_t> shape) {
  std::string dictionary;
  llvm::raw_string_ostream os(dictionary);
  os << "{'descr': '" << type.str() << "', 'fortran_order': False, 'shape': (";
  llvm::interleaveComma(shape, os);
  os << (shape.size() == 1 ? ",), }" : "), }");

  constexpr size_t fixed = 10;
  size_t total = llvm::alignTo(fixed + dictionary.size() + 1, kAlignment);
  size_t length = total - fixed;
  std::string prefix("\x93NUMPY\1\0\0\0", fixed);
  llvm::support::endian::write16le(prefix.data() + 8, length);
  prefix += dictionary;
  prefix.append(total - prefix.size() - 1, ' ');
  return prefix + '\n';
}

Error stencil::writeNpy(StringRef path, NpyType type, ArrayRef<int64_t> shape,
                        const void *data) {
  std::optional<uint64_t> bytes = getByteSize(shape, type.size);
  if (!bytes)
    return makeFileError(path, "expected less than 2^63 bytes of data, got "
                               "shape " +
                                   formatShape(shape));
  if (shape.size() > kMaxNpyRank)
    return makeFileError(path, "expected at most " + Twine(kMaxNpyRank) +
                                   " dimensions, got " + Twine(shape.size()));
  std::string prefix = makePrefix(type, shape);
  return writeFileAtomically(path, [&](llvm::raw_ostream &os) {
    os << prefix;
    os.write(static_cast<const char *>(data), *bytes);
    return Error::success();
  });
}
