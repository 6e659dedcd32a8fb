//===- ModelConstants.h - The numbers of the cost model ---------*- C++ -*-===//
//
// What the cost model (ScheduleModel.h) does not count but knows from
// measurements. docs/cost-model.md has the formula and says what they were
// fitted to; benchmarks/calibrate fits them.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_MODELCONSTANTS_H
#define STENCILDIALECT_ANALYSIS_MODELCONSTANTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace stencil {

struct ModelConstants {
#define MODEL_CONSTANTS(...) double __VA_ARGS__;
#include "StencilDialect/Analysis/ModelConstants.def"

  /// As they are declared.
  static const ModelConstants &getDefault();

  /// These with the numbers of a JSON object, such as {"norm": 3}, in place of
  /// some. Fails on what is no number, not positive, or no constant.
  llvm::Expected<ModelConstants> with(const llvm::json::Object &numbers) const;

  llvm::json::Object toJson() const;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_MODELCONSTANTS_H
