//===- JsonReader.h - Reading JSON with the place of an error ---*- C++ -*-===//

#ifndef STENCIL_LIB_TUNING_JSONREADER_H
#define STENCIL_LIB_TUNING_JSONREADER_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace stencil {

/// Reads values and keeps the first error, with its place: what was expected at
/// entries[2].best.seconds. After an error, reading goes on without effect.
/// Other types of values have a function `read(Reader &, value, place, result)`
/// of their own.
class JsonReader {
public:
  std::string error;

  bool fail(const llvm::Twine &place, const llvm::Twine &message);

  void read(const llvm::json::Value &value, const std::string &place,
            std::string &result);
  void read(const llvm::json::Value &value, const std::string &place,
            double &result);
  void read(const llvm::json::Value &value, const std::string &place,
            bool &result);
  void read(const llvm::json::Value &value, const std::string &place,
            unsigned &result) {
    readInteger(value, place, result, 0, INT32_MAX);
  }
  void read(const llvm::json::Value &value, const std::string &place,
            uint64_t &result) {
    readInteger(value, place, result, 0, INT64_MAX);
  }
  /// An extent, or -1 for one that is not known.
  void read(const llvm::json::Value &value, const std::string &place,
            int64_t &result) {
    readInteger(value, place, result, -1, kMaxExtent);
  }
  template <typename T>
  void read(const llvm::json::Value &value, const std::string &place,
            std::optional<T> &result) {
    read(value, place, result.emplace());
  }
  template <typename T>
  void read(const llvm::json::Value &value, const std::string &place,
            std::vector<T> &result) {
    const llvm::json::Array *list = value.getAsArray();
    if (!list) {
      fail(place, "expected a list");
      return;
    }
    for (auto [index, element] : llvm::enumerate(*list))
      read(element, place + "[" + std::to_string(index) + "]",
           result.emplace_back());
  }
  template <typename T>
  auto read(const llvm::json::Value &value, const std::string &place, T &result)
      -> decltype(readJson(*this, value, place, result)) {
    readJson(*this, value, place, result);
  }

  /// More points than a program can have.
  static constexpr int64_t kMaxExtent = int64_t(1) << 40;

private:
  template <typename Integer>
  void readInteger(const llvm::json::Value &value, const std::string &place,
                   Integer &result, int64_t least, int64_t most) {
    std::optional<int64_t> number = value.getAsInteger();
    if (number && *number >= least && *number <= most)
      result = static_cast<Integer>(*number);
    else
      fail(place, "expected an integer from " + llvm::Twine(least) + " to " +
                      llvm::Twine(most));
  }
};

/// The keys of an object. Each has to be asked for: what is left over is an
/// error.
class JsonFields {
public:
  JsonFields(JsonReader &reader, const llvm::json::Value &value,
             const std::string &place);

  /// The value of a key, if there is one.
  const llvm::json::Value *find(llvm::StringRef key);

  template <typename T>
  void get(llvm::StringRef key, T &result, bool isOptional = false) {
    if (const llvm::json::Value *value = find(key))
      reader.read(*value, getPlace(key), result);
    else if (object && !isOptional)
      reader.fail(place, "expected the key '" + key + "', got none");
  }

  std::string getPlace(llvm::StringRef key) const {
    return (place.empty() ? "" : place + ".") + key.str();
  }

  void finish();

private:
  JsonReader &reader;
  const std::string &place;
  const llvm::json::Object *object;
  llvm::SmallVector<llvm::StringRef, 12> known;
};

} // namespace stencil

#endif // STENCIL_LIB_TUNING_JSONREADER_H
