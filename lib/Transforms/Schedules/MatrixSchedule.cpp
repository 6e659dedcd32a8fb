//===- MatrixSchedule.cpp - Whether matrix instructions pay ---------------===//
//
// Of a tile in shared memory, a warp multiplies patches
// (Tile/MatrixProduct.h). It takes as long as the memory, or as the products;
// what was measured of both is in docs/benchmarks.md.
//
//===----------------------------------------------------------------------===//

#include "MeasuredForm.h"
#include "ScheduleTrial.h"
#include "StencilDialect/Analysis/ModelConstants.h"
#include "StencilDialect/IR/Footprint.h"
#include "StencilDialect/IR/TapBoxes.h"
#include "StencilDialect/Tile/MatrixProduct.h"
#include "StencilDialect/Transforms/ComposeBody.h"
#include "mlir/IR/BuiltinOps.h"
#include <cmath>

using namespace mlir;
using namespace stencil;

/// The taps of the body's only sum over an input of elements of `type`, with
/// partial sums multiplied out; none if it has others, or what is no product.
static std::vector<std::vector<int64_t>> findTaps(ApplyOp apply, Type type) {
  constexpr size_t kMaxTaps = 1 << 16;
  OwningOpRef<ModuleOp> module = ModuleOp::create(apply.getLoc());
  ApplyOp copy = copyApply(apply, *module);
  if (!composeWholeBody(copy, MathMode::Reassociate, kMaxTaps))
    composeBody(copy, MathMode::Reassociate, kMaxTaps);
  WeightedSumOp only;
  for (auto sum : copy.getBodyBlock()->getOps<WeightedSumOp>()) {
    if (only || !sum.isOverInput())
      return {};
    only = sum;
  }
  if (!only || only.getRes().getType() != type || !hasOwnWeights(only) ||
      getElementType(only.getInput()) != type ||
      static_cast<int64_t>(only.getAxes().size()) != apply.getRank())
    return {};
  std::vector<std::vector<int64_t>> taps;
  forEachTap(only, [&](int64_t tap, bool) {
    ArrayRef<int64_t> offset = only.getOffset(tap);
    taps.emplace_back(offset.begin(), offset.end());
  });
  return taps;
}

/// The fewest steps of all patches of a plane, or of the one of a row.
static int64_t countSteps(ArrayRef<std::vector<int64_t>> taps,
                          const MatrixInstruction &instruction) {
  auto count = [&](ArrayRef<int64_t> patch) {
    return tile::makeMatrixSteps(taps, patch, instruction.k, {}).size();
  };
  if (taps.front().size() == 1)
    return static_cast<int64_t>(count({instruction.n}));
  size_t fewest = SIZE_MAX;
  for (int64_t rows = 1; rows <= instruction.n; rows *= 2)
    fewest = std::min(fewest, count({rows, instruction.n / rows}));
  return static_cast<int64_t>(fewest);
}

/// Operations per second that sums of elements of `type` reached.
static double getMeasuredRate(Type type, const TargetInfo &target) {
  if (type.isF64())
    return target.measuredMatrix64;
  return type.isF32() ? target.measuredMatrix32 : target.measuredMatrix16;
}

static double predictSeconds(Type type, double memory, double products) {
  const ModelConstants &constants = ModelConstants::getDefault();
  if (type.isF64())
    return std::max(memory / constants.productCopy, products);
  double norm = constants.productNorm;
  return std::pow(std::pow(memory / constants.otherProductCopy, norm) +
                      std::pow(products, norm),
                  1 / norm);
}

/// Threads of a block and points of each, and how they are copied, as they were
/// measured best; none if they were not.
static FoundForm findTile(ApplyOp apply, Type type, bool isForMemory,
                          const TargetInfo &target, const FormBook &forms) {
  FormFacts facts(apply.getRank() == 1 ? "product row" : "product plane");
  facts.reads = isForMemory ? "memory" : "products";
  llvm::raw_string_ostream(facts.type) << type;
  facts.bytes = type.getIntOrFloatBitWidth() / 8;
  return forms.find(facts, target, apply.getContext());
}

std::optional<MatrixSchedule>
stencil::findMatrixSchedule(ApplyOp apply, const KernelProfile &profile,
                            const TargetInfo &target, const FormBook &forms,
                            MathMode math) {
  if (apply.getRank() > 2 || !apply.isBufferised() || !profile.isKnown ||
      profile.inputs.size() != 1 || apply.getNumOutputs() != 1)
    return std::nullopt;
  Type type = apply.getOutputElementType(0);
  // Floats lose bits, and so only where that was asked for; rows of other types
  // than doubles were not measured.
  double rate = isa<FloatType>(type) ? getMeasuredRate(type, target) : 0;
  if (rate == 0 || (type.isF32() && math != MathMode::TF32) ||
      (!type.isF64() && apply.getRank() != 2))
    return std::nullopt;
  std::optional<MatrixInstruction> instruction =
      tile::chooseInstruction(target, type);
  std::vector<std::vector<int64_t>> taps = findTaps(apply, type);
  if (!instruction || taps.size() < 2)
    return std::nullopt;
  int64_t depth =
      countSteps(taps, *instruction) * static_cast<int64_t>(instruction->k);
  double points = profile.countPoints();
  double memory = points * (profile.bytesRead + profile.bytesWritten) /
                  target.getCopyBandwidth();
  double products = 2 * static_cast<double>(depth) * points / rate;
  FoundForm form = findTile(apply, type, products < memory, target, forms);
  if (!form)
    return std::nullopt;
  ScheduleKeys keys(form.schedule);
  ScheduleAttr schedule;
  auto isPossible = [&] {
    schedule = keys.get(apply.getContext());
    return trySchedule(apply, schedule, target, math).empty();
  };
  if (!isPossible()) {
    // Rows are too long for the copy engine.
    if (keys.prefetch != Prefetch::Tma)
      return std::nullopt;
    keys.prefetch = Prefetch::Async;
    if (!isPossible())
      return std::nullopt;
  }
  return MatrixSchedule{schedule, predictSeconds(type, memory, products), depth,
                        static_cast<int64_t>(taps.size())};
}
