//===- CacheKey.cpp - What decides how a program is compiled --------------===//

#include "ExecutableCache.h"
#include "LoadedObject.h"
#include "Lowering.h"
#include "StencilDialect/Support/Machine.h"
#include "StencilDialect/Target/Codegen.h"
#include "StencilDialect/Target/GPUToolkit.h"
#include "StencilDialect/Target/TargetInfo.h"
#include "StencilDialect/Tuning/Database.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SHA256.h"
#include "llvm/TargetParser/Host.h"

#include <link.h>

using namespace stencil;

namespace {

/// Hashes texts, numbers, and where each of them ends.
class KeyWriter {
public:
  KeyWriter &operator<<(llvm::StringRef text) {
    std::string size = std::to_string(text.size()) + ":";
    sha.update(size);
    sha.update(text);
    return *this;
  }
  template <typename Number,
            typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
  KeyWriter &operator<<(Number number) {
    return *this << llvm::StringRef(std::to_string(number));
  }
  std::string finish() { return llvm::toHex(sha.final(), true); }

private:
  llvm::SHA256 sha;
};

/// A library or program of this process: the one that has `address` in it.
struct LoadedFile {
  uintptr_t address;
  std::string buildId;
  std::string path;
};

} // namespace

/// The identifier that the linker has made of a file's content, from its notes.
static std::string readBuildId(const dl_phdr_info &info) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const auto &header = info.dlpi_phdr[i];
    if (header.p_type != PT_NOTE)
      continue;
    const auto *note =
        reinterpret_cast<const char *>(info.dlpi_addr + header.p_vaddr);
    const char *end = note + header.p_memsz;
    while (note + sizeof(ElfW(Nhdr)) <= end) {
      const auto *head = reinterpret_cast<const ElfW(Nhdr) *>(note);
      const char *name = note + sizeof(*head);
      const char *content = name + llvm::alignTo(head->n_namesz, 4);
      if (head->n_type == NT_GNU_BUILD_ID && head->n_namesz == 4 &&
          llvm::StringRef(name, 3) == "GNU")
        return llvm::toHex(llvm::StringRef(content, head->n_descsz));
      note = content + llvm::alignTo(head->n_descsz, 4);
    }
  }
  return "";
}

static int visitFile(dl_phdr_info *info, size_t, void *opaque) {
  auto &file = *static_cast<LoadedFile *>(opaque);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &header = info->dlpi_phdr[i];
    uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || file.address < begin ||
        file.address >= begin + header.p_memsz)
      continue;
    file.buildId = readBuildId(*info);
    file.path = info->dlpi_name;
    return 1;
  }
  return 0;
}

/// A file that may be replaced by another one: its path, size and time.
static std::string describeFile(llvm::StringRef path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return "none";
  auto time = status.getLastModificationTime().time_since_epoch().count();
  return (path + " " + llvm::Twine(status.getSize()) + " " + llvm::Twine(time))
      .str();
}

/// What tells one build of the code at `address` from another.
template <typename Function> static std::string getBuild(Function *function) {
  LoadedFile file{reinterpret_cast<uintptr_t>(function), "", ""};
  dl_iterate_phdr(visitFile, &file);
  if (!file.buildId.empty())
    return file.buildId;
  return describeFile(file.path.empty() ? "/proc/self/exe" : file.path);
}

/// This compiler, LLVM and MLIR.
static const std::string &getBuilds() {
  static const std::string builds =
      getBuild(&makeCacheKey) + " " + getBuild(&llvm::sys::getHostCPUName) +
      " " +
      getBuild(static_cast<mlir::InFlightDiagnostic (*)(mlir::Location)>(
          &mlir::emitError)) +
      " " + getToolchain().str();
  return builds;
}

/// The processor, and what code for it is chosen by.
static const std::string &getProcessor() {
  static const std::string processor = [] {
    std::string text = llvm::sys::getDefaultTargetTriple() + " " +
                       llvm::sys::getHostCPUName().str();
    std::vector<std::string> features;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.push_back((feature.second ? "+" : "-") + feature.first().str());
    llvm::sort(features);
    text += " " + llvm::join(features, ",");
    for (const CacheLevel &cache : getHostCaches())
      text += (" " + llvm::Twine(cache.level) + ":" + llvm::Twine(cache.bytes) +
               "/" + llvm::Twine(cache.sharedBy) + " of " +
               llvm::Twine(cache.totalBytes))
                  .str();
    return text;
  }();
  return processor;
}

/// The vendor's programs and libraries that make a GPU's binary.
static void addToolkit(const GPUCompileOptions &device, KeyWriter &key) {
  if (device.target->isEmulator())
    return;
  for (const std::string &path :
       findToolkitFiles(device.target->vendor->vendor, device.toolkit))
    key << (path.empty() ? "none" : describeFile(path));
}

/// A measured schedule is chosen by the content of the database.
static llvm::Error addDatabase(llvm::StringRef path, KeyWriter &key) {
  key << path.empty();
  if (path.empty())
    return llvm::Error::success();
  if (auto error = TuningDatabase::checkFile(path))
    return error;
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError("'" + path +
                                   "': " + file.getError().message());
  key << (*file)->getBuffer();
  return llvm::Error::success();
}

static void addExtents(llvm::ArrayRef<int64_t> extents, KeyWriter &key) {
  key << extents.size();
  for (int64_t extent : extents)
    key << extent;
}

static llvm::Error addDevice(const GPUCompileOptions &device, KeyWriter &key) {
  // A product that was measured has figures of its own.
  if (auto info = getTargetInfo(device.chip); info)
    key << info->multiprocessors << info->l2Bytes << info->clock
        << info->getCopyBandwidth() << info->measuredFp64 << info->measuredFp32;
  else
    llvm::consumeError(info.takeError());
  key << device.target->backend << device.chip << device.format
      << device.toolkit << device.schedule << device.optLevel
      << device.deviceArrays << static_cast<int>(device.algebra.math)
      << device.algebra.enabled;
  addExtents(device.extents, key);
  addToolkit(device, key);
  return addDatabase(device.tuningDatabase, key);
}

llvm::Expected<std::string> stencil::makeCacheKey(
    const CacheRequest &request, const CompileOptions &options,
    llvm::ArrayRef<std::pair<std::string, std::string>> externals,
    const LateOptions *late) {
  KeyWriter key;
  // Messages of a program have its name and lines.
  key << request.program << request.name << request.entry << getBuilds()
      << getProcessor() << options.threads << options.pipelineOptions
      << exceedsCaches(options) << static_cast<int>(options.algebra.math)
      << options.algebra.enabled << options.countSteps << options.schedule
      << options.paddedRows;
  if (exceedsCaches(options))
    addExtents(options.extents, key);
  key << externals.size();
  for (const auto &[function, library] : externals)
    key << function << library;
  key << (findOpenMPLibrary() != nullptr)
      << llvm::sys::DynamicLibrary::getPermanentLibrary(kVectorLibraryFile)
             .isValid();
  key << options.device.has_value();
  if (options.device)
    if (auto error = addDevice(*options.device, key))
      return std::move(error);
  key << (late != nullptr);
  if (late) {
    addExtents(late->extents, key);
    if (auto error = addDatabase(late->tuningDatabase, key))
      return std::move(error);
  }
  return key.finish();
}
