//===- Candidates.h - What can be chosen for a program ----------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_CANDIDATES_H
#define STENCIL_TOOLS_STENCIL_TUNE_CANDIDATES_H

#include "Program.h"
#include "StencilDialect/Tuning/Search.h"

namespace stencil {

struct Candidates {
  ProgramFingerprint fingerprint;
  /// One for each apply, or for each option of the pipeline for the CPU.
  std::vector<SearchAxis> axes;
  /// Without a schedule, several steps are computed at once: another program
  /// than that whose applies these are for.
  bool hasComposedForm = false;
};

/// Fails after an error has been printed, or with a message.
llvm::Expected<Candidates> findCandidates(Program &program,
                                          const TuneOptions &options,
                                          llvm::StringRef chip);

/// Says on standard output what would be tried, axis by axis; and, if asked
/// for, what is close to each.
void printCandidates(const Candidates &candidates, bool hasNeighbours);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_CANDIDATES_H
