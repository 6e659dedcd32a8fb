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
                       ArrayRef<std::string> words,
                       ArrayRef<StringLiteral> known) {
  for (const std::string &word : words)
    if (!llvm::is_contained(known, word))
      reader.fail(place, "expected one of " + llvm::join(known, ", ") +
                             ", got '" + StringRef(word).take_front(60) + "'");
}

static void readJson(JsonReader &reader, const json::Value &value,
                     const std::string &place, KernelClass &of) {
  static constexpr StringLiteral kKernels[] = {
      "walk",        "layer",         "interior", "row",
      "product row", "product plane", "step"};
  static constexpr StringLiteral kReads[] = {
      "star", "box", "nearest", "cube", "single star", "memory", "products"};
  static constexpr StringLiteral kPlanes[] = {"wide", "narrow"};
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
  fields.get("free_sums", of.needsFreeSums, /*isOptional=*/true);
  fields.finish();
  if (!reader.error.empty())
    return;
  checkWords(reader, fields.getPlace("kernel"), of.kernel, kKernels);
  checkWords(reader, fields.getPlace("reads"), of.reads, kReads);
  if (!of.planes.empty())
    checkWords(reader, fields.getPlace("planes"), of.planes, kPlanes);
}

void readJson(JsonReader &reader, const json::Value &value,
              const std::string &place, TuningForm &form) {
  form.json = value;
  JsonFields fields(reader, value, place);
  fields.get("name", form.name);
  fields.get("of", form.of);
  fields.get("devices", form.devices);
  fields.get("schedule", form.schedule);
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
