//===- ScheduleOrder.cpp - In which order schedules are tried -------------===//

#include "StencilDialect/Analysis/ScheduleOrder.h"

#include <map>

using namespace mlir;
using namespace stencil;

std::vector<ScheduleAttr>
stencil::orderByVariety(ArrayRef<RankedSchedule> ranked, double kind) {
  // About the error of a prediction; that of stages is larger.
  constexpr double kVariant = 0.05, kStages = 0.02;
  /// How many there were before, by their stages.
  using Variants = std::map<std::optional<int64_t>, int64_t>;
  using Key = std::tuple<SmallVector<int64_t, 4>, SmallVector<int64_t, 4>,
                         std::optional<int64_t>, std::optional<Accumulation>>;
  std::map<Key, Variants> groups;
  using Kind =
      std::tuple<bool, SmallVector<Space, 4>, std::optional<Accumulation>>;
  std::map<Kind, int64_t> kinds;
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
    auto alike =
        static_cast<double>(kinds[{schedule.getStream().has_value(),
                                   SmallVector<Space, 4>(schedule.getWindow()),
                                   schedule.getAccumulate()}]++);
    ordered.emplace_back((1 + kStages * others + kVariant * same) *
                             (1 + kind * alike) * candidate.prediction.seconds,
                         ordered.size());
  }
  llvm::sort(ordered);
  std::vector<ScheduleAttr> schedules;
  for (auto [seconds, index] : ordered)
    schedules.push_back(ranked[index].schedule);
  return schedules;
}
