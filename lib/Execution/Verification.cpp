//===- Verification.cpp - Comparing a run with the interpreter ------------===//

#include "StencilDialect/Execution/Verification.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Support/BoundedDiff.h"
#include "StencilDialect/Tile/Tile.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/AttrTypeSubElements.h"
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

/// "3 points", "1 point".
static std::string countOf(int64_t number, StringRef what) {
  return llvm::formatv("{0} {1}{2}", number, what, number == 1 ? "" : "s");
}

std::string Comparison::str() const {
  std::string text =
      llvm::formatv("{0}: max {1} ulp, {2} of {3} beyond {4} ulp", name(),
                    formatNumber(diff.maxUlp), diff.bad,
                    countOf(diff.points, "point"), diff.allowedUlp);
  if (diff.isBounded)
    text += " of their terms";
  if (diff.allowedScale > 0 && diff.excused > 0)
    text += llvm::formatv(", {0} more within {1} epsilon of the largest "
                          "magnitude, {2}",
                          diff.excused, formatNumber(diff.allowedScale),
                          formatNumber(diff.largest));
  else if (diff.excused > 0)
    text += llvm::formatv(", {0} not checked", diff.excused);
  if (diff.spread > 0)
    text += llvm::formatv(", {0} not finite in reach of what is not finite",
                          diff.spread);
  if (diff.notFinite > diff.points / 2)
    text += llvm::formatv("; most of it, {0}, is not finite",
                          countOf(diff.notFinite, "point"));
  return text;
}

std::string Comparison::describeFailure() const {
  if (diff.isRight())
    return llvm::formatv(
        "{0}: {1} of {2} cannot be checked: rounding may be off by more than "
        "the sum of what is added up there; compare bit by bit with --math "
        "strict, or with 80-bit arithmetic with --reference f80",
        name(), diff.excused, countOf(diff.points, "point"));
  std::string text = name() + ": " + describeDiff(diff, shape, origin);
  double scale = getElementEpsilon(diff.kind) * diff.largest;
  if (scale > 0 && std::isfinite(diff.maxAbsolute / scale))
    text += "; differences reach " + formatNumber(diff.maxAbsolute / scale) +
            " epsilon of the largest magnitude, " + formatNumber(diff.largest);
  return text;
}

/// How values grow as they do in a scheme that is not stable; empty if they do
/// not.
static std::string describeGrowth(const Magnitudes &before,
                                  const Magnitudes &after) {
  // What is not finite spreads.
  bool overflows = before.notFinite == 0 && after.notFinite > 0;
  // Far beyond what a source or a large coefficient makes of a field.
  bool grows = before.largest > 0 && after.largest > 0x1p30 * before.largest;
  if (!overflows && !grows)
    return "";
  std::string text = "; in the interpreter, too, values grow from " +
                     formatNumber(before.largest);
  text += overflows
              ? " until " + countOf(after.notFinite, "point") +
                    (after.notFinite == 1 ? " is" : " are") + " not finite"
              : " to " + formatNumber(after.largest);
  return text + ", as in a scheme that is not stable, and roundings with them";
}

bool Verdict::isRight() const { return !getWorst(); }

const Comparison *Verdict::getWorst() const {
  const Comparison *worst = nullptr;
  for (const Comparison &comparison : comparisons)
    if (!comparison.isRight() &&
        (!worst || comparison.diff.bad > worst->diff.bad))
      worst = &comparison;
  return worst;
}

std::string Verdict::describeFailure() const {
  std::string text = getWorst()->describeFailure();
  if (growth)
    text += describeGrowth(growth->first, growth->second);
  if (undecidedBranches > 0)
    text += llvm::formatv(
        "; or the program went another right way at {0} outside of applies "
        "that rounding decides, where the interpreter follows one way only: "
        "compare bit by bit with --math strict",
        countOf(undecidedBranches, "comparison"));
  return text;
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

/// Compares scalar result number `position`.
static FieldDiff compareScalars(Type type, ScalarValue value,
                                const Reference &reference, unsigned position,
                                uint64_t allowed,
                                const VerifyOptions &options) {
  ScalarValue wanted = reference.results[position];
  ElementKind kind = getScalarKind(type);
  if (!reference.isCompiled) {
    PointError error;
    if (reference.bounds)
      error.bound = reference.bounds->results[position];
    PointBounds bounds{&error, options.ulp, options.extended,
                       options.math == MathMode::Strict};
    if (const auto *integer = std::get_if<int64_t>(&value))
      return compareWithBounds(ElementKind::I64, integer,
                               &std::get<int64_t>(wanted), 1, bounds);
    uint64_t bits[2] = {};
    long double exact = std::get<long double>(wanted);
    storeElement(kind, &bits[0], 0,
                 static_cast<double>(std::get<long double>(value)));
    storeElement(kind, &bits[1], 0, static_cast<double>(exact));
    return compareWithBounds(kind, &bits[0],
                             options.extended
                                 ? static_cast<const void *>(&exact)
                                 : static_cast<const void *>(&bits[1]),
                             1, bounds);
  }
  if (const auto *integer = std::get_if<int64_t>(&value)) {
    // As 64 bits, whatever the type: exact.
    int64_t other = std::get<int64_t>(wanted);
    return compareFields(ElementKind::I64, integer, &other, 1, allowed);
  }
  uint64_t bits = 0, referenceBits = 0;
  storeElement(kind, &bits, 0,
               static_cast<double>(std::get<long double>(value)));
  storeElement(kind, &referenceBits, 0,
               static_cast<double>(std::get<long double>(wanted)));
  return compareFields(kind, &bits, &referenceBits, 1, allowed);
}

static Comparison compareField(const Parameter &parameter,
                               const Extents &extents,
                               const FieldArgument &field,
                               const Reference &reference,
                               const VerifyOptions &options) {
  Comparison comparison{
      /*isResult=*/false, parameter.index, {}, field.shape, {}};
  if (!parameter.field->boxes.empty())
    if (auto box =
            extents.resolve(parameter.field->boxes.front().type.getBounds()))
      comparison.origin.assign(box->first);
  ElementKind kind = parameter.field->element;
  int64_t points = countPoints(field.shape);
  const auto &wanted =
      std::get<FieldArgument>(reference.arguments.values[parameter.index]);
  if (reference.isCompiled) {
    comparison.diff = compareFields(kind, field.data, wanted.data, points,
                                    options.ulp, options.ulp);
    return comparison;
  }
  PointBounds bounds{
      reference.bounds ? reference.bounds->fields[parameter.index].data()
                       : nullptr,
      options.ulp, options.extended, options.math == MathMode::Strict};
  comparison.diff =
      compareWithBounds(kind, field.data, wanted.data, points, bounds);
  return comparison;
}

bool stencil::mayDiffer(func::FuncOp entry, const VerifyOptions &options) {
  if (options.ulp == 0)
    return false;
  if (options.math != MathMode::Strict || options.extended ||
      options.flushesDenormals)
    return true;
  WalkResult found =
      entry->getParentOfType<ModuleOp>().walk([&](Operation *op) {
        bool isExact = !isa<FoldOp>(op) &&
                       op->getName().getDialectNamespace() != "math" &&
                       getFastMathFlags(op) == arith::FastMathFlags::none;
        return isExact ? WalkResult::advance() : WalkResult::interrupt();
      });
  return found.wasInterrupted();
}

/// Results along an axis that a product of matrices may make together: as many
/// as the instruction has columns. One if there is no such product.
static int64_t getPatch(func::FuncOp entry,
                        llvm::ArrayRef<std::string> schedules) {
  // Whose columns an `engine = mma` gets depends on the GPU.
  constexpr int64_t kMostColumns = 16;
  int64_t patch = 1;
  mlir::AttrTypeWalker walker;
  walker.addWalk([&](ScheduleAttr asked) {
    if (asked.getEngine() == Engine::Mma)
      patch = std::max(patch, kMostColumns);
  });
  walker.addWalk(
      [&](tile::MmaAttr engine) { patch = std::max(patch, engine.getN()); });
  entry->getParentOfType<ModuleOp>().walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getDiscardableAttrs())
      walker.walk(attribute.getValue());
  });
  ScopedDiagnosticHandler silence(entry.getContext(), [](Diagnostic &) {});
  for (llvm::StringRef schedule : schedules)
    if (schedule = schedule.trim(); schedule.contains('#'))
      if (Attribute given = parseAttribute(schedule, entry.getContext()))
        walker.walk(given);
  return patch;
}

static Magnitudes findMagnitudes(const Signature &signature,
                                 llvm::ArrayRef<InterpreterArgument> arguments,
                                 bool isExtended) {
  Magnitudes found;
  for (const Parameter &parameter : signature.parameters) {
    if (!parameter.field || !isFloatKind(parameter.field->element))
      continue;
    const auto &field = std::get<FieldArgument>(arguments[parameter.index]);
    for (int64_t i = 0, e = countPoints(field.shape); i < e; ++i) {
      double magnitude = std::fabs(static_cast<double>(
          isExtended ? static_cast<const long double *>(field.data)[i]
                     : loadElement(parameter.field->element, field.data, i)));
      if (!std::isfinite(magnitude))
        ++found.notFinite;
      else if (magnitude > found.largest)
        found.largest = magnitude;
    }
  }
  return found;
}

FailureOr<Reference> stencil::computeReference(func::FuncOp entry,
                                               const Signature &signature,
                                               Arguments initial,
                                               const VerifyOptions &options) {
  Reference reference;
  InterpreterOptions interpreter;
  if (mayDiffer(entry, options)) {
    reference.bounds.emplace();
    reference.bounds->math = options.math;
    reference.bounds->factor = static_cast<double>(options.ulp);
    reference.bounds->flushesDenormals = options.flushesDenormals;
    if (mayReassociate(options.math))
      reference.bounds->patch = getPatch(entry, options.schedules);
    interpreter.bounds = &*reference.bounds;
  }
  interpreter.threads = options.threads;
  interpreter.progress = options.progress;
  if (options.extended) {
    interpreter.precision = Precision::Extended;
    initial = initial.cloneExtended(signature);
  }
  reference.arguments = std::move(initial);
  reference.before =
      findMagnitudes(signature, reference.arguments.values, options.extended);
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
  if (reference.bounds) {
    verdict.undecided = reference.bounds->undecided;
    verdict.undecidedBranches = reference.bounds->undecidedBranches;
  }
  for (const Parameter &parameter : signature.parameters)
    if (parameter.field)
      verdict.comparisons.push_back(compareField(
          parameter, extents, std::get<FieldArgument>(after[parameter.index]),
          reference, options));
  uint64_t allowed =
      llvm::SaturatingMultiply(options.ulp, countTerms(entry, extents));
  unsigned position = 0;
  for (auto [index, type] : llvm::enumerate(signature.results)) {
    if (isFieldLike(type))
      continue;
    Comparison comparison{/*isResult=*/true, unsigned(index), {}, {}, {}};
    comparison.diff = compareScalars(type, results[position], reference,
                                     position, allowed, options);
    verdict.comparisons.push_back(comparison);
    ++position;
  }
  if (!verdict.isRight() && !reference.isCompiled)
    verdict.growth = {reference.before,
                      findMagnitudes(signature, reference.arguments.values,
                                     options.extended)};
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
