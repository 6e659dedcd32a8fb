//===- MatrixRuns.cpp - Which steps of a product are a loop ---------------===//
//
// Steps are written out where registers hold the weights of all of them. Else
// those that follow a rule are loops:
//
//   a row of taps:  0 1 2 3 4 5 6 7 8 ...   each reads K inputs further on
//   rows of a box:  0 1 2 | 3 4 5 | ...     three steps, in the next row
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Tile/MatrixProduct.h"

#include <numeric>

using namespace mlir;
using namespace stencil;
using namespace stencil::tile;

namespace {

using Offset = std::vector<int64_t>;

/// Finds rules in a list of steps.
class RunFinder {
public:
  RunFinder(ArrayRef<MatrixStep> steps, std::optional<int64_t> walk);

  /// The run from a step on which leaves the fewest steps to write out; a turn
  /// of it is as short as can be.
  MatrixRun find(size_t first) const;

private:
  size_t countTurns(size_t first, size_t period, const Offset &shift) const;

  std::optional<int64_t> walk;
  /// By step: its first input, and a number for where the others are from
  /// there, and which are read.
  std::vector<Offset> firsts;
  std::vector<size_t> forms;
};

} // namespace

static Offset subtract(ArrayRef<int64_t> from, ArrayRef<int64_t> what) {
  Offset difference(from.begin(), from.end());
  for (auto [whole, part] : llvm::zip_equal(difference, what))
    whole -= part;
  return difference;
}

RunFinder::RunFinder(ArrayRef<MatrixStep> steps, std::optional<int64_t> walk)
    : walk(walk) {
  std::map<std::pair<std::vector<Offset>, std::vector<bool>>, size_t> known;
  for (const MatrixStep &step : steps) {
    firsts.push_back(step.inputs.front());
    std::vector<Offset> form;
    for (const Offset &input : step.inputs)
      form.push_back(subtract(input, step.inputs.front()));
    forms.push_back(
        known.try_emplace({form, step.isRead}, known.size()).first->second);
  }
}

/// How often `period` steps are followed by the same ones, `shift` further on.
size_t RunFinder::countTurns(size_t first, size_t period,
                             const Offset &shift) const {
  size_t next = first + period;
  while (next < forms.size() && forms[next] == forms[next - period] &&
         subtract(firsts[next], firsts[next - period]) == shift)
    ++next;
  return (next - first) / period;
}

MatrixRun RunFinder::find(size_t first) const {
  size_t left = forms.size() - first;
  MatrixRun best{first, 1, 1, {}, {}};
  size_t fewest = left;
  for (size_t period = 1; 2 * period <= left; ++period) {
    if (forms[first] != forms[first + period])
      continue;
    Offset shift = subtract(firsts[first + period], firsts[first]);
    // The planes of a walk are in slots, one after the other in no order.
    if (walk && shift[*walk] != 0)
      break;
    size_t turns = countTurns(first, period, shift);
    size_t written = period + left - turns * period;
    if (turns > 1 && written < fewest) {
      fewest = written;
      best = {first, period, turns, shift, {}};
    }
  }
  return best;
}

/// More steps to a turn share more inputs. Some hundred instructions, with the
/// loads, are enough for those of a turn to hide what the next one waits for.
static constexpr size_t kProductsPerTurn = 128;

/// Several turns as one, of at most `most` steps: as many as leave few over,
/// and go on by whole segments. Turns that cannot are one.
static void joinTurns(MatrixRun &run, size_t most, int64_t segment) {
  size_t unit = segment / std::gcd(segment, run.shift.back());
  size_t longest = std::min(most / run.steps, run.turns / 2) / unit * unit;
  size_t joined = std::max(unit, longest);
  for (size_t turns = joined; 4 * turns > 3 * longest && turns >= unit;
       turns -= unit)
    if (run.turns % turns < run.turns % joined)
      joined = turns;
  if (2 * joined > run.turns) {
    run = {run.first, run.steps * run.turns, 1, {}, {}};
    return;
  }
  run.steps *= joined;
  run.turns /= joined;
  for (int64_t &along : run.shift)
    along *= static_cast<int64_t>(joined);
}

std::vector<MatrixRun> tile::cutIntoRuns(ArrayRef<MatrixStep> steps,
                                         int64_t stacks, int64_t segment,
                                         std::optional<int64_t> walk) {
  std::vector<MatrixRun> runs;
  RunFinder finder(steps, walk);
  size_t most = kProductsPerTurn / static_cast<size_t>(stacks);
  for (size_t first = 0; first < steps.size();) {
    MatrixRun run = finder.find(first);
    // What would be a turn or two is written out.
    if (run.steps * run.turns <= 2 * most)
      run = {first, run.steps * run.turns, 1, {}, {}};
    else if (run.turns > 1)
      joinTurns(run, most, segment);
    first += run.steps * run.turns;
    // Steps that are written out are one run, as they share inputs.
    if (run.turns == 1 && !runs.empty() && runs.back().turns == 1)
      runs.back().steps += run.steps;
    else
      runs.push_back(std::move(run));
  }
  return runs;
}
