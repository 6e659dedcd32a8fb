//===- Tuner.cpp - The search for the fastest schedule --------------------===//

#include "Tuner.h"
#include "ScratchDirectory.h"
#include "StencilDialect/Execution/DeviceTarget.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "StencilDialect/Target/GPUToolkit.h"
#include "TunerState.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"

using namespace mlir;
using namespace stencil;
using Clock = std::chrono::steady_clock;

volatile std::sig_atomic_t stencil::interrupted = 0;

//===----------------------------------------------------------------------===//
// Preparations
//===----------------------------------------------------------------------===//

int Tuner::prepare() {
  if (!options.candidates)
    if (auto error = checkWritable(options.database))
      return reportFailure(std::move(error));
  if (!options.turns.empty() && !options.candidates)
    if (auto error = checkWritable(options.turns))
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
  if (!options.candidates &&
      failed(checkMemory(program.signature, program.extents,
                         options.verify ? 4 : 2, /*extended=*/false,
                         program.entry, options.verify.has_value())))
    return ExitFailed;
  work = countWork(program.entry, program.extents, makeValues(program));
  verifyOptions.ulp = options.verify.value_or(0);
  verifyOptions.math = options.algebra.math;
  verifyOptions.threads = options.threads;
  inputsNote = options.wildInputs ? describeWild() : "";
  isWild = !inputsNote.empty();
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
  compiling.startSeconds = std::max(compiling.startSeconds, options.timeout);
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
  if (options.gpu && !recallTarget(chip))
    return fail("the worker's GPU '" + chip + "' is not known here");
  key.device = greeting.getString("device").value_or("").str();
  key.toolchain = getToolchain();
  key.toolchain.driver = greeting.getString("driver").value_or("").str();
  if (options.hasDevice())
    key.toolchain.assembler = getAssemblerVersion(options.gpu->vendor->vendor);
  key.target = options.getTargetName().str();
  key.math = getMathModeName(options.algebra.math).str();
  key.chip = options.gpu ? llvm::cantFail(getTargetInfo(chip)).chip
                         : llvm::sys::getHostCPUName().str();
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
  if (options.candidates) {
    printCandidates(*found, options.neighbours);
    return ExitDone;
  }
  // The interpreter begins before it is known which is the best.
  for (const SearchAxis &axis : found->axes)
    llvm::append_range(verifyOptions.schedules, axis.choices);
  entry.key.program = std::move(found->fingerprint);
  first = getFirstPoint(found->axes);
  hasComposedForm = found->hasComposedForm;

  SearchOptions searchOptions;
  searchOptions.budget = options.budget;
  searchOptions.mostCandidates = options.mostCandidates;
  // All that are listed are compared, not the best of them alone.
  if (!options.schedules.empty()) {
    searchOptions.finalists = 0;
    searchOptions.neighbours = 1;
  }
  if (options.verify) {
    uint64_t bytes = countFieldBytes(program.signature, program.extents);
    searchOptions.budget = getSearchBudget(options.budget, bytes);
    // There, the interpreter would be in the way of what is measured, and comes
    // after it.
    if (!options.gpu && options.reference == TuneOptions::Interpreter)
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
  for (const TuningSample &sample : entry.samples) {
    // Not of the search.
    if (sample.schedule.empty()) {
      composed = sample;
      continue;
    }
    llvm::append_range(verifyOptions.schedules, sample.schedule);
    search->record(sample);
  }
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

/// What a worker has measured; false if nothing.
bool stencil::readTiming(const Message &answer, TuningSample &sample) {
  Timing timing;
  if (const auto *list = answer.head.getArray("seconds"))
    for (const llvm::json::Value &value : *list)
      timing.seconds.push_back(value.getAsNumber().value_or(0));
  if (timing.seconds.empty())
    return false;
  sample.runs = timing.seconds.size();
  sample.seconds = timing.getMedian();
  sample.min = timing.getMin();
  sample.max = timing.getMax();
  return true;
}

static std::optional<unsigned> readCount(const Message &answer,
                                         llvm::StringRef key) {
  std::optional<int64_t> count = answer.head.getInteger(key);
  return count ? std::optional(static_cast<unsigned>(*count)) : std::nullopt;
}

void Tuner::handle(Outcome outcome) {
  TuningSample sample;
  sample.schedule = outcome.point;
  sample.failure = outcome.failure;
  if (outcome.kind == Job::Compile) {
    Candidate &candidate = candidates[outcome.point];
    candidate.state = sample.isFailure() ? Candidate::Failed : Candidate::Ready;
    candidate.failure = outcome.failure;
    candidate.registers = readCount(outcome.answer, "registers");
    candidate.spilledBytes = readCount(outcome.answer, "spilled_bytes");
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
  if (readTiming(outcome.answer, sample)) {
    const Candidate &candidate = candidates[outcome.point];
    sample.registers = candidate.registers;
    sample.spilledBytes = candidate.spilledBytes;
    ++measuredNow;
    record(std::move(sample));
  }
}

int Tuner::searchAll() {
  ProgressBar::Options barOptions;
  barOptions.force = options.progress;
  ProgressBar bar("tuning", search->countCandidates(), barOptions);
  size_t ticks = search->countDone();
  bar.tick(ticks);
  while (!interrupted && !saveFailure) {
    std::optional<SearchTask> task;
    if (!isMeasuring) {
      task = search->next(getElapsed(), [&](const TuningPoint &point) {
        auto known = candidates.find(point);
        return known != candidates.end() &&
               known->second.state != Candidate::Compiling;
      });
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

int Tuner::run() {
  if (int code = prepare())
    return code;
  // Nothing is run: the chip need not be at hand.
  if (options.candidates && !options.chip.empty())
    chip = options.chip;
  else if (int code = startWorkers())
    return code;
  if (int code = openEntry(); code || options.candidates)
    return code;
  workshop->open(options.jobs);
  if (options.verify && options.gpu &&
      options.reference == TuneOptions::Interpreter &&
      search->next(getElapsed()))
    beginReference();
  int code = searchAll();
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
  llvm::Expected<std::unique_ptr<ScratchDirectory>> directory =
      ScratchDirectory::create();
  if (!directory)
    return reportFailure(directory.takeError());
  ::setenv("TMPDIR", (*directory)->getPath(), /*overwrite=*/1);
  auto *tuner = new Tuner(options, start);
  int code = tuner->run();
  llvm::outs().flush();
  WorkerProcess::killAll();
  return code;
}
