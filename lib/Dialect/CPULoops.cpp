//===- CPULoops.cpp - What loops on a CPU look like -----------------------===//

#include "StencilDialect/IR/CPULoops.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

/// Numbers beyond these are typing errors, and could overflow.
static constexpr int64_t kMostPoints = int64_t(1) << 42;

/// What is unrolled has to end.
static constexpr int64_t kMostTogether = 64;
static constexpr int64_t kMostLanes = 1 << 13;

static constexpr int64_t kMostAhead = 1 << 20;
static constexpr int64_t kMostLine = 1 << 16;
static constexpr int64_t kMostThreads = int64_t(1) << 32;

FailureOr<SmallVector<int64_t>> stencil::parseLoopList(AsmParser &parser) {
  SmallVector<int64_t> list;
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(list.emplace_back());
      }))
    return failure();
  return list;
}

void stencil::printLoopList(AsmPrinter &printer, ArrayRef<int64_t> list) {
  printer << '[' << list << ']';
}

using EmitError = function_ref<InFlightDiagnostic()>;

static LogicalResult checkRange(EmitError emitError, StringRef name,
                                int64_t value, int64_t least, int64_t most) {
  if (value >= least && value <= most)
    return success();
  return emitError() << "expected '" << name << "' to be a number from "
                     << least << " to " << most << ", got " << value;
}

static LogicalResult checkPower(EmitError emitError, StringRef name,
                                int64_t value, int64_t most) {
  if (value >= 1 && value <= most && llvm::isPowerOf2_64(value))
    return success();
  return emitError() << "expected '" << name << "' to be a power of two up to "
                     << most << ", got " << value;
}

LogicalResult CPUBlocksAttr::verify(EmitError emitError, int64_t cache,
                                    int64_t row, int64_t halo, int64_t rows,
                                    ArrayRef<int64_t> planes, int64_t tiles) {
  if (planes.size() != 2 || planes.front() > planes.back())
    return emitError() << "expected 'planes' to be two numbers, the smaller "
                          "one first, got ["
                       << planes << "]";
  for (auto [name, value, least] :
       {std::tuple<StringRef, int64_t, int64_t>("cache", cache, 0),
        {"row", row, 1},
        {"halo", halo, 0},
        {"rows", rows, 1},
        {"planes", planes.front(), 1},
        {"planes", planes.back(), 1},
        {"tiles", tiles, 1}})
    if (failed(checkRange(emitError, name, value, least, kMostPoints)))
      return failure();
  return success();
}

LogicalResult CPULoopsAttr::verify(EmitError emitError, int64_t lanes,
                                   int64_t rows, int64_t columns,
                                   int64_t planes, int64_t plainPlanes,
                                   int64_t threads, ArrayRef<int64_t> tile,
                                   int64_t alone, CPUBlocksAttr, int64_t cache,
                                   int64_t row, int64_t prefetch, int64_t line,
                                   int64_t around, int64_t aroundRow,
                                   int64_t aroundLanes, int64_t deal) {
  for (int64_t size : tile)
    if (failed(checkRange(emitError, "tile", size, 0, kMostPoints)))
      return failure();
  for (auto [name, value, least, most] :
       {std::tuple<StringRef, int64_t, int64_t, int64_t>("rows", rows, 1,
                                                         kMostTogether),
        {"columns", columns, 1, kMostTogether},
        {"planes", planes, 1, kMostTogether},
        {"plain_planes", plainPlanes, 1, kMostTogether},
        {"threads", threads, 0, kMostThreads},
        {"alone", alone, 0, kMostPoints},
        {"cache", cache, 0, INT64_MAX},
        {"row", row, 0, kMostPoints},
        {"prefetch", prefetch, 0, kMostAhead},
        {"around", around, 0, INT64_MAX},
        {"around_row", aroundRow, 0, kMostPoints},
        {"deal", deal, 0, kMostPoints}})
    if (failed(checkRange(emitError, name, value, least, most)))
      return failure();
  if (aroundLanes != 0 &&
      failed(checkPower(emitError, "around_lanes", aroundLanes, kMostLanes)))
    return failure();
  return success(succeeded(checkPower(emitError, "lanes", lanes, kMostLanes)) &&
                 succeeded(checkPower(emitError, "line", line, kMostLine)));
}

LogicalResult DiamondsAttr::verify(EmitError emitError, int64_t steps,
                                   int64_t tile) {
  // Half of a diamond is below where it is widest, half of it above.
  constexpr int64_t kMostSteps = 1023;
  if (steps < 1 || steps > kMostSteps || steps % 2 == 0)
    return emitError() << "expected 'steps' to be an odd number from 1 to "
                       << kMostSteps << ", got " << steps;
  return checkRange(emitError, "tile", tile, 0, kMostPoints);
}
