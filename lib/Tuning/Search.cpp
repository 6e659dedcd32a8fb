//===- Search.cpp - Which candidate to measure next -----------------------===//

#include "StencilDialect/Tuning/Search.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace stencil;

/// Part of the budget that has to be left for axes that were not measured whole
/// to be gone through again, and for what lies around a new fastest choice.
static constexpr double kWorthAnotherRound = 0.01;

TuningPoint stencil::getFirstPoint(llvm::ArrayRef<SearchAxis> axes) {
  TuningPoint point(axes.size());
  for (auto [index, axis] : llvm::enumerate(axes)) {
    if (axis.positions.empty())
      point[index] = axis.choices.front();
    for (size_t position : axis.positions) {
      point.resize(std::max(point.size(), position + 1));
      point[position] = axis.choices.front();
    }
  }
  return point;
}

double stencil::getSearchBudget(double budget, uint64_t fieldBytes) {
  double check = 0.02 * budget + 2e-9 * static_cast<double>(fieldBytes);
  return budget - std::min(check, 0.25 * budget);
}

Search::Search(std::vector<SearchAxis> axes, const SearchOptions &options)
    : axes(std::move(axes)), options(options), neighbours(this->axes.size()),
      base(getFirstPoint(this->axes)), roundBase(base) {
  for (auto [index, axis] : llvm::enumerate(this->axes))
    if (axis.positions.empty())
      axis.positions.push_back(index);
}

const TuningSample *Search::find(const TuningPoint &point) const {
  auto found = numbers.find(point);
  return found == numbers.end() ? nullptr : &samples[found->second];
}

void Search::record(const TuningSample &sample) {
  // However many calls there were time for.
  if (!isScreening)
    judged.insert(sample.schedule);
  auto [known, isNew] = numbers.try_emplace(sample.schedule, samples.size());
  if (isNew)
    samples.push_back(sample);
  else
    samples[known->second] = sample;
  // Here, so that what an earlier tuning has found leads the same way again.
  lookAround();
}

size_t Search::countCandidates() const {
  size_t count = 1;
  for (const SearchAxis &axis : axes)
    count += axis.choices.size() - 1;
  return count;
}

/// Those that did not fail, the fastest first.
std::vector<const TuningSample *> Search::rankSamples() const {
  std::vector<const TuningSample *> ranked;
  for (const TuningSample &sample : samples)
    if (!sample.isFailure())
      ranked.push_back(&sample);
  // Of equal ones the first.
  llvm::sort(ranked, [](const TuningSample *a, const TuningSample *b) {
    return std::tie(a->seconds, a) < std::tie(b->seconds, b);
  });
  return ranked;
}

const TuningSample *Search::getBest() const {
  std::vector<const TuningSample *> ranked = rankSamples();
  // A few calls may be fast by chance: those that were measured longer judge
  // each other.
  unsigned most = 0;
  for (const TuningSample *sample : ranked)
    most = std::max(most, std::min(sample->runs, options.finalRuns));
  for (const TuningSample *sample : ranked)
    if (sample->runs >= most)
      return sample;
  return nullptr;
}

void Search::set(TuningPoint &point, size_t axis, size_t choice) const {
  for (size_t position : axes[axis].positions)
    point[position] = axes[axis].choices[choice];
}

TuningPoint Search::getPoint(size_t choice) const {
  TuningPoint point = base;
  if (axis < axes.size())
    set(point, axis, choice);
  return point;
}

/// Whether an axis has a choice that was not measured with the others as they
/// are now.
bool Search::isOpen(size_t other) const {
  TuningPoint point = base;
  return llvm::any_of(llvm::seq(axes[other].choices.size()),
                      [&](size_t choice) {
                        set(point, other, choice);
                        return !find(point);
                      });
}

/// The fastest of those that differ from the base in the present axis only; of
/// equal ones the first. Null if there is none.
const TuningSample *Search::getBestOfAxis() const {
  const TuningSample *best = nullptr;
  for (const TuningSample &sample : samples) {
    if (sample.isFailure() || (best && best->seconds <= sample.seconds) ||
        sample.schedule.size() != base.size())
      continue;
    TuningPoint point = sample.schedule;
    const std::string &choice = point[axes[axis].positions.front()];
    bool isUniform = llvm::all_of(axes[axis].positions, [&](size_t position) {
      return point[position] == choice;
    });
    for (size_t position : axes[axis].positions)
      point[position] = base[position];
    if (isUniform && point == base)
      best = &sample;
  }
  return best;
}

/// Adds the neighbours of the fastest choice to the choices.
void Search::lookAround() {
  if (axis >= axes.size() || !axes[axis].getNeighbours)
    return;
  const TuningSample *best = getBestOfAxis();
  if (!best)
    return;
  const std::string &choice = best->schedule[axes[axis].positions.front()];
  auto [known, isNew] = neighbours[axis].try_emplace(choice);
  if (!isNew)
    return;
  std::vector<std::string> &choices = axes[axis].choices;
  for (std::string &other : axes[axis].getNeighbours(choice)) {
    auto found = llvm::find(choices, other);
    known->second.push_back(found - choices.begin());
    if (found == choices.end())
      choices.push_back(std::move(other));
  }
}

/// Neighbours of the fastest choice that were not measured.
std::vector<size_t> Search::listNeighbours() const {
  std::vector<size_t> list;
  if (axis >= axes.size() || neighbours[axis].empty())
    return list;
  const TuningSample *best = getBestOfAxis();
  if (!best)
    return list;
  auto known =
      neighbours[axis].find(best->schedule[axes[axis].positions.front()]);
  if (known != neighbours[axis].end())
    for (size_t choice : known->second)
      if (!find(getPoint(choice)))
        list.push_back(choice);
  return list;
}

/// What was not measured of the present axis, in the order in which it is going
/// to be if nothing changes: neighbours of the fastest choice and others take
/// turns, by the number of what was measured.
std::vector<TuningPoint> Search::listOpen() const {
  std::vector<size_t> close = listNeighbours();
  std::set<size_t> listed;
  std::vector<TuningPoint> open;
  size_t turn = samples.size(), nextClose = 0, nextOther = 0;
  size_t count = axes.empty() ? 1 : axes[axis].choices.size();
  while (nextClose < close.size() || nextOther < count) {
    bool isClose = nextOther == count ||
                   (nextClose < close.size() &&
                    turn % (options.neighbours + 1) != options.neighbours);
    size_t choice = isClose ? close[nextClose++] : nextOther++;
    TuningPoint point = getPoint(choice);
    if (find(point) || !listed.insert(choice).second)
      continue;
    open.push_back(std::move(point));
    ++turn;
  }
  return open;
}

void Search::beginAxis(double elapsed) {
  // Those that have nothing to be measured need no time.
  double weights = 0;
  for (size_t i = axis; i < axes.size(); ++i)
    if (isOpen(i))
      weights += axes[i].weight;
  double left = options.budget * (1 - options.finalPart) - elapsed;
  double part =
      axis < axes.size() && weights > 0 ? axes[axis].weight / weights : 1;
  axisEnd = elapsed + left * part;
  hasBegun = true;
  lookAround();
}

/// Goes on to the next axis or round; false if there is none.
bool Search::endAxis(double elapsed) {
  if (axis < axes.size())
    isShortened |= isOpen(axis);
  if (std::vector<const TuningSample *> ranked = rankSamples(); !ranked.empty())
    base = ranked.front()->schedule;
  hasBegun = false;
  if (++axis < axes.size())
    return true;
  bool isBetter = base != roundBase;
  bool wasShortened = isShortened;
  roundBase = base;
  axis = 0;
  isShortened = false;
  // One axis alone has been seen whole.
  if (axes.size() > 1 && isBetter && ++round < options.rounds)
    return true;
  // Some axes had less time than they needed, and others more.
  double end = options.budget * (1 - options.finalPart);
  bool isAgain =
      wasShortened && end - elapsed > kWorthAnotherRound * options.budget;
  cutShort |= wasShortened && !isAgain;
  return isAgain;
}

std::optional<SearchTask>
Search::next(double elapsed,
             llvm::function_ref<bool(const TuningPoint &)> isReady) {
  do {
    if (auto task = nextChoice(elapsed, isReady))
      return task;
    if (auto task = nextFinalist(elapsed))
      return task;
  } while (climbOn(elapsed));
  return std::nullopt;
}

/// After the finals, which may have made another one the fastest: whether it
/// has neighbours that were not measured, and there is time for them.
bool Search::climbOn(double elapsed) {
  std::vector<const TuningSample *> ranked = rankSamples();
  double left = options.budget * (1 - options.finalPart) - elapsed;
  if (ranked.empty() || isFull() || left <= kWorthAnotherRound * options.budget)
    return false;
  base = ranked.front()->schedule;
  for (axis = 0; axis < axes.size(); ++axis) {
    lookAround();
    if (listNeighbours().empty())
      continue;
    isScreening = true;
    hasBegun = false;
    return true;
  }
  return false;
}

std::optional<SearchTask>
Search::nextChoice(double elapsed,
                   llvm::function_ref<bool(const TuningPoint &)> isReady) {
  double screenEnd = options.budget * (1 - options.finalPart);
  while (isScreening) {
    if (!hasBegun)
      beginAxis(elapsed);
    // Whatever the budget, something is measured if anything can be.
    bool isOver = elapsed >= screenEnd && getBest();
    if (elapsed >= options.budget || isFull())
      isOver = true;
    if (!isOver && (elapsed < axisEnd || !getBest())) {
      std::optional<TuningPoint> wanted;
      for (TuningPoint &point : listOpen()) {
        bool isFirst = !wanted;
        bool canBeHad = isReady && isReady(point);
        if (isFirst || canBeHad)
          wanted = std::move(point);
        // All others are compared with the first of all.
        if (canBeHad || !isReady || !getBest())
          break;
      }
      if (wanted) {
        const TuningSample *best = getBest();
        return SearchTask{std::move(*wanted), options.screenRuns,
                          best ? best->seconds * options.hopeless : 0, false};
      }
    }
    cutShort |= isOver;
    if (isOver || !endAxis(elapsed))
      isScreening = false;
  }
  return std::nullopt;
}

std::optional<SearchTask> Search::nextFinalist(double elapsed) {
  if (elapsed >= options.budget)
    return std::nullopt;
  std::vector<const TuningSample *> ranked = rankSamples();
  if (ranked.size() > options.finalists)
    ranked.resize(options.finalists);
  for (const TuningSample *sample : ranked)
    if (sample->runs < options.finalRuns && !judged.count(sample->schedule) &&
        sample->seconds <= ranked.front()->seconds * options.hopeless)
      return SearchTask{sample->schedule, options.finalRuns, 0, true};
  return std::nullopt;
}

std::vector<TuningPoint> Search::getUpcoming(size_t count) const {
  std::vector<TuningPoint> upcoming;
  if (!isScreening)
    return upcoming;
  upcoming = listOpen();
  if (upcoming.size() > count)
    upcoming.resize(count);
  // Those of the axis after it, if the present base stays.
  for (size_t other = axis + 1; other < axes.size(); ++other)
    for (size_t choice = 0; choice < axes[other].choices.size(); ++choice) {
      if (upcoming.size() >= count)
        return upcoming;
      TuningPoint point = base;
      set(point, other, choice);
      if (!find(point) && !llvm::is_contained(upcoming, point))
        upcoming.push_back(point);
    }
  return upcoming;
}
