//===- Lookup.cpp - The entry that suits a program ------------------------===//

#include "StencilDialect/Tuning/Database.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace stencil;

static bool isKnown(const std::vector<std::vector<int64_t>> &extents) {
  return llvm::all_of(extents, [](const std::vector<int64_t> &box) {
    return llvm::all_of(box, [](int64_t extent) { return extent >= 0; });
  });
}

/// Whether boxes have the extents that are known of those wanted.
static bool areExtentsRight(const std::vector<std::vector<int64_t>> &wanted,
                            const std::vector<std::vector<int64_t>> &given) {
  if (wanted.size() != given.size())
    return false;
  for (auto [wantedBox, givenBox] : llvm::zip_equal(wanted, given)) {
    if (wantedBox.size() != givenBox.size())
      return false;
    for (auto [wantedExtent, givenExtent] :
         llvm::zip_equal(wantedBox, givenBox))
      if (wantedExtent >= 0 && wantedExtent != givenExtent)
        return false;
  }
  return true;
}

static double countPoints(const TuningEntry &entry) {
  double sum = 0;
  for (const std::vector<int64_t> &box : entry.key.program.extents) {
    double points = 1;
    for (int64_t extent : box)
      points *= static_cast<double>(extent);
    sum += points;
  }
  return sum;
}

/// The reason why entries do not suit: what they are for, and what is wanted.
static std::string explain(llvm::StringRef what,
                           const std::set<std::string> &given,
                           llvm::StringRef wanted) {
  return ("the tuning database has this program " + what + " " +
          llvm::join(given, ", ") + ", not " + wanted)
      .str();
}

TuningMatch stencil::lookUp(const TuningDatabase &database,
                            const TuningKey &wanted) {
  std::vector<const TuningEntry *> left;
  for (const TuningEntry &entry : database.entries)
    if (entry.best && entry.key.program.program == wanted.program.program)
      left.push_back(&entry);
  TuningMatch match;
  if (left.empty()) {
    match.remark = "the tuning database has no entry for this program";
    return match;
  }

  // Drops those that do not suit; false if none is left, and why.
  auto keep = [&](llvm::StringRef what, auto describe, llvm::StringRef wanted,
                  auto suits) {
    std::set<std::string> given;
    for (const TuningEntry *entry : left)
      given.insert(describe(*entry));
    llvm::erase_if(left,
                   [&](const TuningEntry *entry) { return !suits(*entry); });
    if (left.empty())
      match.remark = explain(what, given, wanted);
    return !left.empty();
  };
  auto ofKey = [](std::string TuningKey::*member) {
    return [member](const TuningEntry &entry) { return entry.key.*member; };
  };
  bool isEmulated = wanted.target == "emulator";
  if (!keep("for", ofKey(&TuningKey::chip), wanted.chip,
            [&](const TuningEntry &entry) {
              return entry.key.chip == wanted.chip;
            }) ||
      !keep("for --target", ofKey(&TuningKey::target), wanted.target,
            [&](const TuningEntry &entry) {
              return entry.key.target == wanted.target ||
                     (isEmulated && entry.key.target != "cpu");
            }) ||
      !keep("for --math", ofKey(&TuningKey::math), wanted.math,
            [&](const TuningEntry &entry) {
              return entry.key.math == wanted.math;
            }) ||
      !keep(
          "for threads:",
          [](const TuningEntry &entry) {
            return std::to_string(entry.key.threads);
          },
          std::to_string(wanted.threads),
          [&](const TuningEntry &entry) {
            return wanted.target != "cpu" ||
                   entry.key.threads == wanted.threads;
          }) ||
      !keep(
          "on",
          [](const TuningEntry &entry) {
            return describeExtents(entry.key.program.extents);
          },
          describeExtents(wanted.program.extents),
          [&](const TuningEntry &entry) {
            return areExtentsRight(wanted.program.extents,
                                   entry.key.program.extents);
          }))
    return match;

  bool knowsExtents = isKnown(wanted.program.extents);
  auto rank = [&](const TuningEntry &entry) {
    return std::make_tuple(
        !isEmulated || entry.key.target != "emulator",
        knowsExtents ? 0.0 : countPoints(entry),
        entry.key.toolchain.stencil == wanted.toolchain.stencil &&
            entry.key.toolchain.llvm == wanted.toolchain.llvm,
        entry.key.toolchain.assembler == wanted.toolchain.assembler,
        !wanted.device.empty() && entry.key.device == wanted.device,
        entry.best->date);
  };
  match.entry =
      *llvm::max_element(left, [&](const TuningEntry *a, const TuningEntry *b) {
        return rank(*a) < rank(*b);
      });

  const TuningKey &key = match.entry->key;
  std::vector<std::string> remarks;
  if (!knowsExtents)
    remarks.push_back("tuned for " + describeExtents(key.program.extents) +
                      "; the extents are not known here");
  if (key.toolchain.stencil != wanted.toolchain.stencil ||
      key.toolchain.llvm != wanted.toolchain.llvm)
    remarks.push_back("tuned with another compiler: " + key.toolchain.str());
  if (!wanted.device.empty() && !key.device.empty() &&
      key.device != wanted.device)
    remarks.push_back("tuned on " + key.device + ", not " + wanted.device);
  match.remark = llvm::join(remarks, "; ");
  return match;
}
