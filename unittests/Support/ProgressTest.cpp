//===- ProgressTest.cpp - A progress bar on a terminal --------------------===//

#include "StencilDialect/Support/Progress.h"

#include "llvm/ADT/StringRef.h"

#include "gtest/gtest.h"

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
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST(Progress, DrawsAndErases) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    ProgressBar bar("run", 8, fast(), os);
    bar.tick(2);
    std::this_thread::sleep_for(milliseconds(50));
    // Too many ticks are no reason to show more than all.
    bar.tick(100);
    std::this_thread::sleep_for(milliseconds(50));
    bar.finish();
    bar.finish();
  }
  EXPECT_NE(text.find("\rrun [#######-----------------------]  25%, "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("100%, 0:00 left"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(text.back(), '\r');
  EXPECT_EQ(llvm::StringRef(render(text)).trim(), "");
}

TEST(Progress, ShowsTimeIfTotalIsUnknown) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    ProgressBar bar("verifying", 0, fast(), os);
    std::this_thread::sleep_for(milliseconds(20));
  }
  EXPECT_TRUE(llvm::StringRef(text).starts_with("\rverifying 0:00")) << text;
}

TEST(Progress, TicksFromManyThreads) {
  std::string text;
  llvm::raw_string_ostream os(text);
  {
    ProgressBar bar("run", 40000, fast(), os);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] {
        for (int j = 0; j < 10000; ++j)
          bar.tick();
      });
    for (std::thread &thread : threads)
      thread.join();
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_NE(text.find("100%"), std::string::npos) << text;
}
