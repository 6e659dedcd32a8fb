//===- CudaImage.cpp - What a CUDA binary was built for -------------------===//
//
// Only for messages: a binary that is not understood is described as nothing.
// Layouts: LLVM's BinaryFormat/ELF.h for cubins; fatbins as CUDA 11 to 13 write
// them (NVIDIA does not document them).
//
//===----------------------------------------------------------------------===//

#include "CudaImage.h"

#include <cctype>
#include <cstdint>
#include <cstring>
#include <string_view>

using namespace stencil::runtime::cuda;

template <typename T> static T read(std::string_view data, size_t offset) {
  T value = {};
  if (offset + sizeof(T) <= data.size())
    std::memcpy(&value, data.data() + offset, sizeof(T));
  return value;
}

static std::string getTargetOfCubin(std::string_view data) {
  constexpr size_t abiOffset = 8, flagsOffset = 48, headerBytes = 64;
  if (data.size() < headerBytes)
    return "";
  auto flags = read<uint32_t>(data, flagsOffset);
  // CUDA 13 moved it.
  bool moved = read<uint8_t>(data, abiOffset) >= 8;
  return "sm_" + std::to_string((moved ? flags >> 8 : flags) & 0xff);
}

static std::string getTargetOfPTX(std::string_view text) {
  constexpr std::string_view directive = ".target";
  size_t start = text.find(directive);
  if (start == std::string_view::npos)
    return "";
  start = text.find_first_not_of(" \t", start + directive.size());
  if (start == std::string_view::npos)
    return "";
  size_t end = start;
  while (
      end < text.size() &&
      (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '_'))
    ++end;
  return "PTX for " + std::string(text.substr(start, end - start));
}

static std::string getTargetsOfFatbin(std::string_view data) {
  constexpr uint16_t kindPTX = 1;
  constexpr size_t entryBytes = 64;
  std::string targets;
  size_t offset = read<uint16_t>(data, 6);
  while (offset >= 16 && offset + entryBytes <= data.size()) {
    auto kind = read<uint16_t>(data, offset);
    auto header = read<uint32_t>(data, offset + 4);
    auto payload = read<uint64_t>(data, offset + 8);
    auto chip = read<uint32_t>(data, offset + 28);
    if (!targets.empty())
      targets += ", ";
    targets += kind == kindPTX ? "PTX for sm_" : "sm_";
    targets += std::to_string(chip);
    if (header == 0 || payload > data.size())
      break;
    offset += header + payload;
  }
  return targets;
}

std::string stencil::runtime::cuda::getTargets(const void *blob, size_t bytes) {
  const char *start = static_cast<const char *>(blob);
  // Only text comes without its length.
  std::string_view data(start, bytes ? bytes : std::strlen(start));
  if (data.substr(0, 4) == "\177ELF")
    return getTargetOfCubin(data);
  if (read<uint32_t>(data, 0) == 0xBA55ED50)
    return getTargetsOfFatbin(data);
  return getTargetOfPTX(data);
}
