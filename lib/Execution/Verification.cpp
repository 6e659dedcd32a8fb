//===- Verification.cpp - Comparing a run with the interpreter ------------===//

#include "StencilDialect/Execution/Verification.h"
#include "StencilDialect/IR/StencilOps.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace stencil;

std::string Comparison::name() const {
  return llvm::formatv("{0} {1}", isResult ? "result" : "argument", index);
}

static std::string formatNumber(double number) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.4g", number);
  return text;
}

std::string Comparison::str() const {
  std::string text = llvm::formatv(
      "{0}: max {1} ulp, {2} of {3} {4} beyond {5} ulp", name(),
      formatNumber(diff.maxUlp), diff.bad + diff.excused, diff.points,
      diff.points == 1 ? "point" : "points", diff.allowedUlp);
  if (diff.excused > 0)
    text += llvm::formatv(", {0} of them within {1} epsilon of the largest "
                          "magnitude, {2}",
                          diff.excused, formatNumber(diff.allowedScale),
                          formatNumber(diff.largest));
  return text;
}

std::string Comparison::describeFailure() const {
  std::string text = name() + ": " + describeDiff(diff, shape, origin);
  double scale = getElementEpsilon(diff.kind) * diff.largest;
  if (scale > 0 && std::isfinite(diff.maxAbsolute / scale))
    text += "; differences reach " + formatNumber(diff.maxAbsolute / scale) +
            " epsilon of the largest magnitude, " + formatNumber(diff.largest);
  return text;
}

bool Verdict::isRight() const { return !getWorst(); }

const Comparison *Verdict::getWorst() const {
  const Comparison *worst = nullptr;
  for (const Comparison &comparison : comparisons)
    if (!comparison.diff.isRight() &&
        (!worst || comparison.diff.worstUlp > worst->diff.worstUlp))
      worst = &comparison;
  return worst;
}

static int64_t countPoints(llvm::ArrayRef<int64_t> shape) {
  int64_t points = 1;
  for (int64_t extent : shape)
    points *= extent;
  return points;
}

/// Terms of the largest sum in the program, at least 1.
static uint64_t countTerms(func::FuncOp entry, const Extents &extents) {
  uint64_t terms = 1;
  entry->getParentOfType<ModuleOp>().walk([&](FoldOp op) {
    if (op.getKind() == FoldKind::Sum || op.getKind() == FoldKind::Rms)
      if (std::optional<int64_t> points = extents.countPoints(op.getBounds()))
        terms = std::max<uint64_t>(terms, *points);
  });
  return terms;
}

/// The kind as which a scalar is compared.
static ElementKind getScalarKind(Type type) {
  return getElementKind(type).value_or(ElementKind::I64);
}

static FieldDiff compareScalars(Type type, ScalarValue value,
                                ScalarValue reference, bool extended,
                                uint64_t allowed) {
  ElementKind kind = getScalarKind(type);
  if (const auto *integer = std::get_if<int64_t>(&value)) {
    // As 64 bits, whatever the type: exact.
    int64_t other = std::get<int64_t>(reference);
    return compareFields(ElementKind::I64, integer, &other, 1, allowed);
  }
  uint64_t bits = 0, referenceBits = 0;
  long double exact = std::get<long double>(reference);
  storeElement(kind, &bits, 0,
               static_cast<double>(std::get<long double>(value)));
  if (extended)
    return compareFieldsWithF80(kind, &bits, &exact, 1, allowed);
  storeElement(kind, &referenceBits, 0, static_cast<double>(exact));
  return compareFields(kind, &bits, &referenceBits, 1, allowed);
}

static Comparison compareField(const Parameter &parameter,
                               const Extents &extents,
                               const FieldArgument &field,
                               const FieldArgument &reference,
                               const VerifyOptions &options) {
  Comparison comparison{
      /*isResult=*/false, parameter.index, {}, field.shape, {}};
  if (!parameter.field->boxes.empty())
    if (auto box =
            extents.resolve(parameter.field->boxes.front().type.getBounds()))
      comparison.origin.assign(box->first);
  ElementKind kind = parameter.field->element;
  int64_t points = countPoints(field.shape);
  if (options.extended && isFloatKind(kind))
    comparison.diff = compareFieldsWithF80(
        kind, field.data, static_cast<const long double *>(reference.data),
        points, options.ulp, options.ulp);
  else
    comparison.diff = compareFields(kind, field.data, reference.data, points,
                                    options.ulp, options.ulp);
  return comparison;
}

FailureOr<Reference> stencil::computeReference(func::FuncOp entry,
                                               const Signature &signature,
                                               Arguments initial,
                                               const VerifyOptions &options) {
  InterpreterOptions interpreter;
  interpreter.threads = options.threads;
  interpreter.progress = options.progress;
  if (options.extended) {
    interpreter.precision = Precision::Extended;
    initial = initial.cloneExtended(signature);
  }
  Reference reference{std::move(initial), {}};
  if (failed(interpret(entry, reference.arguments.values, reference.results,
                       interpreter)))
    return failure();
  return std::move(reference);
}

Verdict stencil::compareWithReference(
    func::FuncOp entry, const Signature &signature, const Extents &extents,
    const Reference &reference, llvm::ArrayRef<InterpreterArgument> after,
    llvm::ArrayRef<ScalarValue> results, const VerifyOptions &options) {
  Verdict verdict;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.field)
      verdict.comparisons.push_back(compareField(
          parameter, extents, std::get<FieldArgument>(after[parameter.index]),
          std::get<FieldArgument>(reference.arguments.values[parameter.index]),
          options));
  uint64_t allowed =
      llvm::SaturatingMultiply(options.ulp, countTerms(entry, extents));
  unsigned position = 0;
  for (auto [index, type] : llvm::enumerate(signature.results)) {
    if (isFieldLike(type))
      continue;
    Comparison comparison{/*isResult=*/true, unsigned(index), {}, {}, {}};
    comparison.diff =
        compareScalars(type, results[position], reference.results[position],
                       options.extended, allowed);
    verdict.comparisons.push_back(comparison);
    ++position;
  }
  return verdict;
}

FailureOr<Verdict> stencil::verify(func::FuncOp entry,
                                   const Signature &signature,
                                   const Extents &extents, Arguments initial,
                                   const Arguments &after,
                                   llvm::ArrayRef<ScalarValue> results,
                                   const VerifyOptions &options) {
  FailureOr<Reference> reference =
      computeReference(entry, signature, std::move(initial), options);
  if (failed(reference))
    return failure();
  return compareWithReference(entry, signature, extents, *reference,
                              after.values, results, options);
}
