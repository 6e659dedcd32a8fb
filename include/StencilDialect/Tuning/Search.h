//===- Search.h - Which candidate to measure next ---------------*- C++ -*-===//
//
// The plan of a tuning, apart from everything that takes time: it is told what
// was measured and says what is to be measured next.
//
// A program has axes: each apply, or applies that are alike, or each option of
// a pipeline, with its choices. One axis after the other, each choice is
// measured in a few calls while the other axes stay at the best that is known
// (coordinate descent). Of an axis that knows neighbours of its choices, those
// of the fastest choice so far take turns with the others (hill climbing). Each
// axis has a part of the budget, and what others leave of theirs. When all axes
// are done, the best candidates are measured longer (as in successive halving:
// Jamieson, Talwalkar, Non-stochastic best arm identification and
// hyperparameter optimization, 2016).
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TUNING_SEARCH_H
#define STENCILDIALECT_TUNING_SEARCH_H

#include "StencilDialect/Tuning/Database.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <functional>
#include <map>
#include <set>

namespace stencil {

struct SearchAxis {
  /// The choice to start with, then the others, the most promising first.
  std::vector<std::string> choices;
  /// Its part of the time, if it has more than one choice; of any unit, but of
  /// one for all axes.
  double weight = 1;
  /// What it chooses for: elements of a TuningPoint, each of which has one
  /// axis. None: the one that has the number of the axis, of all axes.
  std::vector<size_t> positions;
  /// Choices that are close to one, the closest first, whether or not they are
  /// among `choices`; the same ones each time. None: nothing is close.
  std::function<std::vector<std::string>(const std::string &)> getNeighbours =
      nullptr;
};

/// All axes at the choice to start with.
TuningPoint getFirstPoint(llvm::ArrayRef<SearchAxis> axes);

struct SearchOptions {
  /// Seconds for the search, finalists included.
  double budget = 60;
  /// Calls that are timed of every candidate, and of finalists.
  unsigned screenRuns = 3, finalRuns = 15;
  unsigned finalists = 4;
  /// A candidate whose first call takes this many times the best is not called
  /// again.
  double hopeless = 1.3;
  /// How often all axes are gone through while that brings something.
  unsigned rounds = 2;
  /// Part of the budget that is kept for the finalists.
  double finalPart = 0.2;
  /// Neighbours of the fastest choice that are measured for each other one.
  size_t neighbours = 2;
  /// Candidates that are tried at most, those of earlier tunings included; 0:
  /// as many as there is time for. What is tried then does not depend on how
  /// fast the machine is.
  size_t mostCandidates = 0;
};

/// What is left for the search, of `budget` seconds, where the best candidate
/// is to be compared with a reference: a call, a transfer between processes and
/// a comparison of all fields, which have so many bytes.
double getSearchBudget(double budget, uint64_t fieldBytes);

/// What to measure.
struct SearchTask {
  TuningPoint point;
  unsigned runs = 0;
  /// Seconds of a call beyond which further ones are of no use; 0: none.
  double cutoff = 0;
  bool isFinal = false;
};

class Search {
public:
  Search(std::vector<SearchAxis> axes, const SearchOptions &options);

  /// What has been measured, in this tuning or an earlier one.
  void record(const TuningSample &sample);

  /// What to measure next, `elapsed` seconds after the start; nothing when the
  /// search is over. Says the same until it is recorded, or until another
  /// candidate of the axis is the first one for which `isReady`: who takes long
  /// to compile does not keep the others waiting.
  std::optional<SearchTask>
  next(double elapsed,
       llvm::function_ref<bool(const TuningPoint &)> isReady = nullptr);

  /// What `next` will probably ask for, in order, at most `count`, without what
  /// has been recorded: to be compiled ahead.
  std::vector<TuningPoint> getUpcoming(size_t count) const;

  /// The fastest that did not fail, of those measured longest; null if there is
  /// none.
  const TuningSample *getBest() const;
  const std::vector<TuningSample> &getSamples() const { return samples; }

  /// Number of candidates in the first round, with neighbours as far as they
  /// are known.
  size_t countCandidates() const;
  /// Those of them that have been recorded.
  size_t countDone() const { return samples.size(); }
  /// The search ended because the time was over, or `mostCandidates` reached.
  bool isCutShort() const { return cutShort; }

private:
  const TuningSample *find(const TuningPoint &point) const;
  const TuningSample *getBestOfAxis() const;
  void lookAround();
  std::vector<size_t> listNeighbours() const;
  std::vector<TuningPoint> listOpen() const;
  void set(TuningPoint &point, size_t axis, size_t choice) const;
  TuningPoint getPoint(size_t choice) const;
  void beginAxis(double elapsed);
  bool isOpen(size_t other) const;
  bool endAxis(double elapsed);
  std::optional<SearchTask>
  nextChoice(double elapsed,
             llvm::function_ref<bool(const TuningPoint &)> isReady);
  std::optional<SearchTask> nextFinalist(double elapsed);
  bool climbOn(double elapsed);
  bool isFull() const {
    return options.mostCandidates && samples.size() >= options.mostCandidates;
  }
  std::vector<const TuningSample *> rankSamples() const;

  std::vector<SearchAxis> axes;
  SearchOptions options;
  std::vector<TuningSample> samples;
  /// Their numbers.
  std::map<TuningPoint, size_t> numbers;
  /// For each axis the neighbours of choices that were the fastest.
  std::vector<std::map<std::string, std::vector<size_t>>> neighbours;
  /// Finalists that have been measured as such.
  std::set<TuningPoint> judged;
  TuningPoint base;
  size_t axis = 0;
  unsigned round = 0;
  /// The base when the round began.
  TuningPoint roundBase;
  /// When the present axis has used its part of the time.
  double axisEnd = 0;
  /// An axis of this round had no time for all of its choices.
  bool isShortened = false;
  bool hasBegun = false;
  bool isScreening = true;
  bool cutShort = false;
};

} // namespace stencil

#endif // STENCILDIALECT_TUNING_SEARCH_H
