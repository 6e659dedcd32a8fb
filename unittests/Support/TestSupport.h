//===- TestSupport.h - What the tests of the support library share -*- C++ -*-//

#ifndef STENCILDIALECT_UNITTESTS_SUPPORT_TESTSUPPORT_H
#define STENCILDIALECT_UNITTESTS_SUPPORT_TESTSUPPORT_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <string>
#include <vector>

namespace stencil {

/// The message of an error; "success" if there is none.
inline std::string message(llvm::Error error) {
  return error ? llvm::toString(std::move(error)) : "success";
}
template <typename T> std::string message(llvm::Expected<T> value) {
  return message(value.takeError());
}

/// An empty directory that is removed afterwards.
class TemporaryDirectory {
public:
  TemporaryDirectory() {
    std::error_code code =
        llvm::sys::fs::createUniqueDirectory("stencil-test", directory);
    EXPECT_FALSE(code) << code.message();
  }
  TemporaryDirectory(const TemporaryDirectory &) = delete;
  TemporaryDirectory &operator=(const TemporaryDirectory &) = delete;
  ~TemporaryDirectory() {
    std::error_code code = llvm::sys::fs::remove_directories(directory);
    EXPECT_FALSE(code) << code.message();
  }

  std::string operator/(llvm::StringRef name) const {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  /// Names of what is in it, in order.
  std::vector<std::string> list() const {
    std::vector<std::string> names;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(directory, code), end;
         it != end && !code; it.increment(code))
      names.push_back(llvm::sys::path::filename(it->path()).str());
    llvm::sort(names);
    return names;
  }

private:
  llvm::SmallString<128> directory;
};

inline void writeText(llvm::StringRef path, llvm::StringRef text) {
  std::error_code code;
  llvm::raw_fd_ostream os(path, code);
  ASSERT_FALSE(code) << code.message();
  os << text;
}

inline std::string readText(llvm::StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << buffer.getError().message();
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

} // namespace stencil

#endif // STENCILDIALECT_UNITTESTS_SUPPORT_TESTSUPPORT_H
