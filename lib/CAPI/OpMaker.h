//===- OpMaker.h - Ops of what C hands in -----------------------*- C++ -*-===//

#ifndef LIB_CAPI_OPMAKER_H
#define LIB_CAPI_OPMAKER_H

#include "Checked.h"
#include "StencilDialect/IR/StencilOps.h"

namespace stencil::capi {

/// Collects the parts of an op. The first part that cannot be one is an error
/// at the location of the op, and the op is then null.
class OpParts {
public:
  OpParts(MlirLocation location, llvm::StringRef name);

  bool isGood() const { return state.has_value(); }
  /// Reports `message`, if nothing has been reported yet.
  void fail(const llvm::Twine &message);

  void addOperand(MlirValue value);
  void addOperands(intptr_t count, const MlirValue *values);
  void addSegments(llvm::ArrayRef<intptr_t> sizes);
  void addResult(mlir::Type type);
  void addResults(intptr_t count, const MlirType *types);
  void addAttribute(llvm::StringRef name, mlir::Attribute attribute);
  void addAttributes(llvm::StringRef name, intptr_t count,
                     const MlirAttribute *attributes);
  /// A #stencil.index.
  void addIndex(llvm::StringRef name, intptr_t rank, const int64_t *values);
  /// An array<i64>.
  void addNumbers(llvm::StringRef name, intptr_t count, const int64_t *values);
  /// An attribute of type index.
  void addNumber(llvm::StringRef name, int64_t value);
  /// A region with a block of these arguments.
  void addBody(mlir::TypeRange arguments);

  /// The type of a field or temp; null, after an error, of something else.
  GridType grid(MlirValue value);
  mlir::Type elementType(MlirValue value);
  mlir::Type indexType();
  llvm::SmallVector<mlir::Type> operandTypes() const;

  MlirOperation make();

protected:
  mlir::MLIRContext *getContext() { return state->location.getContext(); }

private:
  /// Reports another context than the location's; false after any error.
  bool checkContext(mlir::MLIRContext *context);

  /// Nothing after an error.
  std::optional<mlir::OperationState> state;
};

/// The same, to be written as one expression.
template <typename Op> class OpMaker : public OpParts {
public:
  explicit OpMaker(MlirLocation location)
      : OpParts(location, Op::getOperationName()) {}

  OpMaker &operand(MlirValue value) {
    addOperand(value);
    return *this;
  }
  OpMaker &operands(intptr_t count, const MlirValue *values) {
    addOperands(count, values);
    return *this;
  }
  OpMaker &segments(llvm::ArrayRef<intptr_t> sizes) {
    addSegments(sizes);
    return *this;
  }
  OpMaker &result(mlir::Type type) {
    addResult(type);
    return *this;
  }
  OpMaker &result(MlirType type) { return result(unwrap(type)); }
  OpMaker &results(intptr_t count, const MlirType *types) {
    addResults(count, types);
    return *this;
  }
  OpMaker &attribute(llvm::StringRef name, MlirAttribute attribute) {
    addAttribute(name, unwrap(attribute));
    return *this;
  }
  OpMaker &optional(llvm::StringRef name, MlirAttribute attribute) {
    if (!mlirAttributeIsNull(attribute))
      addAttribute(name, unwrap(attribute));
    return *this;
  }
  OpMaker &attributes(llvm::StringRef name, intptr_t count,
                      const MlirAttribute *list) {
    addAttributes(name, count, list);
    return *this;
  }
  OpMaker &index(llvm::StringRef name, intptr_t rank, const int64_t *values) {
    addIndex(name, rank, values);
    return *this;
  }
  OpMaker &numbers(llvm::StringRef name, intptr_t count,
                   const int64_t *values) {
    addNumbers(name, count, values);
    return *this;
  }
  OpMaker &number(llvm::StringRef name, int64_t value) {
    addNumber(name, value);
    return *this;
  }
  /// An enumeration's case; `number` is what was handed in for it.
  template <typename EnumAttr, typename Enum>
  OpMaker &symbol(llvm::StringRef name, std::optional<Enum> value,
                  int64_t number) {
    if (!value)
      fail("unknown '" + name + "': " + llvm::Twine(number));
    if (isGood())
      addAttribute(name, EnumAttr::get(getContext(), *value));
    return *this;
  }
  OpMaker &bodyOf(mlir::TypeRange arguments) {
    addBody(arguments);
    return *this;
  }
};

} // namespace stencil::capi

#endif // LIB_CAPI_OPMAKER_H
