//===- Options.cpp - Command line of stencil-reduce -----------------------===//

#include "Options.h"
#include "StencilDialect/Tools/CommandLine.h"
#include "StencilDialect/Tools/OptionReader.h"
#include "StencilDialect/Tools/OptionTable.inc"
#include "llvm/Option/Arg.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm::opt;
using namespace stencil;

static constexpr char kTool[] = "stencil-reduce";

static std::string findOpt(const char *program) {
  static int here;
  llvm::SmallString<128> path(llvm::sys::fs::getMainExecutable(program, &here));
  llvm::sys::path::remove_filename(path);
  llvm::sys::path::append(path, "stencil-opt");
  return path.str().str();
}

static llvm::Expected<Options>
read(const ToolOptTable &table, const InputArgList &args, const char *program) {
  Options options;
  auto files = args.getAllArgValues(OPT_INPUT);
  if (files.size() != 1)
    return llvm::createStringError(
        "expected one file to reduce ('-' for stdin), got " +
        llvm::Twine(files.size()));
  options.file = files.front();
  OptionReader reader(table, args);
  options.output = reader.getString(OPT_output, "-");
  options.pipeline = reader.getString(OPT_pass_pipeline);
  options.error = reader.getString(OPT_error);
  options.test = reader.getString(OPT_test);
  options.testArguments = args.getAllArgValues(OPT_test_arg);
  options.opt = reader.getString(OPT_opt, findOpt(program));
  constexpr unsigned longest = 1000000;
  if (reader.has(OPT_timeout))
    options.timeout =
        reader.getNumber<unsigned>(OPT_timeout, "seconds", 1, longest);
  options.judge = reader.has(OPT_judge);
  if (!options.test.empty() &&
      (reader.has(OPT_pass_pipeline) || reader.has(OPT_error)))
    reader.fail("expected --test, or --pass-pipeline and --error, got both");
  if (options.test.empty() && !options.testArguments.empty())
    reader.fail("--test-arg: expected it with --test only");
  for (const std::string *path : {&options.test, &options.opt})
    if (!path->empty() && !llvm::sys::fs::can_execute(*path))
      reader.fail((path == &options.test ? "--test" : "--opt") +
                  std::string(": expected a program, got '") + *path + "'");
  if (!reader.error.empty())
    return llvm::createStringError(reader.error);
  return options;
}

std::optional<Options> readOptions(int argc, char **argv, int &status) {
  ToolOptTable table;
  status = ExitDone;
  auto args = parseCommandLine(table, llvm::ArrayRef(argv, argc).drop_front(),
                               OPT_UNKNOWN);
  if (!args) {
    status = reportUsage(kTool, args.takeError());
    return std::nullopt;
  }
  if (args->hasArg(OPT_help)) {
    table.printHelp(
        llvm::outs(), "stencil-reduce FILE.mlir [-o OUT]",
        "Makes a program smaller in which the compiler has a fault, "
        "for a report of the fault");
    return std::nullopt;
  }
  if (args->hasArg(OPT_version)) {
    printVersion(kTool);
    return std::nullopt;
  }
  auto options = read(table, *args, *argv);
  if (!options) {
    status = reportUsage(kTool, options.takeError());
    return std::nullopt;
  }
  return *options;
}

llvm::SmallVector<std::string> getJudgeArguments(const Options &options) {
  llvm::SmallVector<std::string> arguments = {
      "--judge", "--timeout=" + std::to_string(options.timeout)};
  if (!options.test.empty()) {
    arguments.push_back("--test=" + options.test);
    for (const std::string &argument : options.testArguments)
      arguments.push_back("--test-arg=" + argument);
    return arguments;
  }
  arguments.push_back("--opt=" + options.opt);
  arguments.push_back("--pass-pipeline=" + options.pipeline);
  if (!options.error.empty())
    arguments.push_back("--error=" + options.error);
  return arguments;
}
