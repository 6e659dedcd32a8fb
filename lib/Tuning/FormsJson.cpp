//===- FormsJson.cpp - Reading forms --------------------------------------===//

#include "FormsJson.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace stencil;

namespace stencil {

/// 8, [4, 5] or [4].
static void readJson(JsonReader &reader, const json::Value &value,
                     const std::string &place, FormRange &range) {
  range.isGiven = true;
  std::optional<int64_t> number = value.getAsInteger();
  const json::Array *list = value.getAsArray();
  if (number && *number >= 0) {
    range.least = range.most = *number;
    return;
  }
  if (list && !list->empty() && list->size() <= 2) {
    std::optional<int64_t> least = list->front().getAsInteger();
    std::optional<int64_t> most = list->back().getAsInteger();
    if (least && most && *least >= 0 && *least <= *most) {
      range.least = *least;
      if (list->size() == 2)
        range.most = *most;
      return;
    }
  }
  reader.fail(place, "expected a number, [least, most] or [least]");
}

static void checkWords(JsonReader &reader, const std::string &place,
                       ArrayRef<std::string> words, ArrayRef<StringRef> known) {
  for (const std::string &word : words)
    if (!llvm::is_contained(known, word))
      reader.fail(place, "expected one of " + llvm::join(known, ", ") +
                             ", got '" + StringRef(word).take_front(60) + "'");
}

static void readJson(JsonReader &reader, const json::Value &value,
                     const std::string &place, KernelClass &of) {
  static constexpr StringRef kReads[] = {
      "star", "box", "nearest", "cube", "single star", "memory", "products"};
  static constexpr StringRef kPlanes[] = {"wide", "narrow"};
  JsonFields fields(reader, value, place);
  fields.get("kernel", of.kernel);
  fields.get("reads", of.reads, /*isOptional=*/true);
  fields.get("types", of.types, /*isOptional=*/true);
  fields.get("bytes", of.bytes, /*isOptional=*/true);
  fields.get("radius", of.radius, /*isOptional=*/true);
  fields.get("taps", of.taps, /*isOptional=*/true);
  fields.get("inputs", of.inputs, /*isOptional=*/true);
  fields.get("outputs", of.outputs, /*isOptional=*/true);
  fields.get("points", of.points, /*isOptional=*/true);
  fields.get("extents", of.extents, /*isOptional=*/true);
  fields.get("planes", of.planes, /*isOptional=*/true);
  fields.get("rank", of.rank, /*isOptional=*/true);
  fields.get("span", of.span, /*isOptional=*/true);
  fields.get("steps", of.steps, /*isOptional=*/true);
  fields.get("registers", of.registers, /*isOptional=*/true);
  fields.get("free_sums", of.needsFreeSums, /*isOptional=*/true);
  fields.get("joint", of.needsJoint, /*isOptional=*/true);
  fields.get("long_sums", of.needsLongSums, /*isOptional=*/true);
  fields.get("halos_in_steps", of.needsHalosInSteps, /*isOptional=*/true);
  fields.finish();
  if (!reader.error.empty())
    return;
  SmallVector<StringRef> kernels;
  for (const FormKind &kind : getFormKinds())
    kernels.push_back(kind.kernel);
  checkWords(reader, fields.getPlace("kernel"), of.kernel, kernels);
  checkWords(reader, fields.getPlace("reads"), of.reads, kReads);
  if (!of.planes.empty())
    checkWords(reader, fields.getPlace("planes"), of.planes, kPlanes);
}

/// One number or several: none is negative, or more than can be counted.
static void readNumbers(JsonReader &reader, const json::Value &value,
                        const std::string &place,
                        std::vector<double> &numbers) {
  if (value.getAsArray())
    reader.read(value, place, numbers);
  else
    reader.read(value, place, numbers.emplace_back());
  constexpr double kMost = 0x1p40;
  if (reader.error.empty() &&
      (numbers.empty() || !llvm::all_of(numbers, [](double number) {
         return number >= 0 && number <= kMost;
       })))
    reader.fail(place, "expected numbers from 0 to 2^40");
}

/// What rules ask for of such kernels.
static void readNumbers(JsonReader &reader, const json::Value &value,
                        const std::string &place, TuningForm &form) {
  const json::Object *object = value.getAsObject();
  const FormKind *kind = findFormKind(form.of.kernel);
  if (!reader.error.empty() || !kind)
    return;
  if (!object) {
    reader.fail(place, "expected an object");
    return;
  }
  if (kind->numbers.empty()) {
    reader.fail(place, "expected none: such kernels have a schedule only");
    return;
  }
  for (const auto &[key, number] : *object) {
    StringRef name(key);
    checkWords(reader, place, name.str(), kind->numbers);
    if (reader.error.empty())
      readNumbers(reader, number, place + "." + name.str(),
                  form.numbers[name.str()]);
  }
}

void readJson(JsonReader &reader, const json::Value &value,
              const std::string &place, TuningForm &form) {
  form.json = value;
  JsonFields fields(reader, value, place);
  fields.get("name", form.name);
  fields.get("of", form.of);
  fields.get("devices", form.devices);
  const FormKind *kind = findFormKind(form.of.kernel);
  const json::Value *numbers = fields.find("numbers");
  if (numbers)
    readNumbers(reader, *numbers, fields.getPlace("numbers"), form);
  // Of numbers alone, too: some are of all schedules of their class.
  if (kind && !kind->hasSchedule && reader.error.empty()) {
    if (fields.find("schedule"))
      reader.fail(fields.getPlace("schedule"),
                  "expected none: such kernels have numbers only");
    else if (!numbers)
      reader.fail(place, "expected the key 'numbers', got none");
  } else {
    fields.get("schedule", form.schedule, /*isOptional=*/numbers != nullptr);
  }
  fields.get("ahead", form.ahead, /*isOptional=*/true);
  fields.get("forced", form.isForced, /*isOptional=*/true);
  // For benchmarks/forms, and for people.
  for (StringRef key : {"from", "measured", "note", "source"})
    fields.find(key);
  fields.finish();
  if (reader.error.empty() && form.ahead && *form.ahead < 1)
    reader.fail(fields.getPlace("ahead"), "expected at least 1");
  if (reader.error.empty() && form.devices.empty())
    reader.fail(fields.getPlace("devices"), "expected the name of a GPU");
}

} // namespace stencil
