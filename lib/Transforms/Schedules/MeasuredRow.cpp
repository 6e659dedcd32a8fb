//===- MeasuredRow.cpp - Tiles of rows as they were measured best ---------===//

#include "MeasuredForm.h"
#include "StencilDialect/IR/TapBoxes.h"

using namespace mlir;
using namespace stencil;

FoundForm stencil::findRowForm(ApplyOp apply, const TargetInfo &target,
                               const FormBook &forms, int64_t &longest) {
  FoundForm found;
  for (WeightedSumOp sum : apply.getBodyBlock()->getOps<WeightedSumOp>()) {
    FormFacts facts;
    facts.kernel = "row";
    llvm::raw_string_ostream(facts.type) << sum.getRes().getType();
    std::optional<int64_t> fewest = forms.getFewestTaps(facts, target);
    int64_t taps = sum.getNumTaps();
    if (taps <= longest || !fewest || !isLongSum(sum, *fewest))
      continue;
    facts.taps = taps;
    if (FoundForm form = forms.find(facts, target, apply.getContext())) {
      longest = taps;
      found = form;
    }
  }
  return found;
}

/// The arithmetic of threads is the limit.
SchedulePrediction stencil::predictTapLoops(const KernelProfile &profile,
                                            int64_t taps,
                                            const TargetInfo &target) {
  constexpr double kLaunch = 3e-6;
  double points = profile.countPoints();
  double copy = points * (profile.bytesRead + profile.bytesWritten) /
                target.getCopyBandwidth();
  double arithmetic =
      2 * static_cast<double>(taps) * points / target.measuredFp64;
  SchedulePrediction prediction;
  prediction.launchSeconds = kLaunch;
  prediction.seconds = std::max(copy, arithmetic) + kLaunch;
  prediction.fp64Seconds = arithmetic;
  return prediction;
}
