//===- SearchTest.cpp - Which candidate is measured next ------------------===//

#include "StencilDialect/Tuning/Search.h"

#include "gtest/gtest.h"

using namespace stencil;

namespace {

/// Candidates whose times are given by a function; a clock that advances by
/// what they take.
struct FakeMachine {
  std::function<double(const TuningPoint &)> time;
  double clock = 0;
  /// Seconds that go by for each candidate besides its calls.
  double overhead = 0;
  std::vector<SearchTask> tasks = {};

  /// Negative times are failures.
  void run(Search &search) {
    while (auto task = search.next(clock)) {
      ASSERT_LT(tasks.size(), 1000u) << "the search does not end";
      tasks.push_back(*task);
      TuningSample sample;
      sample.schedule = task->point;
      double seconds = time(task->point);
      if (seconds < 0) {
        sample.failure = "too large";
      } else {
        sample.runs =
            task->cutoff > 0 && seconds > task->cutoff ? 1 : task->runs;
        sample.seconds = sample.min = sample.max = seconds;
        clock += seconds * sample.runs;
      }
      clock += overhead;
      search.record(sample);
    }
  }

  unsigned countCalls(const TuningPoint &point) const {
    unsigned count = 0;
    for (const SearchTask &task : tasks)
      count += task.point == point;
    return count;
  }
};

std::vector<std::string> makeChoices(int count) {
  std::vector<std::string> choices;
  for (int i = 0; i < count; ++i)
    choices.push_back(std::to_string(i));
  return choices;
}

SearchAxis makeAxis(std::vector<std::string> choices, double weight = 1) {
  return {std::move(choices), weight, {}};
}

/// The time in a table.
double lookUpTime(const TuningPoint &point) { return std::stod(point[0]); }

} // namespace

TEST(Search, FindsTheFastestAndMeasuresFinalistsLonger) {
  Search search({makeAxis({"5", "4", "1.1", "1", "9", "1.05"})}, {1000});
  FakeMachine machine{lookUpTime};
  machine.run(search);
  ASSERT_TRUE(search.getBest());
  EXPECT_EQ(search.getBest()->schedule, TuningPoint{"1"});
  EXPECT_EQ(search.getBest()->runs, 15u);
  EXPECT_FALSE(search.isCutShort());
  EXPECT_EQ(search.countDone(), 6u);
  // Twice: 1, 1.05 and 1.1. Those beyond 1.3 times the best are no finalists.
  EXPECT_EQ(machine.tasks.size(), 9u);
  EXPECT_EQ(machine.countCalls({"1.1"}), 2u);
  EXPECT_EQ(machine.countCalls({"4"}), 1u);
}

TEST(Search, CallsHopelessCandidatesOnce) {
  Search search({makeAxis({"1", "2"})}, {1000});
  FakeMachine machine{lookUpTime};
  machine.run(search);
  ASSERT_EQ(search.getSamples().size(), 2u);
  EXPECT_EQ(search.getSamples()[1].runs, 1u);
}

TEST(Search, FailuresAreNeverBest) {
  Search search({makeAxis({"-1", "3", "-2"})}, {1000});
  FakeMachine machine{lookUpTime};
  machine.run(search);
  EXPECT_EQ(search.getBest()->schedule, TuningPoint{"3"});

  Search hopeless({makeAxis({"-1", "-2"})}, {1000});
  FakeMachine other{lookUpTime};
  other.run(hopeless);
  EXPECT_FALSE(hopeless.getBest());
  EXPECT_EQ(other.tasks.size(), 2u);
}

TEST(Search, LeavesTimeForFinalists) {
  SearchAxis axis;
  for (int i = 0; i < 500; ++i)
    axis.choices.push_back(std::to_string(1 + 0.0001 * i));
  SearchOptions options;
  options.budget = 100;
  Search search({axis}, options);
  FakeMachine machine{lookUpTime};
  machine.run(search);
  EXPECT_TRUE(search.isCutShort());
  EXPECT_EQ(search.getBest()->runs, 15u);
  // Whatever begins in time may end after it.
  EXPECT_LE(machine.clock, options.budget + 15 * 1.1);
}

TEST(Search, MeasuresSomethingInAnyBudget) {
  SearchOptions options;
  options.budget = 0.5;
  Search search({makeAxis({"1", "2", "3"})}, options);
  FakeMachine machine{lookUpTime};
  machine.run(search);
  ASSERT_TRUE(search.getBest());
  EXPECT_EQ(search.countDone(), 1u);
  EXPECT_TRUE(search.isCutShort());
}

TEST(Search, TriesAsManyAsItIsAllowedAndJudgesThem) {
  // The fastest comes after the limit; there is time for all.
  FakeMachine machine{
      [](const TuningPoint &point) { return 1.0 / (1 + std::stoi(point[0])); }};
  SearchOptions options;
  options.budget = 1e6;
  options.mostCandidates = 4;
  Search search({makeAxis(makeChoices(10))}, options);
  machine.run(search);
  EXPECT_EQ(search.countDone(), 4u);
  EXPECT_TRUE(search.isCutShort());
  EXPECT_EQ(search.getBest()->schedule, TuningPoint{"3"});
  EXPECT_EQ(search.getBest()->runs, options.finalRuns);
}

TEST(Search, LeavesTimeToVerifyTheBest) {
  EXPECT_DOUBLE_EQ(getSearchBudget(100, 0), 98);
  // Two seconds per gigabyte more, but a quarter at most.
  EXPECT_DOUBLE_EQ(getSearchBudget(100, 3'000'000'000), 92);
  EXPECT_DOUBLE_EQ(getSearchBudget(100, 1'000'000'000'000), 75);
}

TEST(Search, GoesFromAxisToAxisAndAgain) {
  // The best of the second axis makes another choice the best of the first.
  auto time = [](const TuningPoint &point) {
    if (point == TuningPoint{"a1", "b1"})
      return 1.0;
    return point[1] == "b1" ? 2.0 : 3.0;
  };
  SearchOptions options;
  options.budget = 10000;
  Search search({makeAxis({"a0", "a1"}), makeAxis({"b0", "b1"})}, options);
  FakeMachine machine{time};
  machine.run(search);
  EXPECT_EQ(search.getBest()->schedule, (TuningPoint{"a1", "b1"}));
  options.rounds = 1;
  Search once({makeAxis({"a0", "a1"}), makeAxis({"b0", "b1"})}, options);
  FakeMachine other{time};
  other.run(once);
  EXPECT_EQ(once.getBest()->schedule, (TuningPoint{"a0", "b1"}));
}

TEST(Search, DividesTheTimeAmongAxes) {
  std::vector<std::string> many = makeChoices(100);
  SearchOptions options;
  options.budget = 100;
  options.rounds = 1;
  Search search({makeAxis(many, 3), makeAxis(many, 1)}, options);
  FakeMachine machine{[](const TuningPoint &) { return 0.25; }};
  machine.run(search);
  std::set<std::string> first, second;
  for (const SearchTask &task : machine.tasks) {
    first.insert(task.point[0]);
    second.insert(task.point[1]);
  }
  // 80 seconds before the finals, 0.75 for each candidate.
  EXPECT_NEAR(first.size(), 80, 3);
  EXPECT_NEAR(second.size(), 27, 3);
}

TEST(Search, GivesNoTimeToWhatHasOneChoice) {
  std::vector<std::string> many = makeChoices(20);
  SearchOptions options;
  options.budget = 100;
  Search search({makeAxis({"fixed"}), makeAxis(many, 1e-6), makeAxis({"fixed"}),
                 makeAxis(many, 1e-6)},
                options);
  FakeMachine machine{[](const TuningPoint &) { return 0.25; }};
  machine.run(search);
  EXPECT_EQ(search.countDone(), search.countCandidates());
  EXPECT_FALSE(search.isCutShort());
}

TEST(Search, GoesBackToWhatHadTooLittleTime) {
  std::vector<std::string> many = makeChoices(20);
  SearchOptions options;
  options.budget = 100;
  // The second axis is thought to need all the time, and needs little.
  std::vector<SearchAxis> axes = {makeAxis(many, 1e-6), makeAxis({"a", "b"})};
  Search search(axes, options);
  auto time = [](const TuningPoint &) { return 0.25; };
  FakeMachine machine{time};
  machine.run(search);
  EXPECT_EQ(search.countDone(), search.countCandidates());
  EXPECT_FALSE(search.isCutShort());

  options.budget = 10;
  Search shortened(axes, options);
  FakeMachine other{time};
  other.run(shortened);
  EXPECT_LT(shortened.countDone(), shortened.countCandidates());
  EXPECT_TRUE(shortened.isCutShort());
}

namespace {
/// A row of choices with the neighbours of each, of which `listed` are known at
/// first.
SearchAxis makeHill(std::vector<std::string> listed, int length) {
  SearchAxis axis = makeAxis(std::move(listed));
  axis.getNeighbours = [=](const std::string &choice) {
    std::vector<std::string> list;
    for (int step : {1, -1})
      if (int other = std::stoi(choice) + step; other >= 0 && other < length)
        list.push_back(std::to_string(other));
    return list;
  };
  return axis;
}

/// The lowest place is at 30, and a lower one, without a way to it, at 77.
double lookUpHill(const TuningPoint &point) {
  int place = std::stoi(point[0]);
  return place == 77 ? 0.5 : 1 + 0.01 * std::abs(place - 30);
}
} // namespace

TEST(Search, ClimbsFromTheFirst) {
  // 30 and what is before it is in no list.
  Search search({makeHill({"20", "90", "77", "95"}, 100)}, {1000});
  FakeMachine machine{lookUpHill};
  machine.run(search);
  std::vector<std::string> order;
  for (const SearchTask &task : machine.tasks)
    order.push_back(task.point[0]);
  order.resize(10);
  // Two neighbours of the best, then one of the list.
  EXPECT_EQ(order, std::vector<std::string>({"20", "21", "90", "22", "23", "77",
                                             "78", "76", "95", "19"}));
  EXPECT_EQ(search.getBest()->schedule, TuningPoint{"77"});
  EXPECT_EQ(search.countDone(), search.countCandidates());

  Search alone({makeHill({"20"}, 100)}, {1000});
  FakeMachine other{lookUpHill};
  other.run(alone);
  EXPECT_EQ(alone.getBest()->schedule, TuningPoint{"30"});
  // 20 to 31, and 19: every other one is a step back.
  EXPECT_LE(alone.countDone(), 22u);
}

TEST(Search, ClimbsTheSameWayAgain) {
  std::vector<SearchAxis> axes = {makeHill({"20", "90"}, 100)};
  Search search(axes, {1000});
  FakeMachine machine{lookUpHill};
  machine.run(search);
  // From any point at which it was interrupted.
  for (size_t count : {size_t(0), size_t(1), size_t(5), machine.tasks.size()}) {
    Search resumed(axes, {1000});
    for (size_t i = 0; i < std::min(count, search.getSamples().size()); ++i)
      resumed.record(search.getSamples()[i]);
    FakeMachine other{lookUpHill};
    other.run(resumed);
    EXPECT_EQ(resumed.getBest()->schedule, search.getBest()->schedule);
    EXPECT_EQ(resumed.countDone(), search.countDone());
    if (count == machine.tasks.size())
      EXPECT_TRUE(other.tasks.empty());
  }
}

TEST(Search, ClimbsOnFromWhatWinsTheFinals) {
  // A few calls take 40 for the fastest; it is 20.
  unsigned calls = 0;
  auto time = [&](const TuningPoint &point) {
    if (point[0] == "40" && ++calls == 1)
      return 0.9;
    return lookUpHill(point);
  };
  SearchAxis axis = makeHill({"20", "40"}, 100);
  auto all = axis.getNeighbours;
  axis.getNeighbours = [=](const std::string &choice) {
    return choice == "20" ? std::vector<std::string>() : all(choice);
  };
  axis.choices.push_back("25");
  Search search({axis}, {1000});
  FakeMachine machine{time};
  machine.run(search);
  EXPECT_EQ(search.getBest()->schedule, TuningPoint{"30"});
}

TEST(Search, ClimbsAlongEachAxis) {
  std::vector<SearchAxis> axes = {makeHill({"5"}, 20), makeHill({"5"}, 20)};
  axes[1].positions = {1, 2};
  axes[0].positions = {0};
  Search search(axes, {100000});
  FakeMachine machine{[](const TuningPoint &point) {
    EXPECT_EQ(point[1], point[2]);
    return 10 + std::abs(std::stoi(point[0]) - 9) +
           0.1 * std::abs(std::stoi(point[1]) - 2);
  }};
  machine.run(search);
  EXPECT_EQ(search.getBest()->schedule, TuningPoint({"9", "2", "2"}));
}

TEST(Search, GoesOnWhereAnotherOneStopped) {
  Search search({makeAxis({"5", "4", "3", "2"})}, {1000});
  search.record({{"5"}, 5, 5, 5, 3, ""});
  search.record({{"4"}, 0, 0, 0, 0, "timed out"});
  FakeMachine machine{lookUpTime};
  machine.run(search);
  EXPECT_EQ(machine.countCalls({"5"}), 0u);
  EXPECT_EQ(machine.countCalls({"4"}), 0u);
  EXPECT_EQ(search.getBest()->schedule, TuningPoint{"2"});
}

TEST(Search, TellsWhatToCompileAhead) {
  Search search({makeAxis({"a0", "a1"}), makeAxis({"b0", "b1"})}, {1000});
  ASSERT_TRUE(search.next(0));
  std::vector<TuningPoint> expected = {
      {"a0", "b0"}, {"a1", "b0"}, {"a0", "b1"}};
  EXPECT_EQ(search.getUpcoming(10), expected);
  expected.resize(1);
  EXPECT_EQ(search.getUpcoming(1), expected);
  search.record({{"a0", "b0"}, 1, 1, 1, 3, ""});
  EXPECT_EQ(search.getUpcoming(1), std::vector<TuningPoint>({{"a1", "b0"}}));
}

TEST(Search, ChoosesForSeveralElementsAtOnce) {
  // The first and the third are alike.
  std::vector<SearchAxis> axes = {{{"a0", "a1"}, 1, {0, 2}},
                                  {{"b0", "b1"}, 1, {1}}};
  EXPECT_EQ(getFirstPoint(axes), TuningPoint({"a0", "b0", "a0"}));
  Search search(axes, {1000});
  std::vector<TuningPoint> expected = {
      {"a0", "b0", "a0"}, {"a1", "b0", "a1"}, {"a0", "b1", "a0"}};
  EXPECT_EQ(search.getUpcoming(10), expected);
  FakeMachine machine;
  machine.time = [](const TuningPoint &point) {
    EXPECT_EQ(point[0], point[2]);
    return (point[0] == "a1" ? 1 : 2) + (point[1] == "b1" ? 0.1 : 0.2);
  };
  machine.run(search);
  EXPECT_EQ(search.getBest()->schedule, TuningPoint({"a1", "b1", "a1"}));
}

TEST(Search, TakesWhatIsReadyFirst) {
  Search search({makeAxis({"0", "1", "2", "3"})}, {1000});
  auto isReady = [](const TuningPoint &point) {
    return point[0] == "0" || point[0] == "2";
  };
  std::vector<std::string> order;
  for (int i = 0; i < 4; ++i) {
    auto task = search.next(0, isReady);
    ASSERT_TRUE(task);
    order.push_back(task->point[0]);
    search.record({task->point, 1, 1, 1, 3, ""});
  }
  EXPECT_EQ(order, std::vector<std::string>({"0", "2", "1", "3"}));
}

TEST(Search, BeginsWithTheFirstEvenIfOthersAreReady) {
  Search search({makeAxis({"0", "1"})}, {1000});
  auto task =
      search.next(0, [](const TuningPoint &point) { return point[0] == "1"; });
  ASSERT_TRUE(task);
  EXPECT_EQ(task->point, TuningPoint{"0"});
}

TEST(Search, EndsIfFinalistsHaveNoTimeForAllCalls) {
  Search search({makeAxis({"1"})}, {1000});
  unsigned tasks = 0;
  while (search.next(0)) {
    ASSERT_LT(++tasks, 10u);
    search.record({{"1"}, 1, 1, 1, 2, ""});
  }
  EXPECT_EQ(tasks, 2u);
}
