//===- OptionReader.h - Values of options -----------------------*- C++ -*-===//

#ifndef STENCILDIALECT_TOOLS_OPTIONREADER_H
#define STENCILDIALECT_TOOLS_OPTIONREADER_H

#include "StencilDialect/IR/MathMode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Error.h"

#include <set>
#include <string>
#include <vector>

namespace stencil {

/// Reads the options of a command line one by one and keeps the first error.
class OptionReader {
public:
  OptionReader(const llvm::opt::OptTable &table,
               const llvm::opt::InputArgList &args)
      : table(table), args(args) {}

  bool has(llvm::opt::OptSpecifier id) const { return args.hasArg(id); }

  /// The value of an option that may be given once.
  std::string getString(llvm::opt::OptSpecifier id,
                        const llvm::Twine &fallback = "");

  /// The same of a number; 0 if the option is not given.
  template <typename Number>
  Number getNumber(llvm::opt::OptSpecifier id, llvm::StringRef what,
                   Number least, Number most) {
    std::string text = getString(id);
    Number number = 0;
    if (text.empty())
      return number;
    if (llvm::StringRef(text).getAsInteger(10, number) || number < least ||
        number > most)
      fail(name(id) + ": expected " + what + " from " + llvm::Twine(least) +
           " to " + llvm::Twine(most) + ", got '" + text + "'");
    return number;
  }

  /// The position in `choices` of the value of an option; 0 without one.
  unsigned getChoice(llvm::opt::OptSpecifier id,
                     llvm::ArrayRef<llvm::StringRef> choices);

  /// All values of an option, of which there may be one for each argument of
  /// the program.
  template <typename Spec>
  std::vector<Spec>
  getSpecs(llvm::opt::OptSpecifier id,
           llvm::Expected<Spec> (*parse)(llvm::StringRef text)) {
    std::vector<Spec> specs;
    std::set<unsigned> seen;
    for (const std::string &text : args.getAllArgValues(id)) {
      auto spec = parse(text);
      if (!spec) {
        fail(name(id) + ": " + llvm::toString(spec.takeError()));
        continue;
      }
      if (!seen.insert(spec->index).second)
        fail(name(id) + ": argument " + llvm::Twine(spec->index) +
             " is given more than once");
      specs.push_back(std::move(*spec));
    }
    return specs;
  }

  /// The value of an option as `parse` reads it.
  template <typename Value>
  Value getParsed(llvm::opt::OptSpecifier id,
                  llvm::Expected<Value> (*parse)(llvm::StringRef text),
                  Value fallback = {}) {
    if (!has(id))
      return fallback;
    auto value = parse(getString(id));
    if (value)
      return *value;
    fail(name(id) + ": " + llvm::toString(value.takeError()));
    return fallback;
  }

  void fail(const llvm::Twine &message) {
    if (error.empty())
      error = message.str();
  }

  /// As in "--entry".
  std::string name(llvm::opt::OptSpecifier id) const;

  std::string error;

private:
  const llvm::opt::OptTable &table;
  const llvm::opt::InputArgList &args;
};

/// The value of --math; the error names what there is.
llvm::Expected<MathMode> readMathMode(llvm::StringRef text);

/// The value of --schedule, which has to be the text of a schedule or a name.
llvm::Expected<std::string> readSchedule(llvm::StringRef text);

/// The value of --chip, of which something has to be known.
llvm::Expected<std::string> readChip(llvm::StringRef text);

/// More threads than anybody has.
inline constexpr unsigned kMaxThreads = 4096;

/// What OMP_NUM_THREADS asks for on the outermost level; 0 if it says nothing
/// that we understand, as an OpenMP runtime takes it.
unsigned getThreadsOfEnvironment();

} // namespace stencil

#endif // STENCILDIALECT_TOOLS_OPTIONREADER_H
