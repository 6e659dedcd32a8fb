//===- Tuner.cpp - The search for the fastest schedule --------------------===//

#include "Tuner.h"
#include "Candidates.h"
#include "StencilDialect/Execution/Benchmark.h"
#include "StencilDialect/Execution/Verification.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Support/Progress.h"
#include "StencilDialect/Target/GPUToolkit.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "Workshop.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"

#include <csignal>
#include <ctime>
#include <sys/resource.h>

using namespace mlir;
using namespace stencil;
using Clock = std::chrono::steady_clock;

/// Set by SIGINT and SIGTERM.
static volatile std::sig_atomic_t interrupted = 0;

static constexpr int kInterrupted = 130;

namespace {

/// What is known of a candidate before it is measured.
struct Candidate {
  enum State { Compiling, Ready, Failed };

  State state = Compiling;
  /// The object, as the worker that measures takes it.
  Message object;
  /// Of the object: candidates that are one program are measured once.
  uint64_t hash = 0;
  std::string failure;
};

/// The interpreter at work in a thread of its own.
struct ReferenceRun {
  std::atomic<bool> isDone{false};
  /// 0 to 1.
  std::atomic<double> fraction{0};
  Clock::time_point start;
  std::string failure;
  std::optional<Reference> reference;
};

class Tuner {
public:
  Tuner(const TuneOptions &options, Clock::time_point start)
      : options(options), start(start) {}

  int run();

private:
  int prepare();
  int startWorkers();
  int openEntry();
  int searchAll(ProgressBar &bar);
  int choose();
  void print(const TuningSample &best, bool isNew) const;

  bool post(const TuningPoint &point);
  void compileAhead();
  void measure(const SearchTask &task);
  void handle(Outcome outcome);
  void record(TuningSample sample);
  const TuningSample *findTwin(const SearchTask &task);
  llvm::Error save();

  void beginReference();
  int waitForReference();
  int verifyBest(const TuningSample &best, std::string &wrong);

  double getElapsed() const {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  bool isQuiet() const {
    return workshop->countCompiling() == 0 && (!reference || reference->isDone);
  }
  std::optional<double> getRate(double seconds) const;
  int fail(const llvm::Twine &message) {
    return reportFailure(llvm::createStringError(message));
  }

  const TuneOptions &options;
  Clock::time_point start;
  Program program;
  std::string source, chip;
  WorkerSetup compiling, measuring;
  std::unique_ptr<Workshop> workshop;
  std::optional<Search> search;
  TuningEntry entry;
  std::map<TuningPoint, Candidate> candidates;
  std::unique_ptr<ReferenceRun> reference;
  VerifyOptions verifyOptions;
  std::optional<Work> work;
  /// The candidate with which the search began.
  TuningPoint first;
  /// The candidate that the worker has loaded.
  TuningPoint loaded;
  bool isMeasuring = false;
  std::optional<std::string> saveFailure;
  std::vector<std::string> verdict;
  unsigned measuredNow = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// Preparations
//===----------------------------------------------------------------------===//

/// The version that ptxas says it has, such as "13.0"; empty if it is not
/// there.
static std::string getAssemblerVersion() {
  auto path = findCUDAProgram("ptxas", "");
  if (!path) {
    llvm::consumeError(path.takeError());
    return "";
  }
  auto result = runProgram(*path, {"--version"});
  if (!result) {
    llvm::consumeError(result.takeError());
    return "";
  }
  auto [before, after] = llvm::StringRef(result->output).split("release ");
  return after.take_while([](char c) { return c != ',' && c != '\n'; }).str();
}

static std::string getDate() {
  std::time_t now = std::time(nullptr);
  std::tm fields = {};
  ::gmtime_r(&now, &fields);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &fields);
  return text;
}

/// Scalars as they are, fields without memory.
static std::vector<InterpreterArgument> makeValues(const Program &program) {
  std::vector<InterpreterArgument> values;
  for (const Parameter &parameter : program.signature.parameters) {
    if (parameter.field) {
      values.emplace_back(
          FieldArgument{llvm::SmallVector<int64_t>(llvm::ArrayRef<int64_t>(
                            program.extents.shapes[parameter.index])),
                        nullptr});
      continue;
    }
    // It has been checked.
    values.emplace_back(llvm::cantFail(
        parseScalar(program.specs[parameter.index].text, parameter.type)));
  }
  return values;
}

int Tuner::prepare() {
  if (auto error = checkWritable(options.database))
    return reportFailure(std::move(error));
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(options.file);
  if (!buffer)
    return fail("cannot open input file '" + options.file +
                "': " + buffer.getError().message());
  source = (*buffer)->getBuffer().str();
  if (int code = program.load(
          llvm::MemoryBuffer::getMemBufferCopy(source, options.file), options))
    return code;
  // Two copies are the worker's; one is the interpreter's, and one what the
  // best candidate made.
  if (failed(checkMemory(program.signature, program.extents,
                         options.verify ? 4 : 2, /*extended=*/false,
                         program.entry)))
    return ExitFailed;
  work = countWork(program.entry, program.extents, makeValues(program));
  verifyOptions.ulp = options.verify.value_or(0);
  verifyOptions.threads = options.threads;
  return ExitDone;
}

int Tuner::startWorkers() {
  compiling.program = llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  // The options are this process' own.
  if (auto *file = std::fopen("/proc/self/cmdline", "rb")) {
    std::string text;
    char piece[4096];
    while (size_t count = std::fread(piece, 1, sizeof(piece), file))
      text.append(piece, count);
    std::fclose(file);
    llvm::SmallVector<llvm::StringRef> parts;
    llvm::StringRef(text).split(parts, '\0');
    for (llvm::StringRef part : llvm::ArrayRef(parts).drop_front().drop_back())
      compiling.arguments.push_back(part.str());
  }
  compiling.arguments.emplace_back("--worker");
  compiling.start.head =
      llvm::json::Object{{"do", "start"}, {"file", options.file}};
  compiling.start.body = source;
  measuring = compiling;
  measuring.start.head["measures"] = true;
  measuring.startSeconds = std::max(options.budget, options.timeout);
  workshop = std::make_unique<Workshop>(compiling, measuring);
  workshop->post({Job::Start, {}, {}, 0});
  std::optional<Outcome> outcome;
  while (!outcome && !interrupted)
    outcome = workshop->take(std::chrono::milliseconds(100));
  if (!outcome)
    return kInterrupted;
  if (!outcome->failure.empty())
    return fail(outcome->failure);

  const llvm::json::Object &greeting = outcome->answer.head;
  TuningKey &key = entry.key;
  chip = greeting.getString("chip").value_or("").str();
  key.device = greeting.getString("device").value_or("").str();
  key.toolchain = getToolchain();
  key.toolchain.driver = greeting.getString("driver").value_or("").str();
  if (options.gpu == GPUTarget::CUDA)
    key.toolchain.assembler = getAssemblerVersion();
  key.target = options.getTargetName().str();
  key.math = getMathModeName(options.algebra.math).str();
  key.chip = options.gpu ? chip : llvm::sys::getHostCPUName().str();
  key.threads = options.gpu ? 0 : options.threads;
  for (auto [parameter, spec] :
       llvm::zip_equal(program.signature.parameters, program.specs))
    if (!parameter.field)
      key.scalars.push_back(spec.text);
  entry.function = program.entry.getName().str();
  compiling.start.head["chip"] = chip;
  return ExitDone;
}

/// Takes over what an earlier tuning has found out.
int Tuner::openEntry() {
  auto found = findCandidates(program, options, chip);
  if (!found) {
    std::string message = llvm::toString(found.takeError());
    return message.empty() ? static_cast<int>(ExitFailed) : fail(message);
  }
  entry.key.program = std::move(found->fingerprint);
  for (const SearchAxis &axis : found->axes)
    first.push_back(axis.choices.front());

  SearchOptions searchOptions;
  searchOptions.budget = options.budget;
  if (options.verify) {
    // A call, a transfer between processes, a comparison of all fields.
    uint64_t bytes = 0;
    for (const Parameter &parameter : program.signature.parameters)
      if (parameter.field)
        bytes += getByteSize(program.extents.shapes[parameter.index],
                             getElementSize(parameter.field->element))
                     .value_or(0);
    searchOptions.budget -=
        std::min(0.25 * options.budget,
                 0.02 * options.budget + 2e-9 * static_cast<double>(bytes));
    // There, the interpreter would be in the way of what is measured, and comes
    // after it.
    if (!options.gpu)
      searchOptions.budget = 0.6 * options.budget;
  }
  search.emplace(std::move(found->axes), searchOptions);

  // Whether or not there is anything to add, the database is there from now on.
  auto error =
      updateTuningDatabase(options.database, [&](TuningDatabase &database) {
        const TuningEntry *known = database.find(entry.key);
        if (known && !options.again) {
          entry.samples = known->samples;
          entry.best = known->best;
        } else if (known) {
          TuningEntry fresh = *known;
          fresh.samples.clear();
          database.replace(fresh);
        }
        return llvm::Error::success();
      });
  if (error)
    return reportFailure(std::move(error));
  for (const TuningSample &sample : entry.samples)
    search->record(sample);
  return ExitDone;
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

std::optional<double> Tuner::getRate(double seconds) const {
  if (!work || seconds <= 0)
    return std::nullopt;
  return static_cast<double>(work->pointUpdates) / seconds * 1e-9;
}

llvm::Error Tuner::save() {
  return updateTuningDatabase(options.database, [&](TuningDatabase &database) {
    database.merge(entry);
    return llvm::Error::success();
  });
}

void Tuner::record(TuningSample sample) {
  // As it is going to be read again.
  sample.failure = llvm::json::fixUTF8(sample.failure);
  search->record(sample);
  entry.add(sample);
  if (auto error = save())
    saveFailure = llvm::toString(std::move(error));
}

/// Has a candidate compiled unless it is already.
bool Tuner::post(const TuningPoint &point) {
  auto [known, isNew] = candidates.try_emplace(point);
  if (!isNew)
    return false;
  Message request;
  request.head = llvm::json::Object{{"do", "compile"},
                                    {"schedule", llvm::json::Array(point)}};
  workshop->post({Job::Compile, point, std::move(request), options.timeout});
  return true;
}

void Tuner::compileAhead() {
  // Each is an object in memory.
  for (const TuningPoint &point :
       search->getUpcoming(options.gpu ? 3 * options.jobs : options.jobs)) {
    if (workshop->countCompiling() >= options.jobs)
      return;
    post(point);
  }
}

/// A measurement of the same object that makes the task superfluous.
const TuningSample *Tuner::findTwin(const SearchTask &task) {
  const Candidate &candidate = candidates[task.point];
  for (const auto &[point, other] : candidates)
    if (point != task.point && other.state == Candidate::Ready &&
        other.hash == candidate.hash)
      for (const TuningSample &sample : search->getSamples())
        if (sample.schedule == point &&
            (sample.isFailure() || sample.runs >= task.runs ||
             (task.cutoff > 0 && sample.seconds > task.cutoff)))
          return &sample;
  return nullptr;
}

void Tuner::measure(const SearchTask &task) {
  Message request = candidates[task.point].object;
  request.head["do"] = "measure";
  request.head["runs"] = task.runs;
  request.head["cutoff"] = task.cutoff;
  // Calls that last long are not repeated that often.
  request.head["limit"] =
      std::max(0.2, options.budget / (task.isFinal ? 20 : 100));
  double left = std::max(options.budget - getElapsed(), 1.0);
  loaded = task.point;
  isMeasuring = true;
  workshop->post({Job::Measure, task.point, std::move(request),
                  std::min(options.timeout, left)});
}

void Tuner::handle(Outcome outcome) {
  TuningSample sample;
  sample.schedule = outcome.point;
  sample.failure = outcome.failure;
  if (outcome.kind == Job::Compile) {
    Candidate &candidate = candidates[outcome.point];
    candidate.state = sample.isFailure() ? Candidate::Failed : Candidate::Ready;
    candidate.failure = outcome.failure;
    candidate.hash = llvm::xxh3_64bits(outcome.answer.body);
    candidate.object = std::move(outcome.answer);
    return;
  }
  isMeasuring = false;
  if (sample.isFailure()) {
    loaded.clear();
    // That the time is over is not the candidate's fault.
    if (getElapsed() >= options.budget)
      return;
    record(std::move(sample));
    return;
  }
  Timing timing;
  if (const auto *list = outcome.answer.head.getArray("seconds"))
    for (const llvm::json::Value &value : *list)
      timing.seconds.push_back(value.getAsNumber().value_or(0));
  if (timing.seconds.empty())
    return;
  ++measuredNow;
  sample.runs = timing.seconds.size();
  sample.seconds = timing.getMedian();
  sample.min = timing.getMin();
  sample.max = timing.getMax();
  record(std::move(sample));
}

int Tuner::searchAll(ProgressBar &bar) {
  size_t ticks = search->countDone();
  bar.tick(ticks);
  while (!interrupted && !saveFailure) {
    std::optional<SearchTask> task;
    if (!isMeasuring) {
      task = search->next(getElapsed());
      if (!task)
        return ExitDone;
      auto known = candidates.find(task->point);
      if (known == candidates.end()) {
        if (options.gpu || workshop->countCompiling() == 0)
          post(task->point);
      } else if (known->second.state == Candidate::Failed) {
        TuningSample sample;
        sample.schedule = task->point;
        sample.failure = known->second.failure;
        record(std::move(sample));
        continue;
      } else if (known->second.state == Candidate::Ready) {
        if (const TuningSample *twin = findTwin(*task)) {
          TuningSample sample = *twin;
          sample.schedule = task->point;
          record(std::move(sample));
          continue;
        }
        // On the processor, nothing else is done meanwhile.
        if (options.gpu || workshop->countCompiling() == 0)
          measure(*task);
      }
    }
    if (options.gpu || (!isMeasuring && workshop->countCompiling() > 0))
      compileAhead();
    if (auto outcome = workshop->take(std::chrono::milliseconds(50)))
      handle(std::move(*outcome));
    if (size_t done = search->countDone(); done > ticks) {
      bar.tick(done - ticks);
      ticks = done;
    }
    if (const TuningSample *best = search->getBest()) {
      std::string note = llvm::formatv("best {0:f6} s", best->seconds);
      if (auto rate = getRate(best->seconds))
        note += llvm::formatv(", {0:f2} GStencil/s", *rate);
      bar.setNote(note);
    }
  }
  return saveFailure ? fail(*saveFailure) : kInterrupted;
}

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

void Tuner::beginReference() {
  reference = std::make_unique<ReferenceRun>();
  reference->start = Clock::now();
  verifyOptions.progress = [this](double fraction) {
    reference->fraction = fraction;
  };
  std::thread([this] {
    // Compilers and the driver go first; the threads that this one starts
    // inherit it.
    ::setpriority(PRIO_PROCESS, 0, 10);
    llvm::parallel::strategy = llvm::hardware_concurrency(options.threads);
    ScopedDiagnosticHandler handler(&program.source.getContext(),
                                    [&](Diagnostic &diagnostic) {
                                      if (reference->failure.empty())
                                        reference->failure = diagnostic.str();
                                      return success();
                                    });
    auto arguments =
        Arguments::create(program.signature, program.extents, program.specs);
    if (succeeded(arguments)) {
      auto computed = computeReference(program.entry, program.signature,
                                       std::move(*arguments), verifyOptions);
      if (succeeded(computed)) {
        reference->reference = std::move(*computed);
        reference->failure.clear();
      }
    }
    reference->isDone = true;
  }).detach();
}

int Tuner::waitForReference() {
  while (!reference->isDone) {
    if (interrupted)
      return kInterrupted;
    if (getElapsed() > options.budget) {
      double fraction = reference->fraction;
      double spent =
          std::chrono::duration<double>(Clock::now() - reference->start)
              .count();
      std::string estimate;
      if (fraction > 0.01)
        estimate = llvm::formatv(", which takes about {0:f0} s",
                                 std::ceil(spent / fraction));
      return fail("the budget was over before the interpreter was done" +
                  estimate +
                  "; what was measured is kept: give more --budget, fewer "
                  "steps, or --no-verify");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return reference->failure.empty() ? static_cast<int>(ExitDone)
                                    : fail("verify: " + reference->failure);
}

/// Compares what a candidate makes with what the interpreter has made.
int Tuner::verifyBest(const TuningSample &best, std::string &wrong) {
  if (int code = waitForReference())
    return code;
  auto ask = [&](Job job) {
    workshop->post(std::move(job));
    std::optional<Outcome> outcome;
    while (!interrupted) {
      outcome = workshop->take(std::chrono::milliseconds(50));
      if (outcome && outcome->kind != Job::Compile)
        return outcome;
      if (outcome)
        handle(std::move(*outcome));
    }
    return std::optional<Outcome>();
  };
  if (candidates.find(best.schedule) == candidates.end() ||
      candidates[best.schedule].state == Candidate::Compiling) {
    // Measured by an earlier tuning.
    post(best.schedule);
    while (candidates[best.schedule].state == Candidate::Compiling) {
      if (interrupted)
        return kInterrupted;
      if (auto outcome = workshop->take(std::chrono::milliseconds(50)))
        handle(std::move(*outcome));
    }
  }
  const Candidate &candidate = candidates[best.schedule];
  if (candidate.state == Candidate::Failed) {
    wrong = candidate.failure;
    return ExitDone;
  }
  if (loaded != best.schedule) {
    Message request = candidate.object;
    request.head["do"] = "measure";
    request.head["runs"] = 0;
    auto outcome =
        ask({Job::Measure, best.schedule, std::move(request), options.timeout});
    if (!outcome)
      return kInterrupted;
    if (!outcome->failure.empty()) {
      wrong = outcome->failure;
      return ExitDone;
    }
    loaded = best.schedule;
  }
  Message request;
  request.head["do"] = "outputs";
  auto outcome = ask(
      {Job::Outputs, {}, std::move(request), std::max(60.0, options.timeout)});
  if (!outcome)
    return kInterrupted;
  if (!outcome->failure.empty()) {
    wrong = outcome->failure;
    return ExitDone;
  }

  std::vector<InterpreterArgument> after = makeValues(program);
  char *data = outcome->answer.body.data();
  for (const Parameter &parameter : program.signature.parameters) {
    if (!parameter.field)
      continue;
    auto &field = std::get<FieldArgument>(after[parameter.index]);
    field.data = data;
    data += *getByteSize(field.shape, getElementSize(parameter.field->element));
  }
  llvm::SmallVector<ScalarValue> results;
  const auto *list = outcome->answer.head.getArray("results");
  unsigned position = 0;
  for (Type type : program.signature.results)
    if (!isFieldLike(type))
      results.push_back(llvm::cantFail(
          parseScalar((*list)[position++].getAsString().value_or("0"), type)));
  Verdict compared = compareWithReference(
      program.entry, program.signature, program.extents, *reference->reference,
      after, results, verifyOptions);
  verdict.clear();
  for (const Comparison &comparison : compared.comparisons)
    verdict.push_back(comparison.str());
  if (const Comparison *worst = compared.getWorst())
    wrong = "wrong result: " + worst->describeFailure();
  return ExitDone;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// "3 with: <reason>", the most frequent ones first.
static std::vector<std::string> listFailures(const TuningEntry &entry) {
  std::vector<std::pair<unsigned, std::string>> sorted;
  for (const auto &[reason, count] : entry.countFailures())
    sorted.emplace_back(count, reason);
  llvm::sort(sorted, [](const auto &a, const auto &b) {
    return std::tie(b.first, a.second) < std::tie(a.first, b.second);
  });
  std::vector<std::string> lines;
  for (const auto &[count, reason] : sorted)
    lines.push_back(std::to_string(count) + " with: " + reason);
  return lines;
}

void Tuner::print(const TuningSample &best, bool isNew) const {
  const TuningKey &key = entry.key;
  llvm::raw_ostream &os = llvm::outs();
  os << "tuned: " << entry.function << " on " << key.target << ", "
     << (key.device.empty() ? key.chip : key.device + " (" + key.chip + ")");
  if (key.threads)
    os << ", " << key.threads << (key.threads == 1 ? " thread" : " threads");
  os << ", " << describeExtents(key.program.extents) << ", --math " << key.math
     << "\n";
  os << llvm::formatv("best: {0:f6} s, from {1:f6} s to {2:f6} s in {3} calls",
                      best.seconds, best.min, best.max, best.runs);
  if (auto rate = getRate(best.seconds))
    os << llvm::formatv(", {0:f3} GStencil/s", *rate);
  const TuningSample *untuned = entry.find(first);
  if (untuned && !untuned->isFailure() && best.seconds > 0)
    os << llvm::formatv(", {0:f2} times as fast as untuned",
                        untuned->seconds / best.seconds);
  os << "\n";
  for (const std::string &choice : best.schedule)
    if (!choice.empty())
      os << "schedule: " << choice << "\n";
  if (llvm::all_of(best.schedule,
                   [](const std::string &choice) { return choice.empty(); }))
    os << "schedule: as it is chosen without tuning\n";
  for (const std::string &line : verdict)
    os << "verify: " << line << "\n";
  os << llvm::formatv(
      "tried: {0} candidates, {1} measured now, in {2:f1} s{3}\n",
      search->countDone(), measuredNow, getElapsed(),
      search->isCutShort() ? "; the budget was over before the others" : "");
  for (const std::string &line : listFailures(entry))
    os << "failed: " << line << "\n";
  os << "database: " << (isNew ? "written to" : "as it was in") << " '"
     << options.database << "'\n";
}

/// Verifies the best, and the next ones if it is wrong; writes it down.
int Tuner::choose() {
  while (const TuningSample *found = search->getBest()) {
    TuningSample best = *found;
    bool isKnown =
        entry.best && entry.best->schedule == best.schedule &&
        (!options.verify || (entry.best->verifiedUlp &&
                             *entry.best->verifiedUlp <= *options.verify));
    if (isKnown && measuredNow == 0) {
      print(best, /*isNew=*/false);
      return ExitDone;
    }
    std::string wrong;
    if (options.verify && !isKnown) {
      if (!reference)
        beginReference();
      if (int code = verifyBest(best, wrong))
        return code;
    }
    if (!wrong.empty()) {
      best.failure = wrong;
      record(best);
      if (saveFailure)
        return fail(*saveFailure);
      continue;
    }
    std::optional<uint64_t> ulp = options.verify;
    if (isKnown)
      ulp = entry.best->verifiedUlp;
    entry.best = TuningBest{best.schedule, best.seconds, getRate(best.seconds),
                            ulp, getDate()};
    auto error =
        updateTuningDatabase(options.database, [&](TuningDatabase &database) {
          const TuningEntry *known = database.find(entry.key);
          if (options.again && known) {
            TuningEntry other = *known;
            other.best.reset();
            database.replace(other);
          }
          database.merge(entry);
          return llvm::Error::success();
        });
    if (error)
      return reportFailure(std::move(error));
    print(best, /*isNew=*/true);
    return ExitDone;
  }
  std::string message =
      search->countDone() == 0
          ? "nothing could be measured within the budget: give more --budget"
          : "no candidate can be used";
  for (const std::string &line : listFailures(entry))
    message += "; " + line;
  return fail(message);
}

int Tuner::run() {
  if (int code = prepare())
    return code;
  if (int code = startWorkers())
    return code;
  if (int code = openEntry())
    return code;
  workshop->open(options.jobs);
  int code = ExitDone;
  {
    ProgressBar::Options barOptions;
    barOptions.force = options.progress;
    ProgressBar bar("tuning", search->countCandidates(), barOptions);
    if (search->next(getElapsed())) {
      if (options.verify && options.gpu)
        beginReference();
      code = searchAll(bar);
    }
  }
  if (code == ExitDone)
    code = choose();
  if (code == kInterrupted)
    llvm::errs() << "error: interrupted; " << search->countDone()
                 << " candidates are in '" << options.database
                 << "', the same command goes on from there\n";
  return code;
}

static void handleInterrupt(int) { interrupted = 1; }

int stencil::tune(const TuneOptions &options, Clock::time_point start) {
  // The second time, they end the process.
  struct sigaction action = {};
  action.sa_handler = handleInterrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // Whoever does not answer any more is noticed by that.
  ::signal(SIGPIPE, SIG_IGN);
  // What workers that are killed leave behind.
  llvm::SmallString<128> directory;
  if (std::error_code code =
          llvm::sys::fs::createUniqueDirectory("stencil-tune", directory))
    return reportFailure(llvm::createStringError(
        code, "expected to create a temporary directory: " + code.message()));
  ::setenv("TMPDIR", directory.c_str(), /*overwrite=*/1);
  auto *tuner = new Tuner(options, start);
  int code = tuner->run();
  llvm::outs().flush();
  WorkerProcess::killAll();
  if (std::error_code failure = llvm::sys::fs::remove_directories(directory))
    failure.clear();
  return code;
}
