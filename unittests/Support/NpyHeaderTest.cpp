//===- NpyHeaderTest.cpp - Headers of NumPy .npy files --------------------===//
//
// Whatever stands in a file, the answer is an error that names both sides.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Support/Npy.h"

#include "TestSupport.h"

#include "llvm/ADT/StringExtras.h"

using namespace stencil;
using llvm::Expected;

/// A file of the given version around the text of a header.
static std::string makeFile(const std::string &header, const std::string &data,
                            int version = 1) {
  std::string file("\x93NUMPY", 6);
  file += char(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    file += char(header.size() >> (8 * i));
  return file + header + data;
}

static Expected<NpyHeader> parse(const std::string &file) {
  return parseNpyHeader(llvm::MemoryBufferRef(file, "x.npy"));
}

static void expectError(const std::string &file, const std::string &expected) {
  EXPECT_EQ(message(parse(file)), "'x.npy': " + expected);
}

static std::string withType(const std::string &descr) {
  return "{'descr': " + descr + ", 'fortran_order': False, 'shape': (1,), }";
}
static std::string withShape(const std::string &shape) {
  return "{'descr': '|u1', 'fortran_order': False, 'shape': " + shape + ", }";
}

TEST(NpyHeader, ReadsEveryVersion) {
  for (int version : {1, 2, 3}) {
    std::string text = withShape("(2, 3)") + "   \n";
    Expected<NpyHeader> header = parse(makeFile(text, "abcdef", version));
    ASSERT_TRUE(bool(header)) << message(std::move(header));
    EXPECT_EQ(header->type.str(), "|u1");
    EXPECT_EQ(formatShape(header->shape), "2x3");
    EXPECT_EQ(header->dataOffset, (version == 1 ? 10 : 12) + text.size());
    EXPECT_EQ(header->getNumElements(), 6);
  }
}

TEST(NpyHeader, ReadsEveryType) {
  for (std::string name : {"<f2", "<f4", "<f8", "|i1", "<i2", "<i4", "<i8",
                           "|u1", "<u2", "<u4", "<u8", "|b1", "<V2"}) {
    std::string data(name[2] - '0', '\0');
    Expected<NpyHeader> header =
        parse(makeFile(withType("'" + name + "'"), data));
    ASSERT_TRUE(bool(header)) << message(std::move(header));
    EXPECT_EQ(header->type.str(), name);
  }
  EXPECT_EQ(message(parse(makeFile(withType("'|V2'"), "ab"))), "success");
  // A single byte has no order.
  for (std::string name : {"'<i1'", "'>u1'", "'=b1'", "'u1'"})
    EXPECT_EQ(message(parse(makeFile(withType(name), "a"))), "success");
}

TEST(NpyHeader, ReadsPythonsFreedoms) {
  for (std::string text :
       {"{'shape':(2,3),'fortran_order':False,'descr':'|u1'}",
        "{ \"descr\" : \"|u1\" , 'fortran_order' : False , 'shape' : ( 2 , 3 , "
        ") , }",
        "\n{'descr':\t'|u1','fortran_order':False,'shape':(2,3)}\n \n"}) {
    Expected<NpyHeader> header = parse(makeFile(text, "abcdef"));
    ASSERT_TRUE(bool(header)) << text << message(std::move(header));
    EXPECT_EQ(formatShape(header->shape), "2x3");
  }
}

TEST(NpyHeader, ReadsShapes) {
  auto parseShape = [](const std::string &shape, size_t bytes) {
    Expected<NpyHeader> header =
        parse(makeFile(withShape(shape), std::string(bytes, 'x')));
    return header ? formatShape(header->shape) : message(std::move(header));
  };
  EXPECT_EQ(parseShape("()", 1), "()");
  EXPECT_EQ(parseShape("( )", 1), "()");
  EXPECT_EQ(parseShape("(7,)", 7), "7");
  EXPECT_EQ(parseShape("(2,3,4,5,1)", 120), "2x3x4x5x1");
  EXPECT_EQ(parseShape("(0,)", 0), "0");
  // No elements, so no overflow either.
  EXPECT_EQ(parseShape("(9223372036854775807, 8, 0)", 0),
            "9223372036854775807x8x0");
}

TEST(NpyHeader, RefusesWhatIsNotNpy) {
  expectError("", "expected a .npy file, got an empty file");
  std::string magic = "expected a .npy file, which starts with '\\x93NUMPY'";
  expectError("\x93NUMP", magic);
  expectError("1 2 3\n4 5 6\n", magic);
  expectError("PK\3\4....", "expected a .npy file, got a .npz or .zip archive");
}

TEST(NpyHeader, RefusesTruncatedHeaders) {
  std::string whole = makeFile(withShape("(3,)"), "");
  auto cut = [&](size_t size) { return whole.substr(0, size); };
  expectError(cut(6),
              "expected a version after the magic bytes, got the end of the "
              "file");
  expectError(cut(7),
              "expected a version after the magic bytes, got the end of the "
              "file");
  expectError(cut(9),
              "expected the length of the header, got the end of the file");
  expectError(cut(10), "expected 57 bytes of header, got 0");
  expectError(cut(66), "expected 57 bytes of header, got 56");
  std::string v2 = makeFile(withShape("(3,)"), "", 2);
  expectError(v2.substr(0, 11),
              "expected the length of the header, got the end of the file");
}

TEST(NpyHeader, RefusesOtherVersions) {
  for (int version : {0, 4, 255})
    expectError(makeFile("{}", "", version),
                "expected .npy version 1.0, 2.0 or 3.0, got " +
                    std::to_string(version) + ".0");
  std::string file = makeFile("{}", "");
  file[7] = 1;
  expectError(file, "expected .npy version 1.0, 2.0 or 3.0, got 1.1");
}

TEST(NpyHeader, RefusesAbsurdHeaderLength) {
  std::string file = makeFile("{}", "", 2);
  for (int i = 8; i < 12; ++i)
    file[i] = '\xff';
  expectError(file, "expected a header of at most 65536 bytes, got 4294967295");
}

TEST(NpyHeader, RefusesMalformedDictionaries) {
  std::string p = "malformed header: ";
  auto expectMalformed = [&](const std::string &text,
                             const std::string &expected) {
    expectError(makeFile(text, ""), p + expected);
  };
  expectMalformed("", "expected '{', got the end at byte 0");
  expectMalformed("[1]", "expected '{', got '[' at byte 0");
  expectMalformed("{", "expected a key, got the end at byte 1");
  expectMalformed("{}", "missing key 'descr'");
  expectMalformed("{'descr': '|u1', 'shape': ()}",
                  "missing key 'fortran_order'");
  expectMalformed("{'descr': '|u1', 'fortran_order': False}",
                  "missing key 'shape'");
  expectMalformed("{'descr': '|u1', 'descr': '<f8'}", "repeated key 'descr'");
  expectMalformed("{'extra': 1}", "unknown key 'extra'");
  expectMalformed("{descr: '|u1'}", "expected a key, got 'd' at byte 1");
  expectMalformed("{'descr' '|u1'}", "expected ':', got ''' at byte 9");
  expectMalformed("{'descr': '|u1' 'shape': ()}",
                  "expected ',' or '}', got ''' at byte 16");
  expectMalformed("{'descr", "expected the end of a string, got the end at "
                             "byte 7");
  expectMalformed("{'descr': 8}", "expected an element type, got '8' at byte "
                                  "10");
  expectMalformed("{'fortran_order': 0}",
                  "expected True or False, got '0' at byte 18");
  expectMalformed(withShape("()") + "{",
                  "expected the end, got '{' at byte " +
                      std::to_string(withShape("()").size()));
  expectMalformed(std::string("{\0", 2),
                  "expected a key, got '\\00' at byte 1");
  expectMalformed("{,}", "expected a key, got ',' at byte 1");
}

TEST(NpyHeader, RefusesMalformedShapes) {
  size_t at = withShape("").size() - 3;
  auto expectMalformed = [&](const std::string &shape,
                             const std::string &expected, size_t offset) {
    expectError(makeFile(withShape(shape), ""),
                "malformed header: expected " + expected + " at byte " +
                    std::to_string(at + offset));
  };
  expectMalformed("[2, 3]", "'(' of a shape, got '['", 0);
  expectMalformed("4", "'(' of a shape, got '4'", 0);
  expectMalformed("(4)", "',', got ')'", 2);
  expectMalformed("(2 3)", "',', got '3'", 3);
  expectMalformed("(,)", "an extent, got ','", 1);
  expectMalformed("(2,,)", "an extent, got ','", 3);
  expectMalformed("(-1,)", "an extent, got '-'", 1);
  expectMalformed("(2.5,)", "',', got '.'", 2);
  // Python 2 wrote long integers so.
  expectMalformed("(2L,)", "',', got 'L'", 2);
  expectMalformed("(02,)", "an extent, got '0'", 1);
  expectMalformed("(0x2,)", "',', got 'x'", 2);
  expectMalformed("(2,", "an extent, got ','", 3);
}

TEST(NpyHeader, RefusesOtherTypes) {
  auto expectUnknown = [](const std::string &descr) {
    expectError(makeFile(withType("'" + descr + "'"), "x"),
                "expected element type f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, "
                "u8, b1 or V2 (bf16), got '" +
                    descr + "'");
  };
  for (std::string descr :
       {"", "<", "<f", "<f16", "<f3", "<f0", "<f-8", "<i16", "<c16", "<U5",
        "|S8", "<M8", "|V8", "<b2", "f", "<<f8", "<f8 ", "float64"})
    expectUnknown(descr);
  expectError(makeFile(withType("'|O'"), "x"),
              "expected numbers, got pickled Python objects (element type "
              "'|O')");
  expectError(makeFile(withType("[('a', '<f4')]"), "x"),
              "structured element types are not supported, expected a plain "
              "one such as '<f8'");
}

TEST(NpyHeader, RefusesOtherByteOrders) {
  for (std::string name : {">f8", ">i2", ">V2"})
    expectError(makeFile(withType("'" + name + "'"), "x"),
                "expected little-endian data, got '" + name + "'");
  for (std::string name : {"=f8", "|f8", "f8"})
    expectError(makeFile(withType("'" + name + "'"), "x"),
                "expected a little-endian element type '<f8', got '" + name +
                    "'");
}

TEST(NpyHeader, RefusesFortranOrder) {
  expectError(makeFile("{'descr': '<f8', 'fortran_order': True, 'shape': (2, "
                       "3), }",
                       std::string(48, 'x')),
              "expected C order, got Fortran order");
}

TEST(NpyHeader, RefusesWrongSizes) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (32, "
                       "32), }";
  std::string expected =
      "expected 8192 bytes of data for shape 32x32 of '<f8', got ";
  expectError(makeFile(header, std::string(100, 'x')), expected + "100");
  expectError(makeFile(header, ""), expected + "0");
  expectError(makeFile(header, std::string(8193, 'x')), expected + "8193");
}

TEST(NpyHeader, ErrorsAreOneShortLine) {
  expectError(makeFile("{'de\n\xff\x1b': 1}", ""),
              "malformed header: unknown key 'de\\0A\\FF\\1B'");
  expectError(makeFile("{\n\n\xff", ""),
              "malformed header: expected a key, got '\\FF' at byte 3");
  expectError(makeFile(withType("'" + std::string(1000, '\n') + "'"), ""),
              "expected element type f2, f4, f8, i1, i2, i4, i8, u1, u2, u4, "
              "u8, b1 or V2 (bf16), got '" +
                  llvm::join(std::vector<std::string>(40, "\\0A"), "") + "'");
  std::string ones = "(";
  for (int i = 0; i < 65; ++i)
    ones += "1,";
  expectError(makeFile(withShape(ones + ")"), "x"),
              "expected at most 64 dimensions, got more");
}

TEST(NpyHeader, RefusesAbsurdExtents) {
  auto expectAbsurd = [](const std::string &shape,
                         const std::string &expected) {
    expectError(makeFile(withShape(shape), "x"), expected);
  };
  expectAbsurd("(9223372036854775808,)",
               "expected extents below 2^63, got 9223372036854775808");
  expectAbsurd("(" + std::string(60, '9') + ",)",
               "expected extents below 2^63, got " + std::string(40, '9'));
  expectAbsurd("(4294967296, 4294967296)",
               "expected less than 2^63 bytes of data, got shape "
               "4294967296x4294967296");
  // The product is a small number modulo 2^64.
  expectAbsurd("(4294967296, 4294967297)",
               "expected less than 2^63 bytes of data, got shape "
               "4294967296x4294967297");
  expectAbsurd("(9223372036854775807,)",
               "expected 9223372036854775807 bytes of data for shape "
               "9223372036854775807 of '|u1', got 1");
}
