//===- Writer.h - Statements of one function -----------------------*- C++
//-*-===//
//
// Walks through the ops of a function in order and writes statements. A value
// that is used once, in its own block, waits to become part of its user's
// expression; any other one becomes a variable. What was read from memory
// becomes a variable at the latest when something is written.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TARGET_GPUSOURCE_WRITER_H
#define STENCILDIALECT_TARGET_GPUSOURCE_WRITER_H

#include "Expression.h"
#include "Names.h"
#include "Prologue.h"
#include "Ranges.h"
#include "SourceNames.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::vector {
class BitCastOp;
} // namespace mlir::vector

namespace stencil::gpusource {

/// The scalars of a value: one, or a vector's in row-major order.
using Parts = llvm::SmallVector<Expression, 4>;

/// A memref as C++ sees it.
struct Memory {
  /// A pointer to element 0, or an array with the memref's axes.
  Expression base;
  /// Per axis; empty text if unknown.
  llvm::SmallVector<Expression, 4> sizes, strides;
  mlir::Type element;
  bool isArray = false;
  /// Nothing is written through it.
  bool isConst = false;
  /// Nothing is written to it, by anybody, while the function runs.
  bool isReadOnly = false;
};

/// A kernel that was written.
struct Kernel {
  std::string name;
  /// The arguments that its text needs; the others are left out.
  llvm::SmallVector<bool> needed;
};

using KernelTable = llvm::DenseMap<mlir::Operation *, Kernel>;
/// The names of constant arrays; symbols are those of one module.
using ArrayTable = llvm::DenseMap<mlir::Operation *, std::string>;

/// What the functions of one source share.
struct Context {
  Prologue prologue;
  Ranges ranges;
  SourceNames sourceNames;
  KernelTable kernels;
  ArrayTable arrays;
};

class Writer {
public:
  Writer(Context &context, bool device)
      : prologue(context.prologue), context(context), device(device) {}

  //===- Text -------------------------------------------------------------===//

  void line(const llvm::Twine &text);
  /// `text {`, and a scope for names.
  void open(const llvm::Twine &text);
  /// `}`, `} text`, or `} text {`.
  void close(const llvm::Twine &text = {});
  void reopen(const llvm::Twine &text);
  /// The length of the text so far.
  size_t getLength() const { return text.size(); }
  /// Replaces what the last `open` wrote, which began at `length`.
  void replaceOpening(size_t length, const llvm::Twine &content);
  std::string takeText() { return std::move(text); }

  //===- Values -----------------------------------------------------------===//

  /// The expression of an operand of the op that is being written. It is used
  /// at once, before anything else is written.
  Parts takeAll(mlir::Value value);
  Expression take(mlir::Value value);
  /// In form Exact.
  Expression takeExact(mlir::Value value);
  /// A variable or literal.
  Expression takeStable(mlir::Value value);

  /// A variable with the value of `expression`, or itself if it is stable.
  Expression makeStable(const Expression &expression, mlir::Type type,
                        llvm::StringRef hint = {});

  /// Says what stands for `value`: as an expression where that reads well, else
  /// in a variable.
  /// `hint` is for the name of that variable.
  void define(mlir::Value value, Parts parts, llvm::StringRef hint = {});
  void define(mlir::Value value, Expression expression,
              llvm::StringRef hint = {});
  /// Always in a variable, because where it is evaluated matters.
  void defineVariable(mlir::Value value, Expression expression,
                      llvm::StringRef hint = {});
  /// `value` is `name` from now on.
  void bind(mlir::Value value, Parts parts) {
    values[value] = std::move(parts);
  }
  /// Declares variables that are assigned to later, with first values if
  /// `init` is given.
  Parts declare(mlir::Value value, llvm::StringRef hint, const Parts *init);

  /// To be called after operands were taken, before something that writes
  /// memory or orders threads.
  void effect();

  const Memory &getMemory(mlir::Value value) { return memories[value]; }
  void setMemory(mlir::Value value, Memory memory) {
    memories[value] = std::move(memory);
  }

  /// A free name for `value`: its own, or one made of `hint`.
  std::string getName(mlir::Value value, std::string hint);
  Names &getNames() { return names; }

  std::string getType(mlir::Type type);

  //===- Ops --------------------------------------------------------------===//

  /// All ops but the terminator.
  mlir::LogicalResult writeBlock(mlir::Block &block);
  mlir::LogicalResult writeOp(mlir::Operation *op);

  Prologue &prologue;
  Context &context;
  const bool device;
  /// Of a function of the host: the variable that releases what it has
  /// acquired.
  std::string held;

private:
  Expression makeVariable(const Expression &expression, mlir::Type type,
                          const std::string &name);

  struct Waiting {
    Parts parts;
    std::string hint;
  };

  void materialize(mlir::Value value, Parts parts, llvm::StringRef hint);

  std::string text;
  unsigned indent = 1;
  Names names;
  llvm::DenseMap<mlir::Value, Parts> values;
  llvm::DenseMap<mlir::Value, Memory> memories;
  /// Values that wait for their use, in order.
  llvm::MapVector<mlir::Value, Waiting> waiting;
};

/// "has no form in C++": the error of an op that cannot be written.
mlir::LogicalResult emitNoForm(mlir::Operation *op,
                               const llvm::Twine &reason = {});

/// One function per dialect; each writes the op or emits an error.
mlir::LogicalResult writeElementwise(Writer &writer, mlir::Operation *op);
mlir::LogicalResult writeControlFlow(Writer &writer, mlir::Operation *op);
mlir::LogicalResult writeMemRef(Writer &writer, mlir::Operation *op);
mlir::LogicalResult writeVector(Writer &writer, mlir::Operation *op);
mlir::LogicalResult writeGPU(Writer &writer, mlir::Operation *op);
mlir::LogicalResult writeNVGPU(Writer &writer, mlir::Operation *op);
mlir::LogicalResult writeAMDGPU(Writer &writer, mlir::Operation *op);
mlir::LogicalResult writeLLVM(Writer &writer, mlir::Operation *op);
mlir::LogicalResult writeHost(Writer &writer, mlir::Operation *op);

/// Bits of a register.
mlir::LogicalResult writeBitCast(Writer &writer, mlir::vector::BitCastOp op);

/// Scalar ops: the result for operands of any form.
mlir::FailureOr<Expression> makeArith(Writer &writer, mlir::Operation *op,
                                      llvm::ArrayRef<Expression> operands,
                                      mlir::Type type);
mlir::FailureOr<Expression>
makeIntegerArith(Writer &writer, mlir::Operation *op,
                 llvm::ArrayRef<Expression> operands, mlir::Type type);
mlir::FailureOr<Expression> makeConversion(Writer &writer, mlir::Operation *op,
                                           llvm::ArrayRef<Expression> operands,
                                           mlir::Type type);
mlir::FailureOr<Expression> makeMath(Writer &writer, mlir::Operation *op,
                                     llvm::ArrayRef<Expression> operands,
                                     mlir::Type type);

/// The distance of an element from element 0; nothing for 0.
std::optional<Expression> makeOffset(const Memory &memory,
                                     llvm::ArrayRef<Expression> indices);

/// Element `indices` of a memref, as something that can be assigned to.
Expression makeElement(const Memory &memory,
                       llvm::ArrayRef<Expression> indices);
/// A pointer to it.
Expression makeElementAddress(const Memory &memory,
                              llvm::ArrayRef<Expression> indices);
/// A memref that a type describes completely.
Memory makeMemory(llvm::StringRef name, mlir::MemRefType type);

/// True if anything may be written through a memref.
bool isWritten(mlir::Value memref);

/// An array of numbers in constant memory, `name`.
mlir::LogicalResult writeConstantArray(mlir::Operation *global,
                                       llvm::StringRef name, Context &context,
                                       llvm::raw_ostream &os);

/// Functions. The text goes to `os`.
mlir::LogicalResult writeKernel(mlir::Operation *function, Context &context,
                                llvm::raw_ostream &os);
mlir::LogicalResult writeHostFunction(mlir::Operation *function,
                                      Context &context,
                                      llvm::SourceMgr *sources,
                                      llvm::raw_ostream &os);

/// Rewrites what has no direct form in C++ into what has: reductions of blocks
/// and subgroups, branches between blocks, rounding divisions.
mlir::LogicalResult prepare(mlir::ModuleOp module, GPULanguage language);

} // namespace stencil::gpusource

#endif // STENCILDIALECT_TARGET_GPUSOURCE_WRITER_H
