//===- Schedule.cpp - Schedules as keys with numbers ----------------------===//

#include "StencilDialect/IR/Schedule.h"
#include "Checked.h"
#include "StencilDialect-c/Attributes.h"

using namespace mlir;
using namespace stencil;
using capi::get;

namespace {

/// Writes the numbers of one entry into the keys of a schedule.
class KeyWriter {
public:
  KeyWriter(Location location, llvm::ArrayRef<int64_t> values)
      : location(location), values(values) {}

  LogicalResult write(ScheduleKeys &keys, int32_t key);

private:
  LogicalResult list(SmallVector<int64_t> &target) {
    target.assign(values.begin(), values.end());
    return success();
  }

  LogicalResult number(std::optional<int64_t> &target) {
    if (values.size() != 1)
      return emitError(location)
             << "expected one value for this key, got " << values.size();
    target = values.front();
    return success();
  }

  template <typename Enum>
  LogicalResult symbol(int64_t value, Enum &target,
                       std::optional<Enum> (*symbolize)(uint32_t)) {
    std::optional<Enum> known =
        value >= 0 && value <= std::numeric_limits<int32_t>::max()
            ? symbolize(static_cast<uint32_t>(value))
            : std::nullopt;
    if (!known)
      return emitError(location)
             << "expected a value of this key's enumeration, got " << value;
    target = *known;
    return success();
  }

  template <typename Enum>
  LogicalResult symbol(std::optional<Enum> &target,
                       std::optional<Enum> (*symbolize)(uint32_t)) {
    std::optional<int64_t> value;
    if (failed(number(value)))
      return failure();
    return symbol(*value, target.emplace(), symbolize);
  }

  LogicalResult launchBounds(int64_t &target) {
    std::optional<int64_t> value;
    if (failed(number(value)))
      return failure();
    if (*value <= 0)
      return emitError(location)
             << "expected a positive number of blocks per multiprocessor, got "
             << *value;
    target = *value;
    return success();
  }

  Location location;
  llvm::ArrayRef<int64_t> values;
};

} // namespace

LogicalResult KeyWriter::write(ScheduleKeys &keys, int32_t key) {
  switch (key) {
  case STENCIL_SCHEDULE_BLOCK:
    return list(keys.block);
  case STENCIL_SCHEDULE_POINTS:
    return list(keys.points);
  case STENCIL_SCHEDULE_STREAM:
    return number(keys.stream);
  case STENCIL_SCHEDULE_SEGMENTS:
    return number(keys.segments);
  case STENCIL_SCHEDULE_WINDOW:
    for (int64_t value : values)
      if (failed(symbol(value, keys.window.emplace_back(), symbolizeWindow)))
        return failure();
    return success();
  case STENCIL_SCHEDULE_GROUPS:
    return list(keys.groups);
  case STENCIL_SCHEDULE_ACCUMULATE:
    return symbol(keys.accumulate, symbolizeAccumulation);
  case STENCIL_SCHEDULE_PREFETCH:
    return symbol(keys.prefetch, symbolizePrefetch);
  case STENCIL_SCHEDULE_STAGES:
    return number(keys.stages);
  case STENCIL_SCHEDULE_EVICTION:
    return symbol(keys.eviction, symbolizeEviction);
  case STENCIL_SCHEDULE_BOUNDARY:
    return symbol(keys.boundary, symbolizeBoundaryPlace);
  case STENCIL_SCHEDULE_CHAIN:
    return symbol(keys.chain, symbolizeChain);
  case STENCIL_SCHEDULE_ENGINE:
    return symbol(keys.engine, symbolizeEngine);
  case STENCIL_SCHEDULE_ORDER:
    return list(keys.order);
  case STENCIL_SCHEDULE_PANEL:
    return list(keys.panel);
  case STENCIL_SCHEDULE_LAUNCH_BOUNDS:
    return launchBounds(keys.launchBounds);
  case STENCIL_SCHEDULE_REGIONS:
    return symbol(keys.regions, symbolizeRegionLaunch);
  default:
    return emitError(location) << "expected a StencilScheduleKey, got " << key;
  }
}

/// The numbers of one key; empty if it is not given.
static SmallVector<int64_t> read(const ScheduleKeys &keys, int32_t key) {
  auto numberOf = [](const auto &value) {
    return value ? SmallVector<int64_t>{static_cast<int64_t>(*value)}
                 : SmallVector<int64_t>();
  };
  switch (key) {
  case STENCIL_SCHEDULE_BLOCK:
    return keys.block;
  case STENCIL_SCHEDULE_POINTS:
    return keys.points;
  case STENCIL_SCHEDULE_STREAM:
    return numberOf(keys.stream);
  case STENCIL_SCHEDULE_SEGMENTS:
    return numberOf(keys.segments);
  case STENCIL_SCHEDULE_WINDOW:
    return llvm::map_to_vector(keys.window, [](Window window) {
      return static_cast<int64_t>(window);
    });
  case STENCIL_SCHEDULE_GROUPS:
    return keys.groups;
  case STENCIL_SCHEDULE_ACCUMULATE:
    return numberOf(keys.accumulate);
  case STENCIL_SCHEDULE_PREFETCH:
    return numberOf(keys.prefetch);
  case STENCIL_SCHEDULE_STAGES:
    return numberOf(keys.stages);
  case STENCIL_SCHEDULE_EVICTION:
    return numberOf(keys.eviction);
  case STENCIL_SCHEDULE_BOUNDARY:
    return numberOf(keys.boundary);
  case STENCIL_SCHEDULE_CHAIN:
    return numberOf(keys.chain);
  case STENCIL_SCHEDULE_ENGINE:
    return numberOf(keys.engine);
  case STENCIL_SCHEDULE_ORDER:
    return keys.order;
  case STENCIL_SCHEDULE_PANEL:
    return keys.panel;
  case STENCIL_SCHEDULE_LAUNCH_BOUNDS:
    return keys.launchBounds ? SmallVector<int64_t>{keys.launchBounds}
                             : SmallVector<int64_t>();
  case STENCIL_SCHEDULE_REGIONS:
    return numberOf(keys.regions);
  default:
    return {};
  }
}

bool stencilAttributeIsASchedule(MlirAttribute attribute) {
  return get<ScheduleAttr>(attribute) != nullptr;
}

MlirAttribute
stencilScheduleAttrGetChecked(MlirLocation handle, intptr_t count,
                              const StencilScheduleEntry *entries) {
  std::optional<Location> location = capi::check(handle);
  if (!location ||
      !capi::checkCount(*location, count, entries, "keys", capi::kMaxRank))
    return MlirAttribute{nullptr};
  ScheduleKeys keys;
  llvm::SmallVector<int32_t> seen;
  for (const StencilScheduleEntry &entry : llvm::ArrayRef(entries, count)) {
    if (llvm::is_contained(seen, entry.key)) {
      emitError(*location) << "expected key " << entry.key << " once";
      return MlirAttribute{nullptr};
    }
    seen.push_back(entry.key);
    auto values =
        capi::getNumbers(*location, entry.count, entry.values, "values");
    if (!values || failed(KeyWriter(*location, *values).write(keys, entry.key)))
      return MlirAttribute{nullptr};
  }
  return wrap(Attribute(keys.getChecked([&] { return emitError(*location); },
                                        location->getContext())));
}

intptr_t stencilScheduleAttrGetCount(MlirAttribute attribute,
                                     StencilScheduleKey key) {
  auto schedule = get<ScheduleAttr>(attribute);
  return schedule ? read(ScheduleKeys(schedule), key).size() : 0;
}

int64_t stencilScheduleAttrGetValue(MlirAttribute attribute,
                                    StencilScheduleKey key, intptr_t index) {
  auto schedule = get<ScheduleAttr>(attribute);
  if (!schedule)
    return 0;
  SmallVector<int64_t> values = read(ScheduleKeys(schedule), key);
  return index >= 0 && index < static_cast<intptr_t>(values.size())
             ? values[index]
             : 0;
}
