//===- MatrixProductTest.cpp - Fragments, steps and layouts of products ---===//

#include "StencilDialect/Tile/MatrixProduct.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace stencil::tile;

namespace {

using Place = std::pair<int64_t, int64_t>;
/// The row and column of the element that a lane has in a register.
using Rule = std::function<Place(int64_t lane, int64_t reg)>;

class MatrixProductTest : public ::testing::Test {
protected:
  MatrixProductTest() { context.loadDialect<TileDialect>(); }

  /// That a fragment is what the rule says, and has each element of a matrix
  /// once.
  void expectFragment(LayoutAttr fragment, int64_t rows, int64_t columns,
                      const Rule &rule) {
    int64_t lanes = fragment.countThreads();
    ASSERT_EQ(lanes * fragment.countRegisters(), rows * columns);
    std::set<Place> seen;
    for (int64_t lane = 0; lane < lanes; ++lane)
      for (int64_t reg = 0; reg < fragment.countRegisters(); ++reg) {
        SmallVector<int64_t> at = fragment.getPoint(lane, reg);
        Place place(at[0], at[1]);
        EXPECT_EQ(place, rule(lane, reg)) << "lane " << lane << ", " << reg;
        EXPECT_TRUE(seen.insert(place).second);
        EXPECT_LT(place.first, rows);
        EXPECT_LT(place.second, columns);
      }
  }

  void expectFragments(SmallVector<int64_t> shape, Type type, const Rule &a,
                       const Rule &b, const Rule &c) {
    SCOPED_TRACE(::testing::Message()
                 << shape[0] << "x" << shape[1] << "x" << shape[2]);
    auto fragments = getFragments(shape, type);
    ASSERT_TRUE(fragments);
    expectFragment(fragments->a, shape[0], shape[2], a);
    expectFragment(fragments->b, shape[2], shape[1], b);
    expectFragment(fragments->c, shape[0], shape[1], c);
    EXPECT_EQ(fragments->accumulator,
              type.isF64() ? type : Type(Float32Type::get(&context)));
  }

  MmaAttr getEngine(ArrayRef<int64_t> shape, ArrayRef<int64_t> patch,
                    int64_t along) {
    Builder builder(&context);
    return MmaAttr::get(&context, builder.getDenseI64ArrayAttr(shape),
                        builder.getDenseI64ArrayAttr(patch), along,
                        /*stack=*/1, /*pad=*/0, /*gap=*/0);
  }

  MLIRContext context;
  Builder builder{&context};
};

/// A box of `widths` taps around 0.
std::vector<std::vector<int64_t>> listBox(ArrayRef<int64_t> widths) {
  std::vector<std::vector<int64_t>> box = {{}};
  for (int64_t width : widths) {
    std::vector<std::vector<int64_t>> longer;
    for (const std::vector<int64_t> &begun : box)
      for (int64_t at = -(width / 2); at < width - width / 2; ++at) {
        longer.push_back(begun);
        longer.back().push_back(at);
      }
    box = std::move(longer);
  }
  return box;
}

/// Output number `number` of a patch, the last axis fastest.
std::vector<int64_t> getOutput(ArrayRef<int64_t> patch, int64_t number) {
  std::vector<int64_t> output(patch.size());
  for (size_t axis = patch.size(); axis-- > 0; number /= patch[axis])
    output[axis] = number % patch[axis];
  return output;
}

} // namespace

//===----------------------------------------------------------------------===//
// Fragments: the tables of the instruction sets
//===----------------------------------------------------------------------===//

// PTX ISA, "Matrix Fragments for mma.m8n8k4" to "mma.m16n8k16", of .f64:
// groupID = lane / 4, threadID_in_group = lane % 4.
TEST_F(MatrixProductTest, FragmentsOfDoublesOfNvidia) {
  for (int64_t m : {8, 16})
    for (int64_t k : {4, 8, 16}) {
      if (m == 8 && k != 4)
        continue;
      int64_t halves = m / 8;
      expectFragments(
          {m, 8, k}, builder.getF64Type(),
          [=](int64_t lane, int64_t i) {
            return Place(lane / 4 + i % halves * 8, i / halves * 4 + lane % 4);
          },
          [](int64_t lane, int64_t i) {
            return Place(lane % 4 + i * 4, lane / 4);
          },
          [](int64_t lane, int64_t i) {
            return Place(lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2);
          });
    }
}

// The same, of .f16 and .bf16, which lie in registers two by two.
TEST_F(MatrixProductTest, FragmentsOf16BitsOfNvidia) {
  for (Type type : {Type(builder.getF16Type()), Type(builder.getBF16Type())})
    for (int64_t k : {8, 16})
      expectFragments(
          {16, 8, k}, type,
          [](int64_t lane, int64_t i) {
            return Place(lane / 4 + i / 2 % 2 * 8,
                         lane % 4 * 2 + i % 2 + i / 4 * 8);
          },
          [](int64_t lane, int64_t i) {
            return Place(lane % 4 * 2 + i % 2 + i / 2 * 8, lane / 4);
          },
          [](int64_t lane, int64_t i) {
            return Place(lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2);
          });
}

// "Matrix Fragments for mma.m16n8k4" and "mma.m16n8k8", of .tf32, which is what
// is multiplied of floats.
TEST_F(MatrixProductTest, FragmentsOfFloatsOfNvidia) {
  for (int64_t k : {4, 8})
    expectFragments(
        {16, 8, k}, builder.getF32Type(),
        [](int64_t lane, int64_t i) {
          return Place(lane / 4 + i % 2 * 8, i / 2 * 4 + lane % 4);
        },
        [](int64_t lane, int64_t i) {
          return Place(lane % 4 + i * 4, lane / 4);
        },
        [](int64_t lane, int64_t i) {
          return Place(lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2);
        });
}

// CDNA3 ISA, "Matrix Arithmetic Instructions": v_mfma_f64_16x16x4_f64.
TEST_F(MatrixProductTest, FragmentsOfDoublesOfAmd) {
  expectFragments(
      {16, 16, 4}, builder.getF64Type(),
      [](int64_t lane, int64_t) { return Place(lane % 16, lane / 16); },
      [](int64_t lane, int64_t) { return Place(lane / 16, lane % 16); },
      [](int64_t lane, int64_t i) {
        return Place(4 * i + lane / 16, lane % 16);
      });
}

// v_mfma_f64_4x4x4_4b_f64: the blocks are rows of A and D, and have the same B.
TEST_F(MatrixProductTest, FragmentsOfBlocksOfAmd) {
  auto fragments = getFragments({16, 4, 4}, builder.getF64Type());
  ASSERT_TRUE(fragments);
  expectFragment(fragments->a, 16, 4, [](int64_t lane, int64_t) {
    return Place(lane % 16, lane / 16);
  });
  expectFragment(fragments->c, 16, 4, [](int64_t lane, int64_t) {
    return Place(lane % 16 / 4 * 4 + lane / 16, lane % 4);
  });
  for (int64_t lane = 0; lane < fragments->getLanes(); ++lane) {
    SmallVector<int64_t> at = fragments->getPointOfB(lane, 0);
    EXPECT_EQ(Place(at[0], at[1]), Place(lane / 16, lane % 4));
  }
}

// v_mfma_f32_16x16x16_f16 and v_mfma_f32_16x16x16_bf16.
TEST_F(MatrixProductTest, FragmentsOf16BitsOfAmd) {
  for (Type type : {Type(builder.getF16Type()), Type(builder.getBF16Type())})
    expectFragments(
        {16, 16, 16}, type,
        [](int64_t lane, int64_t i) {
          return Place(lane % 16, 4 * (lane / 16) + i);
        },
        [](int64_t lane, int64_t i) {
          return Place(4 * (lane / 16) + i, lane % 16);
        },
        [](int64_t lane, int64_t i) {
          return Place(4 * (lane / 16) + i, lane % 16);
        });
}

// v_mfma_f32_16x16x8_xf32.
TEST_F(MatrixProductTest, FragmentsOfFloatsOfAmd) {
  expectFragments(
      {16, 16, 8}, builder.getF32Type(),
      [](int64_t lane, int64_t i) {
        return Place(lane % 16, 2 * (lane / 16) + i);
      },
      [](int64_t lane, int64_t i) {
        return Place(2 * (lane / 16) + i, lane % 16);
      },
      [](int64_t lane, int64_t i) {
        return Place(4 * (lane / 16) + i, lane % 16);
      });
}

TEST_F(MatrixProductTest, NoFragments) {
  EXPECT_FALSE(getFragments({16, 8, 16}, builder.getF32Type()));
  EXPECT_FALSE(getFragments({16, 8, 4}, builder.getF16Type()));
  EXPECT_FALSE(getFragments({8, 8, 8}, builder.getF64Type()));
  EXPECT_FALSE(getFragments({16, 16, 8}, builder.getF64Type()));
  EXPECT_FALSE(getFragments({16, 8, 5}, builder.getF64Type()));
  EXPECT_FALSE(getFragments({16, 8}, builder.getF64Type()));
  EXPECT_FALSE(getFragments({16, 8, 4}, builder.getI32Type()));
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// That each tap is multiplied once for each output, by the input that it is
/// for, and that a step is of one plane.
static void expectEachTapOnce(ArrayRef<std::vector<int64_t>> taps,
                              ArrayRef<int64_t> patch, int64_t depth,
                              std::optional<int64_t> walk, bool pairs = false) {
  int64_t outputs = 1;
  for (int64_t count : patch)
    outputs *= count;
  std::set<std::pair<int64_t, int64_t>> seen;
  for (const MatrixStep &step :
       makeMatrixSteps(taps, patch, depth, walk, pairs)) {
    ASSERT_EQ(static_cast<int64_t>(step.inputs.size()), depth);
    ASSERT_EQ(static_cast<int64_t>(step.isRead.size()), depth);
    ASSERT_EQ(static_cast<int64_t>(step.taps.size()), depth * outputs);
    bool hasTap = false;
    for (int64_t row = 0; row < depth; ++row) {
      const std::vector<int64_t> &input = step.inputs[row];
      if (walk) {
        EXPECT_EQ(input[*walk], step.inputs.front()[*walk]);
      }
      for (int64_t column = 0; column < outputs; ++column) {
        int64_t tap = step.taps[row * outputs + column];
        if (tap < 0)
          continue;
        hasTap = true;
        EXPECT_TRUE(step.isRead[row]);
        EXPECT_TRUE(seen.insert({tap, column}).second);
        std::vector<int64_t> expected = getOutput(patch, column);
        for (size_t axis = 0; axis < expected.size(); ++axis)
          expected[axis] += taps[tap][axis];
        EXPECT_EQ(input, expected);
      }
    }
    EXPECT_TRUE(hasTap);
  }
  EXPECT_EQ(seen.size(), taps.size() * static_cast<size_t>(outputs));
}

TEST_F(MatrixProductTest, EachTapOncePerOutput) {
  for (int64_t width = 1; width <= 9; ++width) {
    for (const SmallVector<int64_t> &patch :
         {SmallVector<int64_t>{1, 8}, {2, 4}, {4, 2}, {8, 1}, {4, 4}})
      for (int64_t depth : {4, 16}) {
        expectEachTapOnce(listBox({width, width}), patch, depth, std::nullopt);
        // A star: gaps within rows.
        std::vector<std::vector<int64_t>> star = listBox({width, width});
        llvm::erase_if(star, [](const std::vector<int64_t> &tap) {
          return tap[0] != 0 && tap[1] != 0;
        });
        expectEachTapOnce(star, patch, depth, std::nullopt);
      }
    expectEachTapOnce(listBox({width}), {8}, 4, std::nullopt);
    expectEachTapOnce(listBox({width, 3, 2}), {1, 2, 4}, 4, /*walk=*/0);
    expectEachTapOnce(listBox({2, width, 3}), {2, 2, 2}, 4, std::nullopt);
  }
}

/// That rows are pairs of neighbours, of which the first one is even, and at
/// least one is read; and that what is not read has a partner that is.
static void expectPairs(ArrayRef<std::vector<int64_t>> taps,
                        ArrayRef<int64_t> patch, int64_t depth,
                        std::optional<int64_t> walk) {
  expectEachTapOnce(taps, patch, depth, walk, /*pairs=*/true);
  std::set<std::vector<int64_t>> single, paired;
  for (const MatrixStep &step : makeMatrixSteps(taps, patch, depth, walk)) {
    single.insert(step.inputs.begin(), step.inputs.end());
    EXPECT_FALSE(llvm::is_contained(step.isRead, false));
  }
  for (const MatrixStep &step :
       makeMatrixSteps(taps, patch, depth, walk, /*pairs=*/true))
    for (int64_t row = 0; row < depth; row += 2) {
      std::vector<int64_t> next = step.inputs[row];
      EXPECT_EQ(llvm::mod(next.back(), 2), 0);
      ++next.back();
      EXPECT_EQ(step.inputs[row + 1], next);
      EXPECT_TRUE(step.isRead[row] || step.isRead[row + 1]);
      for (int64_t half : {row, row + 1})
        if (step.isRead[half])
          paired.insert(step.inputs[half]);
    }
  EXPECT_EQ(single, paired);
}

TEST_F(MatrixProductTest, PairsAreAlignedNeighbours) {
  for (int64_t width = 1; width <= 9; ++width)
    // Lower ends that are odd and even, and rows of negative coordinates only.
    for (int64_t shift : {0, 1, -1, -20, 21}) {
      auto move = [&](std::vector<std::vector<int64_t>> taps) {
        for (std::vector<int64_t> &tap : taps)
          tap.back() += shift;
        return taps;
      };
      for (int64_t depth : {8, 16}) {
        for (const SmallVector<int64_t> &patch :
             {SmallVector<int64_t>{1, 8}, {2, 4}, {4, 2}, {1, 16}, {4, 4}}) {
          std::vector<std::vector<int64_t>> box = move(listBox({width, width}));
          expectPairs(box, patch, depth, std::nullopt);
          // Gaps within rows: some taps, far from each other.
          llvm::erase_if(box, [](const std::vector<int64_t> &tap) {
            return llvm::mod(3 * tap[0] + tap[1], 5) != 0;
          });
          if (!box.empty())
            expectPairs(box, patch, depth, std::nullopt);
        }
        expectPairs(move({{-7}, {0}, {11}, {40}}), {2}, depth, std::nullopt);
        expectPairs(move(listBox({width})), {8}, depth, std::nullopt);
        expectPairs(move(listBox({width, 3, 2})), {1, 2, 4}, depth,
                    /*walk=*/0);
        expectPairs(move(listBox({3, width, 3})), {2, 2, 2}, depth,
                    std::nullopt);
      }
    }
}

// Rows from -3 to 10 are 16 inputs from -4 on, and from -2 to 11 the 14 that
// they are.
TEST_F(MatrixProductTest, HolesAreBesideRows) {
  std::vector<std::vector<int64_t>> taps = listBox({7});
  auto steps = makeMatrixSteps(taps, {8}, 16, std::nullopt, /*pairs=*/true);
  ASSERT_EQ(steps.size(), 1u);
  for (int64_t row = 0; row < 16; ++row) {
    EXPECT_EQ(steps[0].inputs[row], std::vector<int64_t>{row - 4});
    EXPECT_EQ(steps[0].isRead[row], row != 0 && row != 15);
  }
  for (std::vector<int64_t> &tap : taps)
    ++tap.back();
  steps = makeMatrixSteps(taps, {8}, 16, std::nullopt, /*pairs=*/true);
  ASSERT_EQ(steps.size(), 1u);
  for (int64_t row = 0; row < 16; ++row) {
    // What fills the step up is the first pair.
    EXPECT_EQ(steps[0].inputs[row],
              std::vector<int64_t>{(row < 14 ? row : row - 14) - 2});
    EXPECT_TRUE(steps[0].isRead[row]);
  }
}

// Rows of 9 taps read 16 inputs, rows of 8 taps 15 of these: steps that are
// alike but for a hole are no turns of one loop.
TEST_F(MatrixProductTest, TurnsHaveTheSameHoles) {
  std::vector<std::vector<int64_t>> taps;
  constexpr int64_t kRows = 20;
  for (int64_t row = 0; row < 2 * kRows; ++row)
    for (int64_t at = 0; at < (row < kRows ? 9 : 8); ++at)
      taps.push_back({row, at});
  auto steps = makeMatrixSteps(taps, {1, 8}, 16, std::nullopt, /*pairs=*/true);
  ASSERT_EQ(steps.size(), 2u * kRows);
  EXPECT_TRUE(steps.front().isRead.back());
  EXPECT_FALSE(steps.back().isRead.back());
  auto runs = cutIntoRuns(steps, /*stacks=*/64, /*segment=*/1, std::nullopt);
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[1].first, static_cast<size_t>(kRows));
  EXPECT_GT(runs[0].turns, 1u);
  EXPECT_GT(runs[1].turns, 1u);
}

// Which elements, and which patches: where a patch begins, a pair does.
TEST_F(MatrixProductTest, WhatIsReadInPairs) {
  Type f64 = builder.getF64Type(), f16 = builder.getF16Type();
  EXPECT_TRUE(readsPairs(getEngine({16, 8, 16}, {1, 8}, 0), f16));
  EXPECT_TRUE(
      readsPairs(getEngine({16, 8, 16}, {4, 2}, 1), builder.getBF16Type()));
  EXPECT_FALSE(readsPairs(getEngine({16, 8, 16}, {8, 1}, 0), f16));
  EXPECT_FALSE(readsPairs(getEngine({16, 8, 16}, {8, 1}, 1), f16));
  EXPECT_FALSE(readsPairs(getEngine({16, 8, 4}, {1, 8}, 0), f64));
  // Every point of a warp's first patch and of those that are stacked.
  auto fragments = getFragments({16, 8, 16}, f16);
  for (int64_t rows = 1; rows <= 4; rows *= 2)
    for (int64_t along : {0, 1})
      for (int64_t stack : {1, 2, 3}) {
        SmallVector<int64_t> patch = {rows, 8 / rows};
        MmaAttr engine =
            MmaAttr::get(&context, builder.getDenseI64ArrayAttr({16, 8, 16}),
                         builder.getDenseI64ArrayAttr(patch), along, stack,
                         /*pad=*/0, /*gap=*/0);
        SmallVector<int64_t> tile = {2 * patch[0], 3 * 2 * patch[1]};
        tile[along] *= 16 * stack;
        LayoutAttr layout = getProductLayout(engine, *fragments, tile, 64);
        ASSERT_TRUE(layout);
        for (int64_t thread : {0, 32})
          for (int64_t reg = 0; reg < layout.countRegisters();
               reg += fragments->c.countRegisters())
            EXPECT_EQ(layout.getPoint(thread, reg).back() % 2, 0);
      }
}

// The table of docs/tensor-cores.md, where a depth of 1 counts the inputs.
TEST_F(MatrixProductTest, InputsOfPatches) {
  struct Row {
    int64_t width, one, two, four;
  };
  for (const Row &row :
       {Row{3, 30, 24, 24}, {5, 60, 48, 48}, {7, 98, 80, 80}}) {
    auto count = [&](ArrayRef<int64_t> patch, int64_t depth) {
      return static_cast<int64_t>(
          makeMatrixSteps(listBox({row.width, row.width}), patch, depth,
                          std::nullopt)
              .size());
    };
    EXPECT_EQ(count({1, 8}, 1), row.one);
    EXPECT_EQ(count({2, 4}, 1), row.two);
    EXPECT_EQ(count({4, 2}, 1), row.four);
    EXPECT_EQ(count({2, 4}, 4), row.two / 4);
  }
}

// What pairs cost, as the same page says.
TEST_F(MatrixProductTest, InputsOfPairs) {
  auto count = [&](int64_t width, int64_t depth, bool pairs) {
    return static_cast<int64_t>(makeMatrixSteps(listBox({width, width}), {1, 8},
                                                depth, std::nullopt, pairs)
                                    .size());
  };
  EXPECT_EQ(count(7, 16, false) * 16, 112);
  EXPECT_EQ(count(7, 16, true) * 16, 112);
  EXPECT_EQ(count(15, 1, false), 330);
  EXPECT_EQ(count(15, 2, true) * 2, 360);
}

// ConvStencil takes 2 ceil(n^2 / 4) products of 8 x 8 x 4 for 8 (n + 1)
// outputs; each of ours is a step for 64.
TEST_F(MatrixProductTest, NoMoreProductsThanPublished) {
  for (int64_t n = 2; n <= 7; ++n) {
    auto steps = static_cast<int64_t>(
        makeMatrixSteps(listBox({n, n}), {2, 4}, 4, std::nullopt).size());
    int64_t published = 2 * llvm::divideCeil(n * n, 4);
    EXPECT_LE(steps * 8 * (n + 1), published * 64) << n;
  }
}

TEST_F(MatrixProductTest, StepsWithoutTapsAreLeftOut) {
  // Two taps that are far apart.
  auto steps = makeMatrixSteps({{-100}, {100}}, {8}, 4, std::nullopt);
  EXPECT_EQ(steps.size(), 4u);
}

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

// Every instruction, patch and axis: a lane holds what its fragment of D says.
TEST_F(MatrixProductTest, LayoutsAreThoseOfFragments) {
  struct Instruction {
    SmallVector<int64_t> shape;
    Type type;
  };
  for (const Instruction &instruction :
       {Instruction{{8, 8, 4}, builder.getF64Type()},
        {{16, 8, 4}, builder.getF64Type()},
        {{16, 8, 16}, builder.getF16Type()},
        {{16, 8, 8}, builder.getF32Type()},
        {{16, 16, 4}, builder.getF64Type()},
        {{16, 4, 4}, builder.getF64Type()},
        {{16, 16, 16}, builder.getBF16Type()}}) {
    int64_t m = instruction.shape[0], n = instruction.shape[1];
    auto fragments = getFragments(instruction.shape, instruction.type);
    for (int64_t rows = 1; rows <= n; rows *= 2)
      for (int64_t along : {0, 1}) {
        SmallVector<int64_t> patch = {rows, n / rows};
        MmaAttr engine = getEngine(instruction.shape, patch, along);
        // Two warps side by side; three patches of each, stacked.
        SmallVector<int64_t> tile = {3 * patch[0], 2 * patch[1]};
        tile[along] *= m;
        int64_t lanes = fragments->getLanes();
        LayoutAttr layout =
            getProductLayout(engine, *fragments, tile, 2 * lanes);
        ASSERT_TRUE(layout);
        EXPECT_EQ(layout.countThreads(), 2 * lanes);
        EXPECT_EQ(layout.countRegisters(), 3 * fragments->c.countRegisters());
        for (int64_t axis : {0, 1})
          EXPECT_GE(layout.getExtent(axis), tile[axis]);
        for (int64_t lane = 0; lane < lanes; ++lane)
          for (int64_t reg = 0; reg < fragments->c.countRegisters(); ++reg) {
            SmallVector<int64_t> at = fragments->c.getPoint(lane, reg);
            std::vector<int64_t> expected = getOutput(patch, at[1]);
            expected[along] += at[0] * patch[along];
            SmallVector<int64_t> point = layout.getPoint(lane, reg);
            EXPECT_EQ(ArrayRef(point), ArrayRef(expected));
          }
      }
  }
}

TEST_F(MatrixProductTest, NoLayout) {
  auto fragments = getFragments({16, 8, 4}, builder.getF64Type());
  MmaAttr engine = getEngine({16, 8, 4}, {2, 4}, 1);
  EXPECT_TRUE(getProductLayout(engine, *fragments, {2, 64}, 32));
  // Half a patch, half the patches of an instruction, half a warp, more warps
  // than patches, and a number that does not divide theirs.
  EXPECT_FALSE(getProductLayout(engine, *fragments, {3, 64}, 32));
  EXPECT_FALSE(getProductLayout(engine, *fragments, {2, 32}, 32));
  EXPECT_FALSE(getProductLayout(engine, *fragments, {2, 64}, 16));
  EXPECT_FALSE(getProductLayout(engine, *fragments, {2, 64}, 64));
  EXPECT_FALSE(getProductLayout(engine, *fragments, {8, 64}, 96));
}
