// Reading and writing of .npy files as this benchmark needs them: float and
// double, C order, little-endian, format version 1. Everything else is an
// error.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <vector>

[[noreturn]] inline void fail(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  std::exit(1);
}

/// Uninitialised memory in huge pages where the system gives them: a stencil
/// touches many rows at once, and 4 KiB pages cost it TLB misses.
template <class T> T *allocate(std::size_t count) {
  const std::size_t page = std::size_t(2) << 20;
  std::size_t bytes = (count * sizeof(T) + page - 1) / page * page;
  void *memory = std::aligned_alloc(page, bytes);
  if (!memory)
    fail("out of memory");
  madvise(memory, bytes, MADV_HUGEPAGE);
  return static_cast<T *>(memory);
}

template <class T> struct Array {
  std::vector<long> shape;
  T *data = nullptr;
  long size() const {
    long n = 1;
    for (long e : shape)
      n *= e;
    return n;
  }
  static const char *descr() { return sizeof(T) == 8 ? "'<f8'" : "'<f4'"; }
};

template <class T> Array<T> readNpy(const char *path) {
  std::FILE *file = std::fopen(path, "rb");
  if (!file)
    fail(std::string(path) + ": cannot open");
  unsigned char head[10];
  if (std::fread(head, 1, 10, file) != 10 ||
      std::memcmp(head, "\x93NUMPY\x01", 7) != 0)
    fail(std::string(path) + ": expected a version 1 .npy file");
  std::string text(head[8] + 256 * head[9], ' ');
  if (std::fread(&text[0], 1, text.size(), file) != text.size() ||
      text.find(Array<T>::descr()) == std::string::npos ||
      text.find("'fortran_order': False") == std::string::npos)
    fail(std::string(path) + ": expected little-endian " + Array<T>::descr() +
         " in C order");
  Array<T> a;
  std::size_t at = text.find("'shape': (");
  for (const char *s = text.c_str() + at + 10; at != std::string::npos;) {
    char *end;
    long extent = std::strtol(s, &end, 10);
    if (end == s)
      break;
    a.shape.push_back(extent);
    s = end + std::strspn(end, ", ");
  }
  a.data = allocate<T>(a.size());
  if (std::fread(a.data, sizeof(T), a.size(), file) != std::size_t(a.size()))
    fail(std::string(path) + ": truncated");
  std::fclose(file);
  return a;
}

template <class T> void writeNpy(const char *path, const Array<T> &a) {
  std::string shape;
  for (long extent : a.shape)
    shape += std::to_string(extent) + ",";
  std::string text = std::string("{'descr': ") + Array<T>::descr() +
                     ", 'fortran_order': False, 'shape': (" + shape + "), }";
  text += std::string(63 - (10 + text.size()) % 64, ' ') + "\n";
  std::FILE *file = std::fopen(path, "wb");
  if (!file)
    fail(std::string(path) + ": cannot open");
  unsigned char size[2] = {(unsigned char)(text.size() % 256),
                           (unsigned char)(text.size() / 256)};
  bool ok =
      std::fwrite("\x93NUMPY\x01\x00", 1, 8, file) == 8 &&
      std::fwrite(size, 1, 2, file) == 2 &&
      std::fwrite(text.data(), 1, text.size(), file) == text.size() &&
      std::fwrite(a.data, sizeof(T), a.size(), file) == std::size_t(a.size());
  if (std::fclose(file) != 0 || !ok)
    fail(std::string(path) + ": cannot write");
}
