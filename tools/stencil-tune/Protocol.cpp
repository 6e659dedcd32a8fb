//===- Protocol.cpp - What the tuner and its workers say ------------------===//

#include "Protocol.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <poll.h>
#include <unistd.h>

using namespace llvm;
using namespace stencil;

static bool writeAll(int descriptor, ArrayRef<char> bytes) {
  while (!bytes.empty()) {
    ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes = bytes.drop_front(written);
  }
  return true;
}

static ReceiveResult readAll(int descriptor, MutableArrayRef<char> bytes,
                             std::optional<Deadline> deadline) {
  while (!bytes.empty()) {
    if (deadline) {
      auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          *deadline - std::chrono::steady_clock::now());
      if (left.count() <= 0)
        return ReceiveResult::TimedOut;
      pollfd poller = {descriptor, POLLIN, 0};
      int ready = ::poll(
          &poller, 1, static_cast<int>(std::min<int64_t>(left.count(), 1000)));
      if (ready == 0 || (ready < 0 && errno == EINTR))
        continue;
    }
    ssize_t count = ::read(descriptor, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return ReceiveResult::Closed;
    bytes = bytes.drop_front(count);
  }
  return ReceiveResult::Done;
}

Error stencil::sendMessage(int descriptor, const Message &message,
                           ArrayRef<ArrayRef<char>> more) {
  std::string head;
  raw_string_ostream(head) << json::Value(json::Object(message.head));
  uint64_t sizes[2] = {head.size(), message.body.size()};
  for (ArrayRef<char> part : more)
    sizes[1] += part.size();
  bool isGood =
      writeAll(descriptor,
               {reinterpret_cast<const char *>(sizes), sizeof(sizes)}) &&
      writeAll(descriptor, head) && writeAll(descriptor, message.body);
  for (ArrayRef<char> part : more)
    isGood = isGood && writeAll(descriptor, part);
  return isGood ? Error::success()
                : createStringError("nobody reads: " + sys::StrError());
}

ReceiveResult stencil::receiveMessage(int descriptor, Message &message,
                                      std::optional<Deadline> deadline) {
  uint64_t sizes[2] = {0, 0};
  auto result = readAll(
      descriptor, {reinterpret_cast<char *>(sizes), sizeof(sizes)}, deadline);
  if (result != ReceiveResult::Done)
    return result;
  std::string head(sizes[0], '\0');
  message.body.assign(sizes[1], '\0');
  for (std::string *part : {&head, &message.body}) {
    result = readAll(descriptor, {part->data(), part->size()}, deadline);
    if (result != ReceiveResult::Done)
      return result;
  }
  // Both sides are one program; anything else is taken for a dead one.
  Expected<json::Value> value = json::parse(head);
  if (!value || !value->getAsObject()) {
    consumeError(value.takeError());
    return ReceiveResult::Closed;
  }
  message.head = std::move(*value->getAsObject());
  return ReceiveResult::Done;
}

json::Object stencil::describeObject(const CompiledObject &object) {
  return json::Object{{"constructors", json::Array(object.constructors)},
                      {"destructors", json::Array(object.destructors)},
                      {"offsets", json::Array(object.resultOffsets)},
                      {"size", object.resultSize},
                      {"threads", object.threads}};
}

CompiledObject stencil::readObject(Message message) {
  CompiledObject object;
  object.object = std::move(message.body);
  auto readNames = [&](StringRef key, std::vector<std::string> &names) {
    if (const json::Array *list = message.head.getArray(key))
      for (const json::Value &name : *list)
        names.push_back(name.getAsString().value_or("").str());
  };
  readNames("constructors", object.constructors);
  readNames("destructors", object.destructors);
  if (const json::Array *list = message.head.getArray("offsets"))
    for (const json::Value &offset : *list)
      object.resultOffsets.push_back(offset.getAsInteger().value_or(0));
  object.resultSize = message.head.getInteger("size").value_or(0);
  object.threads = message.head.getInteger("threads").value_or(1);
  return object;
}
