//===- Program.h - The body of an apply as instructions on rows -*- C++ -*-===//
//
// The body is translated once into instructions that work on a chunk of a row
// at a time, as array languages do. A register holds one value of the body at
// all points ("lanes") of the chunk. Registers of accesses point into the
// arrays; all others have memory of their own, which stays in the first-level
// caches.
//
// Control flow that differs between points is evaluated under a mask of the
// active lanes. Inactive lanes compute garbage that is never looked at and
// raise no errors.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_INTERPRETER_PROGRAM_H
#define STENCIL_LIB_INTERPRETER_PROGRAM_H

#include "Arrays.h"
#include "ElementOps.h"
#include "StencilDialect/IR/BodyInterfaces.h"

#include <memory>
#include <vector>

namespace stencil::interp {

/// Why and where a point could not be evaluated.
struct Fault {
  FaultKind kind = FaultKind::None;
  mlir::Operation *op = nullptr;
  /// Base point of the body.
  llvm::SmallVector<int64_t, 4> point;
  /// The coordinates asked for, or the step.
  llvm::SmallVector<int64_t, 4> values;
};

/// An array that the body reads.
struct BoundInput {
  ArrayView array;
  llvm::SmallVector<int64_t, 4> strides;
  /// Bytes over the array's box, 0 where nothing was stored; or null.
  /// In a kernel of tiles, PointState.
  const char *mask = nullptr;
};

struct ErrorAnalysis;

/// The errors of the lanes of a register; see Errors.h.
struct Shadow {
  double *linear = nullptr, *quadratic = nullptr, *magnitude = nullptr;
  double *coherent = nullptr, *random = nullptr;

  double getError(int64_t lane) const { return linear[lane] + quadratic[lane]; }
};

/// What one thread works on.
struct Frame {
  std::vector<char *> registers;
  std::vector<MemoryPool::Block> memory;
  /// One per register under error analysis, else none.
  std::vector<Shadow> shadows;
  /// In a kernel of tiles, bytes per register: lanes whose value is not
  /// specified; else none.
  std::vector<uint8_t *> unspecified;
  std::vector<std::vector<double>> scratch;
  /// Of what is drawn by chance in this chunk.
  uint64_t salt = 0;
  int64_t chunk = 0;
  llvm::ArrayRef<BoundInput> inputs;
  /// First point of the chunk, and the distance of its lanes along the last
  /// axis.
  llvm::SmallVector<int64_t, 4> point;
  int64_t laneStep = 1;
  /// Lanes of the chunk.
  int64_t n = 0;
  /// Active lanes; null: all.
  const uint8_t *mask = nullptr;
  Fault fault;

  template <typename T> T *get(unsigned reg) const {
    return reinterpret_cast<T *>(registers[reg]);
  }

  /// A chunk of numbers for a moment.
  double *getScratch(unsigned slot);

  bool isActive(int64_t lane) const { return !mask || mask[lane]; }
  /// Marks the lanes of `result` that are not specified in one of `operands`.
  void spreadUnspecified(unsigned result, llvm::ArrayRef<unsigned> operands);

  /// Records a fault at a lane.
  bool fail(FaultKind kind, mlir::Operation *op, int64_t lane,
            llvm::ArrayRef<int64_t> values = {});
};

class Instruction {
public:
  virtual ~Instruction() = default;
  /// Evaluates the active lanes. False if a fault was recorded.
  virtual bool run(Frame &frame) const = 0;
};

struct Sequence {
  std::vector<std::unique_ptr<Instruction>> instructions;

  bool run(Frame &frame) const {
    for (const auto &instruction : instructions)
      if (!instruction->run(frame))
        return false;
    return true;
  }
};

/// A value as registers: one, or two for a `!stencil.result`, whose second is
/// an I1 that says whether the point is stored.
using Registers = llvm::SmallVector<unsigned, 2>;

struct Program {
  /// An input through an offset mapping.
  struct View {
    unsigned input;
    llvm::SmallVector<int64_t, 4> axes;
  };
  /// A register that is a row of a view at an offset.
  struct Access {
    unsigned view;
    llvm::SmallVector<int64_t, 4> offset;
    unsigned reg;
    mlir::Operation *op;
  };
  /// The points relative to the current one that a dyn_access may touch.
  struct Range {
    unsigned input;
    llvm::SmallVector<int64_t, 4> lower, upper;
    mlir::Operation *op;
  };
  struct Constant {
    unsigned reg;
    Cell value;
  };
  /// A scalar operand of the apply.
  struct Scalar {
    unsigned reg;
    unsigned argument;
  };
  /// Values of one result at the points of the unroll box.
  struct Output {
    unsigned result;
    llvm::SmallVector<int64_t, 4> offset;
    unsigned reg;
    /// I1 register of what is stored; nothing: every point is.
    std::optional<unsigned> set;
    /// The register can be the row of the result itself.
    bool isDirect;
  };

  unsigned rank = 0;
  llvm::SmallVector<int64_t, 4> unroll;
  /// Kind per register.
  std::vector<Kind> registers;
  /// Registers that get their memory per chunk.
  std::vector<bool> isPointer;
  /// Operands of the apply that are arrays, in the order of `View::input`.
  llvm::SmallVector<unsigned> inputs;
  std::vector<View> views;
  std::vector<Access> accesses;
  std::vector<Range> ranges;
  std::vector<Constant> constants;
  std::vector<Scalar> scalars;
  std::vector<Output> outputs;
  Sequence body;
  /// What pointwise ops became: instructions name ops of them.
  std::vector<std::unique_ptr<Expansion>> expansions;

  /// Frames of the threads, kept between runs.
  std::vector<std::unique_ptr<Frame>> frames;
  /// Null: errors are not followed.
  ErrorAnalysis *analysis = nullptr;
  /// Reads what is not specified, and says of its results what is.
  bool followsUnspecified = false;
  int64_t chunk = 0;

  /// True if result `result` stores nothing at some points.
  bool isMasked(unsigned result) const;
};

} // namespace stencil::interp

#endif // STENCIL_LIB_INTERPRETER_PROGRAM_H
