//===- MatrixBanks.cpp - Banks that products read from --------------------===//

#include "StencilDialect/Tile/MatrixBanks.h"
#include "llvm/Support/MathExtras.h"

#include <array>
#include <set>

using namespace stencil;
using namespace stencil::tile;

//===----------------------------------------------------------------------===//
// Conflicts
//===----------------------------------------------------------------------===//

static constexpr int64_t kBanks = 32, kWord = 4;

MatrixBanks::MatrixBanks(MmaAttr engine, const MatrixFragments &fragments,
                         RingPlaces ring, std::optional<int64_t> walk,
                         int64_t elementBytes, bool pairs)
    : places(std::move(ring)), walk(walk), apart(engine.getDistance(places)),
      elementBytes(elementBytes), atOnce(pairs ? 2 : 1) {
  LayoutDigit columns = fragments.getColumns();
  for (int64_t lane = 0; lane < fragments.getLanes(); ++lane) {
    llvm::SmallVector<int64_t> at = fragments.a.getPoint(lane, 0);
    lanes.emplace_back(at[0], at[1] / columns.stride);
  }
  // Of 64 lanes, those of a half are looked at together, however many passes
  // their bytes need.
  constexpr int64_t kWave = 64, kHalf = 32;
  int64_t bytes = std::max(elementBytes * atOnce, kWord);
  together = fragments.getLanes() == kWave && bytes <= 2 * kWord
                 ? kHalf
                 : kBanks * kWord / bytes;
  for (int64_t reg = 0; reg < fragments.a.countRegisters(); reg += atOnce) {
    llvm::SmallVector<int64_t> at = fragments.a.getPoint(0, reg);
    if (at[0] != 0)
      continue;
    std::vector<int64_t> &read = reads.emplace_back();
    for (int64_t number = 0; number < columns.count; ++number)
      read.push_back((at[1] + number * columns.stride) / atOnce);
  }
}

MatrixBanks::Count
MatrixBanks::count(llvm::ArrayRef<std::vector<int64_t>> inputs) const {
  llvm::SmallVector<int64_t> columns;
  for (const std::vector<int64_t> &input : inputs)
    columns.push_back(places.getDistance(input, walk));
  Count count;
  for (size_t first = 0; first < lanes.size(); first += together) {
    std::array<llvm::SmallVector<int64_t, 4>, kBanks> banks;
    size_t most = 1, words = 0;
    for (auto [row, number] : llvm::ArrayRef(lanes).slice(
             first, std::min(together, lanes.size() - first))) {
      int64_t begin = (row * apart + columns[number]) * elementBytes;
      // Words may lie before the first patch.
      for (int64_t word = llvm::divideFloorSigned(begin, kWord);
           word * kWord < begin + elementBytes * atOnce; ++word) {
        auto &bank = banks[llvm::mod(word, kBanks)];
        if (llvm::is_contained(bank, word))
          continue;
        bank.push_back(word);
        most = std::max(most, bank.size());
        ++words;
      }
    }
    auto passes = static_cast<int64_t>(most);
    count.passes += passes;
    count.conflicts +=
        passes - static_cast<int64_t>(llvm::divideCeil(words, size_t(kBanks)));
  }
  return count;
}

MatrixBanks::Count MatrixBanks::count(const MatrixStep &step) const {
  Count all;
  for (const std::vector<int64_t> &places : reads) {
    std::vector<std::vector<int64_t>> inputs;
    for (int64_t place : places)
      inputs.push_back(step.inputs[place * atOnce]);
    Count of = count(inputs);
    all.passes += of.passes;
    all.conflicts += of.conflicts;
  }
  return all;
}

bool MatrixBanks::mayAvoid(const std::vector<int64_t> &input) const {
  size_t groups = llvm::divideCeil(lanes.size(), together);
  size_t bytes = together * static_cast<size_t>(elementBytes * atOnce);
  size_t least = groups * llvm::divideCeil(bytes, size_t(kBanks * kWord));
  std::vector<std::vector<int64_t>> alone(reads.front().size(), input);
  return count(alone).passes <= static_cast<int64_t>(least);
}

//===----------------------------------------------------------------------===//
// What is read together
//===----------------------------------------------------------------------===//

namespace {

/// What a lane reads at once, an input or a pair of them, and the taps that it
/// is multiplied by.
struct Item {
  std::vector<std::vector<int64_t>> inputs;
  std::vector<bool> isRead;
  std::vector<int64_t> taps;
};

} // namespace

/// The items of the steps of a plane, once each.
static std::vector<Item> listItems(llvm::ArrayRef<MatrixStep> steps,
                                   size_t atOnce) {
  std::vector<Item> items;
  std::set<std::vector<int64_t>> known;
  for (const MatrixStep &step : steps) {
    size_t columns = step.taps.size() / step.inputs.size();
    for (size_t begin = 0; begin < step.inputs.size(); begin += atOnce) {
      if (!known.insert(step.inputs[begin]).second)
        continue;
      Item &item = items.emplace_back();
      auto take = [&](const auto &of, auto &to, size_t each) {
        to.assign(of.begin() + static_cast<ptrdiff_t>(begin * each),
                  of.begin() + static_cast<ptrdiff_t>((begin + atOnce) * each));
      };
      take(step.inputs, item.inputs, 1);
      take(step.isRead, item.isRead, 1);
      take(step.taps, item.taps, columns);
    }
  }
  return items;
}

namespace {

/// Puts the items of a plane together.
class Arrangement {
public:
  Arrangement(const MatrixBanks &banks, llvm::ArrayRef<MatrixStep> plane);

  /// Only items of the same `height` rows, counted along an axis, are put
  /// together, as long as these have enough. Where these meet in any case,
  /// fewer are, if there may be more steps for that.
  std::vector<MatrixStep> makeSteps(size_t axis, int64_t height,
                                    bool addsSteps = false);
  /// The steps as they are, but for what the last one reads for nothing.
  std::vector<MatrixStep> refillLast(llvm::ArrayRef<MatrixStep> plane);

private:
  MatrixStep makeStep(
      llvm::function_ref<std::vector<Item>(const std::vector<int64_t> &places)>
          take);
  void fill(std::vector<Item> &together) const;
  std::vector<Item> takeItems(std::vector<Item> &items);
  bool findOthers(size_t missing, llvm::ArrayRef<size_t> candidates,
                  const Item &first, const std::vector<Item> &items,
                  llvm::SmallVectorImpl<size_t> &found);
  int64_t getRows(const Item &item) const {
    return llvm::divideFloorSigned(item.inputs.front()[axis], height);
  }

  const MatrixBanks &banks;
  size_t lanes;
  /// Of all steps, once each.
  std::vector<Item> all;
  size_t axis = 0;
  int64_t height = 1;
  bool mayAddSteps = false;
};

} // namespace

/// The first combination of so many candidates that have no conflict with each
/// other.
bool Arrangement::findOthers(size_t missing, llvm::ArrayRef<size_t> candidates,
                             const Item &first, const std::vector<Item> &items,
                             llvm::SmallVectorImpl<size_t> &found) {
  llvm::SmallVector<size_t> chosen;
  for (size_t number = 0; number < missing; ++number)
    chosen.push_back(number);
  while (true) {
    std::vector<std::vector<int64_t>> inputs = {first.inputs.front()};
    for (size_t number : chosen)
      inputs.push_back(items[candidates[number]].inputs.front());
    inputs.resize(lanes, inputs.back());
    if (banks.count(inputs).conflicts == 0)
      break;
    // The next combination, the last of them fastest.
    size_t at = missing;
    while (at > 0 && chosen[at - 1] == candidates.size() - missing + at - 1)
      --at;
    if (at == 0)
      return false;
    ++chosen[at - 1];
    for (; at < missing; ++at)
      chosen[at] = chosen[at - 1] + 1;
  }
  for (size_t number : chosen)
    found.push_back(candidates[number]);
  return true;
}

/// Takes the first item and what can be read together with it, of the same rows
/// if they have as many.
std::vector<Item> Arrangement::takeItems(std::vector<Item> &items) {
  constexpr size_t kCandidates = 24;
  llvm::SmallVector<size_t> candidates, taken;
  for (size_t number = 1; number < items.size(); ++number)
    if (getRows(items[number]) == getRows(items.front()))
      candidates.push_back(number);
  if (candidates.size() + 1 < lanes)
    candidates = llvm::to_vector(llvm::seq<size_t>(1, items.size()));
  candidates.truncate(std::min(candidates.size(), kCandidates));
  size_t missing = std::min(lanes - 1, candidates.size());
  bool isFound = findOthers(missing, candidates, items.front(), items, taken);
  for (size_t fewer = missing; mayAddSteps && !isFound && fewer > 0; --fewer)
    isFound = findOthers(fewer - 1, candidates, items.front(), items, taken);
  if (!isFound)
    taken.append(candidates.begin(), candidates.begin() + missing);
  std::vector<Item> together = {std::move(items.front())};
  for (size_t number : taken)
    together.push_back(std::move(items[number]));
  for (size_t number : llvm::reverse(taken))
    items.erase(items.begin() + static_cast<ptrdiff_t>(number));
  items.erase(items.begin());
  return together;
}

Arrangement::Arrangement(const MatrixBanks &banks,
                         llvm::ArrayRef<MatrixStep> plane)
    : banks(banks), lanes(banks.getReads().front().size()),
      all(listItems(plane, static_cast<size_t>(banks.getElementsAtOnce()))) {}

/// Where lanes are left over, they read some of the plane's inputs again, for
/// nothing: those that meet the others the least.
void Arrangement::fill(std::vector<Item> &together) const {
  std::vector<std::vector<int64_t>> inputs;
  for (const Item &item : together)
    inputs.push_back(item.inputs.front());
  auto countWith = [&](const Item &item) {
    std::vector<std::vector<int64_t>> with(inputs);
    with.resize(lanes, item.inputs.front());
    return banks.count(with).conflicts;
  };
  while (together.size() < lanes) {
    const Item *best = &together.back();
    int64_t fewest = countWith(*best);
    for (const Item &item : all) {
      if (fewest == 0)
        break;
      if (int64_t conflicts = countWith(item); conflicts < fewest) {
        fewest = conflicts;
        best = &item;
      }
    }
    Item again(*best);
    again.taps.assign(again.taps.size(), -1);
    inputs.push_back(again.inputs.front());
    together.push_back(std::move(again));
  }
}

/// A step of what is taken for its reads, in order; of a read for which nothing
/// is left, the registers are those of the read before.
MatrixStep Arrangement::makeStep(
    llvm::function_ref<std::vector<Item>(const std::vector<int64_t> &places)>
        take) {
  const auto &reads = banks.getReads();
  std::vector<Item> placed(reads.size() * lanes), together;
  for (const std::vector<int64_t> &places : reads) {
    std::vector<Item> taken = take(places);
    if (taken.empty())
      for (Item &item : together)
        item.taps.assign(item.taps.size(), -1);
    else
      together = std::move(taken);
    fill(together);
    for (auto [place, item] : llvm::zip_equal(places, together))
      placed[place] = item;
  }
  MatrixStep step;
  for (const Item &item : placed) {
    llvm::append_range(step.inputs, item.inputs);
    step.isRead.insert(step.isRead.end(), item.isRead.begin(),
                       item.isRead.end());
    llvm::append_range(step.taps, item.taps);
  }
  return step;
}

std::vector<MatrixStep> Arrangement::makeSteps(size_t along, int64_t rows,
                                               bool addsSteps) {
  axis = along;
  height = rows;
  mayAddSteps = addsSteps;
  std::vector<Item> items(all);
  std::vector<MatrixStep> steps;
  while (!items.empty())
    steps.push_back(makeStep([&](const std::vector<int64_t> &) {
      return items.empty() ? std::vector<Item>() : takeItems(items);
    }));
  return steps;
}

std::vector<MatrixStep>
Arrangement::refillLast(llvm::ArrayRef<MatrixStep> plane) {
  std::vector<MatrixStep> steps(plane);
  std::vector<Item> last =
      listItems(plane.back(), static_cast<size_t>(banks.getElementsAtOnce()));
  // They are the first ones of the step.
  steps.back() = makeStep([&](const std::vector<int64_t> &places) {
    std::vector<Item> taken;
    for (int64_t place : places)
      if (static_cast<size_t>(place) < last.size())
        taken.push_back(last[place]);
    return taken;
  });
  return steps;
}

static int64_t countConflicts(llvm::ArrayRef<MatrixStep> steps,
                              const MatrixBanks &banks) {
  int64_t conflicts = 0;
  for (const MatrixStep &step : steps)
    conflicts += banks.count(step).conflicts;
  return conflicts;
}

std::vector<MatrixStep> tile::avoidConflicts(std::vector<MatrixStep> steps,
                                             const MatrixBanks &banks,
                                             llvm::ArrayRef<int64_t> patch) {
  constexpr size_t kMost = 512;
  if (steps.size() > kMost || !banks.mayAvoid(steps.front().inputs.front()))
    return steps;
  // Patches lie one behind the other along the first axis that is none of the
  // walk. With all rows together, they have less in common.
  std::optional<int64_t> walk = banks.getWalk();
  size_t axis = walk == 0 && patch.size() > 1 ? 1 : 0;
  constexpr int64_t kAllRows = int64_t(1) << 40;
  std::vector<MatrixStep> all;
  for (size_t first = 0, end = 0; first < steps.size(); first = end) {
    auto getPlane = [&](const MatrixStep &step) {
      return walk ? step.inputs.front()[*walk] : 0;
    };
    while (end < steps.size() && getPlane(steps[end]) == getPlane(steps[first]))
      ++end;
    auto plane = llvm::ArrayRef(steps).slice(first, end - first);
    std::vector<MatrixStep> best(plane);
    int64_t fewest = countConflicts(plane, banks);
    auto take = [&](std::vector<MatrixStep> others, size_t most) {
      int64_t conflicts = countConflicts(others, banks);
      if (others.size() <= most && conflicts < fewest) {
        fewest = conflicts;
        best = std::move(others);
      }
    };
    // Where inputs are too many at the same places of the banks, whatever is
    // put together: a step more for so many.
    constexpr size_t kFewestSteps = 8, kStepsOfOneMore = 16;
    size_t longer = plane.size();
    if (longer >= kFewestSteps)
      longer += llvm::divideCeil(longer, kStepsOfOneMore);
    if (fewest != 0) {
      Arrangement arrangement(banks, plane);
      take(arrangement.refillLast(plane), plane.size());
      for (int64_t height : {patch[axis], kAllRows})
        if (fewest != 0)
          take(arrangement.makeSteps(axis, height), plane.size());
      for (int64_t height : {patch[axis], kAllRows})
        if (fewest != 0 && longer > plane.size())
          take(arrangement.makeSteps(axis, height, /*addsSteps=*/true), longer);
    }
    llvm::append_range(all, best);
  }
  return all;
}
