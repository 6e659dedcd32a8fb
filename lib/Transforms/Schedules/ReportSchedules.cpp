//===- ReportSchedules.cpp - Prints predictions of the cost model ---------===//

#include "StencilDialect/Analysis/ScheduleModel.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/IR/Locations.h"
#include "StencilDialect/IR/Target.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace stencil;

namespace stencil {
#define GEN_PASS_DEF_STENCILREPORTSCHEDULES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

namespace {
struct ReportSchedules
    : stencil::impl::StencilReportSchedulesBase<ReportSchedules> {
  using StencilReportSchedulesBase::StencilReportSchedulesBase;

  void runOnOperation() override {
    if (failed(report()))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult report();
  LogicalResult readConstants();
  llvm::json::Array predictAll(ApplyOp apply, const KernelProfile &profile,
                               const TargetInfo &target);

  /// What to predict; a null attribute is no schedule.
  std::optional<SmallVector<ScheduleAttr>> asked;
  /// With which other constants to predict as well.
  std::vector<ModelConstants> others;
};
} // namespace

LogicalResult ReportSchedules::readConstants() {
  others.clear();
  if (constants.empty())
    return success();
  auto report = [&](const Twine &why) {
    return emitError(getStart(getOperation()))
           << "'" << constants << "': " << why;
  };
  auto list = readJsonList(constants, "objects", getStart(getOperation()));
  if (failed(list))
    return failure();
  for (const llvm::json::Value &entry : *list) {
    const llvm::json::Object *numbers = entry.getAsObject();
    if (!numbers)
      return report("expected objects in the list");
    llvm::Expected<ModelConstants> changed =
        ModelConstants::getDefault().with(*numbers);
    if (!changed)
      return report(llvm::toString(changed.takeError()));
    others.push_back(*changed);
  }
  return success();
}

static llvm::json::Object toJson(const SchedulePrediction &prediction) {
  return llvm::json::Object{
      {"seconds", prediction.seconds},
      {"limiter", prediction.limiter},
      {"gstencil_per_s", prediction.gstencilPerSecond},
      {"share_of_copy", prediction.shareOfCopy},
      {"memory_bytes", prediction.memoryBytes},
      {"compulsory_bytes", prediction.compulsoryBytes},
      {"l2_bytes", prediction.l2Bytes},
      {"wavefronts", prediction.wavefronts},
      {"instructions", prediction.instructions},
      {"fp64_instructions", prediction.fp64Instructions},
      {"fp32_instructions", prediction.fp32Instructions},
      {"bytes_on_their_way", prediction.bytesOnTheirWay},
      {"iterations", prediction.iterations},
      {"memory_seconds", prediction.memorySeconds},
      {"l2_seconds", prediction.l2Seconds},
      {"l1_seconds", prediction.l1Seconds},
      {"issue_seconds", prediction.issueSeconds},
      {"code_bytes", prediction.codeBytes},
      {"fp64_seconds", prediction.fp64Seconds},
      {"start_seconds", prediction.startSeconds},
      {"fp32_seconds", prediction.fp32Seconds},
      {"latency_seconds", prediction.latencySeconds},
      {"fetch_seconds", prediction.fetchSeconds},
      {"launch_seconds", prediction.launchSeconds},
      {"registers", prediction.registers},
      {"wanted_registers", prediction.wantedRegisters},
      {"register_limit", prediction.registerLimit},
      {"spilled_registers", prediction.spilledRegisters},
      {"shared_bytes", prediction.sharedBytes},
      {"blocks", prediction.blocks},
      {"blocks_per_multiprocessor", prediction.blocksPerMultiprocessor},
      {"waves", prediction.waves},
      {"tail", prediction.tail},
  };
}

llvm::json::Array ReportSchedules::predictAll(ApplyOp apply,
                                              const KernelProfile &profile,
                                              const TargetInfo &target) {
  ScheduleModel model(profile, target);
  std::vector<ScheduleModel> otherModels;
  for (const ModelConstants &other : others)
    otherModels.emplace_back(profile, target, other);
  llvm::json::Array list;
  auto add = [&](ScheduleAttr given) {
    llvm::json::Object entry;
    std::string misfit;
    if (given && !suits(given, apply)) {
      misfit = "a schedule for other axes or inputs";
    } else {
      ScheduleAttr whole = completeSchedule(apply, profile, given, target);
      misfit = findMisfit(profile, whole, target);
      if (misfit.empty()) {
        entry = toJson(model.predict(whole));
        if (!constants.empty()) {
          llvm::json::Array seconds;
          llvm::json::Array registers;
          for (const ScheduleModel &other : otherModels) {
            SchedulePrediction prediction = other.predict(whole);
            seconds.push_back(prediction.seconds);
            registers.push_back(prediction.registers);
          }
          entry["seconds_with"] = std::move(seconds);
          entry["registers_with"] = std::move(registers);
        }
        entry["completed"] = printSchedule(whole);
      }
    }
    if (!misfit.empty())
      entry["misfit"] = misfit;
    entry["schedule"] = given ? printSchedule(given) : "";
    list.push_back(std::move(entry));
  };
  if (asked) {
    for (ScheduleAttr schedule : *asked)
      add(schedule);
    return list;
  }
  if (auto own = ScheduleAttr::of(apply)) {
    add(own);
    return list;
  }
  std::vector<RankedSchedule> ranked = rankSchedules(apply, profile, target);
  add({});
  for (const RankedSchedule &candidate :
       ArrayRef(ranked).take_front(std::min<size_t>(top, ranked.size())))
    add(candidate.schedule);
  return list;
}

LogicalResult ReportSchedules::report() {
  ModuleOp module = getOperation();
  FailureOr<const TargetInfo *> known = requireTarget(module);
  if (failed(known))
    return failure();
  const TargetInfo &target = **known;
  if (!target.exact)
    return emitError(getStart(module), "no rates are known of ") << target.chip;
  asked.reset();
  if (!schedules.empty()) {
    auto list =
        readScheduleList(schedules, &getContext(), getStart(getOperation()));
    if (failed(list))
      return failure();
    asked = std::move(*list);
  }
  if (failed(readConstants()))
    return failure();
  llvm::json::Array applies;
  llvm::StringMap<int64_t> counts;
  WalkResult walk = module.walk<WalkOrder::PreOrder>([&](ApplyOp apply) {
    if (apply->getParentOfType<PipelineOp>())
      return WalkResult::advance();
    if (failed(checkBoxIsKnown(apply)))
      return WalkResult::interrupt();
    StringRef function;
    if (auto parent = apply->getParentOfType<FunctionOpInterface>())
      function = parent.getName();
    KernelProfile profile = profileKernel(apply, extents, math);
    applies.push_back(llvm::json::Object{
        {"function", function},
        {"apply", counts[function]++},
        {"extents", llvm::json::Array(profile.shape)},
        {"predictions", predictAll(apply, profile, target)}});
    return WalkResult::advance();
  });
  if (walk.wasInterrupted())
    return failure();
  llvm::json::Object all{{"chip", target.chip},
                         {"applies", std::move(applies)}};
  if (!constants.empty())
    all["constants"] = ModelConstants::getDefault().toJson();
  llvm::json::Value document(std::move(all));
  auto write = [&](llvm::raw_ostream &os) {
    os << document << "\n";
    return llvm::Error::success();
  };
  if (llvm::Error error = writeOutput(output, write))
    return emitError(getStart(module), llvm::toString(std::move(error)));
  return success();
}
