//===- GPUToolkit.cpp - What vendors provide ------------------------------===//

#include "StencilDialect/Target/GPUToolkit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <vector>

using namespace llvm;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static void addFromEnvironment(std::vector<std::string> &roots,
                               ArrayRef<StringRef> variables) {
  for (StringRef variable : variables)
    if (std::optional<std::string> value = sys::Process::GetEnv(variable))
      if (!value->empty())
        roots.push_back(*value);
}

static std::string appendPath(StringRef directory, StringRef rest) {
  SmallString<128> path(directory);
  sys::path::append(path, rest);
  return path.str().str();
}

static constexpr StringRef kCUDAPlaces[] = {"CUDA_HOME", "CUDA_ROOT",
                                            "CUDA_PATH"};

/// Directories that may be a CUDA toolkit, best first.
static std::vector<std::string> getCUDARoots(StringRef toolkit) {
  if (!toolkit.empty())
    return {toolkit.str()};
  std::vector<std::string> roots;
  addFromEnvironment(roots, kCUDAPlaces);
  // The program in PATH may be a link into the toolkit.
  if (auto ptxas = sys::Process::FindInEnvPath("PATH", "ptxas")) {
    SmallString<128> real;
    if (!sys::fs::real_path(*ptxas, real))
      roots.push_back(
          sys::path::parent_path(sys::path::parent_path(real)).str());
  }
  roots.push_back("/usr/local/cuda");
  // Debian's package nvidia-cuda-toolkit.
  roots.push_back("/usr/lib/nvidia-cuda-toolkit");
  return roots;
}

static Error makeNotFoundError(StringRef what, StringRef toolkit,
                               StringRef rest, StringRef places) {
  if (!toolkit.empty())
    return createStringError("expected " + what + " at '" +
                             appendPath(toolkit, rest) + "', got no such file");
  return createStringError("expected " + what + " in " + places +
                           ", got none; the option toolkit names another "
                           "directory");
}

Expected<std::string> stencil::findCUDAProgram(StringRef name,
                                               StringRef toolkit) {
  for (const std::string &root : getCUDARoots(toolkit)) {
    std::string path = appendPath(root, "bin/" + name.str());
    if (sys::fs::can_execute(path))
      return path;
  }
  return makeNotFoundError(
      ("CUDA's " + name).str(), toolkit, "bin/" + name.str(),
      "$CUDA_HOME, $CUDA_ROOT, $CUDA_PATH, $PATH or /usr/local/cuda");
}

Expected<std::string> stencil::findLibdevice(StringRef toolkit) {
  StringRef rest = "nvvm/libdevice/libdevice.10.bc";
  for (const std::string &root : getCUDARoots(toolkit))
    for (StringRef place : {rest, StringRef("libdevice/libdevice.10.bc")}) {
      std::string path = appendPath(root, place);
      if (sys::fs::exists(path))
        return path;
    }
  return makeNotFoundError(
      "CUDA's libdevice", toolkit, rest,
      "$CUDA_HOME, $CUDA_ROOT, $CUDA_PATH, $PATH or /usr/local/cuda");
}

Expected<std::string> stencil::findROCmDirectory(StringRef toolkit) {
  StringRef rest = "amdgcn/bitcode/ocml.bc";
  std::vector<std::string> roots;
  if (!toolkit.empty()) {
    roots.push_back(toolkit.str());
  } else {
    addFromEnvironment(roots, {"ROCM_PATH", "ROCM_ROOT", "ROCM_HOME"});
    roots.push_back("/opt/rocm");
    // Debian's package rocm-device-libs.
    roots.push_back("/usr/lib/x86_64-linux-gnu");
    roots.push_back("/usr/lib");
  }
  for (const std::string &root : roots)
    if (sys::fs::exists(appendPath(root, rest)))
      return root;
  return makeNotFoundError("ROCm's device libraries", toolkit, rest,
                           "$ROCM_PATH, $ROCM_ROOT, $ROCM_HOME, /opt/rocm or "
                           "/usr/lib/x86_64-linux-gnu (rocm-device-libs)");
}

//===----------------------------------------------------------------------===//
// By vendor
//===----------------------------------------------------------------------===//

std::vector<std::string> stencil::findToolkitFiles(GPUVendor vendor,
                                                   StringRef toolkit) {
  std::vector<std::string> files;
  auto add = [&](Expected<std::string> path) {
    files.push_back(path ? *path : "");
    if (!path)
      consumeError(path.takeError());
  };
  switch (vendor) {
  case GPUVendor::NVIDIA:
    add(findCUDAProgram("ptxas", toolkit));
    add(findCUDAProgram("fatbinary", toolkit));
    add(findLibdevice(toolkit));
    break;
  case GPUVendor::AMD:
    add(findROCmDirectory(toolkit));
    break;
  }
  return files;
}

static std::string getPtxasVersion() {
  auto path = findCUDAProgram("ptxas", "");
  if (!path) {
    consumeError(path.takeError());
    return "";
  }
  auto result = runProgram(*path, {"--version"});
  if (!result) {
    consumeError(result.takeError());
    return "";
  }
  auto [before, after] = StringRef(result->output).split("release ");
  return after.take_while([](char c) { return c != ',' && c != '\n'; }).str();
}

std::string stencil::getAssemblerVersion(GPUVendor vendor) {
  return vendor == GPUVendor::NVIDIA ? getPtxasVersion() : "";
}

//===----------------------------------------------------------------------===//
// Files and programs
//===----------------------------------------------------------------------===//

Expected<TemporaryFile> TemporaryFile::create(StringRef suffix,
                                              StringRef content) {
  int descriptor = -1;
  SmallString<128> path;
  if (std::error_code code =
          sys::fs::createTemporaryFile("stencil", suffix, descriptor, path))
    return createStringError(code, "expected to create a temporary file: " +
                                       code.message());
  TemporaryFile file(path.str().str());
  raw_fd_ostream os(descriptor, /*shouldClose=*/true);
  os << content;
  os.close();
  if (std::error_code code = os.error()) {
    os.clear_error();
    return createStringError(code, "'" + path + "': " + code.message());
  }
  return std::move(file);
}

TemporaryFile::~TemporaryFile() {
  if (path.empty())
    return;
  // Nobody is there to be told that it could not be removed.
  if (std::error_code code = sys::fs::remove(path))
    code.clear();
}

Expected<std::string> TemporaryFile::read() const {
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError(buffer.getError(),
                             "'" + path + "': " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}

Expected<ProgramResult> stencil::runProgram(StringRef path,
                                            ArrayRef<StringRef> arguments) {
  auto log = TemporaryFile::create("log");
  if (!log)
    return log.takeError();
  SmallVector<StringRef> all = {path};
  append_range(all, arguments);
  std::optional<StringRef> redirects[] = {StringRef(), log->getPath(),
                                          log->getPath()};
  ProgramResult result;
  std::string problem;
  result.status =
      sys::ExecuteAndWait(path, all, std::nullopt, redirects,
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &problem);
  auto output = log->read();
  if (!output)
    return output.takeError();
  result.output = std::move(*output);
  if (!problem.empty())
    result.output += "'" + path.str() + "': " + problem + "\n";
  return result;
}
