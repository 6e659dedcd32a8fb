//===- LoadedObject.h - Compiled programs in memory -------------*- C++ -*-===//

#ifndef STENCIL_LIB_EXECUTION_LOADEDOBJECT_H
#define STENCIL_LIB_EXECUTION_LOADEDOBJECT_H

#include "OpenMP.h"
#include "StencilDialect/Execution/CompiledProgram.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace stencil {

/// Keeps the messages of the calling thread's errors while it lives.
class RuntimeMessages {
public:
  RuntimeMessages();
  ~RuntimeMessages();
  RuntimeMessages(const RuntimeMessages &) = delete;
  RuntimeMessages &operator=(const RuntimeMessages &) = delete;

  /// A ProgramError if `status` is not 0.
  llvm::Error makeError(int32_t status);
  /// The same of the thread's status, which is taken.
  llvm::Error takeError();

private:
  bool before;
};

/// A program in the memory of this process. Threads may call it at the same
/// time.
class LoadedObject {
public:
  static llvm::Expected<std::unique_ptr<LoadedObject>>
  load(const CompiledObject &object);
  ~LoadedObject();

  /// Calls the program with pointers to memref descriptors and scalars. Results
  /// go to `results`, of CompiledObject::resultSize bytes. `stream`: of the
  /// device's driver; null: what stencilSetStream has set. Fails with a
  /// ProgramError.
  llvm::Error call(void **arguments, char *results,
                   void *stream = nullptr) const;

private:
  class Engine;
  LoadedObject();

  std::unique_ptr<Engine> engine;
  int32_t (*invoke)(void **, char *) = nullptr;
  unsigned threads = 1;
};

/// Appends the words of MLIR's memref descriptor of a row-major array: pointer
/// twice, offset, sizes, strides. `rowStride`: elements from one row to the
/// next; 0: there are no gaps.
void appendDescriptor(void *data, llvm::ArrayRef<int64_t> shape,
                      llvm::SmallVectorImpl<uint64_t> &words,
                      int64_t rowStride = 0);

} // namespace stencil

#endif // STENCIL_LIB_EXECUTION_LOADEDOBJECT_H
