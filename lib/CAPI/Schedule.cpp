//===- Schedule.cpp - Schedules as keys with numbers ----------------------===//

#include "StencilDialect/IR/Schedule.h"
#include "Checked.h"
#include "StencilDialect-c/Attributes.h"

using namespace mlir;
using namespace stencil;
using capi::get;

namespace {

/// Writes the numbers of one entry into a key of a schedule.
class KeyWriter {
public:
  KeyWriter(Location location, llvm::ArrayRef<int64_t> values)
      : location(location), values(values) {}

  LogicalResult write(ScheduleKeys &keys, int32_t key) {
    std::optional<LogicalResult> result;
    ScheduleKeys::forEach(keys,
                          [&](const ScheduleAttr::KeyInfo &info, auto &value) {
                            if (info.number == key)
                              result = set(info, value);
                          });
    if (result)
      return *result;
    return emitError(location) << "expected a StencilScheduleKey, got " << key;
  }

private:
  using KeyInfo = ScheduleAttr::KeyInfo;

  LogicalResult set(const KeyInfo &, SmallVector<int64_t> &target) {
    target.assign(values.begin(), values.end());
    return success();
  }

  LogicalResult set(const KeyInfo &, std::optional<int64_t> &target) {
    if (values.size() != 1)
      return emitError(location)
             << "expected one value for this key, got " << values.size();
    target = values.front();
    return success();
  }

  /// One that is 0 if it is not given.
  LogicalResult set(const KeyInfo &key, int64_t &target) {
    std::optional<int64_t> value;
    if (failed(set(key, value)))
      return failure();
    target = *value;
    if (target != 0)
      return success();
    return emitError(location)
           << "expected '" << key.name << "' to be a number from " << key.least
           << " to " << key.most << ", got 0";
  }

  template <typename Enum>
  LogicalResult setWord(int64_t value, std::optional<Enum> &target) {
    if (value >= 0 && value <= std::numeric_limits<int32_t>::max()) {
      target = static_cast<Enum>(value);
      // One that is none has no name.
      if (!stringifyEnum(*target).empty())
        return success();
    }
    return emitError(location)
           << "expected a value of this key's enumeration, got " << value;
  }

  template <typename Enum>
  LogicalResult set(const KeyInfo &key, std::optional<Enum> &target) {
    std::optional<int64_t> value;
    return failure(failed(set(key, value)) || failed(setWord(*value, target)));
  }

  template <typename Enum>
  LogicalResult set(const KeyInfo &, SmallVector<Enum> &target) {
    for (int64_t value : values) {
      std::optional<Enum> word;
      if (failed(setWord(value, word)))
        return failure();
      target.push_back(*word);
    }
    return success();
  }

  Location location;
  llvm::ArrayRef<int64_t> values;
};

/// Reads the numbers of a key; none if it is not given.
struct KeyReader {
  explicit KeyReader(const ScheduleKeys &keys, int32_t key) {
    ScheduleKeys::forEach(
        keys, [&](const ScheduleAttr::KeyInfo &info, const auto &value) {
          if (info.number == key)
            get(value);
        });
  }

  template <typename T> void get(const SmallVector<T> &list) {
    for (T value : list)
      values.push_back(static_cast<int64_t>(value));
  }
  template <typename T> void get(const std::optional<T> &value) {
    if (value)
      values.push_back(static_cast<int64_t>(*value));
  }
  void get(int64_t value) {
    if (value != 0)
      values.push_back(value);
  }

  SmallVector<int64_t> values;
};

} // namespace

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
  return schedule ? KeyReader(schedule.getKeys(), key).values.size() : 0;
}

int64_t stencilScheduleAttrGetValue(MlirAttribute attribute,
                                    StencilScheduleKey key, intptr_t index) {
  auto schedule = get<ScheduleAttr>(attribute);
  if (!schedule)
    return 0;
  SmallVector<int64_t> values = KeyReader(schedule.getKeys(), key).values;
  return index >= 0 && index < static_cast<intptr_t>(values.size())
             ? values[index]
             : 0;
}
