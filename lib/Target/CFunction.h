//===- CFunction.h - A compiled function as C sees it -----------*- C++ -*-===//

#ifndef STENCILDIALECT_TARGET_CFUNCTION_H
#define STENCILDIALECT_TARGET_CFUNCTION_H

#include "StencilDialect/Analysis/FieldUses.h"
#include "StencilDialect/Analysis/Signature.h"
#include "StencilDialect/Target/CHeader.h"

namespace stencil {

/// One public function: names and types in C, and the texts made of them.
class CFunction {
public:
  /// Emits an error if C cannot name or pass something.
  static mlir::FailureOr<CFunction> create(mlir::func::FuncOp op,
                                           const CProgram &program);

  const std::string &getName() const { return name; }
  /// "heat.mlir:20".
  const std::string &getPlace() const { return place; }
  /// The ranks of all arrays.
  llvm::SmallVector<int64_t> getRanks() const;

  /// The struct of several results; empty if there is none.
  std::string makeResultsStruct() const;
  /// What it does, what it takes.
  void writeComment(llvm::raw_ostream &os) const;
  /// `NAME(double *u, int64_t u_n0, int64_t steps)`, with `last` as the last
  /// parameter if it is not empty.
  std::string makeHead(llvm::StringRef name, llvm::StringRef last = {}) const;
  /// The operands of a call of this function with its own parameters.
  std::string makeForwardedOperands() const;
  /// `(struct stencil_array_2d *, int64_t)`: of the function in the object.
  std::string makeObjectParameters() const;
  /// Statements that declare the arrays that the object's function takes.
  void writeArrays(llvm::raw_ostream &os) const;
  /// The operands of a call of the object's function, after these statements.
  std::string makeObjectOperands() const;

private:
  CFunction() = default;
  void chooseNames();
  std::string getResultType() const;
  std::string describeArray(unsigned index) const;
  std::vector<std::string> makeExtents(unsigned index) const;
  std::vector<std::string> makeStrides(unsigned index) const;
  std::string describeOrigin(unsigned index) const;

  std::string name, place;
  /// Lines of the comment above the function in the source.
  std::vector<std::string> documentation;
  Signature signature;
  llvm::SmallVector<FieldUse> uses;
  /// Names of the arguments in C.
  std::vector<std::string> names;
};

/// "struct stencil_array_2d".
std::string getArrayCType(int64_t rank);

/// The definitions of the struct of arrays of these ranks.
void writeArrayTypes(llvm::ArrayRef<int64_t> ranks, llvm::raw_ostream &os);

/// The public functions of all programs. Emits an error at the second one of a
/// name, and at names that `options` need.
mlir::FailureOr<std::vector<CFunction>>
collectCFunctions(llvm::ArrayRef<CProgram> programs,
                  const CHeaderOptions &options);

/// "HEAT_TARGET_SM_90" of a library's target.
std::string getTargetConstant(const CHeaderOptions &options,
                              llvm::StringRef target);

} // namespace stencil

#endif // STENCILDIALECT_TARGET_CFUNCTION_H
