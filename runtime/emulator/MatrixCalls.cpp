//===- MatrixCalls.cpp - Matrix instructions ------------------------------===//
//
// Fragments: PTX ISA, "Warp-level matrix instructions: mma" and "ldmatrix";
// AMD CDNA3 ISA, "Matrix Arithmetic Instructions".
//
//===----------------------------------------------------------------------===//

#include "Access.h"
#include "Numbers.h"
#include "StencilRuntime/EmulatorCalls.h"

#include <cmath>
#include <cstring>

using namespace stencil::runtime;
using namespace stencil::runtime::emulator;

namespace {

struct MatrixOperands {
  int m, n, k, blocks, negate;
  EmulatorElement element, accumulator;
  const void *a, *b;
  void *c;
};

/// Where an element lies: in which lane's fragment, and at which place of it.
struct Slot {
  int lane, index;
};

/// Matrices of a warp, row after row.
struct Matrices {
  std::vector<double> a, b, c;
};

MatrixOperands &getOperands(Meeting &meeting, int lane) {
  return *static_cast<MatrixOperands *>(meeting.lanes[lane].operands);
}

/// D = A B + C, in the order of k. In f64 each step is an FMA; in the other
/// types products and sums are exact in f64 or nearly so, and rounded at last.
void multiply(const MatrixOperands &shape, Matrices &x) {
  for (int i = 0; i < shape.m; ++i)
    for (int j = 0; j < shape.n; ++j) {
      double &sum = x.c[i * shape.n + j];
      for (int k = 0; k < shape.k; ++k)
        sum = std::fma(x.a[i * shape.k + k], x.b[k * shape.n + j], sum);
    }
}

/// Elements that share a register of 32 bits.
int getElementsPerRegister(EmulatorElement element) {
  int bytes = static_cast<int>(getBytes(element));
  return bytes < 4 ? 4 / bytes : 1;
}

/// mma.sync: 8 rows (A), columns (B), rows (C) by group of 4 lanes. A register
/// holds neighbours along k; the registers of A alternate between the upper and
/// the lower 8 rows.
Slot getSlotA(const MatrixOperands &shape, int row, int col) {
  int pack = getElementsPerRegister(shape.element);
  int halves = shape.m / 8;
  int reg = row / 8 + halves * (col / (4 * pack));
  return {row % 8 * 4 + col / pack % 4, reg * pack + col % pack};
}
Slot getSlotB(const MatrixOperands &shape, int row, int col) {
  int pack = getElementsPerRegister(shape.element);
  return {col * 4 + row / pack % 4, row / (4 * pack) * pack + row % pack};
}
Slot getSlotC(int row, int col) {
  return {row % 8 * 4 + col / 2, row / 8 * 2 + col % 2};
}

/// Copies a matrix out of the fragments, or into them.
template <typename GetSlot>
void gather(Meeting &meeting, std::vector<double> &matrix, int rows, int cols,
            EmulatorElement element, const void *MatrixOperands::*fragment,
            GetSlot getSlot) {
  matrix.resize(size_t(rows) * cols);
  for (int row = 0; row < rows; ++row)
    for (int col = 0; col < cols; ++col) {
      Slot slot = getSlot(row, col);
      matrix[row * cols + col] =
          load(element, getOperands(meeting, slot.lane).*fragment, slot.index);
    }
}

template <typename GetSlot>
void gatherC(Meeting &meeting, Matrices &x, const MatrixOperands &shape,
             GetSlot getSlot) {
  x.c.resize(size_t(shape.m) * shape.n);
  for (int row = 0; row < shape.m; ++row)
    for (int col = 0; col < shape.n; ++col) {
      Slot slot = getSlot(row, col);
      x.c[row * shape.n + col] = load(
          shape.accumulator, getOperands(meeting, slot.lane).c, slot.index);
    }
}

template <typename GetSlot>
void scatterC(Meeting &meeting, const Matrices &x, const MatrixOperands &shape,
              GetSlot getSlot) {
  for (int row = 0; row < shape.m; ++row)
    for (int col = 0; col < shape.n; ++col) {
      Slot slot = getSlot(row, col);
      store(shape.accumulator, getOperands(meeting, slot.lane).c, slot.index,
            x.c[row * shape.n + col]);
    }
}

void requireFullWarp(const char *what, unsigned lanes, const char *location) {
  Launch &launch = *Launch::getCurrent();
  unsigned existing = launch.getBlock().getRunning().warp->threads.size();
  if (launch.getWarpSize() != lanes || existing != lanes)
    launch.failInThread(std::string(what) + " needs a warp of " +
                            std::to_string(lanes) + " lanes, got " +
                            std::to_string(existing) + " of " +
                            std::to_string(launch.getWarpSize()),
                        location);
}

} // namespace

static void mmaAll(Block &, Meeting &meeting) {
  const MatrixOperands shape = getOperands(meeting, 0);
  Matrices x;
  gather(meeting, x.a, shape.m, shape.k, shape.element, &MatrixOperands::a,
         [&](int row, int col) { return getSlotA(shape, row, col); });
  gather(meeting, x.b, shape.k, shape.n, shape.element, &MatrixOperands::b,
         [&](int row, int col) { return getSlotB(shape, row, col); });
  gatherC(meeting, x, shape, getSlotC);
  multiply(shape, x);
  scatterC(meeting, x, shape, getSlotC);
}

void stencilEmulatorMma(int32_t m, int32_t n, int32_t k, int32_t element,
                        int32_t accumulator, const void *a, const void *b,
                        void *c, const char *location) {
  requireFullWarp("mma.sync", 32, location);
  MatrixOperands operands = {m,
                             n,
                             k,
                             1,
                             0,
                             static_cast<EmulatorElement>(element),
                             static_cast<EmulatorElement>(accumulator),
                             a,
                             b,
                             c};
  Launch::getCurrent()->getBlock().meet("mma.sync", ~LaneMask(0), &operands,
                                        location, mmaAll);
}

//===----------------------------------------------------------------------===//
// AMD
//===----------------------------------------------------------------------===//

/// v_mfma_f64_16x16x4f64 has one block, v_mfma_f64_4x4x4f64 four. Of 16-bit
/// elements a lane has four neighbours along k of A and B, of TF32 two, and of
/// their sums four neighbouring rows; of doubles, rows of a lane are four
/// apart.
static void mfmaAll(Block &, Meeting &meeting) {
  const MatrixOperands shape = getOperands(meeting, 0);
  bool isDouble = shape.element == EmulatorElement::F64;
  int pack = isDouble ? 1 : shape.element == EmulatorElement::TF32 ? 2 : 4;
  for (int block = 0; block < shape.blocks; ++block) {
    int perBlock = shape.m * block;
    auto slotA = [&](int row, int k) {
      return Slot{k / pack * shape.m * shape.blocks + perBlock + row, k % pack};
    };
    auto slotB = [&](int k, int col) {
      return Slot{k / pack * shape.n * shape.blocks + perBlock + col, k % pack};
    };
    auto slotC = [&](int row, int col) {
      int group = isDouble ? row % 4 : row / 4;
      return Slot{group * shape.n * shape.blocks + perBlock + col,
                  isDouble ? row / 4 : row % 4};
    };
    Matrices x;
    gather(meeting, x.a, shape.m, shape.k, shape.element, &MatrixOperands::a,
           slotA);
    gather(meeting, x.b, shape.k, shape.n, shape.element, &MatrixOperands::b,
           slotB);
    gatherC(meeting, x, shape, slotC);
    std::vector<double> *parts[] = {&x.a, &x.b, &x.c};
    for (int part = 0; part < 3; ++part)
      if (shape.negate >> part & 1)
        for (double &value : *parts[part])
          value = -value;
    multiply(shape, x);
    scatterC(meeting, x, shape, slotC);
  }
}

void stencilEmulatorMfma(int32_t m, int32_t n, int32_t k, int32_t blocks,
                         int32_t element, int32_t negate, const void *a,
                         const void *b, void *c, const char *location) {
  requireFullWarp("mfma", 64, location);
  auto type = static_cast<EmulatorElement>(element);
  auto sum = type == EmulatorElement::F64 ? EmulatorElement::F64
                                          : EmulatorElement::F32;
  MatrixOperands operands = {m, n, k, blocks, negate, type, sum, a, b, c};
  Launch::getCurrent()->getBlock().meet("mfma", ~LaneMask(0), &operands,
                                        location, mfmaAll);
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

namespace {
struct LdMatrixOperands {
  const char *row;
  char *result;
  int matrices;
  bool transpose;
};
} // namespace

static void ldMatrixAll(Block &, Meeting &meeting) {
  auto get = [&](int lane) -> LdMatrixOperands & {
    return *static_cast<LdMatrixOperands *>(meeting.lanes[lane].operands);
  };
  for (int lane = 0; lane < 32; ++lane)
    for (int matrix = 0; matrix < get(lane).matrices; ++matrix)
      for (int i = 0; i < 2; ++i) {
        int row = lane / 4, col = lane % 4 * 2 + i;
        if (get(lane).transpose)
          std::swap(row, col);
        std::memcpy(get(lane).result + (matrix * 2 + i) * 2,
                    get(matrix * 8 + row).row + col * 2, 2);
      }
}

void stencilEmulatorLdMatrix(const void *row, void *result, int32_t matrices,
                             int32_t transpose, const char *location) {
  requireFullWarp("ldmatrix", 32, location);
  Launch &launch = *Launch::getCurrent();
  // Lane i gives the address of row i % 8 of matrix i / 8.
  if (launch.getBlock().getRunning().lane < unsigned(8 * matrices))
    stencilEmulatorCheck(row, 16, 16, AccessVector, location);
  LdMatrixOperands operands = {static_cast<const char *>(row),
                               static_cast<char *>(result), matrices,
                               transpose != 0};
  launch.getBlock().meet("ldmatrix", ~LaneMask(0), &operands, location,
                         ldMatrixAll);
}
