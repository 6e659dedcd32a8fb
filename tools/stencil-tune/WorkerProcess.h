//===- WorkerProcess.h - A process that does what may fail ------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_WORKERPROCESS_H
#define STENCIL_TOOLS_STENCIL_TUNE_WORKERPROCESS_H

#include "Protocol.h"

#include <sys/types.h>

namespace stencil {

/// How workers are started.
struct WorkerSetup {
  /// The path of this program, and its arguments.
  std::string program;
  std::vector<std::string> arguments;
  /// What a new worker is told first, and the seconds that it has for it.
  Message start;
  double startSeconds = 60;
};

/// A worker that is started when it is needed, and again after it has died. It
/// dies with the thread that started it.
class WorkerProcess {
public:
  explicit WorkerProcess(const WorkerSetup &setup) : setup(setup) {}
  ~WorkerProcess() { kill(); }
  WorkerProcess(const WorkerProcess &) = delete;
  WorkerProcess &operator=(const WorkerProcess &) = delete;

  /// What it answers. Fails with the reason: its own, or that of its death, or
  /// that `seconds` were over, after which it is killed.
  llvm::Expected<Message> request(const Message &message, double seconds,
                                  llvm::StringRef doing);

  /// Starts it if it does not run. Fails with the reason.
  llvm::Error start();
  /// What the worker said when it started.
  const llvm::json::Object &getGreeting() const { return greeting; }

  void kill();

  /// Kills all workers of this process, from any thread; new ones may appear.
  static void killAll();

private:
  llvm::Expected<Message> exchange(const Message &message, double seconds,
                                   llvm::StringRef doing);
  /// Waits for the end of a worker that has ended or is to, and says why it
  /// did.
  std::string bury();

  const WorkerSetup &setup;
  pid_t process = -1;
  int input = -1, output = -1;
  /// A file without a name, for what it prints to stderr.
  int log = -1;
  llvm::json::Object greeting;
};

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_WORKERPROCESS_H
