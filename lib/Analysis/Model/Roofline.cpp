//===- Roofline.cpp - How fast an apply can be ----------------------------===//

#include "StencilDialect/Analysis/Cost.h"

#include <limits>

using namespace stencil;

double ApplyCost::getIntensity() const {
  if (bytesPerPoint == 0)
    return 0;
  return static_cast<double>(shared.flops()) /
         static_cast<double>(points * bytesPerPoint);
}

std::optional<Roofline> stencil::getRoofline(const ApplyCost &cost,
                                             const TargetInfo &target) {
  Roofline line;
  double measuredPeak =
      cost.isDouble ? target.measuredFp64 : target.measuredFp32;
  line.isMeasured = target.measuredBandwidth > 0 && measuredPeak > 0;
  line.bandwidth =
      line.isMeasured ? target.measuredBandwidth : target.dramBandwidth;
  line.peak = line.isMeasured ? measuredPeak
              : cost.isDouble ? target.fp64
                              : target.fp32;
  if (line.bandwidth <= 0 || line.peak <= 0)
    return std::nullopt;
  // What takes nothing is not bound by it.
  auto divide = [](double rate, uint64_t amount) {
    return amount == 0 ? std::numeric_limits<double>::infinity()
                       : rate / static_cast<double>(amount);
  };
  line.byMemory = divide(line.bandwidth, cost.bytesPerPoint);
  line.byArithmetic = divide(line.peak / 2, cost.shared.operations()) *
                      static_cast<double>(cost.points);
  return line;
}
