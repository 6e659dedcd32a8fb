//===- DatabaseTest.cpp - Schedules that were measured --------------------===//

#include "StencilDialect/Tuning/Database.h"
#include "StencilDialect/Target/GPUTargets.h"

#include "../Support/TestSupport.h"

#include <sys/wait.h>
#include <unistd.h>

using namespace stencil;

static constexpr const char *kProgram = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

static TuningEntry makeEntry() {
  TuningEntry entry;
  entry.key = {{kProgram, {{512, 512}, {8, 512}}},
               "contract",
               "cuda",
               "sm_90",
               0,
               "NVIDIA H200",
               {"1.0", "22.1.8", "13.0", "13.0"}};
  entry.key.scalars = {"100"};
  entry.function = "star";
  entry.samples = {{{"a", "b"}, 0.5, 0.25, 0.75, 3, "", 64, 96},
                   {{"c", ""}, 0, 0, 0, 0, "a \"reason\"\n\xff"}};
  entry.best = TuningBest{{"a", "b"}, 0.5, 12.5, 5, "2026-01-02T03:04:05Z"};
  return entry;
}

static std::string print(const TuningDatabase &database) {
  std::string text;
  llvm::raw_string_ostream os(text);
  database.print(os);
  return text;
}

static std::string getError(llvm::StringRef text) {
  return message(TuningDatabase::parse(text, "db.json"));
}

/// A database with one entry in which some text is replaced.
static std::string getErrorWith(llvm::StringRef from, llvm::StringRef to) {
  TuningDatabase database;
  database.merge(makeEntry());
  std::string text = print(database);
  size_t place = text.find(from.str());
  EXPECT_NE(place, std::string::npos) << from.str() << " in " << text;
  text.replace(place, from.size(), to.str());
  return getError(text);
}

TEST(TuningDatabase, ReadsWhatItPrints) {
  TuningDatabase database;
  database.merge(makeEntry());
  TuningEntry second = makeEntry();
  second.key.program.extents = {{-1, 7}, {}};
  second.best.reset();
  database.merge(second);
  std::string text = print(database);
  auto again = TuningDatabase::parse(text, "db.json");
  ASSERT_TRUE(bool(again)) << message(again.takeError());
  EXPECT_EQ(print(*again), text);
  ASSERT_EQ(again->entries.size(), 2u);
  EXPECT_TRUE(again->entries[0].key == database.entries[0].key);
  EXPECT_EQ(again->entries[0].best->rate, 12.5);
  EXPECT_EQ(again->entries[0].samples[0].max, 0.75);
  EXPECT_EQ(again->entries[0].samples[0].registers, 64u);
  EXPECT_EQ(again->entries[0].samples[0].spilledBytes, 96u);
  EXPECT_FALSE(again->entries[1].best);
}

// LLVM prints a negative zero as it does an integer, and reads that as zero.
TEST(TuningDatabase, HasNoNegativeZero) {
  TuningDatabase database;
  database.merge(makeEntry());
  std::string text = print(database), seconds = "\"seconds\": ";
  text.replace(text.find(seconds + "0.5"), seconds.size() + 3,
               seconds + "-0.0");
  auto again = TuningDatabase::parse(text, "db.json");
  ASSERT_TRUE(bool(again)) << message(again.takeError());
  EXPECT_EQ(print(*again).find(seconds + "-"), std::string::npos);
}

TEST(TuningDatabase, NamesWhatIsWrongAndWhere) {
  EXPECT_EQ(
      getError("{\"format\": \"stencil-tuning\", \"version\": 2}"),
      "'db.json': version: expected at most 1, got 2; the tuning database "
      "was written by a newer program");
  EXPECT_EQ(getError("{\"format\": \"stencil-tuning\", \"version\": \"1\"}"),
            "'db.json': version: expected an integer from 1");
  EXPECT_EQ(getError("[]"), "'db.json': expected a tuning database, got JSON "
                            "whose \"format\" is not \"stencil-tuning\"");
  EXPECT_EQ(getError("{\"format\": \"stencil-tuning\", \"version\": 1}"),
            "'db.json': expected the key 'entries', got none");
  EXPECT_EQ(getErrorWith("\"seconds\": 0.5", "\"seconds\": -1"),
            "'db.json': entries[0].best.seconds: expected a number that is not "
            "negative");
  EXPECT_EQ(getErrorWith("\"runs\": 3", "\"runs\": 3.5"),
            "'db.json': entries[0].samples[0].runs: expected an integer from 0 "
            "to 2147483647");
  EXPECT_EQ(getErrorWith("\"min\": 0.25", "\"minimum\": 0.25"),
            "'db.json': entries[0].samples[0]: expected the key 'min', got "
            "none");
  EXPECT_EQ(getErrorWith("\"min\": 0.25", "\"min\": 0.25, \"mean\": 1"),
            "'db.json': entries[0].samples[0]: unknown key 'mean'");
  EXPECT_EQ(getErrorWith(kProgram, "abc"),
            "'db.json': entries[0].program: expected 32 hexadecimal digits");
  EXPECT_EQ(getErrorWith("\"cuda\"", "\"tpu\""),
            "'db.json': entries[0].target: expected " +
                listGPUTargets({"cpu"}));
  EXPECT_EQ(getErrorWith("\"contract\"", "3"),
            "'db.json': entries[0].math: expected a string");
  EXPECT_NE(getErrorWith("512", "1e999").find("expected"), std::string::npos);
}

TEST(TuningDatabase, RefusesTwoEntriesOfOneKey) {
  TuningDatabase database;
  database.entries = {makeEntry(), makeEntry()};
  EXPECT_EQ(getError(print(database)),
            "'db.json': entries[1]: expected one entry for each key, got the "
            "key of entries[0] again");
  database.entries = {makeEntry()};
  database.entries[0].samples.push_back(database.entries[0].samples[0]);
  EXPECT_EQ(getError(print(database)),
            "'db.json': entries[0].samples[2]: there is a sample of this "
            "schedule already");
}

TEST(TuningDatabase, RefusesEveryPartOfItself) {
  TuningDatabase database;
  database.merge(makeEntry());
  std::string text = llvm::StringRef(print(database)).rtrim().str();
  for (size_t size = 0; size < text.size(); ++size)
    EXPECT_NE(getError(llvm::StringRef(text).take_front(size)), "success")
        << size;
}

TEST(TuningDatabase, RefusesBracketsWithoutEnd) {
  std::string deep = "{\"format\": \"stencil-tuning\", \"version\": 1, "
                     "\"entries\": " +
                     std::string(1000000, '[');
  EXPECT_EQ(getError(deep), "'db.json': expected a tuning database, got "
                            "brackets in brackets without end");
  // In strings they mean nothing.
  EXPECT_EQ(getErrorWith("\"star\"", "\"\\\"" + std::string(1000, '[') + "\""),
            "success");
}

TEST(TuningDatabase, MergesSamples) {
  TuningDatabase database;
  database.merge(makeEntry());
  TuningEntry other = makeEntry();
  other.samples = {{{"a", "b"}, 0.4, 0.4, 0.4, 1, ""},
                   {{"d", "d"}, 0.3, 0.3, 0.3, 3, ""}};
  other.best->schedule = {"d", "d"};
  other.best->seconds = 0.3;
  database.merge(other);
  ASSERT_EQ(database.entries.size(), 1u);
  const TuningEntry &entry = database.entries[0];
  EXPECT_EQ(entry.samples.size(), 3u);
  EXPECT_EQ(entry.find({"a", "b"})->runs, 3u) << "more runs stay";
  EXPECT_EQ(entry.best->seconds, 0.3);
  // A slower one of another tuner does not replace it; a failure stays.
  other.samples = {{{"d", "d"}, 0, 0, 0, 0, "wrong"}};
  other.best = TuningBest{{"a", "b"}, 0.5, {}, {}, ""};
  database.merge(other);
  EXPECT_EQ(database.entries[0].best->seconds, 0.3);
  other.samples = {{{"d", "d"}, 0.3, 0.3, 0.3, 30, ""}};
  database.merge(other);
  EXPECT_EQ(database.entries[0].find({"d", "d"})->failure, "wrong");
  EXPECT_EQ(database.entries[0].countFailures().at("wrong"), 1u);
}

TEST(TuningDatabase, KeepsWhatManyProcessesAdd) {
  TemporaryDirectory directory;
  std::string path = directory / "db.json";
  constexpr int processes = 4, additions = 10;
  std::vector<pid_t> children;
  for (int process = 0; process < processes; ++process) {
    pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (int i = 0; i < additions; ++i) {
        llvm::Error error = updateTuningDatabase(path, [&](TuningDatabase
                                                               &database) {
          TuningEntry entry = makeEntry();
          entry.samples = {
              {{std::to_string(process), std::to_string(i)}, 1, 1, 1, 1, ""}};
          database.merge(entry);
          return llvm::Error::success();
        });
        if (llvm::errorToBool(std::move(error)))
          _exit(1);
      }
      _exit(0);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  auto database = TuningDatabase::load(path);
  ASSERT_TRUE(bool(database)) << message(database.takeError());
  ASSERT_EQ(database->entries.size(), 1u);
  EXPECT_EQ(database->entries[0].samples.size(), size_t(processes * additions));
  EXPECT_EQ(directory.list(),
            (std::vector<std::string>{"db.json", "db.json.lock"}));
}

TEST(TuningDatabase, LeavesAFileThatItCannotRead) {
  TemporaryDirectory directory;
  std::string path = directory / "db.json";
  EXPECT_EQ(message(TuningDatabase::load(path)),
            "tuning database '" + path + "': no such file or directory");
  writeText(path, "{\"format\": ");
  llvm::Error error = updateTuningDatabase(path, [](TuningDatabase &) {
    ADD_FAILURE() << "called";
    return llvm::Error::success();
  });
  EXPECT_NE(
      message(std::move(error)).find("expected a tuning database in JSON"),
      std::string::npos);
  EXPECT_EQ(readText(path), "{\"format\": ");
}
