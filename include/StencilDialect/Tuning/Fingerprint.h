//===- Fingerprint.h - Which program an entry is for ------------*- C++ -*-===//

#ifndef STENCILDIALECT_TUNING_FINGERPRINT_H
#define STENCILDIALECT_TUNING_FINGERPRINT_H

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stencil {

/// What a measured schedule belongs to, seen after `stencil-bufferize`: what
/// the applies of a module compute, and on how many points.
struct ProgramFingerprint {
  /// 32 hexadecimal digits: 128 bits of XXH3 of the ops, their attributes,
  /// operands and types. Of no influence are locations, names of symbols and
  /// values, schedules, and all boxes (bounds of fields, domains of applies),
  /// so that a program has one fingerprint for all sizes.
  std::string program;
  /// The extents of the domain of every apply, in the order of the program; -1
  /// where only a run knows.
  std::vector<std::vector<int64_t>> extents;
};

/// The same for equal modules in any process; not kept across versions of the
/// compiler, whose passes may write a program in another way.
ProgramFingerprint getFingerprint(mlir::ModuleOp module);

} // namespace stencil

#endif // STENCILDIALECT_TUNING_FINGERPRINT_H
