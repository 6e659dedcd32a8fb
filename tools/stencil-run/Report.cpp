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
  auto note = [](int64_t number, StringRef what) {
    if (number > 0)
      outs() << formatv("verify: {0} comparison{1} may go either way {2}\n",
                        number, number == 1 ? "" : "s", what);
  };
  note(report.verdict->undecided, "by rounding, and were followed both ways");
  note(report.verdict->undecidedBranches,
       "by rounding outside of applies, and were followed as the interpreter "
       "went");
}

/// What rates are compared with: for a text, and as part of a JSON key.
static StringRef getBandwidthName(const Report &report) {
  return report.device ? "copy" : "STREAM triad";
}

/// "cpu, 2 threads", "cuda, NVIDIA H200 (sm_90)".
static std::string describePlace(const Report &report,
                                 const RunOptions &options) {
  std::string target = options.getTargetName().str();
  if (!report.device)
    return formatv("{0}, {1} thread{2}", target, report.threads,
                   report.threads == 1 ? "" : "s");
  const runtime::DeviceInfo &info = report.device->info;
  const std::string &chip =
      llvm::cantFail(getTargetInfo(report.device->target.chip)).chip;
  return info.name.empty() ? target + ", " + chip
                           : target + ", " + info.name + " (" + chip + ")";
}

void stencil::printTiming(const Report &report, const RunOptions &options) {
  const Timing &timing = *report.timing;
  double median = timing.getMedian();
  outs() << formatv("bench: {0} on {1}: median {2:f6} s of {3} runs, from "
                    "{4:f6} s to {5:f6} s\n",
                    report.entry, describePlace(report, options), median,
                    timing.seconds.size(), timing.getMin(), timing.getMax());
  if (report.callTiming)
    outs() << formatv("bench: with the copies to and from the device: median "
                      "{0:f6} s\n",
                      report.callTiming->getMedian());
  if (!report.work) {
    outs() << "bench: points and bytes are not known before the run, so there "
              "is no rate\n";
    return;
  }
  outs() << formatv("bench: {0:f3} GStencil/s, {1:f2} GB/s of compulsory "
                    "traffic",
                    report.work->pointUpdates / median * 1e-9,
                    report.work->bytes / median * 1e-9);
  if (report.bandwidth > 0)
    outs() << formatv(", {0:f1} % of the {1} ({2:f2} GB/s)",
                      100 * (report.work->bytes / median) / report.bandwidth,
                      getBandwidthName(report), report.bandwidth * 1e-9);
  // A share of what the memory does says nothing then, and may exceed 100 %.
  if (report.fitsCache)
    outs() << "; the fields fit the last-level cache";
  outs() << "\n";
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
        {"spread", diff.spread},
        {"not_finite", diff.notFinite}};
    if (diff.worst >= 0) {
      llvm::SmallVector<int64_t> point(
          delinearize(diff.worst, comparison.shape));
      for (auto [coordinate, origin] : llvm::zip(point, comparison.origin))
        coordinate += origin;
      object["worst"] = json::Object{
          {"point", makeList(point)},
          {"value", makeNumber(static_cast<double>(diff.worstValue))},
          {"reference", makeNumber(static_cast<double>(diff.worstReference))},
          {"bound", makeNumber(diff.worstBound)},
          {"ulp", makeNumber(diff.worstUlp)}};
    }
    comparisons.push_back(std::move(object));
  }
  return json::Object{
      {"right", report.verdict->isRight()},
      {"reference", options.extendedReference ? "f80" : "program"},
      {"undecided", report.verdict->undecided},
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
    StringRef name = report.device ? "copy" : "triad";
    if (report.bandwidth > 0) {
      object[(name + "_gb_per_s").str()] = report.bandwidth * 1e-9;
      object[("share_of_" + name).str()] =
          report.work->bytes / median / report.bandwidth;
      if (!report.device) {
        object["triad_plain_gb_per_s"] = report.triad.plain * 1e-9;
        object["triad_streamed_gb_per_s"] = report.triad.streamed * 1e-9;
        object["fits_last_level_cache"] = report.fitsCache;
      }
    }
  }
  if (report.callTiming)
    object["call_median"] = report.callTiming->getMedian();
  return object;
}

static json::Object describeDevice(const Device &device) {
  const runtime::DeviceInfo &info = device.info;
  const TargetInfo &target = llvm::cantFail(getTargetInfo(device.target.chip));
  return json::Object{{"name", info.name},
                      {"chip", target.chip},
                      {"product", target.product},
                      {"driver", info.driverVersion},
                      {"multiprocessors", info.multiprocessors},
                      {"clock_khz", info.clockKHz},
                      {"memory_clock_khz", info.memoryClockKHz},
                      {"total_bytes", info.totalBytes},
                      {"schedule", device.target.schedule}};
}

static json::Array describeKernels(const Report &report) {
  json::Array kernels;
  for (const KernelResources &kernel : report.kernels)
    kernels.push_back(
        json::Object{{"name", kernel.kernel},
                     {"registers", kernel.registers},
                     {"spill_stores", kernel.spillStores},
                     {"spill_loads", kernel.spillLoads},
                     {"spilled_registers", kernel.spilledRegisters},
                     {"stack_bytes", kernel.stackBytes},
                     {"shared_bytes", kernel.sharedBytes}});
  return kernels;
}

static json::Array describePredictions(const Report &report) {
  json::Array predicted;
  for (const KernelPrediction &kernel : report.predicted)
    predicted.push_back(
        json::Object{{"kernel", kernel.kernel},
                     {"seconds", kernel.prediction.seconds},
                     {"gstencil_per_s", kernel.prediction.gstencilPerSecond},
                     {"share_of_copy", kernel.prediction.shareOfCopy},
                     {"limiter", kernel.prediction.limiter},
                     {"schedule", kernel.schedule}});
  return predicted;
}

static json::Array listSchedules(const Report &report) {
  json::Array schedules;
  for (const ChosenSchedule &chosen : report.schedules)
    schedules.push_back(
        json::Object{{"schedule", chosen.schedule},
                     {"from", chosen.from},
                     {"evidence", getEvidenceName(chosen.evidence)}});
  return schedules;
}

static json::Object describeTimes(const Report &report,
                                  const RunOptions &options) {
  const PhaseTimes &times = report.times;
  json::Object object{
      {"parse", times.parse}, {"inputs", times.inputs}, {"run", times.run}};
  if (options.target != RunTarget::Interpreter) {
    object["compile"] = times.compile;
    json::Object parts{{"passes", times.compileParts.passes},
                       {"optimize", times.compileParts.optimize},
                       {"codegen", times.compileParts.codegen},
                       {"link", times.compileParts.link}};
    if (report.device) {
      parts["kernel_codegen"] = times.compileParts.kernelCodegen;
      parts["kernel_assembly"] = times.compileParts.kernelAssembly;
    }
    object["compile_parts"] = std::move(parts);
  }
  return object;
}

Error stencil::writeJson(const Report &report, const RunOptions &options,
                         const Signature &signature, const Extents &extents) {
  json::Object root{{"file", options.file},
                    {"entry", report.entry},
                    {"target", options.getTargetName()},
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
  if (report.device)
    root["device"] = describeDevice(*report.device);
  if (!report.schedules.empty())
    root["schedules"] = listSchedules(report);
  if (report.cached)
    root["cached"] = *report.cached;
  if (report.tuned)
    root["tuned_options"] = *report.tuned;
  if (!report.kernels.empty())
    root["kernels"] = describeKernels(report);
  if (!report.predicted.empty())
    root["predicted"] = describePredictions(report);
  if (report.verdict)
    root["verify"] = describeVerdict(report, options);
  if (report.timing)
    root["bench"] = describeTiming(report);
  json::Value document(std::move(root));
  auto write = [&](raw_ostream &os) {
    os << formatv("{0:2}", document) << "\n";
    return Error::success();
  };
  return writeOutput(options.jsonFile, write);
}
