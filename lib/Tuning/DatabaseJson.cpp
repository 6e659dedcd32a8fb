//===- DatabaseJson.cpp - The form of a tuning database -------------------===//

#include "FormsJson.h"
#include "StencilDialect/IR/MathMode.h"
#include "StencilDialect/Target/GPUTargets.h"
#include "StencilDialect/Tuning/Database.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace llvm;
using namespace stencil;

static constexpr StringRef kFormat = "stencil-tuning";
static constexpr int64_t kVersion = 1;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace stencil {

static void readJson(JsonReader &reader, const json::Value &value,
                     const std::string &place, Toolchain &toolchain) {
  JsonFields fields(reader, value, place);
  fields.get("stencil", toolchain.stencil);
  fields.get("llvm", toolchain.llvm);
  fields.get("assembler", toolchain.assembler);
  fields.get("driver", toolchain.driver);
  fields.finish();
}

static void readJson(JsonReader &reader, const json::Value &value,
                     const std::string &place, TuningBest &best) {
  JsonFields fields(reader, value, place);
  fields.get("schedule", best.schedule);
  fields.get("seconds", best.seconds);
  fields.get("gstencil_per_s", best.rate, /*isOptional=*/true);
  fields.get("verified_ulp", best.verifiedUlp, /*isOptional=*/true);
  fields.get("date", best.date);
  fields.finish();
}

static void readJson(JsonReader &reader, const json::Value &value,
                     const std::string &place, TuningSample &sample) {
  JsonFields fields(reader, value, place);
  fields.get("schedule", sample.schedule);
  fields.get("failure", sample.failure, /*isOptional=*/true);
  bool isFailure = sample.isFailure();
  fields.get("seconds", sample.seconds, isFailure);
  fields.get("min", sample.min, isFailure);
  fields.get("max", sample.max, isFailure);
  fields.get("runs", sample.runs, isFailure);
  fields.get("registers", sample.registers, /*isOptional=*/true);
  fields.get("spilled_bytes", sample.spilledBytes, /*isOptional=*/true);
  fields.finish();
}

static void readJson(JsonReader &reader, const json::Value &value,
                     const std::string &place, TuningEntry &entry) {
  JsonFields fields(reader, value, place);
  TuningKey &key = entry.key;
  fields.get("program", key.program.program);
  fields.get("extents", key.program.extents);
  fields.get("math", key.math);
  fields.get("target", key.target);
  fields.get("chip", key.chip);
  fields.get("threads", key.threads);
  fields.get("device", key.device);
  fields.get("scalars", key.scalars);
  fields.get("toolchain", key.toolchain);
  fields.get("function", entry.function);
  fields.get("best", entry.best, /*isOptional=*/true);
  // Follows from the samples.
  fields.find("failed");
  fields.get("samples", entry.samples);
  fields.finish();
  if (!reader.error.empty())
    return;
  if (key.program.program.size() != 32 ||
      !llvm::all_of(key.program.program, llvm::isHexDigit))
    reader.fail(place + ".program", "expected 32 hexadecimal digits");
  if (key.target != "cpu" && !findGPUTarget(key.target))
    reader.fail(place + ".target", "expected " + listGPUTargets({"cpu"}));
  if (!parseMathMode(key.math))
    reader.fail(place + ".math",
                "expected strict, contract, reassociate or tf32");
  std::set<TuningPoint> schedules;
  for (auto [index, sample] : llvm::enumerate(entry.samples)) {
    if (!schedules.insert(sample.schedule).second)
      reader.fail(place + ".samples[" + Twine(index) + "]",
                  "there is a sample of this schedule already");
  }
}

} // namespace stencil

/// The parser of LLVM calls itself for what is in brackets.
static bool isTooDeep(StringRef text) {
  constexpr int limit = 32;
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      inString = c != '"';
      continue;
    }
    if (c == '"')
      inString = true;
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      --depth;
    if (depth > limit)
      return true;
  }
  return false;
}

Expected<TuningDatabase> TuningDatabase::parse(StringRef text, StringRef name) {
  auto fail = [&](const Twine &message) {
    return createStringError("'" + name + "': " + message);
  };
  if (isTooDeep(text))
    return fail("expected a tuning database, got brackets in brackets without "
                "end");
  Expected<json::Value> value = json::parse(text);
  if (!value) {
    // "[3:1, byte=20]: Expected , or ] after array element"
    std::string message = llvm::toString(value.takeError());
    return fail("expected a tuning database in JSON: " +
                StringRef(message).trim());
  }
  const json::Object *root = value->getAsObject();
  if (!root || root->getString("format") != kFormat)
    return fail("expected a tuning database, got JSON whose \"format\" is not "
                "\"" +
                kFormat + "\"");
  std::optional<int64_t> version = root->getInteger("version");
  if (!version || *version < 1)
    return fail("version: expected an integer from 1");
  if (*version > kVersion)
    return fail("version: expected at most " + Twine(kVersion) + ", got " +
                Twine(*version) +
                "; the tuning database was written by a newer program");

  TuningDatabase database;
  JsonReader reader;
  std::string noPlace;
  JsonFields fields(reader, *value, noPlace);
  fields.find("format");
  fields.find("version");
  fields.get("entries", database.entries);
  fields.get("forms", database.forms, /*isOptional=*/true);
  fields.finish();
  std::map<std::string, size_t> keys;
  if (reader.error.empty())
    for (auto [index, entry] : llvm::enumerate(database.entries)) {
      auto [known, isNew] = keys.try_emplace(entry.key.str(), index);
      if (!isNew)
        reader.fail("entries[" + Twine(index) + "]",
                    "expected one entry for each key, got the key of entries[" +
                        Twine(known->second) + "] again");
    }
  if (!reader.error.empty())
    return fail(reader.error);
  return std::move(database);
}

Error TuningDatabase::checkFile(StringRef path) {
  sys::fs::file_status status;
  if (!sys::fs::status(path, status) &&
      status.type() == sys::fs::file_type::character_file)
    return createStringError("tuning database '" + path +
                             "': expected a file, got a device");
  return Error::success();
}

Expected<TuningDatabase> TuningDatabase::load(StringRef path) {
  if (auto error = checkFile(path))
    return std::move(error);
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer) {
    std::string message = buffer.getError().message();
    message[0] = llvm::toLower(message[0]);
    return createStringError(buffer.getError(),
                             "tuning database '" + path + "': " + message);
  }
  return parse((*buffer)->getBuffer(), path);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Reasons and names may have come from anywhere.
static json::Value makeText(StringRef text) { return json::fixUTF8(text); }

static json::Array makeSchedule(const TuningPoint &schedule) {
  json::Array list;
  for (const std::string &choice : schedule)
    list.push_back(makeText(choice));
  return list;
}

static json::Object makeBest(const TuningBest &best) {
  json::Object object{{"schedule", makeSchedule(best.schedule)},
                      {"seconds", best.seconds},
                      {"date", best.date}};
  if (best.rate)
    object["gstencil_per_s"] = *best.rate;
  if (best.verifiedUlp)
    object["verified_ulp"] = *best.verifiedUlp;
  return object;
}

static json::Object makeSample(const TuningSample &sample) {
  json::Object object{{"schedule", makeSchedule(sample.schedule)}};
  if (sample.isFailure()) {
    object["failure"] = makeText(sample.failure);
    return object;
  }
  object["seconds"] = sample.seconds;
  object["min"] = sample.min;
  object["max"] = sample.max;
  object["runs"] = sample.runs;
  if (sample.registers)
    object["registers"] = *sample.registers;
  if (sample.spilledBytes)
    object["spilled_bytes"] = *sample.spilledBytes;
  return object;
}

static json::Object makeEntry(const TuningEntry &entry) {
  const TuningKey &key = entry.key;
  json::Array extents;
  for (const std::vector<int64_t> &box : key.program.extents)
    extents.push_back(json::Array(box));
  json::Array samples;
  for (const TuningSample &sample : entry.samples)
    samples.push_back(makeSample(sample));
  json::Object object{
      {"program", key.program.program},
      {"extents", std::move(extents)},
      {"math", key.math},
      {"target", key.target},
      {"chip", makeText(key.chip)},
      {"threads", key.threads},
      {"device", makeText(key.device)},
      {"scalars", makeSchedule(key.scalars)},
      {"toolchain",
       json::Object{{"stencil", makeText(key.toolchain.stencil)},
                    {"llvm", makeText(key.toolchain.llvm)},
                    {"assembler", makeText(key.toolchain.assembler)},
                    {"driver", makeText(key.toolchain.driver)}}},
      {"function", makeText(entry.function)},
      {"samples", std::move(samples)}};
  if (entry.best)
    object["best"] = makeBest(*entry.best);
  json::Object failed;
  for (const auto &[reason, count] : entry.countFailures())
    failed[json::fixUTF8(reason)] = count;
  object["failed"] = std::move(failed);
  return object;
}

void TuningDatabase::print(raw_ostream &os) const {
  // An object of JSON has no order, and is printed by its keys' names.
  os << "{\"format\": \"" << kFormat << "\", \"version\": " << kVersion
     << ", \"entries\": [";
  for (auto [index, entry] : llvm::enumerate(entries)) {
    os << (index ? ",\n" : "\n");
    json::OStream stream(os, /*IndentSize=*/1);
    stream.value(makeEntry(entry));
  }
  os << "\n]";
  if (!forms.empty()) {
    os << ", \"forms\": [";
    for (auto [index, form] : llvm::enumerate(forms)) {
      os << (index ? ",\n" : "\n");
      json::OStream stream(os, /*IndentSize=*/1);
      stream.value(form.json);
    }
    os << "\n]";
  }
  os << "}\n";
}
