//===- WorkerProcess.cpp - A process that does what may fail --------------===//

#include "WorkerProcess.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace stencil;

static Deadline getDeadline(double seconds) {
  return std::chrono::steady_clock::now() +
         std::chrono::duration_cast<std::chrono::steady_clock::duration>(
             std::chrono::duration<double>(std::min(seconds, 1e8)));
}

/// The workers that are alive, each the leader of a group of processes.
static std::mutex registryMutex;
static std::set<pid_t> registry;

void WorkerProcess::killAll() {
  std::lock_guard<std::mutex> lock(registryMutex);
  for (pid_t worker : registry)
    ::kill(-worker, SIGKILL);
}

/// Becomes the worker: between fork and exec only what is safe there.
[[noreturn]] static void becomeWorker(const char *program, char *const *argv,
                                      int input, int output, int log,
                                      pid_t parent) {
  // Ctrl-C is for the tuner, which ends its workers; nothing survives it.
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() == parent && ::dup2(input, STDIN_FILENO) >= 0 &&
      ::dup2(output, STDOUT_FILENO) >= 0 && ::dup2(log, STDERR_FILENO) >= 0) {
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
    ::signal(SIGPIPE, SIG_DFL);
    ::execv(program, argv);
  }
  ::_exit(127);
}

Error WorkerProcess::start() {
  if (process > 0)
    return Error::success();
  int toWorker[2], fromWorker[2];
  log = ::memfd_create("stencil-tune", MFD_CLOEXEC);
  if (log < 0 || ::pipe2(toWorker, O_CLOEXEC) < 0 ||
      ::pipe2(fromWorker, O_CLOEXEC) < 0)
    return createStringError("a worker cannot be started: " + sys::StrError());
  std::vector<char *> argv;
  argv.push_back(const_cast<char *>(setup.program.c_str()));
  for (const std::string &argument : setup.arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  pid_t parent = ::getpid();
  process = ::fork();
  if (process == 0)
    becomeWorker(setup.program.c_str(), argv.data(), toWorker[0], fromWorker[1],
                 log, parent);
  ::close(toWorker[0]);
  ::close(fromWorker[1]);
  input = toWorker[1];
  output = fromWorker[0];
  if (process < 0) {
    ::close(input);
    ::close(output);
    ::close(log);
    return createStringError("a worker cannot be started: " + sys::StrError());
  }
  // Either of the two is first.
  ::setpgid(process, process);
  {
    std::lock_guard<std::mutex> lock(registryMutex);
    registry.insert(process);
  }
  auto answer = exchange(setup.start, setup.startSeconds, "starting");
  if (!answer)
    return answer.takeError();
  greeting = std::move(answer->head);
  return Error::success();
}

Expected<Message> WorkerProcess::request(const Message &message, double seconds,
                                         StringRef doing) {
  if (auto error = start())
    return std::move(error);
  return exchange(message, seconds, doing);
}

Expected<Message> WorkerProcess::exchange(const Message &message,
                                          double seconds, StringRef doing) {
  // What cannot be sent is found out by the answer that does not come.
  if (auto error = sendMessage(input, message))
    consumeError(std::move(error));
  Message answer;
  switch (receiveMessage(output, answer, getDeadline(seconds))) {
  case ReceiveResult::Done:
    if (auto reason = answer.head.getString("failure")) {
      std::string text = reason->str();
      return createStringError(text);
    }
    return answer;
  case ReceiveResult::Closed:
    return createStringError(bury());
  case ReceiveResult::TimedOut:
    kill();
    return createStringError(
        formatv("{0} took more than {1} s", doing, seconds).str());
  }
  llvm_unreachable("a result of receiveMessage");
}

void WorkerProcess::kill() {
  if (process <= 0)
    return;
  // With what it has started, such as ptxas.
  ::kill(-process, SIGKILL);
  bury();
}

/// The last `error:` line of what a worker has printed.
static std::string findError(int log) {
  constexpr off_t limit = 1 << 16;
  off_t size = ::lseek(log, 0, SEEK_END);
  std::string text(std::min(std::max<off_t>(size, 0), limit), '\0');
  ssize_t count =
      ::pread(log, text.data(), text.size(), std::max<off_t>(size - limit, 0));
  SmallVector<StringRef> lines;
  StringRef(text).take_front(std::max<ssize_t>(count, 0)).split(lines, '\n');
  for (StringRef line : llvm::reverse(lines))
    if (size_t place = line.find("error: "); place != StringRef::npos)
      return line.drop_front(place + strlen("error: ")).str();
  return "";
}

std::string WorkerProcess::bury() {
  {
    std::lock_guard<std::mutex> lock(registryMutex);
    registry.erase(process);
  }
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  process = -1;
  ::close(input);
  ::close(output);
  std::string reason = findError(log);
  ::close(log);
  if (!reason.empty())
    return reason;
  if (WIFSIGNALED(status))
    return formatv("the process died of signal {0} ({1})", WTERMSIG(status),
                   ::strsignal(WTERMSIG(status)));
  return formatv("the process ended with exit code {0}", WEXITSTATUS(status));
}
