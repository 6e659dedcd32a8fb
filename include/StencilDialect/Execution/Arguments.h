//===- Arguments.h - The arrays and scalars of a run --------------*- C++
//-*-===//

#ifndef STENCILDIALECT_EXECUTION_ARGUMENTS_H
#define STENCILDIALECT_EXECUTION_ARGUMENTS_H

#include "StencilDialect/Execution/ArgumentSpec.h"
#include "StencilDialect/Execution/Extents.h"
#include "StencilDialect/Interpreter/Interpreter.h"
#include "StencilDialect/Support/Npy.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace stencil {

/// Memory for an array: aligned to 64 bytes (a cache line, and the widest
/// vector), on huge pages if it is large. Contents are undefined.
class ArrayMemory {
public:
  ArrayMemory() = default;
  /// `color` shifts the start by some cache lines, so that equal elements of
  /// arrays with different colours do not compete for one set of a cache.
  explicit ArrayMemory(uint64_t bytes, unsigned color = 0);

  void *get() const { return start; }
  uint64_t size() const { return bytes; }

private:
  struct Free {
    void operator()(void *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<void, Free> allocation;
  void *start = nullptr;
  uint64_t bytes = 0;
};

/// The arguments of one call. Arrays are owned.
class Arguments {
public:
  /// As the interpreter and the compiled program take them.
  std::vector<InterpreterArgument> values;

  /// Arrays of the elements that the program has, filled as `specs` (one per
  /// parameter) says. Emits an error if a file cannot be read, or a number does
  /// not fit. Pages lie near the threads of a program that has so many.
  static mlir::FailureOr<Arguments> create(const Signature &signature,
                                           const Extents &extents,
                                           llvm::ArrayRef<ArgumentSpec> specs,
                                           unsigned threads = 1);

  /// How the field argument number `index`, of elements of `kind`, is written:
  /// as it was read, so that unsigned integers stay unsigned.
  NpyType getFileType(unsigned index, ElementKind kind) const;

  /// Moves the rows of fields apart, so that the first interior point of each
  /// lies at the beginning of a cache line: the vectors of a row are then as
  /// aligned as they can be. For programs that are compiled with
  /// CompileOptions::paddedRows, and nobody else. Short rows stay as they are.
  void padRows(const Signature &signature);

  /// Takes that back, for all others.
  void packRows(const Signature &signature);

  /// Copies the arrays of `other`, of the same shapes, into these, with the
  /// gaps that their rows have.
  void assignFields(const Arguments &other);

  /// A copy with arrays of its own.
  Arguments clone() const;

  /// A copy in which floating-point elements are `long double`, as the
  /// interpreter takes them for extended precision.
  Arguments cloneExtended(const Signature &signature) const;

private:
  /// Memory for one more field.
  void *allocate(uint64_t bytes);
  void moveRows(const Signature &signature, bool apart);

  unsigned threads = 1;
  /// In the order of the fields among the arguments.
  std::vector<ArrayMemory> memory;
  /// Of the arguments that were read from files.
  llvm::DenseMap<unsigned, NpyType> fileTypes;
};

/// "1 argument", "3 arguments".
std::string countParameters(const Signature &signature);

/// The --arg option of each parameter of `function`. Fails if one is missing or
/// too many, which is wrong usage of a tool.
llvm::Expected<std::vector<ArgumentSpec>>
matchArguments(const Signature &signature, llvm::ArrayRef<ArgumentSpec> given,
               llvm::StringRef function);

/// Finds the value of each argument among the --arg options and reads the
/// shapes of the files. Emits errors for arguments that are missing or of the
/// wrong sort: a number for a field, a file for a scalar, an element type that
/// is not that of the field.
mlir::FailureOr<std::vector<std::optional<GivenShape>>>
checkArguments(const Signature &signature, llvm::ArrayRef<ArgumentSpec> specs);

/// The value of `text` in a scalar type. Fails if it is not a number or does
/// not fit.
llvm::Expected<ScalarValue> parseScalar(llvm::StringRef text, mlir::Type type);

/// As the program would print it: "3", "0.25", shortest form that reads back.
std::string formatScalar(ScalarValue value, mlir::Type type);

/// Bytes of all arrays, at most 2^64 - 1.
uint64_t countFieldBytes(const Signature &signature, const Extents &extents);

/// Fails if the arrays, `copies` of each (and, if `extended`, one copy of which
/// every floating-point element takes 16 bytes, and with `bounds` 24 bytes per
/// element), and the fields that `entry`
/// allocates do not fit in memory. To be called before they are allocated.
mlir::LogicalResult checkMemory(const Signature &signature,
                                const Extents &extents, unsigned copies,
                                bool extended, mlir::func::FuncOp entry,
                                bool bounds = false);

/// Element `index` of the array that `random:SEED:LOW:HIGH` makes, the same on
/// every machine: SplitMix64 (Steele, Lea, Flood 2014), whose stream starts at
/// the mixed seed. Its upper 52 bits are a fraction m in [0, 1) of which the
/// value low + (high - low) m is made; its upper 32 bits, of which an integer
/// from 1 to 100 is made; or its highest bit, for i1. Without a range nothing
/// is zero or negative, so that roots, logarithms and quotients are defined,
/// and sums do not cancel to values whose relative error means nothing.
double getRandomElement(uint64_t seed, uint64_t index, ElementKind kind,
                        double low = 1.0 / 64, double high = 1.0);

} // namespace stencil

#endif // STENCILDIALECT_EXECUTION_ARGUMENTS_H
