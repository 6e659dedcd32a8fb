//===- CallSignature.h - What a call of a program is checked for -*- C++
//-*-===//
//
// A Signature (Analysis/Signature.h) without MLIR: calls come from many
// threads, and a program from the cache has no context.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_EXECUTION_CALLSIGNATURE_H
#define STENCIL_LIB_EXECUTION_CALLSIGNATURE_H

#include "StencilDialect/Execution/CompiledProgram.h"
#include "StencilDialect/Execution/Executable.h"
#include "llvm/ADT/SmallVector.h"

namespace stencil {

/// A box that an array has to have; bounds as in IR/Bounds.h.
struct CallBox {
  /// As in the program, for messages.
  std::string type;
  std::vector<int64_t> lb, ub;
};

struct CallParameter {
  ExecutableParameter description;
  std::string type;
  std::vector<CallBox> boxes;
};

/// Where a scalar result lies in the bytes of all results.
struct CallResult {
  ElementKind kind;
  uint64_t offset;
};

struct CallSignature {
  std::string name;
  std::vector<CallParameter> parameters;
  std::vector<CallResult> results;
  /// Bytes of all results.
  uint64_t resultSize = 0;
  /// Interior points per axis that the program was compiled for, 0 for any; may
  /// be shorter than the rank.
  std::vector<int64_t> interior;
  /// The highest rank of a field.
  unsigned rank = 0;
  bool deviceArrays = false;
};

/// Describes `entry`, which was compiled to `object`.
CallSignature makeCallSignature(mlir::func::FuncOp entry,
                                const Signature &signature,
                                const CompiledObject &object,
                                const ExecutableOptions &options);

/// What users see of it.
ExecutableSignature describe(const CallSignature &signature);

/// The words of the arguments of one call, and where each of them begins.
struct CallWords {
  llvm::SmallVector<uint64_t, 64> words;
  llvm::SmallVector<size_t, 8> starts;
};

/// Checks the arguments of a call, and lays them out. Fails with the first that
/// is wrong.
llvm::Error packArguments(const CallSignature &signature,
                          llvm::ArrayRef<ExecutableArgument> arguments,
                          CallWords &packed);

/// The scalar results from the bytes of all results.
void unpackResults(const CallSignature &signature, const char *bytes,
                   std::vector<ScalarArgument> &results);

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_CALLSIGNATURE_H
