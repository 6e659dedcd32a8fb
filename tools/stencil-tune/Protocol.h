//===- Protocol.h - What the tuner and its workers say ----------*- C++ -*-===//
//
// Candidates are compiled and measured in processes of their own, so that one
// that crashes, hangs or ruins the context of the GPU is only a candidate that
// failed. They speak over pipes: a message is a JSON object and a body of
// bytes.
//
//   start   (body: the source of the program) {"file", "measures"}
//           -> {"chip", "device", "driver"}
//   compile {"schedule"} -> {an object without its file, "registers",
//           "spilled_bytes"} (body: its file)
//   measure {an object, "runs", "cutoff", "limit"} (body: its file)
//           -> {"seconds": [...]}
//   outputs -> {"results"} (body: all fields after one more call)
//
// What cannot be done is answered by {"failure": "<reason>"}.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_TOOLS_STENCIL_TUNE_PROTOCOL_H
#define STENCIL_TOOLS_STENCIL_TUNE_PROTOCOL_H

#include "StencilDialect/Execution/CompiledProgram.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <string>

namespace stencil {

struct Message {
  llvm::json::Object head;
  std::string body;
};

using Deadline = std::chrono::steady_clock::time_point;

/// Writes a message, whose body is that of `message` and `more`. Fails if
/// nobody reads.
llvm::Error sendMessage(int descriptor, const Message &message,
                        llvm::ArrayRef<llvm::ArrayRef<char>> more = {});

enum class ReceiveResult { Done, Closed, TimedOut };

/// Reads a message.
ReceiveResult receiveMessage(int descriptor, Message &message,
                             std::optional<Deadline> deadline = std::nullopt);

/// The parts of an object that are not its file; what they are read into.
llvm::json::Object describeObject(const CompiledObject &object);
CompiledObject readObject(Message message);

} // namespace stencil

#endif // STENCIL_TOOLS_STENCIL_TUNE_PROTOCOL_H
