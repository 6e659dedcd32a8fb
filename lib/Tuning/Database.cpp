//===- Database.cpp - Schedules that were measured ------------------------===//

#include "StencilDialect/Tuning/Database.h"
#include "StencilDialect/Support/AtomicFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"

#include <chrono>
#include <ctime>

using namespace stencil;
namespace fs = llvm::sys::fs;

//===----------------------------------------------------------------------===//
// Keys and entries
//===----------------------------------------------------------------------===//

bool Toolchain::operator==(const Toolchain &other) const {
  return std::tie(stencil, llvm, assembler, driver) ==
         std::tie(other.stencil, other.llvm, other.assembler, other.driver);
}

std::string Toolchain::str() const {
  llvm::SmallVector<std::string> parts;
  auto add = [&](llvm::StringRef name, const std::string &version) {
    if (!version.empty())
      parts.push_back((name + version).str());
  };
  add("", stencil);
  add("LLVM ", llvm);
  add("ptxas ", assembler);
  add("driver ", driver);
  return llvm::join(parts, ", ");
}

std::string stencil::getDate() {
  std::time_t now = std::time(nullptr);
  std::tm fields = {};
  ::gmtime_r(&now, &fields);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &fields);
  return text;
}

Toolchain stencil::getToolchain() {
  return {STENCIL_VERSION, LLVM_VERSION_STRING, "", ""};
}

bool TuningKey::operator==(const TuningKey &other) const {
  return str() == other.str();
}

std::string TuningKey::str() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const std::string *part :
       {&program.program, &math, &target, &chip, &device, &toolchain.stencil,
        &toolchain.llvm, &toolchain.assembler, &toolchain.driver})
    os << part->size() << ':' << *part << ' ';
  for (const std::string &scalar : scalars)
    os << scalar.size() << ':' << scalar << ' ';
  os << threads;
  for (const std::vector<int64_t> &box : program.extents) {
    os << ' ';
    llvm::interleave(box, os, "x");
  }
  return text;
}

const TuningSample *TuningEntry::find(const TuningPoint &schedule) const {
  auto found = llvm::find_if(samples, [&](const TuningSample &sample) {
    return sample.schedule == schedule;
  });
  return found == samples.end() ? nullptr : &*found;
}

void TuningEntry::add(const TuningSample &sample) {
  auto *known = const_cast<TuningSample *>(find(sample.schedule));
  if (!known)
    samples.push_back(sample);
  else if (sample.isFailure() ||
           (!known->isFailure() && sample.runs >= known->runs))
    *known = sample;
}

std::map<std::string, unsigned> TuningEntry::countFailures() const {
  std::map<std::string, unsigned> counts;
  for (const TuningSample &sample : samples)
    if (sample.isFailure())
      ++counts[sample.failure];
  return counts;
}

std::string
stencil::describeExtents(const std::vector<std::vector<int64_t>> &extents) {
  if (extents.empty())
    return "no applies";
  auto countPoints = [](const std::vector<int64_t> &box) {
    double points = 1;
    for (int64_t extent : box)
      points *= std::max<int64_t>(extent, 1);
    return points;
  };
  const auto &largest =
      *llvm::max_element(extents, [&](const auto &a, const auto &b) {
        return countPoints(a) < countPoints(b);
      });
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(
      largest, os,
      [&](int64_t extent) {
        if (extent < 0)
          os << '?';
        else
          os << extent;
      },
      "x");
  if (extents.size() > 1)
    os << " and " << extents.size() - 1 << " more";
  return text;
}

//===----------------------------------------------------------------------===//
// The database
//===----------------------------------------------------------------------===//

const TuningEntry *TuningDatabase::find(const TuningKey &key) const {
  auto found = llvm::find_if(
      entries, [&](const TuningEntry &entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &*found;
}

void TuningDatabase::merge(const TuningEntry &entry) {
  auto *known = const_cast<TuningEntry *>(find(entry.key));
  if (!known) {
    entries.push_back(entry);
    return;
  }
  for (const TuningSample &sample : entry.samples)
    known->add(sample);
  if (entry.best &&
      (!known->best || entry.best->seconds <= known->best->seconds ||
       entry.best->schedule == known->best->schedule))
    known->best = entry.best;
}

void TuningDatabase::replace(const TuningEntry &entry) {
  if (auto *known = const_cast<TuningEntry *>(find(entry.key)))
    *known = entry;
  else
    entries.push_back(entry);
}

//===----------------------------------------------------------------------===//
// Changing a file
//===----------------------------------------------------------------------===//

namespace {

/// A lock that the system takes back from a process that is killed.
class FileLock {
public:
  FileLock() = default;
  FileLock(const FileLock &) = delete;
  FileLock &operator=(const FileLock &) = delete;
  ~FileLock() {
    if (descriptor < 0)
      return;
    if (std::error_code code = fs::unlockFile(descriptor))
      code.clear(); // closing it unlocks it as well
    fs::file_t handle = fs::convertFDToNativeFile(descriptor);
    if (std::error_code code = fs::closeFile(handle))
      code.clear();
  }

  llvm::Error lock(llvm::StringRef path) {
    auto fail = [&](std::error_code code) {
      return llvm::createStringError(code, "'" + path + "': " + code.message());
    };
    if (std::error_code code = fs::openFileForReadWrite(
            path, descriptor, fs::CD_OpenAlways, fs::OF_None)) {
      descriptor = -1;
      return fail(code);
    }
    constexpr std::chrono::seconds patience{60};
    if (std::error_code code = fs::tryLockFile(descriptor, patience))
      return code == std::errc::no_lock_available
                 ? llvm::createStringError(
                       code, "'" + path +
                                 "': expected to get the lock within a minute; "
                                 "another process holds it")
                 : fail(code);
    return llvm::Error::success();
  }

private:
  int descriptor = -1;
};

} // namespace

llvm::Error stencil::updateTuningDatabase(
    llvm::StringRef path,
    llvm::function_ref<llvm::Error(TuningDatabase &)> change) {
  if (auto error = TuningDatabase::checkFile(path))
    return error;
  // Under whatever name, a file has one lock.
  llvm::SmallString<128> real;
  if (fs::real_path(path, real))
    real = path;
  FileLock lock;
  if (auto error = lock.lock((real + ".lock").str()))
    return error;
  TuningDatabase database;
  if (fs::exists(real)) {
    auto loaded = TuningDatabase::load(path);
    if (!loaded)
      return loaded.takeError();
    database = std::move(*loaded);
  }
  if (auto error = change(database))
    return error;
  return writeFileAtomically(path, [&](llvm::raw_ostream &os) {
    database.print(os);
    return llvm::Error::success();
  });
}
