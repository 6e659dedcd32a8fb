//===- Shadow.cpp - What is known about each byte of memory ---------------===//

#include "Shadow.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <utility>

using namespace stencil::runtime::emulator;

Mapping::Mapping(size_t bytes) : bytes(std::max<size_t>(bytes, 1)) {
  void *memory = mmap(nullptr, this->bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  start = memory == MAP_FAILED ? nullptr : static_cast<char *>(memory);
}

Mapping::~Mapping() {
  if (start)
    munmap(start, bytes);
}

Mapping::Mapping(Mapping &&other) noexcept
    : start(std::exchange(other.start, nullptr)),
      bytes(std::exchange(other.bytes, 0)) {}

Mapping &Mapping::operator=(Mapping &&other) noexcept {
  std::swap(start, other.start);
  std::swap(bytes, other.bytes);
  return *this;
}

void stencil::runtime::emulator::poison(void *address, size_t bytes) {
  constexpr uint64_t pattern = 0x7ff77ff77ff77ff7;
  auto *target = static_cast<char *>(address);
  size_t i = 0;
  for (; i + 8 <= bytes; i += 8)
    std::memcpy(target + i, &pattern, 8);
  std::memcpy(target + i, &pattern, bytes - i);
}

//===----------------------------------------------------------------------===//
// Bytes that have a value
//===----------------------------------------------------------------------===//

Shadow::Shadow(size_t bytes)
    : bytes(bytes), cells(((bytes >> 3) + 1) * sizeof(Cell)),
      defined((bytes >> 3) + 1) {}

/// Calls `apply` with each byte of the bitmap that [offset, offset + bytes)
/// touches and the bits in it, until it returns false.
template <typename Function>
static bool forBits(char *bitmap, size_t offset, size_t bytes, Function apply) {
  size_t end = offset + bytes;
  while (offset < end) {
    size_t first = offset & 7;
    size_t count = std::min<size_t>(8 - first, end - offset);
    auto mask = static_cast<uint8_t>(((1U << count) - 1) << first);
    if (!apply(reinterpret_cast<uint8_t &>(bitmap[offset >> 3]), mask))
      return false;
    offset += count;
  }
  return true;
}

void Shadow::setDefined(size_t offset, size_t bytes, bool value) {
  // Whole bytes of the bitmap at once.
  size_t head = std::min<size_t>(-offset & 7, bytes);
  size_t middle = (bytes - head) & ~size_t(7);
  auto set = [&](uint8_t &bits, uint8_t mask) {
    bits = value ? bits | mask : bits & ~mask;
    return true;
  };
  forBits(defined.data(), offset, head, set);
  std::memset(defined.data() + ((offset + head) >> 3), value ? 0xff : 0,
              middle >> 3);
  forBits(defined.data(), offset + head + middle, bytes - head - middle, set);
}

bool Shadow::isAllDefined(size_t offset, size_t bytes) const {
  return forBits(defined.data(), offset, bytes, [](uint8_t bits, uint8_t mask) {
    return (bits & mask) == mask;
  });
}

bool Shadow::isAnyDefined(size_t offset, size_t bytes) const {
  return !forBits(defined.data(), offset, bytes,
                  [](uint8_t bits, uint8_t mask) { return !(bits & mask); });
}

void Shadow::findHoles(size_t offset, size_t bytes, size_t origin,
                       std::vector<std::pair<size_t, size_t>> &holes) const {
  if (isAllDefined(offset, bytes))
    return;
  constexpr size_t kSector = 32;
  for (size_t at = offset, end = offset + bytes; at < end;) {
    size_t sector = at / kSector * kSector, next = sector + kSector;
    size_t whole = std::min(next, 8 * defined.size()) - sector;
    if (!isAnyDefined(sector, whole))
      holes.emplace_back(origin + at - offset, std::min(next, end) - at);
    at = next;
  }
}

//===----------------------------------------------------------------------===//
// Races
//===----------------------------------------------------------------------===//

void Shadow::refine(unsigned newLog) {
  size_t numOld = (bytes >> cellLog) + 1;
  size_t factor = size_t(1) << (cellLog - newLog);
  Mapping refined(numOld * factor * sizeof(Cell));
  if (!refined)
    throw std::bad_alloc();
  auto *target = reinterpret_cast<Cell *>(refined.data());
  for (size_t i = 0; i < numOld; ++i) {
    const Cell &cell = getCells()[i];
    if (cell.write.block || cell.reads[0].block)
      std::fill_n(target + i * factor, factor, cell);
  }
  cells = std::move(refined);
  cellLog = newLog;
}

const Record *Shadow::access(size_t offset, size_t bytes, bool isWrite,
                             const Record &record, const Order &order) {
  size_t low = offset | bytes;
  if (low & ((size_t(1) << cellLog) - 1)) {
    unsigned log = 0;
    while (!(low >> log & 1))
      ++log;
    refine(log);
  }
  size_t end = (offset + bytes) >> cellLog;
  for (size_t i = offset >> cellLog; i < end; ++i)
    if (const Record *other = enter(getCells()[i], isWrite, record, order))
      return other;
  return nullptr;
}

const Record *Shadow::enter(Cell &cell, bool isWrite, const Record &record,
                            const Order &order) {
  auto conflicts = [&](const Record &other) {
    return other.block && !order.isOrdered(other) &&
           !(other.isAtomic() && record.isAtomic());
  };
  if (conflicts(cell.write))
    return &cell.write;
  if (isWrite) {
    for (const Record &read : cell.reads)
      if (conflicts(read))
        return &read;
    cell.write = record;
    return nullptr;
  }
  // Keep two readers that are not ordered with what follows, if there are two.
  Record *reads = cell.reads;
  if (!reads[0].block || order.isOrdered(reads[0]))
    reads[0] = record;
  else
    reads[1] = record;
  return nullptr;
}
