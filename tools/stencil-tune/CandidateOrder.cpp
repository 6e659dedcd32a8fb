//===- CandidateOrder.cpp - In which order schedules are tried ------------===//

#include "CandidateOrder.h"

#include <map>

using namespace mlir;
using namespace stencil;

std::vector<ScheduleAttr>
stencil::orderByVariety(ArrayRef<RankedSchedule> ranked) {
  // About the error of a prediction; that of stages is larger.
  constexpr double kVariant = 0.05, kStages = 0.02;
  /// How many there were before, by their stages.
  using Variants = std::map<std::optional<int64_t>, int64_t>;
  using Key = std::tuple<SmallVector<int64_t, 4>, SmallVector<int64_t, 4>,
                         std::optional<int64_t>, std::optional<Accumulation>>;
  std::map<Key, Variants> groups;
  /// Equal ones stay in their order.
  std::vector<std::pair<double, size_t>> ordered;
  double limit = ranked.empty() ? 0 : kHopeless * ranked[0].prediction.seconds;
  for (const RankedSchedule &candidate : ranked) {
    if (candidate.prediction.seconds > limit)
      break;
    ScheduleAttr schedule = candidate.schedule;
    Variants &variants =
        groups[{SmallVector<int64_t, 4>(schedule.getBlock()),
                SmallVector<int64_t, 4>(schedule.getPoints()),
                schedule.getStream(), schedule.getAccumulate()}];
    auto [known, isNew] = variants.try_emplace(schedule.getStages(), 0);
    auto others = static_cast<double>(variants.size() - 1),
         same = static_cast<double>(known->second++);
    ordered.emplace_back((1 + kStages * others + kVariant * same) *
                             candidate.prediction.seconds,
                         ordered.size());
  }
  llvm::sort(ordered);
  std::vector<ScheduleAttr> schedules;
  for (auto [seconds, index] : ordered)
    schedules.push_back(ranked[index].schedule);
  return schedules;
}
