//===- LLVMFlags.h - Options that LLVM has one of ---------------*- C++ -*-===//
//
// Some of what code generation is told are command line options of LLVM: one
// for all threads of the process. Who changes one works alone; all others work
// at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_LIB_TARGET_LLVMFLAGS_H
#define STENCILDIALECT_LIB_TARGET_LLVMFLAGS_H

#include <mutex>
#include <shared_mutex>

namespace stencil {

/// Held alone while an option has another value than its own (LLVMFlag), and
/// shared while code is made with LLVM's own values.
std::shared_mutex &getLLVMFlagMutex();

using OwnLLVMFlags = std::shared_lock<std::shared_mutex>;
using ChangedLLVMFlags = std::unique_lock<std::shared_mutex>;

} // namespace stencil

#endif // STENCILDIALECT_LIB_TARGET_LLVMFLAGS_H
