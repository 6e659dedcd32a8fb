//===- KernelProfile.cpp - What of an apply decides its speed -------------===//

#include "StencilDialect/Analysis/KernelProfile.h"
#include "StencilDialect/Analysis/BodyOrder.h"
#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/Analysis/DeviceArrays.h"
#include "StencilDialect/Analysis/PlaneTerms.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilDialect/IR/TapBoxes.h"

using namespace mlir;
using namespace stencil;

/// Points per axis that a program of 1, 2, 3 or more axes is expected to have,
/// where only the run knows: 2^27, 8192, 512, 64.
static int64_t getAssumedExtent(int64_t rank) {
  constexpr int64_t kExtents[] = {1 << 27, 8192, 512, 64};
  return kExtents[std::min<int64_t>(rank, 4) - 1];
}

static int64_t countBytes(Type element) {
  return getElementBytes(unwrapResult(element));
}

/// The memory that a field is: casts are of the same.
static Value getRoot(Value field) {
  while (Operation *op = field.getDefiningOp()) {
    if (auto load = dyn_cast<LoadOp>(op))
      field = load.getField();
    else if (auto castOp = dyn_cast<CastOp>(op))
      field = castOp->getOperand(0);
    else
      break;
  }
  return field;
}

//===----------------------------------------------------------------------===//
// Inputs
//===----------------------------------------------------------------------===//

void PlaneReads::add(int64_t plane) {
  first = count == 0 ? plane : std::min(first, plane);
  last = count == 0 ? plane : std::max(last, plane);
  ++count;
}

int64_t ProfiledInput::getRadius() const {
  int64_t radius = 0;
  for (auto [low, high] : llvm::zip_equal(lower, upper))
    radius = std::max({radius, -low, high});
  return radius;
}

bool ProfiledInput::readsBox() const {
  return llvm::any_of(offsets, [](const Offset &offset) {
    return llvm::count_if(offset, [](int64_t distance) {
             return distance != 0 && distance != kNoAxis;
           }) > 1;
  });
}

static bool fitsTensorMap(GridType type) {
  Type element = type.getElementType();
  return type.getRank() <= 5 &&
         (isa<Float64Type, Float32Type, Float16Type, BFloat16Type>(element) ||
          (element.isInteger() &&
           llvm::is_contained({8, 16, 32, 64}, getBitWidth(element)))) &&
         type.getBounds() && !isSymbolic(type.getBounds().getLb().back());
}

static ProfiledInput profileInput(ApplyOp apply, unsigned number,
                                  OffsetSet offsets) {
  ProfiledInput input;
  input.operand = apply.getArgs()[number];
  input.number = number;
  auto type = cast<GridType>(input.operand.getType());
  int64_t rank = apply.getRank();
  input.bytes = countBytes(type.getElementType());
  input.offsets = std::move(offsets);
  input.lower.assign(rank, 0);
  input.upper.assign(rank, 0);
  bool isFirst = true;
  for (const Offset &offset : input.offsets) {
    for (int64_t axis = 0; axis < rank; ++axis) {
      int64_t at = offset[axis] == kNoAxis ? 0 : offset[axis];
      input.lower[axis] = isFirst ? at : std::min(input.lower[axis], at);
      input.upper[axis] = isFirst ? at : std::max(input.upper[axis], at);
    }
    isFirst = false;
    bool isInColumn = isZero(ArrayRef(offset).drop_front());
    if (offset.front() != kNoAxis)
      (isInColumn ? input.column : input.beside).add(offset.front());
  }
  BlockArgument argument = apply.getBodyBlock()->getArgument(number);
  input.fitsWindow = type.getRank() == rank &&
                     llvm::none_of(argument.getUsers(), readsComputedPoints);
  // Tiles begin where the domain does.
  BoundsAttr domain = apply.getDomain();
  input.fitsTensorMap = input.fitsWindow && fitsTensorMap(type) &&
                        (!domain || !isSymbolic(domain.getLb().back())) &&
                        (!hasDeviceArrays(apply) || denseRowsFitCopies(type));
  Value root = getRoot(input.operand);
  input.isStored = llvm::any_of(
      apply.getDest(), [&](Value field) { return getRoot(field) == root; });
  return input;
}

//===----------------------------------------------------------------------===//
// Sums over planes
//===----------------------------------------------------------------------===//

/// The sums that `accumulate = scatter` would keep.
static void findScatterSums(ApplyOp apply, KernelProfile &profile) {
  if (profile.rank < 2)
    return;
  PlaneTerms terms(apply, /*axis=*/0);
  PlaneSums sums(terms);
  if (!sums.mayReorder(terms, profile.math))
    return;
  for (Value root : sums.roots) {
    PlaneRange planes = terms.get(root).getHull();
    profile.scatterSpan =
        std::max(profile.scatterSpan, planes.last - planes.first + 1);
  }
  profile.scatterSums = sums.roots.size();
  // Nothing is gained where no sum goes over several planes.
  if (profile.scatterSpan <= 1)
    profile.scatterSums = profile.scatterSpan = 0;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

static PointWork getWork(const OperationCount &count, const ApplyCost &cost,
                         bool isFloat) {
  // Instructions of the same pipe that CUDA's library takes for them.
  constexpr double kDivision = 10, kFunction = 25;
  double points = static_cast<double>(cost.points);
  double sums =
      static_cast<double>(count.adds + count.multiplies + count.fmas) / points;
  double slow = (kDivision * static_cast<double>(count.divisions) +
                 kFunction * static_cast<double>(count.functions)) /
                points;
  PointWork work;
  work.other = static_cast<double>(count.others) / points;
  double &pipe = !isFloat ? work.other : cost.isDouble ? work.fp64 : work.fp32;
  pipe += sums + slow;
  return work;
}

static void countWork(ApplyOp apply, KernelProfile &profile) {
  ApplyCost cost = getApplyCost(apply, profile.math != MathMode::Strict);
  bool isFloat = false;
  for (unsigned i = 0, end = apply.getNumOutputs(); i < end; ++i)
    isFloat |= isa<FloatType>(unwrapResult(apply.getOutputElementType(i)));
  profile.shared = getWork(cost.shared, cost, isFloat);
  profile.alone =
      cost.alone ? getWork(*cost.alone, cost, isFloat) : profile.shared;
  profile.isKnown &= cost.alone.has_value() && cost.points == 1;
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

double KernelProfile::countPoints() const {
  return llvm::product_of(shape, 1.0);
}

int64_t KernelProfile::getElementBytes() const {
  int64_t bytes = 1;
  for (const ProfiledInput &input : inputs)
    bytes = std::max(bytes, input.bytes);
  for (int64_t output : outputBytes)
    bytes = std::max(bytes, output);
  return bytes;
}

int64_t KernelProfile::getRadius() const {
  int64_t radius = 0;
  for (const ProfiledInput &input : inputs)
    radius = std::max(radius, input.getRadius());
  return radius;
}

int64_t KernelProfile::getHalo(int64_t axis) const {
  int64_t halo = 0;
  for (const ProfiledInput &input : inputs)
    halo = std::max({halo, -input.lower[axis], input.upper[axis]});
  return halo;
}

bool KernelProfile::readsBox() const {
  return llvm::any_of(
      inputs, [](const ProfiledInput &input) { return input.readsBox(); });
}

bool KernelProfile::readsFullBox() const {
  return llvm::any_of(inputs, [](const ProfiledInput &input) {
    int64_t points = 1;
    for (auto [low, high] : llvm::zip_equal(input.lower, input.upper))
      points *= high - low + 1;
    return input.readsBox() &&
           2 * static_cast<int64_t>(input.offsets.size()) > points;
  });
}

static void findShape(ApplyOp apply, ArrayRef<int64_t> extents,
                      KernelProfile &profile) {
  BoundsAttr domain = apply.getDomain();
  ArrayRef<int64_t> assumed;
  if (auto attribute = dyn_cast_or_null<DenseI64ArrayAttr>(
          apply->getDiscardableAttr(kAssumedExtentsAttr)))
    assumed = attribute.asArrayRef();
  profile.isNarrow = apply->hasAttr(kNarrowAttr);
  profile.shape = domain.getShape();
  for (auto [axis, extent] : llvm::enumerate(profile.shape)) {
    if (!ShapedType::isDynamic(extent))
      continue;
    bool isGiven = axis < extents.size() && extents[axis] > 0;
    profile.isShapeKnown &= isGiven;
    int64_t interior = isGiven                 ? extents[axis]
                       : axis < assumed.size() ? assumed[axis]
                                               : getAssumedExtent(profile.rank);
    extent = std::max<int64_t>(1, resolve(domain.getUb()[axis], interior) -
                                      resolve(domain.getLb()[axis], interior));
  }
}

LogicalResult stencil::checkBoxIsKnown(ApplyOp apply) {
  if (apply.getDomain())
    return success();
  return apply.emitOpError("expected values of known box, got ")
         << apply->getResult(0).getType() << "; run stencil-infer-shapes first";
}

KernelProfile stencil::profileKernel(ApplyOp apply, ArrayRef<int64_t> extents,
                                     MathMode math) {
  KernelProfile profile;
  profile.rank = apply.getRank();
  profile.math = math;
  findShape(apply, extents, profile);
  BodyCost cost = getBodyCost(apply);
  profile.isKnown = !cost.isTooLarge;
  llvm::SmallDenseSet<Value> fields;
  for (auto [number, operand] : llvm::enumerate(apply.getArgs())) {
    auto type = dyn_cast<GridType>(operand.getType());
    if (!type)
      continue;
    profile.inputs.push_back(
        profileInput(apply, number, std::move(cost.reads[number])));
    const ProfiledInput &input = profile.inputs.back();
    if (input.isRead() && type.getRank() == profile.rank &&
        fields.insert(getRoot(operand)).second)
      profile.bytesRead += static_cast<double>(input.bytes);
  }
  for (unsigned i = 0, end = apply.getNumOutputs(); i < end; ++i) {
    profile.outputBytes.push_back(countBytes(apply.getOutputElementType(i)));
    profile.bytesWritten += static_cast<double>(profile.outputBytes.back());
  }
  countWork(apply, profile);
  if (!profile.isKnown)
    return profile;
  // Without windows, a value of a sum is computed at all of its points.
  constexpr int64_t kOpsPerTap = 3;
  profile.ops = llvm::range_size(*apply.getBodyBlock());
  for (WeightedSumOp sum : apply.getBodyBlock()->getOps<WeightedSumOp>())
    profile.ops += kOpsPerTap * sum.getNumTaps();
  profile.liveRegisters = countLiveRegisters(apply);
  profile.tapRow = getLongestRowOfLongSums(apply);
  if (!anyWithin(apply, [](StoreResultOp) { return true; }))
    findScatterSums(apply, profile);
  return profile;
}
