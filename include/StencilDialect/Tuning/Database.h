//===- Database.h - Schedules that were measured ----------------*- C++ -*-===//
//
// A JSON file of what stencil-tune has measured. Format, version 1:
//
//   {"format": "stencil-tuning", "version": 1, "entries": [
//     {"program": "<32 hexadecimal digits>", "extents": [[512, 512, 512]],
//      "math": "contract", "target": "cuda", "chip": "sm_90", "threads": 0,
//      "device": "NVIDIA H200", "scalars": ["100"],
//      "toolchain": {"stencil": "0.1.0", "llvm": "22.1.8", "assembler": "13.0",
//                    "driver": "13.0"},
//      "function": "star",
//      "best": {"schedule": ["#stencil.schedule<...>"], "seconds": 0.012,
//               "gstencil_per_s": 220.5, "verified_ulp": 5,
//               "date": "2026-11-22T09:00:00Z"},
//      "failed": {"<reason>": 3},
//      "samples": [
//        {"schedule": ["#stencil.schedule<...>"], "seconds": 0.012,
//         "min": 0.0119, "max": 0.0122, "runs": 10, "registers": 64,
//         "spilled_bytes": 0},
//        {"schedule": ["#stencil.schedule<...>"], "failure": "<reason>"}]}]}
//
// "registers" and "spilled_bytes" are there if the assembler said them. "best"
// is absent while a program is being tuned; "gstencil_per_s" where
// points are not known, "verified_ulp" where nobody compared. A schedule has
// one string for each apply of the program, in order; of a program for a CPU,
// one for each option of the pipeline, such as "rows=2". Without a string: the
// program as it is without tuning, several steps of which are computed at once.
//
// There may be "forms" beside "entries": schedules of classes of kernels
// (Forms.h).
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_TUNING_DATABASE_H
#define STENCILDIALECT_TUNING_DATABASE_H

#include "StencilDialect/Tuning/Fingerprint.h"
#include "StencilDialect/Tuning/Forms.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace stencil {

enum class MathMode;

/// A choice for everything that can be chosen; empty strings leave something to
/// the compiler.
using TuningPoint = std::vector<std::string>;

/// What compiled and ran a program. What is not known is empty.
struct Toolchain {
  /// Of this project, of LLVM, of ptxas, and the newest CUDA or HIP that the
  /// driver supports.
  std::string stencil, llvm, assembler, driver;

  bool operator==(const Toolchain &other) const;
  /// "0.1.0, LLVM 22.1.8, ptxas 13.0, driver 13.0".
  std::string str() const;
};

/// What has been measured: all of it is the key of an entry. And what a
/// schedule is wanted for; then scalars do not count.
struct TuningKey {
  ProgramFingerprint program;
  /// As for --math.
  std::string math;
  /// "cpu", "cuda", "hip" or "emulator". Entries for the emulator serve no
  /// other target; the emulator takes those of the GPU first.
  std::string target;
  /// LLVM's name of the GPU or the CPU.
  std::string chip;
  /// Of a CPU; else 0.
  unsigned threads = 0;
  /// As the driver or the system calls it; may be empty. If it is wanted,
  /// entries that have it are preferred.
  std::string device;
  Toolchain toolchain;
  /// Values of the scalar arguments, such as the number of steps: the time of a
  /// call depends on them, the choice of a schedule hardly.
  std::vector<std::string> scalars = {};

  bool operator==(const TuningKey &other) const;
  /// Everything, on one line; different for different keys.
  std::string str() const;
};

/// One candidate. Times are seconds of one call of the program (on a GPU,
/// without copies to and from it).
struct TuningSample {
  TuningPoint schedule;
  /// Median, least and most of `runs` calls; of no meaning after a failure.
  double seconds = 0, min = 0, max = 0;
  unsigned runs = 0;
  /// Why it cannot be used; empty if it can.
  std::string failure = {};
  /// Of the kernel that takes most, per thread; bytes that kernels spill, their
  /// stores and loads. Absent if nobody knows.
  std::optional<unsigned> registers = {}, spilledBytes = {};

  bool isFailure() const { return !failure.empty(); }
};

struct TuningBest {
  TuningPoint schedule;
  double seconds = 0;
  /// 1e9 points stored per second, if the points are known.
  std::optional<double> rate;
  /// Every point was within so many ULP of the interpreter, by the rule of
  /// Execution/Verification.h.
  std::optional<uint64_t> verifiedUlp;
  /// UTC, as in 2026-11-22T09:00:00Z.
  std::string date;
};

struct TuningEntry {
  TuningKey key;
  /// Name of the function that was tuned, for people.
  std::string function;
  /// Absent: the tuning has not come to its end.
  std::optional<TuningBest> best;
  /// No two have the same schedule.
  std::vector<TuningSample> samples;

  const TuningSample *find(const TuningPoint &schedule) const;
  /// Takes over a measurement. Of two of the same schedule the failure stays,
  /// else that of more runs.
  void add(const TuningSample &sample);
  /// How many candidates failed, by reason.
  std::map<std::string, unsigned> countFailures() const;
};

class TuningDatabase {
public:
  /// Reads a file. Fails with "'PATH': ..." and the place in it: it does not
  /// exist, is not JSON, is not a tuning database, is of a newer version, lacks
  /// something, or has two entries for the same key.
  static llvm::Expected<TuningDatabase> load(llvm::StringRef path);
  /// Fails if the path is a device such as /dev/zero, some of which never end.
  /// There need not be a file.
  static llvm::Error checkFile(llvm::StringRef path);
  /// The same of text; `name` is for messages.
  static llvm::Expected<TuningDatabase> parse(llvm::StringRef text,
                                              llvm::StringRef name);

  void print(llvm::raw_ostream &os) const;

  const TuningEntry *find(const TuningKey &key) const;
  /// Adds what `entry` has: its samples, and its best schedule if there is none
  /// yet or a slower one.
  void merge(const TuningEntry &entry);
  /// Puts `entry` in place of what there is under its key.
  void replace(const TuningEntry &entry);

  std::vector<TuningEntry> entries;
  /// Of kernels that are no entry: for classes of them.
  std::vector<TuningForm> forms;
};

/// Changes a file: reads it (an absent one is empty), calls `change`, and
/// writes the result whole or not at all. Others who do the same wait
/// meanwhile, for up to a minute. Beside the file lies PATH.lock, which is
/// empty.
llvm::Error
updateTuningDatabase(llvm::StringRef path,
                     llvm::function_ref<llvm::Error(TuningDatabase &)> change);

struct TuningMatch {
  /// Null if no entry suits.
  const TuningEntry *entry = nullptr;
  /// Why there is none, or what to know of the one that there is; may be empty.
  std::string remark;
};

/// The finished entry that suits best. Program, math, chip, extents and, on a
/// CPU, threads have to be the same; scalars may be others. Where extents are
/// not known, the entry of the most points is taken. Among several, the
/// toolchain, then the device, then the date decide.
TuningMatch lookUp(const TuningDatabase &database, const TuningKey &wanted);

/// "512x512x512", of several applies the largest and "and N more"; "?" for what
/// is not known.
std::string describeExtents(const std::vector<std::vector<int64_t>> &extents);

/// Now, as TuningBest has it.
std::string getDate();

/// The version of this compiler and its LLVM.
Toolchain getToolchain();

} // namespace stencil

#endif // STENCILDIALECT_TUNING_DATABASE_H
