//===- HipImage.cpp - What an AMD code object was built for ---------------===//

#include "HipImage.h"

#include <cstdint>
#include <cstring>

using namespace stencil::runtime::hip;

namespace {

/// EF_AMDGPU_MACH of LLVM's BinaryFormat/ELF.h.
struct Machine {
  uint8_t number;
  const char *chip;
};

} // namespace

static constexpr Machine kMachines[] = {
    {0x2c, "gfx900"},  {0x2f, "gfx906"},  {0x30, "gfx908"},  {0x32, "gfx90c"},
    {0x33, "gfx1010"}, {0x34, "gfx1011"}, {0x35, "gfx1012"}, {0x36, "gfx1030"},
    {0x37, "gfx1031"}, {0x38, "gfx1032"}, {0x39, "gfx1033"}, {0x3d, "gfx1035"},
    {0x3e, "gfx1034"}, {0x3f, "gfx90a"},  {0x41, "gfx1100"}, {0x42, "gfx1013"},
    {0x43, "gfx1150"}, {0x44, "gfx1103"}, {0x45, "gfx1036"}, {0x46, "gfx1101"},
    {0x47, "gfx1102"}, {0x48, "gfx1200"}, {0x49, "gfx1250"}, {0x4a, "gfx1151"},
    {0x4c, "gfx942"},  {0x4e, "gfx1201"}, {0x4f, "gfx950"},
};

std::string stencil::runtime::hip::getTarget(const void *blob, size_t bytes) {
  constexpr size_t flagsOffset = 48, headerBytes = 64;
  if (bytes < headerBytes || std::memcmp(blob, "\177ELF", 4) != 0)
    return "";
  auto number = static_cast<const uint8_t *>(blob)[flagsOffset];
  for (const Machine &machine : kMachines)
    if (machine.number == number)
      return machine.chip;
  return "";
}
