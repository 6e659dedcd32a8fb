//===- ScheduleAttr.cpp - How an apply is to be computed ------------------===//

#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Support/Words.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stencil;

/// `'a', 'b' or 'c'`.
static std::string quoteAll(ArrayRef<StringRef> words) {
  return joinChoices(llvm::map_to_vector(
      words, [](StringRef word) { return "'" + word.str() + "'"; }));
}

//===----------------------------------------------------------------------===//
// Syntax
//===----------------------------------------------------------------------===//

namespace {

/// Reads `<key = value, ...>`.
class ScheduleParser {
public:
  explicit ScheduleParser(AsmParser &parser) : parser(parser) {}

  ParseResult parse() {
    // MLIR's delimiter LessGreater reports a '<' that is missing, and succeeds.
    if (parser.parseLess())
      return failure();
    if (succeeded(parser.parseOptionalGreater()))
      return success();
    if (parser.parseCommaSeparatedList([&] { return parseEntry(); }))
      return failure();
    return parser.parseGreater();
  }

  ScheduleKeys keys;

private:
  using KeyInfo = ScheduleAttr::KeyInfo;

  ParseResult parseEntry();
  ParseResult parseValue(const KeyInfo &key, SmallVector<int64_t> &list);
  ParseResult parseValue(const KeyInfo &key, std::optional<int64_t> &number);
  ParseResult parseValue(const KeyInfo &key, int64_t &number);
  template <typename Enum>
  ParseResult parseValue(const KeyInfo &key, std::optional<Enum> &word);
  template <typename Enum>
  ParseResult parseValue(const KeyInfo &key, SmallVector<Enum> &words);

  AsmParser &parser;
  llvm::SmallVector<StringRef> seen;
};

} // namespace

ParseResult ScheduleParser::parseValue(const KeyInfo &,
                                       SmallVector<int64_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(list.emplace_back());
  });
}

ParseResult ScheduleParser::parseValue(const KeyInfo &,
                                       std::optional<int64_t> &number) {
  return parser.parseInteger(number.emplace());
}

/// One that is 0 if it is not given, and so cannot be given as 0.
ParseResult ScheduleParser::parseValue(const KeyInfo &key, int64_t &number) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(number))
    return failure();
  if (number != 0)
    return success();
  return parser.emitError(loc, "expected '")
         << key.name << "' to be a number from " << key.least << " to "
         << key.most << ", got 0";
}

template <typename Enum>
ParseResult ScheduleParser::parseValue(const KeyInfo &key,
                                       std::optional<Enum> &word) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  word = symbolizeEnum<Enum>(name);
  if (word && llvm::is_contained(key.words, name))
    return success();
  return parser.emitError(loc, "expected ")
         << quoteAll(key.words) << ", got '" << name << "'";
}

template <typename Enum>
ParseResult ScheduleParser::parseValue(const KeyInfo &key,
                                       SmallVector<Enum> &words) {
  auto parseOne = [&]() -> ParseResult {
    std::optional<Enum> word;
    if (parseValue(key, word))
      return failure();
    words.push_back(*word);
    return success();
  };
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLSquare()))
    return parseOne();
  if (succeeded(parser.parseOptionalRSquare()))
    return parser.emitError(loc, "expected at least one ") << key.name;
  if (parser.parseCommaSeparatedList(parseOne))
    return failure();
  return parser.parseRSquare();
}

ParseResult ScheduleParser::parseEntry() {
  SMLoc loc = parser.getCurrentLocation();
  StringRef key;
  if (parser.parseKeyword(&key))
    return failure();
  if (llvm::is_contained(seen, key))
    return parser.emitError(loc, "expected '") << key << "' once";
  seen.push_back(key);
  if (parser.parseEqual())
    return failure();
  std::optional<ParseResult> result;
  SmallVector<StringRef> known;
  ScheduleKeys::forEach(keys, [&](const KeyInfo &info, auto &value) {
    known.push_back(info.name);
    if (info.name == key)
      result = parseValue(info, value);
  });
  if (result)
    return *result;
  return parser.emitError(loc, "expected ")
         << quoteAll(known) << ", got '" << key << "'";
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  ScheduleParser schedule(parser);
  if (schedule.parse())
    return {};
  return schedule.keys.getChecked([&] { return parser.emitError(start); },
                                  parser.getContext());
}

namespace {

/// Writes `key = value` for what is given.
class ScheduleWriter {
public:
  explicit ScheduleWriter(llvm::raw_ostream &os) : os(os) {}

  void write(const ScheduleKeys &keys) {
    ScheduleKeys::forEach(
        keys, [&](const ScheduleAttr::KeyInfo &info, const auto &value) {
          name = info.name;
          writeValue(value);
        });
  }

private:
  llvm::raw_ostream &begin() { return os << separator << name << " = "; }

  void writeValue(const SmallVector<int64_t> &list) {
    if (list.empty())
      return;
    begin() << '[';
    llvm::interleaveComma(list, os);
    os << ']';
  }
  void writeValue(const std::optional<int64_t> &number) {
    if (number)
      begin() << *number;
  }
  void writeValue(int64_t number) {
    if (number != 0)
      begin() << number;
  }
  template <typename Enum> void writeValue(const std::optional<Enum> &word) {
    if (word)
      begin() << stringifyEnum(*word);
  }
  /// One word is for all.
  template <typename Enum> void writeValue(const SmallVector<Enum> &words) {
    if (words.empty())
      return;
    begin() << (words.size() > 1 ? "[" : "");
    llvm::interleaveComma(words, os,
                          [&](Enum word) { os << stringifyEnum(word); });
    os << (words.size() > 1 ? "]" : "");
  }

  llvm::raw_ostream &os;
  llvm::ListSeparator separator;
  StringRef name;
};

} // namespace

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << '<';
  ScheduleWriter(printer.getStream()).write(getKeys());
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

static LogicalResult checkRange(EmitError emitError, StringRef key,
                                std::optional<int64_t> value, int64_t least,
                                int64_t most) {
  if (!value || (*value >= least && *value <= most))
    return success();
  return emitError() << "expected '" << key << "' to be a number from " << least
                     << " to " << most << ", got " << *value;
}

namespace {

/// What each key may have by itself; and that lists of axes have the same.
class LimitsChecker {
public:
  explicit LimitsChecker(EmitError emitError) : emitError(emitError) {}

  LogicalResult check(const ScheduleKeys &keys) {
    LogicalResult result = success();
    ScheduleKeys::forEach(
        keys, [&](const ScheduleAttr::KeyInfo &info, const auto &value) {
          if (succeeded(result))
            result = checkValue(info, value);
        });
    return result;
  }

private:
  using KeyInfo = ScheduleAttr::KeyInfo;

  LogicalResult checkValue(const KeyInfo &key,
                           const SmallVector<int64_t> &list) {
    if (key.isPerAxis && !list.empty() && failed(checkRank(key, list.size())))
      return failure();
    for (int64_t value : list)
      if (value < key.least || value > key.most)
        return emitError() << "expected numbers from " << key.least << " to "
                           << key.most << " in '" << key.name << "', got "
                           << value;
    return success();
  }
  LogicalResult checkRank(const KeyInfo &key, size_t entries) {
    if (first.empty()) {
      rank = entries;
      first = key.name;
    }
    if (entries == rank)
      return success();
    return emitError() << "expected '" << key.name << "' to have " << rank
                       << " entries as '" << first << "' has, got " << entries;
  }
  LogicalResult checkValue(const KeyInfo &key,
                           const std::optional<int64_t> &number) {
    return checkRange(emitError, key.name, number, key.least, key.most);
  }
  LogicalResult checkValue(const KeyInfo &key, int64_t number) {
    return checkValue(key, number == 0 ? std::nullopt : std::optional(number));
  }
  template <typename Enum>
  LogicalResult checkValue(const KeyInfo &key,
                           const std::optional<Enum> &word) {
    if (!word || llvm::is_contained(key.words, stringifyEnum(*word)))
      return success();
    return emitError() << "expected " << quoteAll(key.words) << " as '"
                       << key.name << "', got '" << stringifyEnum(*word) << "'";
  }
  template <typename Enum>
  LogicalResult checkValue(const KeyInfo &key, const SmallVector<Enum> &words) {
    return success(llvm::all_of(words, [&](Enum word) {
      return succeeded(checkValue(key, std::optional<Enum>(word)));
    }));
  }

  EmitError emitError;
  size_t rank = 0;
  StringRef first;
};

} // namespace

static LogicalResult checkOrder(EmitError emitError, ArrayRef<int64_t> order) {
  llvm::SmallBitVector axes(order.size());
  for (int64_t axis : order) {
    if (axis >= static_cast<int64_t>(axes.size()) || axes.test(axis))
      return emitError() << "expected 'order' to be a permutation of the axes";
    axes.set(axis);
  }
  return success();
}

/// A walk has a plane of points at a time.
static LogicalResult verifyStream(EmitError emitError, const ScheduleKeys &keys,
                                  int64_t rank) {
  if (!keys.stream)
    return success();
  if (rank && failed(checkRange(emitError, "stream", keys.stream, 0, rank - 1)))
    return failure();
  for (auto [key, list] :
       {std::pair(StringRef("block"), ArrayRef(keys.block)),
        std::pair(StringRef("points"), ArrayRef(keys.points))})
    if (!list.empty() && list[*keys.stream] != 1)
      return emitError() << "expected 1 in '" << key << "' for axis "
                         << *keys.stream << ", which 'stream' walks along, got "
                         << list[*keys.stream];
  return success();
}

/// Groups are for shared windows, one after the other.
static LogicalResult verifyGroups(EmitError emitError,
                                  const ScheduleKeys &keys) {
  if (keys.groups.empty())
    return success();
  if (!llvm::is_contained(keys.window, Space::Shared))
    return emitError() << "expected a shared window for 'groups', got none";
  if (keys.prefetch == Prefetch::Registers)
    return emitError() << "expected no 'prefetch = registers' for 'groups': a "
                          "plane comes when the group before is done";
  return success();
}

/// What is moved is stages of a chain.
static LogicalResult verifySkew(EmitError emitError, const ScheduleKeys &keys,
                                int64_t rank) {
  if (!keys.skew)
    return success();
  if (*keys.skew == 0)
    return emitError() << "expected 'skew' to be another number than 0";
  if (!keys.chain)
    return emitError() << "expected 'chain' for 'skew'";
  if (rank && keys.stream == rank - 1)
    return emitError() << "expected another axis of 'stream' than the last one "
                          "for 'skew', got "
                       << *keys.stream;
  return success();
}

/// A loop over taps reads a window that has the whole tile. (A pipeline, whose
/// schedule has no windows, is looked at where loops are made.)
static LogicalResult verifyEngine(EmitError emitError,
                                  const ScheduleKeys &keys) {
  if (keys.engine == Engine::Taps && keys.stream)
    return emitError() << "expected no 'stream' for 'engine = taps', whose "
                          "loops need a whole tile in one window, got 'stream "
                          "= "
                       << *keys.stream << "'";
  return success();
}

/// What a key refers to has to be there.
static LogicalResult verifyNeeds(EmitError emitError,
                                 const ScheduleKeys &keys) {
  bool hasRegisters = llvm::is_contained(keys.window, Space::Registers);
  auto prefetch = keys.prefetch.value_or(Prefetch::None);
  for (auto [key, isGiven] :
       {std::pair("'segments'", keys.segments.has_value()),
        std::pair("'planes'", keys.planes.has_value()),
        std::pair("'tail'", !keys.tail.empty()),
        std::pair("'accumulate'", keys.accumulate.has_value()),
        std::pair("'stages'", keys.stages.has_value()),
        std::pair("'step'", keys.step.has_value()),
        std::pair("'relay'", keys.relay.has_value()),
        std::pair("'unroll'", keys.unroll.has_value()),
        std::pair("'window = registers'", hasRegisters),
        std::pair("'chain = registers'", keys.chain == Space::Registers),
        std::pair("'prefetch = registers'", prefetch == Prefetch::Registers)})
    if (isGiven && !keys.stream)
      return emitError() << "expected an axis of 'stream' for " << key
                         << ", got none";
  if (keys.segments && keys.planes)
    return emitError() << "expected 'segments' or 'planes', got both";
  if (!keys.tail.empty() && keys.tail.size() != (keys.planes ? 1 : 2))
    return emitError()
           << (keys.planes
                   ? "expected 'tail' to have one number, of segments, with "
                     "'planes', got "
                   : "expected 'tail' to have 2 numbers, of tiles and of "
                     "segments, got ")
           << keys.tail.size();
  if (!keys.tail.empty() && (!keys.order.empty() || !isZero(keys.panel)))
    return emitError() << "expected 'tail' without 'order' and 'panel'";
  if (keys.relay && (keys.step || !keys.groups.empty()))
    return emitError() << "expected neither 'step' nor 'groups' for 'relay'";
  if (int64_t step = keys.step.value_or(1);
      keys.unroll && *keys.unroll % step != 0)
    return emitError() << "expected 'unroll' to be a multiple of 'step', "
                       << step << ", got " << *keys.unroll;
  if (failed(verifyGroups(emitError, keys)))
    return failure();
  bool isPipeline = keys.stream || llvm::any_of(keys.window, [](Space window) {
                      return window != Space::Cache;
                    });
  if (isPipeline && keys.boundary == BoundaryPlace::Store)
    return emitError()
           << "expected neither 'stream' nor a 'window' that is not "
              "the cache for 'boundary = store'";
  if (isPipeline && prefetch == Prefetch::L2)
    return emitError()
           << "expected neither 'stream' nor a 'window' that is not "
              "the cache for 'prefetch = l2'";
  if (keys.chain && !isPipeline)
    return emitError() << "expected 'stream', or a 'window' that is not the "
                          "cache, for 'chain', got neither";
  if (failed(verifyEngine(emitError, keys)))
    return failure();
  if (llvm::is_contained(keys.window, Space::Shared))
    return success();
  if (prefetch != Prefetch::None && prefetch != Prefetch::L2)
    return emitError() << "expected a shared window for 'prefetch = "
                       << stringifyPrefetch(prefetch) << "', got none";
  if (keys.stages)
    return emitError() << "expected a shared window for 'stages', got none";
  return success();
}

LogicalResult ScheduleAttr::verify(EmitError emitError, Keys keys) {
  int64_t rank = 0;
  for (ArrayRef<int64_t> list : {ArrayRef(keys.block), ArrayRef(keys.points),
                                 ArrayRef(keys.order), ArrayRef(keys.panel)})
    rank = std::max<int64_t>(rank, list.size());
  return success(succeeded(LimitsChecker(emitError).check(keys)) &&
                 succeeded(checkOrder(emitError, keys.order)) &&
                 succeeded(verifyStream(emitError, keys, rank)) &&
                 succeeded(verifyNeeds(emitError, keys)) &&
                 succeeded(verifySkew(emitError, keys, rank)));
}
