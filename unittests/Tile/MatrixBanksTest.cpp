//===- MatrixBanksTest.cpp - Banks that products read from ----------------===//

#include "StencilDialect/Tile/MatrixBanks.h"
#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace stencil::tile;

namespace {

class MatrixBanksTest : public ::testing::Test {
protected:
  MatrixBanksTest() { context.loadDialect<TileDialect>(); }

  MmaAttr getEngine(ArrayRef<int64_t> shape, ArrayRef<int64_t> patch) {
    return MmaAttr::get(&context, builder.getDenseI64ArrayAttr(shape),
                        builder.getDenseI64ArrayAttr(patch), /*along=*/1,
                        /*stack=*/1, /*pad=*/0, /*gap=*/0);
  }

  /// For doubles in rows of `pitch`.
  MatrixBanks getBanks(ArrayRef<int64_t> shape, ArrayRef<int64_t> patch,
                       int64_t pitch) {
    return MatrixBanks(getEngine(shape, patch),
                       *getFragments(shape, builder.getF64Type()), {{pitch, 1}},
                       /*walk=*/std::nullopt, /*elementBytes=*/8,
                       /*pairs=*/false);
  }

  MLIRContext context;
  Builder builder{&context};
};

std::vector<std::vector<int64_t>> listBox(int64_t width) {
  std::vector<std::vector<int64_t>> taps;
  for (int64_t i = 0; i < width; ++i)
    for (int64_t j = 0; j < width; ++j)
      taps.push_back({i - width / 2, j - width / 2});
  return taps;
}

int64_t countConflicts(ArrayRef<MatrixStep> steps, const MatrixBanks &banks) {
  int64_t conflicts = 0;
  for (const MatrixStep &step : steps)
    conflicts += banks.count(step).conflicts;
  return conflicts;
}

/// By input, its row of taps, of those with a tap. An input that is read again
/// has none.
std::map<std::vector<int64_t>, std::vector<int64_t>>
listTaps(ArrayRef<MatrixStep> steps) {
  std::map<std::vector<int64_t>, std::vector<int64_t>> taps;
  for (const MatrixStep &step : steps) {
    size_t columns = step.taps.size() / step.inputs.size();
    for (auto [number, input] : llvm::enumerate(step.inputs)) {
      ArrayRef<int64_t> row =
          ArrayRef(step.taps).slice(number * columns, columns);
      if (llvm::any_of(row, [](int64_t tap) { return tap >= 0; }))
        EXPECT_TRUE(taps.try_emplace(input, row.begin(), row.end()).second);
    }
  }
  return taps;
}

// 16 lanes of 8 bytes take turns: four patches, of four inputs each.
TEST_F(MatrixBanksTest, LanesOfNvidia) {
  MatrixBanks banks = getBanks({16, 8, 4}, {4, 2}, 136);
  // Ten neighbours, which lanes have in common.
  EXPECT_EQ(banks.count({{0, 0}, {0, 1}, {0, 2}, {0, 3}}).passes, 2);
  EXPECT_EQ(banks.count({{0, 0}, {0, 1}, {0, 2}, {0, 3}}).conflicts, 0);
  // Banks 6, 8, 10 and 12 of doubles; row 1 begins in bank 8.
  EXPECT_EQ(banks.count({{0, 6}, {0, 6}, {0, 6}, {1, 6}}).conflicts, 0);
  EXPECT_EQ(banks.count({{0, 6}, {0, 6}, {0, 6}, {1, 0}}).conflicts, 2);
  // Patches a whole line of banks apart.
  EXPECT_EQ(getBanks({16, 8, 4}, {1, 8}, 136)
                .count({{0, 0}, {0, 1}, {0, 2}, {0, 3}})
                .passes,
            4);
}

// 32 of 64 lanes: two inputs of each of 16 patches.
TEST_F(MatrixBanksTest, LanesOfAmd) {
  MatrixBanks banks = getBanks({16, 16, 4}, {8, 2}, 136);
  EXPECT_EQ(banks.count({{0, 0}, {0, 1}, {0, 2}, {0, 3}}).passes, 4);
  EXPECT_EQ(banks.count({{0, 0}, {0, 1}, {0, 2}, {0, 3}}).conflicts, 0);
  // 24 different even columns of the first two.
  EXPECT_EQ(banks.count({{0, 0}, {0, 16}, {0, 2}, {0, 3}}).conflicts, 1);
  EXPECT_EQ(getBanks({16, 16, 4}, {4, 4}, 136)
                .count({{0, 0}, {0, 1}, {0, 2}, {0, 3}})
                .passes,
            8);
}

// Rows of an odd number of inputs end within steps. All inputs are still read,
// each for its taps, in as many steps.
TEST_F(MatrixBanksTest, OtherInputsTogether) {
  for (int64_t width = 6; width <= 14; width += 2) {
    SCOPED_TRACE(width);
    MatrixBanks banks = getBanks({16, 8, 4}, {4, 2}, 144);
    auto plain = makeMatrixSteps(listBox(width), {4, 2}, 4, std::nullopt);
    EXPECT_GT(countConflicts(plain, banks), 0);
    auto steps = avoidConflicts(plain, banks, {4, 2});
    EXPECT_EQ(countConflicts(steps, banks), 0);
    EXPECT_EQ(steps.size(), plain.size());
    EXPECT_EQ(listTaps(steps), listTaps(plain));
  }
}

// Four rows later a patch reads the same together.
TEST_F(MatrixBanksTest, PatchesShareWhatIsTogether) {
  MatrixBanks banks = getBanks({16, 8, 4}, {4, 2}, 144);
  auto steps = avoidConflicts(
      makeMatrixSteps(listBox(8), {4, 2}, 4, std::nullopt), banks, {4, 2});
  std::set<std::vector<std::vector<int64_t>>> together;
  for (const MatrixStep &step : steps)
    together.insert(step.inputs);
  size_t shared = 0;
  for (MatrixStep step : steps) {
    for (std::vector<int64_t> &input : step.inputs)
      input[0] += 4;
    shared += together.count(step.inputs);
  }
  // Of eleven rows of nine inputs, the first four at least are such.
  EXPECT_GE(shared, 9u);
}

// Where there are none, or nothing helps, steps stay as they are.
TEST_F(MatrixBanksTest, PlainStepsStay) {
  auto areKept = [&](ArrayRef<int64_t> patch, int64_t width) {
    auto plain = makeMatrixSteps(listBox(width), patch, 4, std::nullopt);
    auto steps = avoidConflicts(plain, getBanks({16, 8, 4}, patch, 136), patch);
    return steps.size() == plain.size() &&
           llvm::all_of(llvm::zip_equal(steps, plain), [](auto pair) {
             return std::get<0>(pair).inputs == std::get<1>(pair).inputs;
           });
  };
  EXPECT_TRUE(areKept({2, 4}, 5));
  EXPECT_TRUE(areKept({4, 2}, 7));
  // Patches of eight columns meet whatever they read.
  EXPECT_TRUE(areKept({1, 8}, 6));
}

} // namespace
