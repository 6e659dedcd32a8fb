//===- NpyHeader.cpp - Headers of NumPy .npy files ------------------------===//
//
// A header is the text of a Python dictionary with three known keys:
//   {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }
// It is read by a tokenizer for just the literals that can occur in one.
//
//===----------------------------------------------------------------------===//

#include "NpyHeader.h"

#include "FileError.h"

#include "StencilDialect/Support/Machine.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"

using namespace stencil;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// How NumPy's files begin.
static constexpr StringRef kMagic("\x93NUMPY", 6);

/// Longer headers only occur with structured types, which we do not read.
static constexpr uint64_t kMaxHeaderLength = 65536;

static_assert(kMaxNpyPrefix == 12 + kMaxHeaderLength);

/// A piece of a file for an error of one line, whatever is in it.
static std::string quote(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  os << '\'';
  llvm::printEscapedString(text.take_front(40), os);
  os << '\'';
  return result;
}

namespace {
class HeaderParser {
public:
  HeaderParser(StringRef path, StringRef text) : path(path), text(text) {}

  /// Fills in type and shape.
  Error parse(NpyHeader &header);

private:
  Error fail(const Twine &expected) {
    std::string got = atEnd() ? "the end" : quote(text.substr(position, 1));
    return makeFileError(path, "malformed header: expected " + expected +
                                   ", got " + got + " at byte " +
                                   Twine(position));
  }

  bool atEnd() const { return position == text.size(); }

  void skipSpace() {
    while (!atEnd() && llvm::isSpace(text[position]))
      ++position;
  }

  /// Skips `c` if it comes next, after spaces.
  bool consume(char c) {
    skipSpace();
    if (atEnd() || text[position] != c)
      return false;
    ++position;
    return true;
  }

  Expected<StringRef> parseString(const Twine &what);
  Expected<bool> parseBool();
  Error parseExtent(int64_t &extent);
  Error parseShape(NpyHeader &header);
  Error parseType(NpyType &type);
  Error parseEntry(NpyHeader &header);

  StringRef path;
  StringRef text;
  size_t position = 0;
  bool hasType = false, hasOrder = false, hasShape = false;
};
} // namespace

Expected<StringRef> HeaderParser::parseString(const Twine &what) {
  skipSpace();
  if (atEnd() || (text[position] != '\'' && text[position] != '"'))
    return fail(what);
  size_t end = text.find(text[position], position + 1);
  if (end == StringRef::npos) {
    position = text.size();
    return fail("the end of a string");
  }
  StringRef result = text.slice(position + 1, end);
  position = end + 1;
  return result;
}

Expected<bool> HeaderParser::parseBool() {
  skipSpace();
  StringRef rest = text.drop_front(position);
  for (bool value : {false, true}) {
    StringRef word = value ? "True" : "False";
    if (rest.starts_with(word)) {
      position += word.size();
      return value;
    }
  }
  return fail("True or False");
}

Error HeaderParser::parseExtent(int64_t &extent) {
  skipSpace();
  StringRef digits = text.drop_front(position).take_while(llvm::isDigit);
  if (digits.empty() || (digits.size() > 1 && digits.front() == '0'))
    return fail("an extent");
  if (digits.getAsInteger(10, extent))
    return makeFileError(path, "expected extents below 2^63, got " +
                                   digits.take_front(40));
  position += digits.size();
  return Error::success();
}

/// "()", "(5,)", "(3, 4)", "(3, 4,)".
Error HeaderParser::parseShape(NpyHeader &header) {
  if (!consume('('))
    return fail("'(' of a shape");
  while (!consume(')')) {
    int64_t extent;
    if (Error error = parseExtent(extent))
      return error;
    if (header.shape.size() == kMaxNpyRank)
      return makeFileError(path, "expected at most " + Twine(kMaxNpyRank) +
                                     " dimensions, got more");
    header.shape.push_back(extent);
    bool comma = consume(',');
    skipSpace();
    // "(5)" is a number in Python, not a tuple.
    if (!comma &&
        (header.shape.size() == 1 || atEnd() || text[position] != ')'))
      return fail("','");
  }
  return Error::success();
}

Error HeaderParser::parseType(NpyType &type) {
  skipSpace();
  if (!atEnd() && (text[position] == '[' || text[position] == '('))
    return makeFileError(path, "structured element types are not supported, "
                               "expected a plain one such as '<f8'");
  Expected<StringRef> descr = parseString("an element type");
  if (!descr)
    return descr.takeError();

  StringRef name = *descr;
  char order = '\0';
  if (!name.empty() && StringRef("<>|=").contains(name.front())) {
    order = name.front();
    name = name.drop_front();
  }
  if (name.starts_with("O"))
    return makeFileError(
        path, "expected numbers, got pickled Python objects (element type " +
                  quote(*descr) + ")");
  type.kind = name.empty() ? '\0' : name.front();
  bool known =
      name.size() == 2 && !name.drop_front().getAsInteger(10, type.size);
  switch (type.kind) {
  case 'f':
    known &= type.size == 2 || type.size == 4 || type.size == 8;
    break;
  case 'i':
  case 'u':
    known &=
        type.size == 1 || type.size == 2 || type.size == 4 || type.size == 8;
    break;
  case 'b':
    known &= type.size == 1;
    break;
  case 'V':
    known &= type.size == 2;
    break;
  default:
    known = false;
  }
  if (!known)
    return makeFileError(path,
                         "expected element type f2, f4, f8, i1, i2, i4, i8, "
                         "u1, u2, u4, u8, b1 or V2 (bf16), got " +
                             quote(*descr));
  if (type.size > 1 && order == '>')
    return makeFileError(path,
                         "expected little-endian data, got " + quote(*descr));
  // "=" and none at all depend on the machine that wrote the file; "|" is only
  // for what has no byte order.
  if (type.size > 1 && order != '<' && !(type.kind == 'V' && order == '|'))
    return makeFileError(path, "expected a little-endian element type '" +
                                   type.str() + "', got " + quote(*descr));
  return Error::success();
}

Error HeaderParser::parseEntry(NpyHeader &header) {
  Expected<StringRef> key = parseString("a key");
  if (!key)
    return key.takeError();
  bool *seen = llvm::StringSwitch<bool *>(*key)
                   .Case("descr", &hasType)
                   .Case("fortran_order", &hasOrder)
                   .Case("shape", &hasShape)
                   .Default(nullptr);
  if (!seen || *seen)
    return makeFileError(path, Twine("malformed header: ") +
                                   (seen ? "repeated" : "unknown") + " key " +
                                   quote(*key));
  *seen = true;
  if (!consume(':'))
    return fail("':'");
  if (seen == &hasType)
    return parseType(header.type);
  if (seen == &hasShape)
    return parseShape(header);
  Expected<bool> isFortran = parseBool();
  if (!isFortran)
    return isFortran.takeError();
  if (*isFortran)
    return makeFileError(path, "expected C order, got Fortran order");
  return Error::success();
}

Error HeaderParser::parse(NpyHeader &header) {
  if (!consume('{'))
    return fail("'{'");
  while (!consume('}')) {
    if (Error error = parseEntry(header))
      return error;
    bool comma = consume(',');
    skipSpace();
    if (!comma && (atEnd() || text[position] != '}'))
      return fail("',' or '}'");
  }
  skipSpace();
  if (!atEnd())
    return fail("the end");
  for (auto [seen, key] :
       {std::pair(hasType, "descr"), std::pair(hasOrder, "fortran_order"),
        std::pair(hasShape, "shape")})
    if (!seen)
      return makeFileError(path, Twine("malformed header: missing key '") +
                                     key + "'");
  return Error::success();
}

/// Checks the promise of the header against the size of the file, before
/// anybody allocates what was promised.
static Error checkDataSize(StringRef path, const NpyHeader &header,
                           uint64_t fileSize) {
  std::optional<uint64_t> expected =
      getByteSize(header.shape, header.type.size);
  if (!expected)
    return makeFileError(path, "expected less than 2^63 bytes of data, got "
                               "shape " +
                                   formatShape(header.shape));
  uint64_t got = fileSize - header.dataOffset;
  if (*expected != got)
    return makeFileError(path, "expected " + Twine(*expected) +
                                   " bytes of data for shape " +
                                   formatShape(header.shape) + " of '" +
                                   header.type.str() + "', got " + Twine(got));
  return Error::success();
}

Expected<NpyHeader> stencil::parseNpyPrefix(StringRef path, StringRef prefix,
                                            uint64_t fileSize) {
  if (fileSize == 0)
    return makeFileError(path, "expected a .npy file, got an empty file");
  if (prefix.starts_with("PK\3\4"))
    return makeFileError(path, "expected a .npy file, got a .npz or .zip "
                               "archive");
  if (!prefix.starts_with(kMagic))
    return makeFileError(path, "expected a .npy file, which starts with "
                               "'\\x93NUMPY'");
  // Two bytes of version, then the length of the header in two or four.
  if (prefix.size() < 8)
    return makeFileError(path, "expected a version after the magic bytes, got "
                               "the end of the file");
  unsigned major = uint8_t(prefix[6]), minor = uint8_t(prefix[7]);
  if (major < 1 || major > 3 || minor != 0)
    return makeFileError(path, "expected .npy version 1.0, 2.0 or 3.0, got " +
                                   Twine(major) + "." + Twine(minor));
  size_t start = major == 1 ? 10 : 12;
  if (prefix.size() < start)
    return makeFileError(path, "expected the length of the header, got the end "
                               "of the file");
  uint64_t length = major == 1
                        ? llvm::support::endian::read16le(prefix.data() + 8)
                        : llvm::support::endian::read32le(prefix.data() + 8);
  if (length > kMaxHeaderLength)
    return makeFileError(path, "expected a header of at most " +
                                   Twine(kMaxHeaderLength) + " bytes, got " +
                                   Twine(length));
  if (length > prefix.size() - start)
    return makeFileError(path, "expected " + Twine(length) +
                                   " bytes of header, got " +
                                   Twine(prefix.size() - start));

  NpyHeader header;
  HeaderParser parser(path, prefix.substr(start, length));
  if (Error error = parser.parse(header))
    return error;
  header.dataOffset = start + length;
  if (Error error = checkDataSize(path, header, fileSize))
    return error;
  return header;
}
