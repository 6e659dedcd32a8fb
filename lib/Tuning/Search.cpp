//===- Search.cpp - Which candidate to measure next -----------------------===//

#include "StencilDialect/Tuning/Search.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace stencil;

/// Part of the budget that has to be left for axes that were not measured whole
/// to be gone through again.
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

Search::Search(std::vector<SearchAxis> axes, const SearchOptions &options)
    : axes(std::move(axes)), options(options), base(getFirstPoint(this->axes)),
      roundBase(base) {
  for (auto [index, axis] : llvm::enumerate(this->axes))
    if (axis.positions.empty())
      axis.positions.push_back(index);
}

const TuningSample *Search::find(const TuningPoint &point) const {
  auto found = llvm::find_if(samples, [&](const TuningSample &sample) {
    return sample.schedule == point;
  });
  return found == samples.end() ? nullptr : &*found;
}

void Search::record(const TuningSample &sample) {
  // However many calls there were time for.
  if (!isScreening)
    judged.insert(sample.schedule);
  if (auto *known = const_cast<TuningSample *>(find(sample.schedule)))
    *known = sample;
  else
    samples.push_back(sample);
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
  double screenEnd = options.budget * (1 - options.finalPart);
  while (isScreening) {
    if (!hasBegun)
      beginAxis(elapsed);
    // Whatever the budget, something is measured if anything can be.
    bool isOver = elapsed >= screenEnd && getBest();
    if (elapsed >= options.budget)
      isOver = true;
    size_t count = axes.empty() ? 1 : axes[axis].choices.size();
    if (!isOver && (elapsed < axisEnd || !getBest())) {
      std::optional<TuningPoint> wanted;
      for (size_t choice = 0; choice < count; ++choice) {
        TuningPoint point = getPoint(choice);
        if (find(point))
          continue;
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
  return nextFinalist(elapsed);
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
  size_t choices = axes.empty() ? 1 : axes[axis].choices.size();
  for (size_t choice = 0; choice < choices && upcoming.size() < count;
       ++choice) {
    TuningPoint point = getPoint(choice);
    if (!find(point))
      upcoming.push_back(point);
  }
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
