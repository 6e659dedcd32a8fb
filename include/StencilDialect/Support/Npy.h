//===- Npy.h - NumPy .npy files ---------------------------------*- C++ -*-===//
//
// Reads and writes arrays in NumPy's .npy format, versions 1.0, 2.0 and 3.0:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
// Little-endian data in C order only; everything else is an error that says
// what was expected and what was found. A file is never trusted: sizes are
// checked against the file before anything is allocated.
//
// NumPy has no bfloat16. We write it as '<V2' (two opaque bytes), which is what
// ml_dtypes writes, and read '<V2' and '|V2'. Numbers of two bytes are no bf16:
//   numpy.save("x.npy", bits.view("V2"))
//   a = numpy.load("x.npy").view("<u2").astype("u4") << 16; a.view("f4")
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_NPY_H
#define STENCILDIALECT_SUPPORT_NPY_H

#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Support/Element.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <cstdlib>
#include <memory>
#include <string>

namespace stencil {

/// The element type of a file, as its 'descr' says: 'f', 'i', 'u', 'b' (bool)
/// or 'V' (opaque), and the bytes of an element.
struct NpyType {
  char kind = 'f';
  unsigned size = 8;

  /// How a field of `kind` is written: signed integers, '<V2' for bf16.
  static NpyType get(ElementKind kind);

  /// Whether data of this type can be read as `kind`: signless integers take
  /// 'i' and 'u', bf16 takes 'V2' alone.
  bool matches(ElementKind kind) const;

  /// The kind that such data has when nothing else is known. V2 is taken for
  /// bf16.
  ElementKind getElementKind() const;

  /// As in a file: "<f8", "|b1".
  std::string str() const;

  bool operator==(const NpyType &other) const {
    return kind == other.kind && size == other.size;
  }
  bool operator!=(const NpyType &other) const { return !(*this == other); }
};

/// What comes before the data. A header that was returned by a function below
/// is one we can read: a supported type, C order, and exactly getDataSize()
/// bytes of data behind it.
struct NpyHeader {
  NpyType type;
  /// Extents, last one contiguous. Empty for a single number; an extent may be
  /// 0. Their product, in bytes, is known not to overflow.
  llvm::SmallVector<int64_t, 4> shape;
  /// Where the data starts in the file, in bytes.
  uint64_t dataOffset = 0;

  int64_t getNumElements() const;
  uint64_t getDataSize() const { return getNumElements() * type.size; }
};

/// An array that owns its data, aligned to 64 bytes (a cache line, and the
/// widest vector).
struct NpyArray {
  struct Free {
    void operator()(void *pointer) const { std::free(pointer); }
  };
  NpyType type;
  llvm::SmallVector<int64_t, 4> shape;
  std::unique_ptr<void, Free> data;
};

/// The header of a file, checked against the size of the file. Reads no data.
llvm::Expected<NpyHeader> readNpyHeader(llvm::StringRef path);

/// Reads the data of a file to `dst`, which has room for `shape` elements of
/// `kind`, without another copy. The type and the shape in the file must be
/// these:
///   'in.npy': expected shape 128x128, got 64x128
///   'in.npy': expected element type f64, got '<f4'
/// On an error the content of `dst` is unspecified.
llvm::Error readNpyInto(llvm::StringRef path, ElementKind kind,
                        llvm::ArrayRef<int64_t> shape, void *dst);

/// Reads a whole file of whatever type and shape.
llvm::Expected<NpyArray> readNpy(llvm::StringRef path);

/// The same for a file that is in memory; its identifier names it in errors.
llvm::Expected<NpyHeader> parseNpyHeader(llvm::MemoryBufferRef buffer);
llvm::Error parseNpyInto(llvm::MemoryBufferRef buffer, ElementKind kind,
                         llvm::ArrayRef<int64_t> shape, void *dst);

/// Writes version 1.0, the data aligned to 64 bytes in the file, atomically
/// (see AtomicFile.h). `data` has the product of `shape` elements of `type`.
llvm::Error writeNpy(llvm::StringRef path, NpyType type,
                     llvm::ArrayRef<int64_t> shape, const void *data);
inline llvm::Error writeNpy(llvm::StringRef path, ElementKind kind,
                            llvm::ArrayRef<int64_t> shape, const void *data) {
  return writeNpy(path, NpyType::get(kind), shape, data);
}

/// "128x64"; "()" for a single number.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_NPY_H
