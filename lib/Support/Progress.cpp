//===- Progress.cpp - A progress bar on a terminal ------------------------===//

#include "StencilDialect/Support/Progress.h"

#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace stencil;
using Seconds = std::chrono::duration<double>;

ProgressBar::ProgressBar(llvm::StringRef label, uint64_t total,
                         const Options &options, llvm::raw_ostream &os)
    : label(label.str()), total(total), options(options), os(os),
      start(std::chrono::steady_clock::now()) {
  if (isShown(options, os))
    thread = std::thread([this] { run(); });
}

void ProgressBar::finish() {
  if (!thread.joinable())
    return;
  {
    std::lock_guard<std::mutex> lock(mutex);
    stopping = true;
  }
  wake.notify_one();
  thread.join();
}

void ProgressBar::setNote(llvm::StringRef text) {
  std::lock_guard<std::mutex> lock(mutex);
  note = text.str();
}

void ProgressBar::run() {
  std::unique_lock<std::mutex> lock(mutex);
  auto until = start + options.delay;
  while (!wake.wait_until(lock, until, [this] { return stopping; })) {
    draw(std::chrono::steady_clock::now() - start);
    until = std::chrono::steady_clock::now() + options.interval;
  }
  if (drawnWidth) {
    os << '\r' << std::string(drawnWidth, ' ') << '\r';
    os.flush();
  }
}

/// "1:02:03" or "2:03".
static void printTime(llvm::raw_ostream &os, double seconds) {
  auto whole = std::llround(std::clamp(seconds, 0.0, 1e9));
  if (whole >= 3600)
    os << whole / 3600 << ':' << llvm::format("%02u", unsigned(whole / 60 % 60))
       << ':';
  else
    os << whole / 60 << ':';
  os << llvm::format("%02u", unsigned(whole % 60));
}

void ProgressBar::draw(Seconds elapsed) {
  constexpr unsigned barWidth = 30;
  std::string line;
  llvm::raw_string_ostream text(line);
  text << label << ' ';
  State state{0, note};
  if (options.poll)
    state = options.poll();
  else if (total > 0)
    state.part = double(std::min(done.load(std::memory_order_relaxed), total)) /
                 double(total);
  double part = state.part;
  if (total == 0 && part <= 0) {
    printTime(text, elapsed.count());
  } else {
    auto filled = unsigned(part * barWidth);
    text << '[' << std::string(filled, '#')
         << std::string(barWidth - filled, '-') << "] "
         << llvm::format("%3u%%", unsigned(part * 100));
    if (part > 0) {
      text << ", ";
      printTime(text, elapsed.count() * (1 - part) / part);
      text << " left";
    }
  }
  if (!state.note.empty())
    text << ", " << state.note;
  size_t width = line.size();
  if (width < drawnWidth)
    line.append(drawnWidth - width, ' ');
  drawnWidth = width;
  os << '\r' << line;
  os.flush();
}
