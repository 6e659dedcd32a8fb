//===- ReportCost.cpp - Prints what applies take per point ----------------===//
//
// The counts come from Analysis/Cost; here they become text or JSON.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <vector>

using namespace mlir;
using namespace stencil;

namespace stencil {
#define GEN_PASS_DEF_STENCILREPORTCOST
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

namespace {
/// One apply of the program and what it takes.
struct Entry {
  std::string function, location;
  unsigned index;
  ApplyCost cost;
  std::optional<Roofline> roofline;
};

struct ReportCost : stencil::impl::StencilReportCostBase<ReportCost> {
  using StencilReportCostBase::StencilReportCostBase;

  void runOnOperation() override;

private:
  void writeText(llvm::raw_ostream &os, ArrayRef<Entry> entries) const;
  void writeJson(llvm::raw_ostream &os, ArrayRef<Entry> entries) const;

  const TargetInfo *target = nullptr;
};
} // namespace

/// FILE:LINE:COLUMN, or "".
static std::string describeLocation(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return "";
  return llvm::formatv("{0}:{1}:{2}", place.getFilename().getValue(),
                       place.getLine(), place.getColumn());
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// "1 add", "2 adds"
static std::string describeNumber(double number, StringRef noun) {
  return llvm::formatv("{0} {1}{2}", llvm::format("%.15g", number), noun,
                       number == 1 ? "" : "s");
}

static std::string describe(const OperationCount &count, uint64_t points) {
  auto perPoint = [&](uint64_t number) {
    return static_cast<double>(number) / static_cast<double>(points);
  };
  std::string text = describeNumber(perPoint(count.operations()), "operation");
  std::string list;
  auto add = [&](uint64_t number, StringRef noun) {
    if (number == 0)
      return;
    list += list.empty() ? " (" : ", ";
    list += describeNumber(perPoint(number), noun);
  };
  add(count.adds, "add");
  add(count.multiplies, "multiplication");
  add(count.fmas, "fma");
  add(count.divisions, "division");
  add(count.functions, "function");
  add(count.others, "other");
  text += list + (list.empty() ? "" : ")");
  text += ", " + describeNumber(perPoint(count.flops()), "flop");
  text += ", " + describeNumber(perPoint(count.loads), "load");
  return text;
}

void ReportCost::writeText(llvm::raw_ostream &os,
                           ArrayRef<Entry> entries) const {
  for (const Entry &entry : entries) {
    const ApplyCost &cost = entry.cost;
    os << "// cost";
    if (!label.empty())
      os << " (" << label << ")";
    os << ": @" << entry.function << ", apply " << entry.index;
    if (!entry.location.empty())
      os << ", " << entry.location;
    os << "\n//   reads " << describeNumber(cost.fieldsRead, "field");
    if (cost.taps)
      os << " at " << describeNumber(*cost.taps, "point");
    os << ", writes " << cost.fieldsWritten << ": "
       << describeNumber(cost.bytesPerPoint, "byte") << " per point\n"
       << "//   shared: " << describe(cost.shared, cost.points) << ", "
       << describeNumber(static_cast<double>(cost.shared.partials) /
                             static_cast<double>(cost.points),
                         "partial")
       << "\n//   alone: ";
    if (cost.alone)
      os << describe(*cost.alone, cost.points);
    else
      os << "too much to count";
    os << "\n//   "
       << llvm::formatv("{0:f3} flops per byte", cost.getIntensity());
    if (const auto &line = entry.roofline)
      os << llvm::formatv(
          "; {0}: at most {1:f1} GStencil/s, by {2} ({3}; {4:f1} GB/s, {5:f1} "
          "Tflop/s)",
          target->chip, line->getBound() / 1e9,
          line->byMemory <= line->byArithmetic ? "memory" : "arithmetic",
          line->isMeasured ? "measured" : "data sheet", line->bandwidth / 1e9,
          line->peak / 1e12);
    os << "\n";
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Value toJson(const OperationCount &count) {
  return llvm::json::Object{
      {"operations", count.operations()},
      {"flops", count.flops()},
      {"adds", count.adds},
      {"multiplies", count.multiplies},
      {"fmas", count.fmas},
      {"divisions", count.divisions},
      {"functions", count.functions},
      {"others", count.others},
      {"loads", count.loads},
      {"partials", count.partials},
  };
}

static llvm::json::Value toJson(const std::optional<uint64_t> &number) {
  return number ? llvm::json::Value(*number) : nullptr;
}

static llvm::json::Value toJson(const Entry &entry) {
  const ApplyCost &cost = entry.cost;
  llvm::json::Array inputs;
  for (const InputCost &input : cost.inputs)
    inputs.push_back(llvm::json::Object{{"index", input.index},
                                        {"taps", toJson(input.taps)},
                                        {"readers", input.readers},
                                        {"bytes", input.bytes}});
  llvm::json::Object object{
      {"function", entry.function},
      {"apply", entry.index},
      {"location", entry.location},
      {"points", cost.points},
      {"taps", toJson(cost.taps)},
      {"fields_read", cost.fieldsRead},
      {"fields_written", cost.fieldsWritten},
      {"bytes_per_point", cost.bytesPerPoint},
      {"flops_per_byte", cost.getIntensity()},
      {"shared", toJson(cost.shared)},
      {"alone", cost.alone ? toJson(*cost.alone) : llvm::json::Value(nullptr)},
      {"inputs", std::move(inputs)},
  };
  // A number of JSON is finite: what is not bound has no entry.
  if (const auto &line = entry.roofline;
      line && std::isfinite(line->getBound()))
    object["roofline"] = llvm::json::Object{
        {"bound", line->getBound()},
        {"by", line->byMemory <= line->byArithmetic ? "memory" : "arithmetic"},
        {"bandwidth", line->bandwidth},
        {"peak", line->peak},
        {"measured", line->isMeasured},
    };
  return object;
}

void ReportCost::writeJson(llvm::raw_ostream &os,
                           ArrayRef<Entry> entries) const {
  llvm::json::Array applies;
  for (const Entry &entry : entries)
    applies.push_back(toJson(entry));
  llvm::json::Object report{{"label", label.getValue()},
                            {"chip", target ? target->chip : ""},
                            {"applies", std::move(applies)}};
  // On a line of its own, so that reports can follow each other.
  os << llvm::json::Value(std::move(report)) << "\n";
}

void ReportCost::runOnOperation() {
  ModuleOp module = getOperation();
  target = findTarget(module);
  std::vector<Entry> entries;
  llvm::StringMap<unsigned> counts;
  module.walk<WalkOrder::PreOrder>([&](ApplyOp apply) {
    Entry entry;
    if (auto function = apply->getParentOfType<SymbolOpInterface>())
      entry.function = function.getName();
    entry.index = counts[entry.function]++;
    entry.location = describeLocation(apply.getLoc());
    entry.cost = getApplyCost(apply, math != MathMode::Strict);
    if (target)
      entry.roofline = getRoofline(entry.cost, *target);
    entries.push_back(std::move(entry));
  });
  auto write = [&](llvm::raw_ostream &os) {
    if (format == ReportFormat::JSON)
      writeJson(os, entries);
    else
      writeText(os, entries);
    return llvm::Error::success();
  };
  if (llvm::Error error = writeOutput(output, write)) {
    emitError(getStart(module), llvm::toString(std::move(error)));
    return signalPassFailure();
  }
  markAllAnalysesPreserved();
}
