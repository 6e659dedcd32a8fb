//===- OptionReader.cpp - Values of options -------------------------------===//

#include "StencilDialect/Tools/OptionReader.h"
#include "StencilDialect/Analysis/ScheduleRequest.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Arg.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace stencil;

std::string OptionReader::getString(opt::OptSpecifier id,
                                    const Twine &fallback) {
  StringRef value = args.getLastArgValue(id);
  auto given = args.getAllArgValues(id);
  if (given.size() > 1)
    fail(name(id) + " is given more than once");
  if (!given.empty() && value.empty())
    fail(name(id) + ": expected a value");
  return given.empty() ? fallback.str() : value.str();
}

unsigned OptionReader::getChoice(opt::OptSpecifier id,
                                 ArrayRef<StringRef> choices) {
  std::string text = getString(id, choices.front());
  const auto *found = llvm::find(choices, text);
  if (found != choices.end())
    return found - choices.begin();
  fail(name(id) + ": unknown '" + text + "', expected " +
       llvm::join(choices, " or "));
  return 0;
}

std::string OptionReader::name(opt::OptSpecifier id) const {
  StringRef spelling = table.getOptionPrefixedName(id);
  spelling.consume_back("=");
  return spelling.str();
}

Expected<MathMode> stencil::readMathMode(StringRef text) {
  if (std::optional<MathMode> mode = parseMathMode(text))
    return *mode;
  return createStringError("unknown '" + text +
                           "', expected strict, contract, reassociate or tf32");
}

Expected<std::string> stencil::readSchedule(StringRef text) {
  if (auto error = checkScheduleText(text))
    return std::move(error);
  return text.str();
}

Expected<std::string> stencil::readChip(StringRef text) {
  auto target = getTargetInfo(text);
  if (!target)
    return target.takeError();
  return target->getName().str();
}

unsigned stencil::getThreadsOfEnvironment() {
  std::optional<std::string> value = sys::Process::GetEnv("OMP_NUM_THREADS");
  unsigned threads = 0;
  if (!value ||
      StringRef(*value).split(',').first.trim().getAsInteger(10, threads))
    return 0;
  return std::min(threads, kMaxThreads);
}
