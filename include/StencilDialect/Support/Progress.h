//===- Progress.h - A progress bar on a terminal ----------------*- C++ -*-===//
//
// For runs that last: nothing in the first two seconds, nothing at all when
// stderr is not a terminal, and nothing left behind at the end.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_SUPPORT_PROGRESS_H
#define STENCILDIALECT_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace stencil {

/// Draws from a thread of its own, so that a tick costs one atomic addition and
/// the time goes on while nobody ticks.
class ProgressBar {
public:
  /// How far something is that does not tick.
  struct State {
    /// 0 to 1; 0 if nobody knows yet.
    double part = 0;
    std::string note;
  };

  struct Options {
    std::chrono::milliseconds delay{2000};
    std::chrono::milliseconds interval{200};
    /// Draws although the stream is not a terminal.
    bool force = false;
    /// Asked before each drawing, instead of ticks being counted.
    std::function<State()> poll = nullptr;
  };

  /// `total` is the number of ticks to come; 0 if unknown: then the elapsed
  /// time is shown instead of percentage and remaining time, unless `poll`
  /// knows them.
  ProgressBar(llvm::StringRef label, uint64_t total, const Options &options,
              llvm::raw_ostream &os = llvm::errs());
  ProgressBar(llvm::StringRef label, uint64_t total)
      : ProgressBar(label, total, Options()) {}
  /// Whether a bar with such options draws at all.
  static bool isShown(const Options &options,
                      llvm::raw_ostream &os = llvm::errs()) {
    return options.force || os.is_displayed();
  }
  ~ProgressBar() { finish(); }
  ProgressBar(const ProgressBar &) = delete;
  ProgressBar &operator=(const ProgressBar &) = delete;

  /// Counts `n` units as done. From any thread.
  void tick(uint64_t n = 1) { done.fetch_add(n, std::memory_order_relaxed); }

  /// Shows a text behind the bar from now on. From any thread.
  void setNote(llvm::StringRef text);

  /// Erases the bar and stops. To be called before anything else is printed;
  /// a second call does nothing.
  void finish();

private:
  void run();
  void draw(std::chrono::duration<double> elapsed);

  std::string label;
  uint64_t total;
  Options options;
  llvm::raw_ostream &os;
  std::atomic<uint64_t> done{0};
  std::chrono::steady_clock::time_point start;
  /// Columns that the last drawing took; only the thread looks at it.
  size_t drawnWidth = 0;
  std::mutex mutex;
  /// Under the mutex.
  std::string note;
  std::condition_variable wake;
  bool stopping = false;
  std::thread thread;
};

} // namespace stencil

#endif // STENCILDIALECT_SUPPORT_PROGRESS_H
