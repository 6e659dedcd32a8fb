//===- ProgressTest.cpp - A progress bar on a terminal --------------------===//

#include "StencilDialect/Support/Progress.h"

#include "llvm/ADT/StringRef.h"

#include "gtest/gtest.h"

#include <mutex>
#include <thread>
#include <vector>

using namespace stencil;
using std::chrono::milliseconds;

/// Draws at once and often.
static ProgressBar::Options fast() {
  ProgressBar::Options options;
  options.delay = milliseconds(0);
  options.interval = milliseconds(1);
  options.force = true;
  return options;
}

namespace {
/// A stream that can be read while another thread writes.
class SharedStream : public llvm::raw_ostream {
public:
  SharedStream() { SetUnbuffered(); }

  std::string text() {
    std::lock_guard<std::mutex> lock(mutex);
    return written;
  }

  /// Waits until `expected` was written. However busy the machine is, this
  /// comes to pass some time.
  testing::AssertionResult waitFor(llvm::StringRef expected) {
    auto end = std::chrono::steady_clock::now() + std::chrono::seconds(600);
    while (text().find(expected.str()) == std::string::npos) {
      if (std::chrono::steady_clock::now() > end)
        return testing::AssertionFailure()
               << "expected '" << expected.str() << "', got '" << text() << "'";
      std::this_thread::sleep_for(milliseconds(1));
    }
    return testing::AssertionSuccess();
  }

private:
  void write_impl(const char *data, size_t size) override {
    std::lock_guard<std::mutex> lock(mutex);
    written.append(data, size);
  }
  uint64_t current_pos() const override { return 0; }

  std::mutex mutex;
  std::string written;
};
} // namespace

TEST(ProgressBar, AsksWhoDoesNotTick) {
  SharedStream os;
  ProgressBar::Options options = fast();
  options.poll = [] { return ProgressBar::State{0.25, "step 1 of 4"}; };
  ProgressBar bar("running", 0, options, os);
  EXPECT_TRUE(os.waitFor("running [#######-----------------------]  25%"));
  EXPECT_TRUE(os.waitFor(" left, step 1 of 4"));
}

TEST(ProgressBar, ShowsTheTimeUntilSomebodyKnows) {
  SharedStream os;
  ProgressBar::Options options = fast();
  options.poll = [] { return ProgressBar::State(); };
  ProgressBar bar("running", 0, options, os);
  EXPECT_TRUE(os.waitFor("running 0:00"));
}

/// What is on the line after carriage returns and overwriting.
static std::string render(llvm::StringRef text) {
  std::string line;
  size_t column = 0;
  for (char c : text) {
    if (c == '\r') {
      column = 0;
      continue;
    }
    if (column == line.size())
      line += ' ';
    line[column++] = c;
  }
  return line;
}

TEST(Progress, SilentWithoutTerminal) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ProgressBar::Options options = fast();
  options.force = false;
  {
    ProgressBar bar("run", 10, options, os);
    bar.tick(5);
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_EQ(text, "");
}

TEST(Progress, SilentBeforeDelay) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ProgressBar::Options options = fast();
  options.delay = milliseconds(60000);
  auto start = std::chrono::steady_clock::now();
  {
    ProgressBar bar("run", 10, options, os);
    bar.tick(5);
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_EQ(text, "");
  // Does not wait for the delay either.
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::seconds(600));
}

TEST(Progress, ShowsANoteBehindTheBar) {
  SharedStream os;
  ProgressBar bar("tuning", 8, fast(), os);
  bar.setNote("best 0.5 s");
  bar.tick(2);
  EXPECT_TRUE(os.waitFor(" left, best 0.5 s"));
}

TEST(Progress, DrawsAndErases) {
  SharedStream os;
  {
    ProgressBar bar("run", 8, fast(), os);
    bar.tick(2);
    EXPECT_TRUE(os.waitFor("\rrun [#######-----------------------]  25%, "));
    // Too many ticks are no reason to show more than all.
    bar.tick(100);
    EXPECT_TRUE(os.waitFor("100%, 0:00 left"));
    bar.finish();
    EXPECT_EQ(os.text().back(), '\r');
    bar.finish();
  }
  std::string text = os.text();
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(llvm::StringRef(render(text)).trim(), "");
}

TEST(Progress, ShowsTimeIfTotalIsUnknown) {
  SharedStream os;
  ProgressBar bar("verifying", 0, fast(), os);
  EXPECT_TRUE(os.waitFor("\rverifying 0:00"));
}

TEST(Progress, TicksFromManyThreads) {
  SharedStream os;
  ProgressBar bar("run", 40000, fast(), os);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int j = 0; j < 10000; ++j)
        bar.tick();
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_TRUE(os.waitFor("100%"));
}
