//===- Workshop.cpp - Workers side by side --------------------------------===//

#include "Workshop.h"

using namespace stencil;

Workshop::Workshop(const WorkerSetup &compiling, const WorkerSetup &measuring)
    : compileSetup(compiling), measureSetup(measuring) {
  std::thread([this] { work(measureLine, measureSetup); }).detach();
}

void Workshop::open(unsigned count) {
  for (unsigned i = 0; i < count; ++i)
    std::thread([this] { work(compileLine, compileSetup); }).detach();
}

void Workshop::post(Job job) {
  std::lock_guard<std::mutex> lock(mutex);
  Line &line = job.kind == Job::Compile ? compileLine : measureLine;
  compiling += job.kind == Job::Compile;
  line.jobs.push_back(std::move(job));
  line.wake.notify_one();
}

std::optional<Outcome> Workshop::take(std::chrono::milliseconds patience) {
  std::unique_lock<std::mutex> lock(mutex);
  if (!hasOutcome.wait_for(lock, patience, [&] { return !outcomes.empty(); }))
    return std::nullopt;
  Outcome outcome = std::move(outcomes.front());
  outcomes.pop_front();
  compiling -= outcome.kind == Job::Compile;
  return outcome;
}

void Workshop::work(Line &line, const WorkerSetup &setup) {
  WorkerProcess worker(setup);
  while (true) {
    Job job;
    {
      std::unique_lock<std::mutex> lock(mutex);
      line.wake.wait(lock, [&] { return !line.jobs.empty(); });
      job = std::move(line.jobs.front());
      line.jobs.pop_front();
    }
    Outcome outcome;
    outcome.kind = job.kind;
    outcome.point = std::move(job.point);
    if (job.kind == Job::Start) {
      if (auto error = worker.start())
        outcome.failure = llvm::toString(std::move(error));
      else
        outcome.answer.head = worker.getGreeting();
    } else {
      auto answer =
          worker.request(job.request, job.seconds,
                         job.kind == Job::Compile ? "compiling" : "measuring");
      if (answer)
        outcome.answer = std::move(*answer);
      else
        outcome.failure = llvm::toString(answer.takeError());
    }
    std::lock_guard<std::mutex> lock(mutex);
    outcomes.push_back(std::move(outcome));
    hasOutcome.notify_one();
  }
}
