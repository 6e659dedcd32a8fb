//===- Blob.cpp - What a binary is for ------------------------------------===//

#include "StencilRuntime/Backend.h"

#include <cctype>
#include <cstring>

using namespace stencil::runtime;

/// ELF's e_machine.
static constexpr uint16_t kMachineCUDA = 190, kMachineAMDGPU = 224;

/// Of a CUDA fatbin, and of the wrapper that nvcc puts around one.
static constexpr uint32_t kFatbinMagic = 0xBA55ED50,
                          kFatbinWrapperMagic = 0x466243B1;

/// PTX begins with comments and directives.
static bool isPTX(const char *text, size_t bytes) {
  while (bytes && std::isspace(static_cast<unsigned char>(*text))) {
    ++text;
    --bytes;
  }
  auto startsWith = [&](const char *prefix) {
    size_t length = std::strlen(prefix);
    return bytes >= length && std::strncmp(text, prefix, length) == 0;
  };
  return startsWith("//") || startsWith("/*") || startsWith(".version");
}

bool stencil::runtime::getBlobBackend(const void *blob, size_t bytes,
                                      BackendKind &kind) {
  if (!blob)
    return false;
  // Whoever does not say how long it is has text, which ends with a null.
  const char *data = static_cast<const char *>(blob);
  if (bytes == 0)
    bytes = strnlen(data, 64) + 1;
  auto startsWith = [&](const char *magic, size_t length) {
    return bytes >= length && std::memcmp(data, magic, length) == 0;
  };
  auto read = [&](auto &value, size_t offset) {
    std::memcpy(&value, data + offset, sizeof(value));
  };

  if (startsWith(kEmulatorMagic, sizeof(kEmulatorMagic))) {
    kind = BackendKind::Emulator;
    return true;
  }
  constexpr size_t machineOffset = 18;
  if (startsWith("\177ELF", 4) && bytes >= machineOffset + 2) {
    uint16_t machine = 0;
    read(machine, machineOffset);
    kind = machine == kMachineCUDA ? BackendKind::CUDA : BackendKind::HIP;
    return machine == kMachineCUDA || machine == kMachineAMDGPU;
  }
  if (bytes >= 4) {
    uint32_t magic = 0;
    read(magic, 0);
    kind = BackendKind::CUDA;
    if (magic == kFatbinMagic || magic == kFatbinWrapperMagic)
      return true;
  }
  // Several code objects in one, compressed or not.
  if (startsWith("__CLANG_OFFLOAD_BUNDLE__", 24) || startsWith("CCOB", 4)) {
    kind = BackendKind::HIP;
    return true;
  }
  kind = BackendKind::CUDA;
  return isPTX(data, bytes);
}
