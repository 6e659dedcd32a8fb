//===- ExecutableCall.cpp - The arguments of a call -----------------------===//

#include "CallSignature.h"
#include "LoadedObject.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Support/Npy.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <cstring>

using namespace stencil;

namespace {

/// The memory of an array.
struct Span {
  uint64_t begin = 0, end = 0;
};

/// Checks the arguments of one call, one after the other.
class CallChecker {
public:
  CallChecker(const CallSignature &signature,
              llvm::ArrayRef<ExecutableArgument> arguments)
      : signature(signature), arguments(arguments),
        interior(signature.interior.begin(), signature.interior.end()),
        sources(signature.rank, -1), spans(arguments.size()) {
    interior.resize(signature.rank);
  }

  llvm::Error run(CallWords &packed);

private:
  llvm::Error checkArray(unsigned index, const ArrayArgument &array);
  llvm::Error checkShape(unsigned index, llvm::ArrayRef<int64_t> shape);
  llvm::Error bindAxis(unsigned index, const CallBox &box, unsigned axis,
                       int64_t size);
  llvm::Error checkBox(unsigned index, const CallBox &box,
                       llvm::ArrayRef<int64_t> shape);
  llvm::Error checkMemory(unsigned index, const ArrayArgument &array);
  llvm::Error checkStrides(unsigned index, const ArrayArgument &array);
  llvm::Error checkOverlaps();
  llvm::Error checkOpenBoxes();
  llvm::Error packScalar(unsigned index, const ScalarArgument &scalar,
                         uint64_t &word);
  std::string str(unsigned index) const {
    return llvm::formatv("argument {0} '{1}'", index,
                         signature.parameters[index].description.name);
  }
  llvm::Error fail(unsigned index, const llvm::Twine &message) const {
    return llvm::createStringError(str(index) + ": " + message);
  }
  std::string getType(unsigned index) const {
    return signature.parameters[index].type;
  }

  const CallSignature &signature;
  llvm::ArrayRef<ExecutableArgument> arguments;
  /// Interior points per axis; 0 where they are not known yet.
  llvm::SmallVector<int64_t, 4> interior;
  /// The argument that gave them; -1 for the options of the compilation.
  llvm::SmallVector<int, 4> sources;
  /// A box depends on an extent that only a later argument gave.
  bool isOpen = false;
  llvm::SmallVector<Span, 8> spans;
};

} // namespace

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

llvm::Error CallChecker::bindAxis(unsigned index, const CallBox &box,
                                  unsigned axis, int64_t size) {
  int64_t halo = symbolicOffset(box.ub[axis]) - box.lb[axis];
  int64_t extent = size - halo;
  if (extent < 1)
    return fail(index, llvm::formatv("expected an extent of more than {0} on "
                                     "axis {1} for {2}, got {3}",
                                     halo, axis, box.type, size));
  int64_t &known = interior[axis];
  if (known && known != extent) {
    std::string source = sources[axis] < 0 ? "the options of the compilation"
                                           : str(sources[axis]);
    return fail(index, llvm::formatv(
                           "expected {0} points ({1} without the halo, as "
                           "in {2}) on axis {3} for {4}, got {5}",
                           known + halo, known, source, axis, box.type, size));
  }
  if (!known) {
    known = extent;
    sources[axis] = index;
  }
  return llvm::Error::success();
}

llvm::Error CallChecker::checkBox(unsigned index, const CallBox &box,
                                  llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> expected;
  for (auto [axis, lb, ub] : llvm::enumerate(box.lb, box.ub)) {
    if (!interior[axis] && (isSymbolic(lb) || isSymbolic(ub))) {
      isOpen = true;
      return llvm::Error::success();
    }
    expected.push_back(resolve(ub, interior[axis]) -
                       resolve(lb, interior[axis]));
  }
  if (llvm::ArrayRef<int64_t>(expected) == shape)
    return llvm::Error::success();
  return fail(index, "expected extents " + formatShape(expected) + " for " +
                         box.type + ", got " + formatShape(shape));
}

llvm::Error CallChecker::checkShape(unsigned index,
                                    llvm::ArrayRef<int64_t> shape) {
  const CallParameter &parameter = signature.parameters[index];
  llvm::ArrayRef<int64_t> wanted = parameter.description.shape;
  if (wanted.size() != shape.size())
    return fail(index,
                llvm::Twine("expected ") + llvm::Twine(wanted.size()) +
                    (wanted.size() == 1 ? " axis" : " axes") + " for " +
                    getType(index) + ", got " + llvm::Twine(shape.size()) +
                    (shape.empty() ? "" : " (" + formatShape(shape) + ")"));
  bool isStatic = !llvm::is_contained(wanted, -1);
  for (auto [axis, extent, got] : llvm::enumerate(wanted, shape)) {
    if (got < 0)
      return fail(index, llvm::formatv("expected an extent of at least 0 on "
                                       "axis {0}, got {1}",
                                       axis, got));
    if (extent != -1 && extent != got)
      return fail(index,
                  isStatic
                      ? "expected extents " + formatShape(wanted) + " for " +
                            getType(index) + ", got " + formatShape(shape)
                      : llvm::formatv("expected an extent of {0} on axis {1} "
                                      "for {2}, got {3}",
                                      extent, axis, getType(index), got)
                            .str());
  }
  for (const CallBox &box : parameter.boxes) {
    for (unsigned axis = 0; axis < shape.size(); ++axis)
      if (isSymbolic(box.ub[axis]) && !isSymbolic(box.lb[axis]))
        if (auto error = bindAxis(index, box, axis, shape[axis]))
          return error;
    if (auto error = checkBox(index, box, shape))
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

llvm::Error CallChecker::checkStrides(unsigned index,
                                      const ArrayArgument &array) {
  if (array.strides.empty())
    return llvm::Error::success();
  if (array.strides.size() != array.shape.size())
    return fail(index, llvm::formatv("expected a stride for each of {0} axes, "
                                     "got {1}",
                                     array.shape.size(), array.strides.size()));
  llvm::SmallVector<int64_t, 4> expected(array.shape.size());
  int64_t stride = 1;
  bool matches = true;
  for (size_t axis = array.shape.size(); axis-- > 0;) {
    expected[axis] = stride;
    // Nobody goes along an axis of one point.
    matches &= array.strides[axis] == stride || array.shape[axis] == 1;
    stride *= array.shape[axis];
  }
  if (matches)
    return llvm::Error::success();
  auto print = [](llvm::ArrayRef<int64_t> strides) {
    std::string text;
    for (int64_t stride : strides)
      text += (text.empty() ? "" : ", ") + std::to_string(stride);
    return text;
  };
  return fail(index, "expected row-major elements without gaps (strides " +
                         print(expected) + "), got strides " +
                         print(array.strides));
}

llvm::Error CallChecker::checkMemory(unsigned index,
                                     const ArrayArgument &array) {
  const ExecutableParameter &parameter =
      signature.parameters[index].description;
  unsigned size = getElementSize(parameter.element);
  std::optional<uint64_t> bytes = getByteSize(array.shape, size);
  auto address = reinterpret_cast<uint64_t>(array.data);
  if (!bytes || *bytes > uint64_t(INT64_MAX) || address + *bytes < address)
    return fail(index, "expected an array that fits in memory, got extents " +
                           formatShape(array.shape));
  if (auto error = checkStrides(index, array))
    return error;
  if (*bytes == 0)
    return llvm::Error::success();
  if (!array.data)
    return fail(index, "expected an array, got a null pointer");
  if (array.onDevice != signature.deviceArrays)
    return fail(index, signature.deviceArrays
                           ? "expected an array in the memory of the device, "
                             "got one of the host"
                           : "expected an array in the memory of the host, got "
                             "one of the device");
  if (address % size != 0)
    return fail(index, llvm::formatv("expected elements at multiples of their "
                                     "{0} bytes, got an array that begins {1} "
                                     "bytes behind one",
                                     size, address % size));
  if (array.isReadOnly && parameter.isWritten)
    return fail(index, "expected an array that can be written, got a read-only "
                       "one");
  spans[index] = {address, address + *bytes};
  return llvm::Error::success();
}

llvm::Error CallChecker::checkOverlaps() {
  for (unsigned i = 0; i < spans.size(); ++i) {
    if (spans[i].begin == spans[i].end)
      continue;
    for (unsigned j = 0; j < i; ++j) {
      if (spans[i].begin >= spans[j].end || spans[j].begin >= spans[i].end)
        continue;
      bool iWritten = signature.parameters[i].description.isWritten;
      if (!iWritten && !signature.parameters[j].description.isWritten)
        continue;
      return fail(i, "expected memory that does not overlap that of " + str(j) +
                         ", as the program writes to " +
                         (iWritten ? "it" : "the latter"));
    }
  }
  return llvm::Error::success();
}

llvm::Error CallChecker::checkArray(unsigned index,
                                    const ArrayArgument &array) {
  ElementKind wanted = signature.parameters[index].description.element;
  if (array.element != wanted)
    return fail(index, "expected elements of type " + getElementName(wanted) +
                           ", got " + getElementName(array.element));
  if (auto error = checkShape(index, array.shape))
    return error;
  return checkMemory(index, array);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static std::string print(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%g", value);
  return text;
}

llvm::Error CallChecker::packScalar(unsigned index,
                                    const ScalarArgument &scalar,
                                    uint64_t &word) {
  ElementKind kind = signature.parameters[index].description.element;
  const auto *integer = std::get_if<int64_t>(&scalar);
  if (isFloatKind(kind)) {
    if (integer)
      return fail(index, "expected a floating-point number of type " +
                             getType(index) + ", got an integer");
    double value = std::get<double>(scalar);
    word = 0;
    storeElement(kind, &word, 0, value);
    if (std::isfinite(value) && !std::isfinite(loadElement(kind, &word, 0)))
      return fail(index, "expected a number in the range of type " +
                             getType(index) + ", got " + print(value));
    return llvm::Error::success();
  }
  if (!integer)
    return fail(index, "expected an integer of type " + getType(index) +
                           ", got a floating-point number");
  unsigned width = kind == ElementKind::I1 ? 1 : getElementSize(kind) * 8;
  // Signless: what fits as a signed or as an unsigned number.
  if (width < 64 && !llvm::isIntN(width, *integer) &&
      !llvm::isUIntN(width, *integer))
    return fail(index, "expected an integer in the range of type " +
                           getType(index) + ", got " + llvm::Twine(*integer));
  word = *integer;
  if (kind == ElementKind::I1)
    word &= 1;
  return llvm::Error::success();
}

void stencil::unpackResults(const CallSignature &signature, const char *bytes,
                            std::vector<ScalarArgument> &results) {
  results.clear();
  for (auto [kind, offset] : signature.results) {
    const char *data = bytes + offset;
    if (isFloatKind(kind)) {
      results.emplace_back(loadElement(kind, data, 0));
      continue;
    }
    uint64_t bits = 0;
    unsigned size = getElementSize(kind);
    std::memcpy(&bits, data, size);
    results.emplace_back(kind == ElementKind::I1
                             ? static_cast<int64_t>(bits & 1)
                             : llvm::SignExtend64(bits, size * 8));
  }
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// Boxes that could not be checked when their argument was.
llvm::Error CallChecker::checkOpenBoxes() {
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (const auto *array = std::get_if<ArrayArgument>(&argument))
      for (const CallBox &box : signature.parameters[index].boxes)
        if (auto error = checkBox(index, box, array->shape))
          return error;
  return llvm::Error::success();
}

llvm::Error CallChecker::run(CallWords &packed) {
  size_t count = signature.parameters.size();
  if (arguments.size() != count)
    return llvm::createStringError(
        llvm::formatv("'{0}' takes {1} argument{2}, got {3}", signature.name,
                      count, count == 1 ? "" : "s", arguments.size()));
  for (auto [index, argument] : llvm::enumerate(arguments)) {
    bool isArray = signature.parameters[index].description.isArray;
    packed.starts.push_back(packed.words.size());
    if (const auto *array = std::get_if<ArrayArgument>(&argument)) {
      if (!isArray)
        return fail(index, "expected a number of type " + getType(index) +
                               ", got an array");
      if (auto error = checkArray(index, *array))
        return error;
      appendDescriptor(array->data, array->shape, packed.words);
      continue;
    }
    if (isArray)
      return fail(index,
                  "expected an array for " + getType(index) + ", got a number");
    uint64_t word = 0;
    if (auto error =
            packScalar(index, std::get<ScalarArgument>(argument), word))
      return error;
    packed.words.push_back(word);
  }
  if (isOpen)
    if (auto error = checkOpenBoxes())
      return error;
  return checkOverlaps();
}

llvm::Error stencil::packArguments(const CallSignature &signature,
                                   llvm::ArrayRef<ExecutableArgument> arguments,
                                   CallWords &packed) {
  return CallChecker(signature, arguments).run(packed);
}
