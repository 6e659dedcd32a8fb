//===- Worker.h - Compiles and measures candidates --------------*- C++ -*-===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_WORKER_H
#define STENCIL_TOOLS_STENCIL_TUNE_WORKER_H

#include "Options.h"

namespace stencil {

/// The other end of a WorkerProcess: answers the messages (Protocol.h) on the
/// standard input until it is closed. Returns the exit code.
int runWorker(const TuneOptions &options);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_WORKER_H
