//===- Signature.h - What a program takes and gives -------------*- C++ -*-===//
//
// A function of a program as somebody sees it who wants to call it: arrays and
// scalars, with the extents that the types and the casts ask for.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_SIGNATURE_H
#define STENCILDIALECT_ANALYSIS_SIGNATURE_H

#include "StencilDialect/IR/StencilTypes.h"
#include "StencilDialect/Support/Element.h"
#include "StencilDialect/Support/LLVM.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace stencil {

/// A box that a field argument has to have, and the op or argument that says
/// so.
struct FieldBox {
  FieldType type;
  Location location;
};

/// An array: `!stencil.field<...>` or `memref<...>`.
struct FieldParameter {
  ElementKind element = ElementKind::F64;
  /// Extents, halo included; ShapedType::kDynamic where the run decides.
  SmallVector<int64_t, 4> shape;
  /// The argument's own bounds and those that casts and external_loads in the
  /// function give it. All of them have the rank of `shape`.
  std::vector<FieldBox> boxes;
};

struct Parameter {
  unsigned index;
  /// As in the source, without the `%`.
  std::string name;
  Type type;
  Location location;
  /// Nothing for a scalar: index, an integer of up to 64 bits, f16 to f64, and
  /// for a pointer.
  std::optional<FieldParameter> field;

  /// True for `!llvm.ptr`: memory of the caller's, of any size.
  bool isPointer() const;

  /// "argument 1 '%name'", the beginning of messages.
  std::string str() const;
};

struct Signature {
  std::vector<Parameter> parameters;
  /// Types of the results, in order. Fields among them alias arguments.
  std::vector<Type> results;

  /// The largest rank of a field; 0 without fields.
  unsigned getRank() const;
};

/// True for types of fields and arrays.
bool isFieldLike(Type type);

/// The kind of an element type that fields can have at run time, if it is one.
std::optional<ElementKind> getElementKind(Type type);

/// The function that is to run: the one called `name`, or, if that is empty,
/// the only public one that has a body. Emits an error that lists the choices.
FailureOr<mlir::func::FuncOp> findEntry(mlir::ModuleOp module, StringRef name);

/// The functions without a body that `entry`, which findCheckedEntry has found,
/// reaches: other libraries have them.
SmallVector<mlir::func::FuncOp> getExternalCallees(mlir::func::FuncOp entry);

/// True for names of functions that compiled programs call of their own accord.
bool isRuntimeName(StringRef name);

/// Devito's timers, `timer_start() -> f64` and `timer_end(f64) -> f64`:
/// functions without a body that need no library.
bool isTimer(mlir::func::FuncOp function);

/// findEntry, of a program that has passed checkProgram and whose calls are of
/// functions that are known, or take and give what cannot be a field.
FailureOr<mlir::func::FuncOp> findCheckedEntry(mlir::ModuleOp module,
                                               StringRef name);

/// Fails with an error at an argument of a type that cannot be passed. Names
/// are read from `sources` if given, else they are arg0, arg1, ...
FailureOr<Signature> getSignature(mlir::func::FuncOp entry,
                                  llvm::SourceMgr *sources = nullptr);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_SIGNATURE_H
