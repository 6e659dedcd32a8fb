//===- TunerResult.cpp - What a tuning ends with --------------------------===//
//
// The best candidate is compared with the interpreter and written down.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Execution/ScheduleSources.h"
#include "StencilDialect/Support/Machine.h"
#include "TunerState.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"

#include <sys/resource.h>

using namespace mlir;
using namespace stencil;
using Clock = std::chrono::steady_clock;

std::vector<InterpreterArgument> stencil::makeValues(const Program &program) {
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
    auto compute = [&](llvm::ArrayRef<ArgumentSpec> specs) {
      reference->failure.clear();
      auto arguments =
          Arguments::create(program.signature, program.extents, specs);
      if (failed(arguments))
        return;
      auto computed = computeReference(program.entry, program.signature,
                                       std::move(*arguments), verifyOptions);
      if (succeeded(computed))
        reference->reference = std::move(*computed);
    };
    if (isWild)
      compute(program.getWildSpecs());
    if (isWild && !reference->reference)
      giveUpWild(reference->failure);
    if (!isWild)
      compute(program.specs);
    if (reference->reference)
      reference->failure.clear();
    reference->isDone = true;
  }).detach();
}

/// A program may be defined for some numbers only: one that makes an index of
/// what it reads, for instance.
void Tuner::giveUpWild(llvm::StringRef why) {
  isWild = false;
  inputsNote = ("with the values that it was timed with, as others are an "
                "error: " +
                why)
                   .str();
}

/// "with wild values of arguments 0, 3"; empty if there are none.
std::string Tuner::describeWild() const {
  std::vector<std::string> wild;
  for (auto [spec, given] :
       llvm::zip_equal(program.getWildSpecs(), program.specs))
    if (spec.text != given.text)
      wild.push_back(std::to_string(spec.index));
  if (wild.empty())
    return "";
  return "with wild values of argument" +
         std::string(wild.size() == 1 ? " " : "s ") + llvm::join(wild, ", ");
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

/// The answer of the worker that measures; nothing after an interrupt.
std::optional<Outcome> Tuner::ask(Job job) {
  workshop->post(std::move(job));
  std::optional<Outcome> outcome;
  while (!interrupted) {
    outcome = workshop->take(std::chrono::milliseconds(50));
    if (outcome && outcome->kind != Job::Compile)
      return outcome;
    if (outcome)
      handle(std::move(*outcome));
  }
  return std::nullopt;
}

/// Waits until a candidate is compiled, which it may not be yet if an earlier
/// tuning has measured it.
int Tuner::finish(const TuningPoint &point) {
  post(point);
  while (candidates[point].state == Candidate::Compiling) {
    if (interrupted)
      return kInterrupted;
    if (auto outcome = workshop->take(std::chrono::milliseconds(50)))
      handle(std::move(*outcome));
  }
  return ExitDone;
}

/// Has the worker run a candidate once. `wrong` says why it cannot be run.
int Tuner::fetchOutputs(const TuningPoint &point, Message &outputs,
                        std::string &wrong) {
  if (int code = finish(point))
    return code;
  const Candidate &candidate = candidates[point];
  if (candidate.state == Candidate::Failed) {
    wrong = candidate.failure;
    return ExitDone;
  }
  if (loaded != point) {
    Message request = candidate.object;
    request.head["do"] = "measure";
    request.head["runs"] = 0;
    auto outcome =
        ask({Job::Measure, point, std::move(request), options.timeout});
    if (!outcome)
      return kInterrupted;
    if (!outcome->failure.empty()) {
      wrong = outcome->failure;
      return ExitDone;
    }
    loaded = point;
  }
  Message request;
  request.head["do"] = "outputs";
  request.head["wild"] = isWild;
  auto outcome = ask(
      {Job::Outputs, {}, std::move(request), std::max(60.0, options.timeout)});
  if (!outcome)
    return kInterrupted;
  wrong = outcome->failure;
  outputs = std::move(outcome->answer);
  return ExitDone;
}

/// Fields, in the memory of the message, and results.
Reference Tuner::readOutputs(Message &outputs) const {
  Reference read;
  read.arguments.values = makeValues(program);
  char *data = outputs.body.data();
  for (const Parameter &parameter : program.signature.parameters) {
    if (!parameter.field)
      continue;
    auto &field =
        std::get<FieldArgument>(read.arguments.values[parameter.index]);
    field.data = data;
    data += *getByteSize(field.shape, getElementSize(parameter.field->element));
  }
  const auto *list = outputs.head.getArray("results");
  unsigned position = 0;
  for (Type type : program.signature.results)
    if (!isFieldLike(type))
      read.results.push_back(llvm::cantFail(
          parseScalar((*list)[position++].getAsString().value_or("0"), type)));
  return read;
}

/// Runs the program as it is without tuning, unless that has been done.
int Tuner::runUntuned() {
  if (reference)
    return ExitDone;
  std::string wrong;
  if (int code = fetchOutputs(first, untuned, wrong))
    return code;
  if (isWild && !wrong.empty()) {
    giveUpWild(wrong);
    loaded.clear();
    if (int code = fetchOutputs(first, untuned, wrong))
      return code;
  }
  if (!wrong.empty())
    return fail("--reference untuned: the program as it is without tuning "
                "cannot be run: " +
                wrong);
  reference = std::make_unique<ReferenceRun>();
  reference->reference = readOutputs(untuned);
  reference->reference->isCompiled = true;
  reference->isDone = true;
  return ExitDone;
}

/// Compares what a candidate makes with what the interpreter has made, or the
/// program without tuning.
int Tuner::verifyBest(const TuningSample &best, std::string &wrong) {
  verdict.clear();
  bool isUntuned = options.reference == TuneOptions::Untuned;
  if (isUntuned && best.schedule == first) {
    verdict.emplace_back("it is what others would be compared with");
    return ExitDone;
  }
  if (int code = isUntuned ? runUntuned() : waitForReference())
    return code;
  Message outputs;
  if (int code = fetchOutputs(best.schedule, outputs, wrong))
    return code;
  if (!wrong.empty())
    return ExitDone;
  Reference after = readOutputs(outputs);
  Verdict compared = compareWithReference(
      program.entry, program.signature, program.extents, *reference->reference,
      after.arguments.values, after.results, verifyOptions);
  for (const Comparison &comparison : compared.comparisons)
    verdict.push_back((isUntuned ? "beside untuned, " : "") + comparison.str());
  if (!inputsNote.empty())
    verdict.push_back(inputsNote);
  if (!compared.isRight())
    wrong = "wrong result: " + compared.describeFailure();
  return ExitDone;
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

/// All choices that say something.
static std::string describePoint(const TuningPoint &point) {
  std::string text = joinOptions(point);
  return text.empty() ? "what is chosen without tuning" : text;
}

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
  const TuningSample *untuned = composed ? &*composed : entry.find(first);
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
      !search->isCutShort() ? ""
      : options.mostCandidates && search->countDone() >= options.mostCandidates
          ? "; no more were asked for"
          : "; the budget was over before the others");
  for (const std::string &line : listFailures(entry))
    os << "failed: " << line << "\n";
  os << "database: " << (isNew ? "written to" : "as it was in") << " '"
     << options.database << "'\n";
}

/// Measures the program without a schedule, as often as the best candidate, if
/// its steps are composed then and nobody has measured it.
int Tuner::measureComposed(unsigned runs) {
  if (!hasComposedForm || composed)
    return ExitDone;
  const TuningPoint none;
  if (int code = finish(none))
    return code;
  const Candidate &candidate = candidates[none];
  composed.emplace();
  composed->failure = candidate.failure;
  if (candidate.state == Candidate::Ready) {
    Message request = candidate.object;
    request.head["do"] = "measure";
    request.head["runs"] = runs;
    request.head["cutoff"] = 0.0;
    request.head["limit"] = std::max(0.2, options.budget / 20);
    auto outcome =
        ask({Job::Measure, none, std::move(request), options.timeout});
    if (!outcome)
      return kInterrupted;
    loaded.clear();
    composed->failure = outcome->failure;
    if (!readTiming(outcome->answer, *composed) && !composed->isFailure())
      composed->failure = "nothing was measured";
    measuredNow += composed->isFailure() ? 0 : 1;
  }
  entry.add(*composed);
  return ExitDone;
}

/// What the search has found, or several steps at once if they are faster.
TuningSample Tuner::getBest(const TuningSample &found) const {
  bool isFaster = composed && !composed->isFailure() && composed->seconds > 0 &&
                  composed->seconds < found.seconds;
  return isFaster ? *composed : found;
}

/// Verifies the best, and the next ones if it is wrong; writes it down.
int Tuner::choose() {
  while (const TuningSample *found = search->getBest()) {
    if (int code = measureComposed(found->runs))
      return code;
    TuningSample best = getBest(*found);
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
      if (!reference && options.reference == TuneOptions::Interpreter)
        beginReference();
      if (int code = verifyBest(best, wrong))
        return code;
    }
    if (!wrong.empty()) {
      // A wrong program is a fault of the compiler, which is not to be found
      // in a list of reasons only.
      llvm::errs() << "warning: rejected " << describePoint(best.schedule)
                   << ": " << wrong << "\n";
      best.failure = wrong;
      if (best.schedule.empty()) {
        composed = best;
        entry.add(best);
        continue;
      }
      record(best);
      if (saveFailure)
        return fail(*saveFailure);
      // Others had no finals beside one that was so fast.
      if (int code = searchAll())
        return code;
      continue;
    }
    // Only the interpreter says what is right.
    std::optional<uint64_t> ulp;
    if (options.reference == TuneOptions::Interpreter)
      ulp = options.verify;
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
