//===- ScheduleAttr.cpp - How an apply is to be computed ------------------===//

#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/IR/WindowLimits.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace stencil;

/// Numbers in a schedule beyond this are typing errors, and could overflow.
static constexpr int64_t kMaxNumber = int64_t(1) << 20;

/// Planes that a shared window can be asked to hold at least.
static constexpr int64_t kFewestStages = 2;

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
  ParseResult parseEntry();
  ParseResult parseList(SmallVector<int64_t> &list);
  ParseResult parseNumber(std::optional<int64_t> &number);
  ParseResult parseLaunchBounds();
  ParseResult parseWindows();
  template <typename Enum>
  ParseResult parseEnum(Enum &value,
                        std::optional<Enum> (*symbolize)(StringRef),
                        StringRef expected);
  template <typename Enum>
  ParseResult parseEnum(std::optional<Enum> &value,
                        std::optional<Enum> (*symbolize)(StringRef),
                        StringRef expected) {
    return parseEnum(value.emplace(), symbolize, expected);
  }

  AsmParser &parser;
  llvm::SmallVector<StringRef> seen;
};

} // namespace

ParseResult ScheduleParser::parseList(SmallVector<int64_t> &list) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(list.emplace_back());
  });
}

ParseResult ScheduleParser::parseNumber(std::optional<int64_t> &number) {
  return parser.parseInteger(number.emplace());
}

ParseResult ScheduleParser::parseLaunchBounds() {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseInteger(keys.launchBounds))
    return failure();
  if (keys.launchBounds > 0)
    return success();
  return parser.emitError(loc, "expected a positive number of blocks per "
                               "multiprocessor, got ")
         << keys.launchBounds;
}

template <typename Enum>
ParseResult
ScheduleParser::parseEnum(Enum &value,
                          std::optional<Enum> (*symbolize)(StringRef),
                          StringRef expected) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  std::optional<Enum> known = symbolize(name);
  if (!known)
    return parser.emitError(loc, "expected ")
           << expected << ", got '" << name << "'";
  value = *known;
  return success();
}

ParseResult ScheduleParser::parseWindows() {
  auto parseOne = [&] {
    return parseEnum(keys.window.emplace_back(), symbolizeWindow,
                     "'cache', 'shared', 'registers' or 'shuffle'");
  };
  SMLoc loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalLSquare()))
    return parseOne();
  if (succeeded(parser.parseOptionalRSquare()))
    return parser.emitError(loc, "expected at least one window");
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
  if (key == "block")
    return parseList(keys.block);
  if (key == "points")
    return parseList(keys.points);
  if (key == "stream")
    return parseNumber(keys.stream);
  if (key == "segments")
    return parseNumber(keys.segments);
  if (key == "window")
    return parseWindows();
  if (key == "groups")
    return parseList(keys.groups);
  if (key == "accumulate")
    return parseEnum(keys.accumulate, symbolizeAccumulation,
                     "'gather', 'shift', 'scatter' or 'semi'");
  if (key == "prefetch")
    return parseEnum(keys.prefetch, symbolizePrefetch,
                     "'none', 'registers', 'async', 'tma' or 'l2'");
  if (key == "stages")
    return parseNumber(keys.stages);
  if (key == "eviction")
    return parseEnum(keys.eviction, symbolizeEviction, "'normal' or 'last'");
  if (key == "boundary")
    return parseEnum(keys.boundary, symbolizeBoundaryPlace,
                     "'kernel', 'window' or 'store'");
  if (key == "chain")
    return parseEnum(keys.chain, symbolizeChain, "'shared' or 'registers'");
  if (key == "engine")
    return parseEnum(keys.engine, symbolizeEngine, "'fma', 'taps' or 'mma'");
  if (key == "order")
    return parseList(keys.order);
  if (key == "panel")
    return parseList(keys.panel);
  if (key == "launch_bounds")
    return parseLaunchBounds();
  if (key == "regions")
    return parseEnum(keys.regions, symbolizeRegionLaunch,
                     "'separate', 'launch' or 'streams'");
  return parser.emitError(loc, "expected 'block', 'points', 'stream', "
                               "'segments', 'window', 'groups', 'accumulate', "
                               "'prefetch', 'stages', 'eviction', 'boundary', "
                               "'chain', 'engine', 'order', 'panel', "
                               "'launch_bounds' or 'regions', got '")
         << key << "'";
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  ScheduleParser schedule(parser);
  if (schedule.parse())
    return {};
  return schedule.keys.getChecked([&] { return parser.emitError(start); },
                                  parser.getContext());
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  llvm::raw_ostream &os = printer.getStream();
  os << '<';
  llvm::ListSeparator separator;
  auto printList = [&](StringRef key, ArrayRef<int64_t> list) {
    if (list.empty())
      return;
    os << separator << key << " = [";
    llvm::interleaveComma(list, os);
    os << ']';
  };
  auto printValue = [&](StringRef key, const auto &value) {
    os << separator << key << " = " << value;
  };
  printList("block", getBlock());
  printList("points", getPoints());
  if (getStream())
    printValue("stream", *getStream());
  if (getSegments())
    printValue("segments", *getSegments());
  if (getWindow().size() == 1)
    printValue("window", stringifyWindow(getWindow().front()));
  if (getWindow().size() > 1) {
    os << separator << "window = [";
    llvm::interleaveComma(
        getWindow(), os, [&](Window window) { os << stringifyWindow(window); });
    os << ']';
  }
  printList("groups", getGroups());
  if (getAccumulate())
    printValue("accumulate", stringifyAccumulation(*getAccumulate()));
  if (getPrefetch())
    printValue("prefetch", stringifyPrefetch(*getPrefetch()));
  if (getStages())
    printValue("stages", *getStages());
  if (getEviction())
    printValue("eviction", stringifyEviction(*getEviction()));
  if (getBoundary())
    printValue("boundary", stringifyBoundaryPlace(*getBoundary()));
  if (getChain())
    printValue("chain", stringifyChain(*getChain()));
  if (getEngine())
    printValue("engine", stringifyEngine(*getEngine()));
  printList("order", getOrder());
  printList("panel", getPanel());
  if (getLaunchBounds())
    printValue("launch_bounds", getLaunchBounds());
  if (getRegions())
    printValue("regions", stringifyRegionLaunch(*getRegions()));
  os << '>';
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// The lists have entries for the same axes; `rank` becomes their number.
static LogicalResult verifyLists(EmitError emitError, const ScheduleKeys &keys,
                                 int64_t &rank) {
  StringRef first;
  for (auto [key, numbers, least] :
       {std::tuple(StringRef("block"), ArrayRef(keys.block), 1),
        std::tuple(StringRef("points"), ArrayRef(keys.points), 1),
        std::tuple(StringRef("order"), ArrayRef(keys.order), 0),
        std::tuple(StringRef("panel"), ArrayRef(keys.panel), 0)}) {
    if (numbers.empty())
      continue;
    if (rank == 0) {
      rank = numbers.size();
      first = key;
    }
    if (static_cast<int64_t>(numbers.size()) != rank)
      return emitError() << "expected '" << key << "' to have " << rank
                         << " entries as '" << first << "' has, got "
                         << numbers.size();
    for (int64_t value : numbers)
      if (value < least || value > kMaxNumber)
        return emitError() << "expected numbers from " << least << " to "
                           << kMaxNumber << " in '" << key << "', got "
                           << value;
  }
  llvm::SmallBitVector axes(keys.order.size());
  for (int64_t axis : keys.order) {
    if (axis >= static_cast<int64_t>(axes.size()) || axes.test(axis))
      return emitError() << "expected 'order' to be a permutation of the axes";
    axes.set(axis);
  }
  return success();
}

static LogicalResult verifyRange(EmitError emitError, StringRef key,
                                 std::optional<int64_t> value, int64_t least,
                                 int64_t most) {
  if (!value || (*value >= least && *value <= most))
    return success();
  return emitError() << "expected '" << key << "' to be a number from " << least
                     << " to " << most << ", got " << *value;
}

/// A walk has a plane of points at a time.
static LogicalResult verifyStream(EmitError emitError, const ScheduleKeys &keys,
                                  int64_t rank) {
  if (failed(verifyRange(emitError, "stream", keys.stream, 0,
                         (rank ? rank : kMaxNumber) - 1)) ||
      failed(verifyRange(emitError, "segments", keys.segments, 1, kMaxNumber)))
    return failure();
  if (!keys.stream)
    return success();
  for (auto [key, list] :
       {std::pair(StringRef("block"), ArrayRef(keys.block)),
        std::pair(StringRef("points"), ArrayRef(keys.points))})
    if (!list.empty() && list[*keys.stream] != 1)
      return emitError() << "expected 1 in '" << key << "' for axis "
                         << *keys.stream << ", which 'stream' walks along, got "
                         << list[*keys.stream];
  return success();
}

/// Groups are for windows of a whole tile, one after the other.
static LogicalResult verifyGroups(EmitError emitError,
                                  const ScheduleKeys &keys) {
  if (keys.groups.empty())
    return success();
  for (int64_t count : keys.groups)
    if (count < 1 || count > kMaxNumber)
      return emitError() << "expected numbers from 1 to " << kMaxNumber
                         << " in 'groups', got " << count;
  if (!llvm::is_contained(keys.window, Window::Shared))
    return emitError() << "expected a shared window for 'groups', got none";
  if (keys.stream)
    return emitError() << "expected no 'stream' for 'groups': a walk keeps "
                          "planes of all inputs at once, got 'stream = "
                       << *keys.stream << "'";
  if (keys.chain)
    return emitError() << "expected no 'chain' for 'groups', got 'chain = "
                       << stringifyChain(*keys.chain) << "'";
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
  bool hasRegisters = llvm::is_contained(keys.window, Window::Registers);
  auto prefetch = keys.prefetch.value_or(Prefetch::None);
  for (auto [key, isGiven] :
       {std::pair("'segments'", keys.segments.has_value()),
        std::pair("'accumulate'", keys.accumulate.has_value()),
        std::pair("'stages'", keys.stages.has_value()),
        std::pair("'window = registers'", hasRegisters),
        std::pair("'chain = registers'", keys.chain == Chain::Registers),
        std::pair("'prefetch = registers'", prefetch == Prefetch::Registers)})
    if (isGiven && !keys.stream)
      return emitError() << "expected an axis of 'stream' for " << key
                         << ", got none";
  if (failed(verifyGroups(emitError, keys)))
    return failure();
  bool isPipeline = keys.stream || llvm::any_of(keys.window, [](Window window) {
                      return window != Window::Cache;
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
  auto accumulate = keys.accumulate.value_or(Accumulation::Gather);
  if (keys.chain &&
      (accumulate == Accumulation::Scatter || accumulate == Accumulation::Semi))
    return emitError() << "expected 'accumulate' to be 'gather' or 'shift' for "
                          "'chain', got '"
                       << stringifyAccumulation(accumulate) << "'";
  if (failed(verifyEngine(emitError, keys)))
    return failure();
  if (llvm::is_contained(keys.window, Window::Shared))
    return success();
  if (prefetch != Prefetch::None && prefetch != Prefetch::L2)
    return emitError() << "expected a shared window for 'prefetch = "
                       << stringifyPrefetch(prefetch) << "', got none";
  if (keys.stages)
    return emitError() << "expected a shared window for 'stages', got none";
  return success();
}

static LogicalResult verifyKeys(EmitError emitError, const ScheduleKeys &keys) {
  int64_t rank = 0;
  return success(succeeded(verifyLists(emitError, keys, rank)) &&
                 succeeded(verifyStream(emitError, keys, rank)) &&
                 succeeded(verifyRange(emitError, "stages", keys.stages,
                                       kFewestStages, kMostStages)) &&
                 succeeded(verifyNeeds(emitError, keys)));
}

LogicalResult ScheduleAttr::verify(
    EmitError emitError, ArrayRef<int64_t> block, ArrayRef<int64_t> points,
    std::optional<int64_t> stream, std::optional<int64_t> segments,
    ArrayRef<Window> window, ArrayRef<int64_t> groups,
    std::optional<Accumulation> accumulate, std::optional<Prefetch> prefetch,
    std::optional<int64_t> stages, std::optional<Eviction> eviction,
    std::optional<BoundaryPlace> boundary, std::optional<Chain> chain,
    std::optional<Engine> engine, ArrayRef<int64_t> order,
    ArrayRef<int64_t> panel, int64_t, std::optional<RegionLaunch>) {
  ScheduleKeys keys;
  keys.block.assign(block.begin(), block.end());
  keys.points.assign(points.begin(), points.end());
  keys.stream = stream;
  keys.segments = segments;
  keys.window.assign(window.begin(), window.end());
  keys.groups.assign(groups.begin(), groups.end());
  keys.accumulate = accumulate;
  keys.prefetch = prefetch;
  keys.stages = stages;
  keys.eviction = eviction;
  keys.boundary = boundary;
  keys.chain = chain;
  keys.engine = engine;
  keys.order.assign(order.begin(), order.end());
  keys.panel.assign(panel.begin(), panel.end());
  return verifyKeys(emitError, keys);
}
