//===- NpyTest.cpp - NumPy .npy files -------------------------------------===//

#include "StencilDialect/Support/Npy.h"

#include "TestSupport.h"

#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace stencil;
using llvm::Expected;

/// What NumPy 1.24 writes for a header of 118 bytes and some data.
static std::string numpyFile(const std::string &dictionary,
                             const std::string &data) {
  std::string file("\x93NUMPY\1\0v\0", 10);
  file += dictionary;
  file.append(127 - file.size(), ' ');
  return file + '\n' + data;
}

/// numpy.arange(6, dtype='<f4').reshape(2, 3) * 0.5
static std::string arange() {
  return numpyFile(
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
      std::string("\0\0\0\0\0\0\0?\0\0\x80?\0\0\xc0?\0\0\0@\0\0 @", 24));
}

TEST(Npy, ReadsNumpysBytes) {
  std::string file = arange();
  float data[6];
  EXPECT_EQ(message(parseNpyInto(llvm::MemoryBufferRef(file, "x.npy"),
                                 ElementKind::F32, {2, 3}, data)),
            "success");
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(data[i], i * 0.5f);
}

TEST(Npy, WritesNumpysBytes) {
  TemporaryDirectory directory;
  std::string path = directory / "x.npy";
  float data[] = {0, 0.5, 1, 1.5, 2, 2.5};
  EXPECT_EQ(message(writeNpy(path, ElementKind::F32, {2, 3}, data)), "success");
  EXPECT_EQ(readText(path), arange());
  double number = 3.25;
  EXPECT_EQ(message(writeNpy(path, ElementKind::F64, {}, &number)), "success");
  EXPECT_EQ(readText(path),
            numpyFile("{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
                      std::string("\0\0\0\0\0\0\n@", 8)));
  bool flags[] = {true, false, true};
  EXPECT_EQ(message(writeNpy(path, ElementKind::I1, {3}, flags)), "success");
  EXPECT_EQ(
      readText(path),
      numpyFile("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }",
                std::string("\1\0\1", 3)));
  EXPECT_EQ(directory.list(), std::vector<std::string>{"x.npy"});
}

TEST(Npy, EveryKindRoundTrips) {
  TemporaryDirectory directory;
  std::string path = directory / "x.npy";
  for (ElementKind kind : kAllElementKinds) {
    alignas(8) char data[15 * 8], copy[15 * 8];
    for (size_t i = 0; i < sizeof(data); ++i)
      data[i] = kind == ElementKind::I1 ? i % 2 : char(i * 37);
    size_t bytes = 15 * getElementSize(kind);
    EXPECT_EQ(message(writeNpy(path, kind, {3, 1, 5}, data)), "success");
    EXPECT_EQ(message(readNpyInto(path, kind, {3, 1, 5}, copy)), "success");
    EXPECT_EQ(std::memcmp(data, copy, bytes), 0) << getElementName(kind).str();

    Expected<NpyArray> array = readNpy(path);
    ASSERT_TRUE(bool(array)) << message(std::move(array));
    EXPECT_EQ(array->type.getElementKind(), kind);
    EXPECT_EQ(formatShape(array->shape), "3x1x5");
    EXPECT_EQ(std::memcmp(data, array->data.get(), bytes), 0);
    EXPECT_EQ(uintptr_t(array->data.get()) % 64, 0u);
  }
}

TEST(Npy, DataIsAlignedInTheFile) {
  TemporaryDirectory directory;
  std::string path = directory / "x.npy";
  llvm::SmallVector<int64_t> shape;
  for (int rank = 0; rank <= 64; ++rank) {
    char data = 7;
    ASSERT_EQ(message(writeNpy(path, ElementKind::I8, shape, &data)),
              "success");
    Expected<NpyHeader> header = readNpyHeader(path);
    ASSERT_TRUE(bool(header)) << message(std::move(header));
    EXPECT_EQ(header->dataOffset % 64, 0u);
    EXPECT_EQ(llvm::ArrayRef(header->shape), llvm::ArrayRef(shape));
    shape.push_back(1);
  }
}

TEST(Npy, ReadsArraysWithoutElements) {
  TemporaryDirectory directory;
  std::string path = directory / "x.npy";
  EXPECT_EQ(message(writeNpy(path, ElementKind::F64, {4, 0}, nullptr)),
            "success");
  EXPECT_EQ(message(readNpyInto(path, ElementKind::F64, {4, 0}, nullptr)),
            "success");
  Expected<NpyArray> array = readNpy(path);
  ASSERT_TRUE(bool(array)) << message(std::move(array));
  EXPECT_NE(array->data, nullptr);
}

TEST(Npy, TypesMatchKinds) {
  auto matching = [](NpyType type) {
    std::string names;
    for (ElementKind kind : kAllElementKinds)
      if (type.matches(kind))
        names += " " + getElementName(kind).str();
    return names;
  };
  EXPECT_EQ(matching({'f', 2}), " f16");
  EXPECT_EQ(matching({'f', 8}), " f64");
  EXPECT_EQ(matching({'V', 2}), " bf16");
  EXPECT_EQ(matching({'u', 2}), " i16");
  EXPECT_EQ(matching({'i', 2}), " i16");
  EXPECT_EQ(matching({'u', 8}), " i64");
  EXPECT_EQ(matching({'b', 1}), " i1");
  EXPECT_EQ(matching({'i', 1}), " i8");
  EXPECT_EQ((NpyType{'u', 2}).getElementKind(), ElementKind::I16);
}

TEST(Npy, RefusesOtherShapesAndTypes) {
  TemporaryDirectory directory;
  std::string path = directory / "x.npy";
  writeText(path, arange());
  float data[6];
  auto read = [&](ElementKind kind, llvm::ArrayRef<int64_t> shape) {
    return message(readNpyInto(path, kind, shape, data));
  };
  std::string p = "'" + path + "': ";
  EXPECT_EQ(read(ElementKind::F32, {3, 2}), p + "expected shape 3x2, got 2x3");
  EXPECT_EQ(read(ElementKind::F32, {6}), p + "expected shape 6, got 2x3");
  EXPECT_EQ(read(ElementKind::F32, {}), p + "expected shape (), got 2x3");
  EXPECT_EQ(read(ElementKind::F64, {2, 3}),
            p + "expected element type f64, got '<f4'");
  EXPECT_EQ(read(ElementKind::I32, {2, 3}),
            p + "expected element type i32, got '<f4'");
}

TEST(Npy, RefusesBytesThatAreNoBool) {
  std::string file =
      numpyFile("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }",
                std::string("\1\0\7", 3));
  char data[3];
  EXPECT_EQ(message(parseNpyInto(llvm::MemoryBufferRef(file, "x.npy"),
                                 ElementKind::I1, {3}, data)),
            "'x.npy': expected 0 or 1 as a bool, got 7 in element 2");
}

TEST(Npy, RefusesWhatIsNoFile) {
  TemporaryDirectory directory;
  auto read = [](const std::string &path) {
    double data;
    std::string result =
        message(readNpyInto(path, ElementKind::F64, {}, &data));
    EXPECT_EQ(message(readNpyHeader(path)), result);
    EXPECT_EQ(message(readNpy(path)), result);
    return result;
  };
  std::string none = directory / "none.npy", fifo = directory / "fifo";
  EXPECT_EQ(read(none), "'" + none + "': no such file or directory");
  EXPECT_EQ(read("/"), "'/': expected a file, got a directory");
  EXPECT_EQ(read(""), "'': no such file or directory");
  // Opening it would wait for a writer.
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(read(fifo),
            "'" + fifo + "': expected a regular file, got a special one");
  EXPECT_EQ(read("/dev/zero"),
            "'/dev/zero': expected a regular file, got a special one");
  std::string empty = directory / "empty.npy";
  writeText(empty, "");
  EXPECT_EQ(read(empty),
            "'" + empty + "': expected a .npy file, got an empty file");
}

TEST(Npy, RefusesTruncatedFiles) {
  // At every length, as nothing may be read beyond the end.
  TemporaryDirectory directory;
  std::string path = directory / "x.npy";
  std::string whole = arange();
  float data[6];
  for (size_t size = 0; size < whole.size(); ++size) {
    writeText(path, whole.substr(0, size));
    EXPECT_NE(message(readNpyInto(path, ElementKind::F32, {2, 3}, data)),
              "success")
        << size;
    EXPECT_NE(message(readNpy(path)), "success") << size;
  }
  EXPECT_EQ(message(readNpy(path)),
            "'" + path +
                "': expected 24 bytes of data for shape 2x3 of '<f4', got 23");
}

TEST(Npy, RefusesAbsurdFilesBeforeAllocating) {
  // A sparse file that keeps its promise of 2^40 bytes.
  TemporaryDirectory directory;
  std::string path = directory / "x.npy";
  constexpr uint64_t bytes = uint64_t(1) << 40;
  std::string prefix = numpyFile(
      "{'descr': '|u1', 'fortran_order': False, 'shape': (1099511627776,), }",
      "");
  writeText(path, prefix);
  if (llvm::sys::fs::file_status status;
      truncate(path.c_str(), prefix.size() + bytes) != 0 ||
      llvm::sys::fs::status(path, status))
    GTEST_SKIP() << "the file system has no sparse files of this size";
  EXPECT_EQ(message(readNpyHeader(path)), "success");
  std::string result = message(readNpy(path));
  EXPECT_TRUE(
      llvm::StringRef(result).ends_with(" GiB of memory, got 1024.0 GiB"))
      << result;
}

TEST(Npy, WritesNothingOnError) {
  TemporaryDirectory directory;
  std::string path = directory / "x.npy";
  EXPECT_EQ(message(writeNpy(path, ElementKind::F64,
                             {int64_t(1) << 32, int64_t(1) << 32}, nullptr)),
            "'" + path +
                "': expected less than 2^63 bytes of data, got shape "
                "4294967296x4294967296");
  EXPECT_EQ(message(writeNpy(path, ElementKind::F64, {-1}, nullptr)),
            "'" + path +
                "': expected less than 2^63 bytes of data, got shape -1");
  llvm::SmallVector<int64_t> tooMany(65, 1);
  char data = 0;
  EXPECT_EQ(message(writeNpy(path, ElementKind::I8, tooMany, &data)),
            "'" + path + "': expected at most 64 dimensions, got 65");
  EXPECT_TRUE(directory.list().empty());
}
