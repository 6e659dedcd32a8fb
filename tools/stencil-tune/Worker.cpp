//===- Worker.cpp - Compiles and measures candidates ----------------------===//

#include "Worker.h"
#include "Program.h"
#include "Protocol.h"
#include "StencilDialect/Execution/DeviceTarget.h"
#include "StencilDialect/Execution/ScheduleSources.h"
#include "StencilDialect/Support/Element.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/RunErrors.h"
#include "StencilRuntime/Backend.h"
#include "llvm/Support/Parallel.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace mlir;
using namespace stencil;
using Clock = std::chrono::steady_clock;

namespace {

/// While it lives, no other tuner with the same file measures. The system ends
/// the turn of a process that is killed.
class Turn {
public:
  explicit Turn(const std::string &path) {
    if (path.empty())
      return;
    descriptor = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    while (descriptor >= 0 && ::flock(descriptor, LOCK_EX) != 0 &&
           errno == EINTR) {
    }
  }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;
  ~Turn() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

private:
  int descriptor = -1;
};

class Worker {
public:
  Worker(const TuneOptions &options, int output)
      : options(options), output(output) {}

  int run();

private:
  llvm::Error start(Message message);
  llvm::Error compile(const Message &message);
  llvm::Error measure(Message message);
  llvm::Error sendOutputs(const Message &message);

  bool isToBeFaulty(const TuningPoint &point) const;
  void breakOutputs();
  llvm::Error prepareDevice(llvm::json::Object &answer);
  void setInitial(Arguments created);
  llvm::Error prepareFields();
  llvm::Error prepareInputs(bool forVerification);
  double call();
  llvm::Error answer(llvm::json::Object head, std::string body = "") {
    return sendMessage(output, {std::move(head), std::move(body)});
  }

  const TuneOptions &options;
  int output;
  Program program;
  std::string chip;
  std::unique_ptr<CompiledProgram> compiled;
  /// Tests make what is loaded a wrong program.
  bool isFaulty = false;
  Arguments arguments, initial;
  /// Whether `initial` is what programs are verified with.
  bool areForVerification = false;
  llvm::SmallVector<ScalarValue> results;
  /// The first error that MLIR reported since it was emptied.
  std::string diagnostic;
};

} // namespace

/// A failure that is an answer.
static llvm::Error makeFailure(const llvm::Twine &reason) {
  return llvm::createStringError(reason);
}

//===----------------------------------------------------------------------===//
// Faults for tests
//===----------------------------------------------------------------------===//

/// The tests of the tuner need a candidate that is fast and wrong, which no
/// compiler that is right makes. The environment variable, which nothing else
/// reads, has candidates as `--list` prints them, with `;` between them. Each
/// takes a thousandth of its time, so that it wins the search, and changes an
/// element of every field by as much as its largest; of programs that return
/// numbers, these alone, to 1.
static constexpr const char *kFaultVariable = "STENCIL_TUNE_TEST_FAULT";
static constexpr double kFaultSpeed = 1000;

bool Worker::isToBeFaulty(const TuningPoint &point) const {
  const char *faults = std::getenv(kFaultVariable);
  if (!faults)
    return false;
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(faults).split(names, ';');
  return llvm::is_contained(names, joinOptions(point));
}

void Worker::breakOutputs() {
  arguments.packRows(program.signature);
  if (!results.empty()) {
    unsigned position = 0;
    for (Type type : program.signature.results)
      if (!isFieldLike(type))
        results[position++] = llvm::cantFail(parseScalar("1", type));
    return;
  }
  for (const Parameter &parameter : program.signature.parameters) {
    if (!parameter.field)
      continue;
    auto &field = std::get<FieldArgument>(arguments.values[parameter.index]);
    int64_t points = llvm::product_of(field.shape);
    ElementKind kind = parameter.field->element;
    if (points == 0)
      continue;
    double value = loadElement(kind, field.data, points / 2), largest = 1;
    for (int64_t i = 0; i < points; ++i)
      largest = std::max(largest, std::abs(loadElement(kind, field.data, i)));
    storeElement(kind, field.data, points / 2,
                 isFloatKind(kind) ? value + largest : value == 0);
  }
}

//===----------------------------------------------------------------------===//
// Requests
//===----------------------------------------------------------------------===//

llvm::Error Worker::prepareDevice(llvm::json::Object &answer) {
  if (!options.hasDevice())
    return llvm::Error::success();
  runtime::DeviceInfo info;
  std::string problem =
      runtime::queryDevice(getBackendKind(*options.gpu), info);
  if (!problem.empty())
    return makeFailure("--target " + options.getTargetName() + ": " + problem);
  if (chip.empty()) {
    DeviceTarget found = findDeviceTarget(*options.gpu, info);
    for (const std::string &warning : found.warnings)
      llvm::errs() << "warning: " << warning << "\n";
    chip = found.name;
  }
  answer["device"] = info.name;
  answer["driver"] = info.driverVersion;
  return llvm::Error::success();
}

/// Rows lie as in a run of stencil-run.
void Worker::setInitial(Arguments created) {
  initial = std::move(created);
  if (!options.gpu && mayPadRows(program.entry))
    initial.padRows(program.signature);
}

llvm::Error Worker::prepareFields() {
  llvm::parallel::strategy = llvm::hardware_concurrency(options.threads);
  if (failed(checkMemory(program.signature, program.extents, 2, false,
                         program.entry)))
    return makeFailure(diagnostic);
  auto created =
      Arguments::create(program.signature, program.extents, program.specs);
  if (failed(created))
    return makeFailure(diagnostic);
  setInitial(std::move(*created));
  arguments = initial.clone();
  if (!options.hasDevice())
    return llvm::Error::success();
  // Pinned memory, as most of the time goes into copies to and from the device.
  runtime::Backend &backend = runtime::getBackend(getBackendKind(*options.gpu));
  for (const Parameter &parameter : program.signature.parameters) {
    if (!parameter.field)
      continue;
    auto &field = std::get<FieldArgument>(arguments.values[parameter.index]);
    if (auto bytes =
            getByteSize(field.shape, getElementSize(parameter.field->element)))
      if (*bytes > 0)
        backend.registerHost(field.data, *bytes);
  }
  return llvm::Error::success();
}

/// Fills `initial` with what programs are timed or verified with.
llvm::Error Worker::prepareInputs(bool forVerification) {
  if (forVerification == areForVerification)
    return llvm::Error::success();
  // Two copies of the fields are all that there is room for.
  initial = Arguments();
  auto created = Arguments::create(program.signature, program.extents,
                                   forVerification ? program.getWildSpecs()
                                                   : program.specs);
  if (failed(created))
    return makeFailure(diagnostic);
  setInitial(std::move(*created));
  areForVerification = forVerification;
  return llvm::Error::success();
}

llvm::Error Worker::start(Message message) {
  auto name = message.head.getString("file").value_or("-");
  if (program.load(llvm::MemoryBuffer::getMemBufferCopy(message.body, name),
                   options) != ExitDone)
    return makeFailure(diagnostic);
  chip = message.head.getString("chip").value_or(options.chip).str();
  if (!chip.empty() && !recallTarget(chip))
    return makeFailure("the GPU '" + chip + "' is not known here");
  llvm::json::Object head;
  if (message.head.getBoolean("measures").value_or(false)) {
    if (auto error = prepareDevice(head))
      return error;
    if (auto error = prepareFields())
      return error;
  }
  head["chip"] = chip;
  return answer(std::move(head));
}

llvm::Error Worker::compile(const Message &message) {
  TuningPoint point;
  if (const auto *list = message.head.getArray("schedule"))
    for (const llvm::json::Value &choice : *list)
      point.push_back(choice.getAsString().value_or("").str());
  auto object = compileObject(program.entry,
                              program.getCompileOptions(options, chip, point));
  if (failed(object))
    return makeFailure(diagnostic.empty() ? "it does not compile" : diagnostic);
  llvm::json::Object head = describeObject(*object);
  if (!object->kernels.empty()) {
    head["registers"] = countRegisters(object->kernels);
    head["spilled_bytes"] = countSpilled(object->kernels);
  }
  if (isToBeFaulty(point)) {
    head["faulty"] = true;
    // No twin of the right program: what follows an object is not read.
    object->object += "faulty";
  }
  return answer(std::move(head), std::move(object->object));
}

/// Seconds of one call with the initial fields, on a device without the copies.
double Worker::call() {
  arguments.assignFields(initial);
  results.clear();
  Turn turn(options.turns);
  if (options.gpu)
    runtime::takeDeviceSeconds();
  auto start = Clock::now();
  {
    FaultGuard guard;
    // The tuner sees the end of this process as the fault of the candidate.
    if (auto error = compiled->run(arguments.values, results))
      std::_Exit(reportFailure(std::move(error)));
  }
  double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (options.gpu)
    seconds = runtime::takeDeviceSeconds();
  if (!isFaulty)
    return seconds;
  breakOutputs();
  return seconds / kFaultSpeed;
}

llvm::Error Worker::measure(Message message) {
  int64_t runs = message.head.getInteger("runs").value_or(1);
  double cutoff = message.head.getNumber("cutoff").value_or(0);
  double limit = message.head.getNumber("limit").value_or(0);
  compiled.reset();
  isFaulty = message.head.getBoolean("faulty").value_or(false);
  if (auto error = prepareInputs(/*forVerification=*/false))
    return error;
  auto loaded =
      CompiledProgram::load(readObject(std::move(message)), program.signature,
                            &program.source.getContext());
  if (failed(loaded))
    return makeFailure(diagnostic);
  compiled = std::move(*loaded);
  llvm::json::Array seconds;
  auto start = Clock::now();
  double first = call();
  bool isHopeless = cutoff > 0 && first > cutoff;
  // On a processor it warms caches up; a device's time does not have that.
  if (options.gpu || isHopeless)
    seconds.push_back(first);
  constexpr size_t least = 3;
  while (!isHopeless && seconds.size() < static_cast<size_t>(runs)) {
    std::chrono::duration<double> elapsed = Clock::now() - start;
    if (seconds.size() >= least && limit > 0 && elapsed.count() > limit)
      break;
    seconds.push_back(call());
  }
  return answer(llvm::json::Object{{"seconds", std::move(seconds)}});
}

llvm::Error Worker::sendOutputs(const Message &message) {
  if (!compiled)
    return makeFailure("nothing has been measured");
  bool isWild = message.head.getBoolean("wild").value_or(false);
  if (auto error = prepareInputs(isWild))
    return error;
  call();
  arguments.packRows(program.signature);
  // As text that reads back: JSON has no long doubles, infinities and NaN.
  llvm::json::Array list;
  unsigned position = 0;
  for (Type type : program.signature.results)
    if (!isFieldLike(type))
      list.push_back(formatScalar(results[position++], type));
  std::vector<llvm::ArrayRef<char>> fields;
  for (const Parameter &parameter : program.signature.parameters) {
    if (!parameter.field)
      continue;
    const auto &field =
        std::get<FieldArgument>(arguments.values[parameter.index]);
    fields.emplace_back(
        static_cast<const char *>(field.data),
        *getByteSize(field.shape, getElementSize(parameter.field->element)));
  }
  return sendMessage(
      output, {llvm::json::Object{{"results", std::move(list)}}, ""}, fields);
}

int Worker::run() {
  MLIRContext &context = program.source.getContext();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &received) {
    if (received.getSeverity() == DiagnosticSeverity::Error &&
        diagnostic.empty())
      diagnostic = received.str();
    return success();
  });
  Message message;
  while (receiveMessage(STDIN_FILENO, message) == ReceiveResult::Done) {
    diagnostic.clear();
    llvm::StringRef request = message.head.getString("do").value_or("");
    llvm::Error error = request == "start"     ? start(std::move(message))
                        : request == "compile" ? compile(message)
                        : request == "measure" ? measure(std::move(message))
                                               : sendOutputs(message);
    // If nobody reads this either, nobody sends anything more.
    if (error)
      llvm::consumeError(answer(llvm::json::Object{
          {"failure", llvm::json::fixUTF8(llvm::toString(std::move(error)))}}));
  }
  return ExitDone;
}

int stencil::runWorker(const TuneOptions &options) {
  // Answers have a descriptor of their own, so that nothing that a library
  // prints gets between them.
  int output = ::dup(STDOUT_FILENO);
  int nowhere = ::open("/dev/null", O_WRONLY);
  if (output < 0 || nowhere < 0 || ::dup2(nowhere, STDOUT_FILENO) < 0)
    return reportFailure(llvm::createStringError("a worker has no output"));
  return Worker(options, output).run();
}
