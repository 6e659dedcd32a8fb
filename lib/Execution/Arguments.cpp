//===- Arguments.cpp - The arrays and scalars of a run --------------------===//

#include "StencilDialect/Execution/Arguments.h"
#include "RandomBits.h"
#include "StencilDialect/Execution/Threads.h"
#include "StencilDialect/Execution/WildField.h"
#include "StencilDialect/IR/StencilOps.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Support/Npy.h"
#include "StencilDialect/Support/PointError.h"
#include "llvm/Support/Parallel.h"

#include <array>
#include <cstring>
#include <sys/mman.h>

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

ArrayMemory::ArrayMemory(uint64_t bytes, unsigned color) : bytes(bytes) {
  constexpr uint64_t line = 64, hugePage = uint64_t(2) << 20;
  uint64_t shift = (color % 16) * 9 * line;
  uint64_t alignment = bytes < hugePage ? line : hugePage;
  uint64_t total =
      llvm::alignTo(std::max<uint64_t>(bytes + shift, 1), alignment);
  allocation.reset(std::aligned_alloc(alignment, total));
  if (!allocation)
    llvm::report_bad_alloc_error("out of memory for the fields");
  // Twice the bandwidth where the system gives huge pages only on request.
  if (alignment == hugePage)
    madvise(allocation.get(), total, MADV_HUGEPAGE);
  start = static_cast<char *>(allocation.get()) + shift;
}

/// Calls `body(begin, end)` for pieces of [0, count) on all threads.
static void forPieces(int64_t count,
                      llvm::function_ref<void(int64_t, int64_t)> body) {
  constexpr int64_t piece = 1 << 18;
  llvm::parallelFor(0, llvm::divideCeil(count, piece), [&](size_t i) {
    int64_t begin = i * piece;
    body(begin, std::min(begin + piece, count));
  });
}

static int64_t countElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  return count;
}

namespace {
/// Where the rows of a field are that has gaps behind them.
struct RowGaps {
  uint64_t rows = 0, rowBytes = 0, strideBytes = 0, leadBytes = 0;

  static RowGaps get(const Parameter &parameter, ArrayRef<int64_t> shape);
  bool isAny() const { return rows > 1; }
  /// Bytes beside those of a field without gaps.
  uint64_t getMore() const {
    return isAny() ? rows * (strideBytes - rowBytes) + leadBytes : 0;
  }
};
} // namespace

/// None of a memref, whose type says that it has none.
RowGaps RowGaps::get(const Parameter &parameter, ArrayRef<int64_t> shape) {
  constexpr uint64_t kLine = 64, kPage = 4096;
  // Gaps of short rows are much of the memory.
  constexpr uint64_t kShortestRow = 4 * kLine;
  RowGaps gaps;
  if (!isa<FieldType>(parameter.type) || shape.size() < 2)
    return gaps;
  uint64_t elementBytes = getElementSize(parameter.field->element);
  gaps.rowBytes = static_cast<uint64_t>(shape.back()) * elementBytes;
  if (gaps.rowBytes < kShortestRow || kLine % elementBytes != 0)
    return gaps;
  gaps.rows = countElements(shape.drop_back());
  gaps.strideBytes = llvm::alignTo(gaps.rowBytes, kLine);
  // Neighbours along a column would compete for one set of the cache.
  if (gaps.strideBytes % kPage == 0)
    gaps.strideBytes += kLine;
  for (const FieldBox &box : parameter.field->boxes)
    if (BoundsAttr bounds = box.type.getBounds()) {
      int64_t begin = bounds.getLb().back();
      if (!isSymbolic(begin))
        gaps.leadBytes = static_cast<uint64_t>(begin) * elementBytes % kLine;
    }
  return gaps;
}

/// In place: what is moved is as large as the memory.
void Arguments::moveRows(const Signature &signature, bool apart) {
  llvm::SmallVector<std::pair<RowGaps, char *>> moves;
  unsigned next = 0;
  for (const Parameter &parameter : signature.parameters) {
    auto *field = std::get_if<FieldArgument>(&values[parameter.index]);
    if (!field)
      continue;
    char *start = static_cast<char *>(memory[next++].get());
    RowGaps gaps = RowGaps::get(parameter, field->shape);
    if (!gaps.isAny() || (field->rowStride != 0) == apart)
      continue;
    field->data = start + (apart ? gaps.leadBytes : 0);
    field->rowStride =
        apart ? gaps.strideBytes / getElementSize(parameter.field->element) : 0;
    moves.emplace_back(gaps, start);
  }
  llvm::parallelFor(0, moves.size(), [&](size_t number) {
    auto [gaps, start] = moves[number];
    for (uint64_t i = 0; i < gaps.rows; ++i) {
      // The last row first, so that none is overwritten.
      uint64_t row = apart ? gaps.rows - 1 - i : i;
      char *packed = start + row * gaps.rowBytes,
           *padded = start + gaps.leadBytes + row * gaps.strideBytes;
      std::memmove(apart ? padded : packed, apart ? packed : padded,
                   gaps.rowBytes);
    }
  });
}

void Arguments::padRows(const Signature &signature) {
  moveRows(signature, /*apart=*/true);
}

void Arguments::packRows(const Signature &signature) {
  moveRows(signature, /*apart=*/false);
}

void Arguments::assignFields(const Arguments &other) {
  unsigned next = 0;
  for (auto [value, source] : llvm::zip_equal(values, other.values))
    if (const auto *field = std::get_if<FieldArgument>(&source)) {
      auto lead = static_cast<char *>(field->data) -
                  static_cast<char *>(other.memory[next].get());
      value = FieldArgument{field->shape,
                            static_cast<char *>(memory[next++].get()) + lead,
                            field->rowStride};
    }
  for (auto [to, from] : llvm::zip_equal(memory, other.memory)) {
    char *target = static_cast<char *>(to.get());
    const char *source = static_cast<const char *>(from.get());
    forPieces(to.size(), [&](int64_t begin, int64_t end) {
      std::memcpy(target + begin, source + begin, end - begin);
    });
  }
}

NpyType Arguments::getFileType(unsigned index, ElementKind kind) const {
  auto found = fileTypes.find(index);
  return found == fileTypes.end() ? NpyType::get(kind) : found->second;
}

void *Arguments::allocate(uint64_t bytes) {
  // Colours are numbers.
  unsigned color = memory.size();
  void *data = memory.emplace_back(bytes, color).get();
  touchPages(data, bytes, threads);
  return data;
}

Arguments Arguments::clone() const {
  Arguments copy;
  copy.threads = threads;
  copy.values = values;
  copy.fileTypes = fileTypes;
  for (const ArrayMemory &source : memory)
    copy.allocate(source.size());
  copy.assignFields(*this);
  return copy;
}

Arguments Arguments::cloneExtended(const Signature &signature) const {
  Arguments copy;
  copy.values = values;
  for (const Parameter &parameter : signature.parameters) {
    if (!parameter.field && !parameter.isPointer())
      continue;
    auto &field = std::get<FieldArgument>(copy.values[parameter.index]);
    ElementKind kind =
        parameter.field ? parameter.field->element : ElementKind::I8;
    const ArrayMemory &source = memory[copy.memory.size()];
    int64_t count = countElements(field.shape);
    if (!isFloatKind(kind)) {
      field.data = copy.memory.emplace_back(source.size()).get();
      std::memcpy(field.data, source.get(), source.size());
      continue;
    }
    field.data = copy.memory.emplace_back(count * sizeof(long double)).get();
    auto *target = static_cast<long double *>(field.data);
    forPieces(count, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        target[i] = loadElement(kind, source.get(), i);
    });
  }
  return copy;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

double stencil::getRandomElement(uint64_t seed, uint64_t index,
                                 ElementKind kind, double low, double high) {
  uint64_t bits = getRandomBits(mixBits(seed + kRandomGamma), index);
  if (kind == ElementKind::I1)
    return bits >> 63;
  if (!isFloatKind(kind))
    return double(1 + ((bits >> 32) * 100 >> 32));
  double fraction = double(bits >> 12) * 0x1p-52;
  return low + (high - low) * fraction;
}

/// Whether values of [low, high) are finite in a floating-point type.
static bool holdsRange(FloatType type, double low, double high) {
  return llvm::all_of(std::array{low, high}, [&](double value) {
    llvm::APFloat rounded(value);
    bool inexact;
    rounded.convert(type.getFloatSemantics(),
                    llvm::APFloat::rmNearestTiesToEven, &inexact);
    return rounded.isFinite();
  });
}

/// Makes an error of an argument a diagnostic.
static LogicalResult report(const Parameter &parameter, llvm::Error error) {
  return emitError(UnknownLoc::get(parameter.type.getContext()))
         << parameter.str() << ": " << llvm::toString(std::move(error));
}

FailureOr<Arguments> Arguments::create(const Signature &signature,
                                       const Extents &extents,
                                       ArrayRef<ArgumentSpec> specs,
                                       unsigned threads) {
  Arguments arguments;
  arguments.threads = threads;
  for (const Parameter &parameter : signature.parameters) {
    const ArgumentSpec &spec = specs[parameter.index];
    if (parameter.isPointer()) {
      void *data = arguments.memory.emplace_back(spec.bytes).get();
      std::memset(data, 0, spec.bytes);
      auto bytes = static_cast<int64_t>(spec.bytes);
      arguments.values.emplace_back(FieldArgument{{bytes}, data});
      continue;
    }
    if (!parameter.field) {
      auto scalar = parseScalar(spec.text, parameter.type);
      if (!scalar)
        return report(parameter, scalar.takeError());
      arguments.values.emplace_back(*scalar);
      continue;
    }
    ElementKind kind = parameter.field->element;
    ArrayRef<int64_t> shape = extents.shapes[parameter.index];
    int64_t count = countElements(shape);
    void *data = arguments.allocate(count * getElementSize(kind) +
                                    RowGaps::get(parameter, shape).getMore());
    arguments.values.emplace_back(
        FieldArgument{llvm::SmallVector<int64_t>(shape), data});
    if (spec.kind == ArgumentSpec::File) {
      auto header = readNpyHeader(spec.text);
      if (!header)
        return report(parameter, header.takeError());
      if (auto error = readNpyInto(spec.text, kind, shape, data))
        return report(parameter, std::move(error));
      arguments.fileTypes[parameter.index] = header->type;
      continue;
    }
    if (spec.kind == ArgumentSpec::Wild) {
      WildField wild(spec.seed, spec.finite, kind, shape);
      forPieces(count, [&](int64_t begin, int64_t end) {
        wild.fill(data, begin, end);
      });
      continue;
    }
    bool zeros = spec.kind == ArgumentSpec::Zeros;
    forPieces(count, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        storeElement(
            kind, data, i,
            zeros ? 0.0
                  : getRandomElement(spec.seed, i, kind, spec.low, spec.high));
    });
  }
  return std::move(arguments);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

std::string stencil::countParameters(const Signature &signature) {
  size_t count = signature.parameters.size();
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

llvm::Expected<std::vector<ArgumentSpec>>
stencil::matchArguments(const Signature &signature,
                        ArrayRef<ArgumentSpec> given, StringRef function) {
  size_t count = signature.parameters.size();
  std::vector<std::optional<ArgumentSpec>> matched(count);
  for (const ArgumentSpec &spec : given) {
    if (spec.index >= count)
      return llvm::createStringError(
          "--arg: no argument " + llvm::Twine(spec.index) + ", '" + function +
          "' has " + countParameters(signature));
    matched[spec.index] = spec;
  }
  std::vector<ArgumentSpec> specs;
  for (const Parameter &parameter : signature.parameters) {
    if (!matched[parameter.index]) {
      std::string type;
      llvm::raw_string_ostream(type) << parameter.type;
      return llvm::createStringError(
          "missing " + parameter.str() + " of type " + type +
          ": expected --arg " + llvm::Twine(parameter.index) +
          (parameter.field ? "=FILE.npy, =random:SEED, =wild:SEED or =zeros"
           : parameter.isPointer() ? "=bytes:N"
                                   : "=NUMBER"));
    }
    specs.push_back(*matched[parameter.index]);
  }
  return specs;
}

FailureOr<std::vector<std::optional<GivenShape>>>
stencil::checkArguments(const Signature &signature,
                        ArrayRef<ArgumentSpec> specs) {
  std::vector<std::optional<GivenShape>> shapes(signature.parameters.size());
  for (const Parameter &parameter : signature.parameters) {
    const ArgumentSpec &spec = specs[parameter.index];
    Location nowhere = UnknownLoc::get(parameter.type.getContext());
    if (parameter.isPointer()) {
      if (spec.kind != ArgumentSpec::Memory)
        return emitError(nowhere)
               << parameter.str() << ": expected bytes:N for " << parameter.type
               << ", got '" << spec.text << "'";
      continue;
    }
    if (!parameter.field) {
      if (spec.kind != ArgumentSpec::Number)
        return emitError(nowhere)
               << parameter.str() << ": expected a number of type "
               << parameter.type << ", got '" << spec.text << "'";
      auto scalar = parseScalar(spec.text, parameter.type);
      if (!scalar)
        return report(parameter, scalar.takeError());
      continue;
    }
    if (spec.kind == ArgumentSpec::Number || spec.kind == ArgumentSpec::Memory)
      return emitError(nowhere)
             << parameter.str()
             << ": expected a .npy file, random:SEED, wild:SEED or zeros for "
             << parameter.type << ", got '" << spec.text << "'";
    ElementKind kind = parameter.field->element;
    auto array = dyn_cast<FieldType>(parameter.type);
    auto real = dyn_cast<FloatType>(
        array ? array.getElementType()
              : cast<MemRefType>(parameter.type).getElementType());
    if (spec.hasRange && (!real || !holdsRange(real, spec.low, spec.high)))
      return emitError(nowhere)
             << parameter.str() << ": expected "
             << (real ? "a range of finite values" : "random:SEED") << " for "
             << parameter.type << ", got '" << spec.text << "'";
    if (spec.kind != ArgumentSpec::File)
      continue;
    auto header = readNpyHeader(spec.text);
    if (!header)
      return report(parameter, header.takeError());
    if (!header->type.matches(kind))
      return emitError(nowhere)
             << parameter.str() << ": '" << spec.text
             << "': expected elements of type " << getElementName(kind)
             << " for " << parameter.type << ", got '" << header->type.str()
             << "'";
    shapes[parameter.index] = GivenShape{header->shape, spec.text};
  }
  return shapes;
}

uint64_t stencil::countFieldBytes(const Signature &signature,
                                  const Extents &extents) {
  uint64_t total = 0;
  for (const Parameter &parameter : signature.parameters)
    if (parameter.field)
      total = llvm::SaturatingAdd(
          total, getByteSize(extents.shapes[parameter.index],
                             getElementSize(parameter.field->element))
                     .value_or(UINT64_MAX));
  return total;
}

LogicalResult stencil::checkMemory(const Signature &signature,
                                   const Extents &extents, unsigned copies,
                                   bool extended, func::FuncOp entry,
                                   bool bounds) {
  uint64_t total = 0;
  auto add = [&](std::optional<uint64_t> bytes, uint64_t times) {
    total =
        bytes ? llvm::SaturatingMultiplyAdd(*bytes, times, total) : UINT64_MAX;
  };
  for (const Parameter &parameter : signature.parameters) {
    if (!parameter.field)
      continue;
    ElementKind kind = parameter.field->element;
    ArrayRef<int64_t> shape = extents.shapes[parameter.index];
    std::optional<uint64_t> bytes = getByteSize(shape, getElementSize(kind));
    add(bytes, copies);
    if (bytes)
      add(RowGaps::get(parameter, shape).getMore(), copies);
    if (extended)
      add(getByteSize(shape, isFloatKind(kind) ? sizeof(long double)
                                               : getElementSize(kind)),
          1);
    if (bounds)
      add(getByteSize(shape, sizeof(PointError)), 1);
  }
  entry.walk([&](AllocOp op) {
    auto type = cast<FieldType>(op.getField().getType());
    std::optional<ElementKind> kind = getElementKind(type.getElementType());
    if (!type.getBounds() || !kind)
      return;
    if (auto points = extents.countPoints(type.getBounds()))
      add(getByteSize({*points}, getElementSize(*kind) +
                                     (bounds ? sizeof(PointError) : 0)),
          1);
    else
      add(std::nullopt, 1);
  });
  if (auto error =
          checkFitsInMemory(total, "the fields of '" + entry.getName() + "'"))
    return emitError(UnknownLoc::get(entry.getContext()))
           << llvm::toString(std::move(error));
  return success();
}
