//===- JsonReader.cpp - Reading JSON with the place of an error -----------===//

#include "JsonReader.h"

using namespace llvm;
using namespace stencil;

bool JsonReader::fail(const Twine &place, const Twine &message) {
  if (error.empty())
    error = (place.str().empty() ? message : place + ": " + message).str();
  return false;
}

void JsonReader::read(const json::Value &value, const std::string &place,
                      std::string &result) {
  if (std::optional<StringRef> text = value.getAsString())
    result = text->str();
  else
    fail(place, "expected a string");
}

void JsonReader::read(const json::Value &value, const std::string &place,
                      double &result) {
  std::optional<double> number = value.getAsNumber();
  if (number && std::isfinite(*number) && *number >= 0)
    result = std::abs(*number); // -0 would be printed as an integer, 0
  else
    fail(place, "expected a number that is not negative");
}

void JsonReader::read(const json::Value &value, const std::string &place,
                      bool &result) {
  if (std::optional<bool> word = value.getAsBoolean())
    result = *word;
  else
    fail(place, "expected true or false");
}

JsonFields::JsonFields(JsonReader &reader, const json::Value &value,
                       const std::string &place)
    : reader(reader), place(place), object(value.getAsObject()) {
  if (!object)
    reader.fail(place, "expected an object");
}

const json::Value *JsonFields::find(StringRef key) {
  known.push_back(key);
  return object ? object->get(key) : nullptr;
}

void JsonFields::finish() {
  if (!object || !reader.error.empty())
    return;
  for (const auto &[key, value] : *object)
    if (!llvm::is_contained(known, StringRef(key)))
      reader.fail(place, "unknown key '" + StringRef(key).take_front(60) + "'");
}
