//===- Report.cpp - What stencil-run has to say ---------------------------===//

#include "Report.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Support/Npy.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace stencil;

/// Calls `visit(index, type, value)` for every scalar result.
template <typename Visit>
static void forResults(const Report &report, const Signature &signature,
                       Visit visit) {
  unsigned position = 0;
  for (auto [index, type] : llvm::enumerate(signature.results))
    if (!isFieldLike(type))
      visit(index, type, report.results[position++]);
}

void stencil::printResults(const Report &report, const Signature &signature) {
  forResults(report, signature,
             [](size_t index, mlir::Type type, ScalarValue value) {
               outs() << "result " << index << ": " << formatScalar(value, type)
                      << "\n";
             });
}

void stencil::printVerdict(const Report &report) {
  for (const Comparison &comparison : report.verdict->comparisons)
    outs() << "verify: " << comparison.str() << "\n";
}

static StringRef getTargetName(RunTarget target) {
  return target == RunTarget::CPU ? "cpu" : "interpreter";
}

void stencil::printTiming(const Report &report, const RunOptions &options) {
  const Timing &timing = *report.timing;
  double median = timing.getMedian();
  outs() << formatv("bench: {0} on {1}, {2} thread{3}: median {4:f6} s of {5} "
                    "runs, from {6:f6} s to {7:f6} s\n",
                    report.entry, getTargetName(options.target), report.threads,
                    report.threads == 1 ? "" : "s", median,
                    timing.seconds.size(), timing.getMin(), timing.getMax());
  if (!report.work) {
    outs() << "bench: points and bytes are not known before the run, so there "
              "is no rate\n";
    return;
  }
  outs() << formatv("bench: {0:f3} GStencil/s, {1:f2} GB/s of compulsory "
                    "traffic, {2:f1} % of the STREAM triad ({3:f2} GB/s)\n",
                    report.work->pointUpdates / median * 1e-9,
                    report.work->bytes / median * 1e-9,
                    100 * (report.work->bytes / median) / report.triad,
                    report.triad * 1e-9);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// JSON has no infinities and no NaN: they are strings.
static json::Value makeNumber(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

static json::Value makeScalar(ScalarValue value) {
  if (const auto *integer = std::get_if<int64_t>(&value))
    return *integer;
  return makeNumber(static_cast<double>(std::get<long double>(value)));
}

static json::Array makeList(ArrayRef<int64_t> values) {
  json::Array list;
  for (int64_t value : values)
    list.push_back(value);
  return list;
}

static json::Object describeVerdict(const Report &report,
                                    const RunOptions &options) {
  json::Array comparisons;
  for (const Comparison &comparison : report.verdict->comparisons) {
    const FieldDiff &diff = comparison.diff;
    json::Object object{
        {comparison.isResult ? "result" : "argument", comparison.index},
        {"points", diff.points},
        {"bad", diff.bad},
        {"excused", diff.excused},
        {"max_ulp", makeNumber(diff.maxUlp)},
        {"allowed_ulp", diff.allowedUlp},
        {"allowed_absolute", makeNumber(diff.allowedAbsolute)}};
    if (diff.worst >= 0) {
      llvm::SmallVector<int64_t> point(
          delinearize(diff.worst, comparison.shape));
      for (auto [coordinate, origin] : llvm::zip(point, comparison.origin))
        coordinate += origin;
      object["worst"] = json::Object{
          {"point", makeList(point)},
          {"value", makeNumber(static_cast<double>(diff.worstValue))},
          {"reference", makeNumber(static_cast<double>(diff.worstReference))},
          {"ulp", makeNumber(diff.worstUlp)}};
    }
    comparisons.push_back(std::move(object));
  }
  return json::Object{
      {"right", report.verdict->isRight()},
      {"reference", options.extendedReference ? "f80" : "program"},
      {"ulp", *options.verify},
      {"comparisons", std::move(comparisons)}};
}

static json::Object describeTiming(const Report &report) {
  const Timing &timing = *report.timing;
  double median = timing.getMedian();
  json::Array seconds;
  for (double value : timing.seconds)
    seconds.push_back(value);
  json::Object object{{"repeats", int64_t(timing.seconds.size())},
                      {"seconds", std::move(seconds)},
                      {"median", median},
                      {"min", timing.getMin()},
                      {"max", timing.getMax()}};
  if (report.work) {
    object["point_updates"] = report.work->pointUpdates;
    object["bytes"] = report.work->bytes;
    object["gstencil_per_s"] = report.work->pointUpdates / median * 1e-9;
    object["gb_per_s"] = report.work->bytes / median * 1e-9;
    object["triad_gb_per_s"] = report.triad * 1e-9;
    object["share_of_triad"] = report.work->bytes / median / report.triad;
  }
  return object;
}

static json::Object describeTimes(const Report &report,
                                  const RunOptions &options) {
  const PhaseTimes &times = report.times;
  json::Object object{
      {"parse", times.parse}, {"inputs", times.inputs}, {"run", times.run}};
  if (options.target == RunTarget::CPU) {
    object["compile"] = times.compile;
    object["compile_parts"] =
        json::Object{{"passes", times.compileParts.passes},
                     {"optimize", times.compileParts.optimize},
                     {"codegen", times.compileParts.codegen},
                     {"link", times.compileParts.link}};
  }
  return object;
}

Error stencil::writeJson(const Report &report, const RunOptions &options,
                         const Signature &signature, const Extents &extents) {
  json::Object root{{"file", options.file},
                    {"entry", report.entry},
                    {"target", getTargetName(options.target)},
                    {"threads", report.threads},
                    {"phase_seconds", describeTimes(report, options)}};
  json::Array arguments;
  for (const Parameter &parameter : signature.parameters) {
    std::string type;
    raw_string_ostream(type) << parameter.type;
    json::Object object{{"name", parameter.name}, {"type", type}};
    if (parameter.field)
      object["shape"] = makeList(extents.shapes[parameter.index]);
    arguments.push_back(std::move(object));
  }
  root["arguments"] = std::move(arguments);
  json::Array results;
  forResults(report, signature,
             [&](int64_t index, mlir::Type, ScalarValue value) {
               results.push_back(json::Object{{"index", index},
                                              {"value", makeScalar(value)}});
             });
  root["results"] = std::move(results);
  if (report.verdict)
    root["verify"] = describeVerdict(report, options);
  if (report.timing)
    root["bench"] = describeTiming(report);
  json::Value document(std::move(root));
  auto write = [&](raw_ostream &os) {
    os << formatv("{0:2}", document) << "\n";
    return Error::success();
  };
  return options.jsonFile == "-" ? write(outs())
                                 : writeFileAtomically(options.jsonFile, write);
}
