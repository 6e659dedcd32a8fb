//===- ExecutableCallTest.cpp - Wrong arguments ---------------------------===//

#include "ExecutableTest.h"

#include <limits>

using namespace stencil;

namespace {

class CallTest : public testing::Test {
protected:
  /// @average on fields of 10 points.
  static const Executable &getAverage() {
    static ExecutablePtr executable = compileOrFail(kAverage);
    return *executable;
  }

  void expectError(llvm::StringRef expected) {
    EXPECT_EQ(expected, callError(getAverage(), {u, v}));
  }

  std::vector<double> storage = std::vector<double>(40);
  int64_t shape[1] = {10};
  int64_t otherShape[2] = {10, 1};
  ArrayArgument u = makeArray(storage, shape), v = makeArray(storage, shape);

  void SetUp() override { v.data = storage.data() + 10; }
};

} // namespace

TEST_F(CallTest, TakesWhatIsRight) {
  expectError("");
  int64_t stride[] = {1};
  u.strides = stride;
  u.isReadOnly = true;
  expectError("");
}

TEST_F(CallTest, Number) {
  EXPECT_EQ("'average' takes 2 arguments, got 1", callError(getAverage(), {u}));
}

TEST_F(CallTest, Sort) {
  EXPECT_EQ("argument 1 'v': expected an array for !stencil.field<?xf64>, got "
            "a number",
            callError(getAverage(), {u, ScalarArgument(1.0)}));
}

TEST_F(CallTest, Element) {
  v.element = ElementKind::F32;
  expectError("argument 1 'v': expected elements of type f64, got f32");
}

TEST_F(CallTest, Rank) {
  v.shape = otherShape;
  expectError("argument 1 'v': expected 1 axis for !stencil.field<?xf64>, got "
              "2 (10x1)");
}

TEST_F(CallTest, Extents) {
  int64_t other[] = {11};
  v.shape = other;
  expectError("argument 1 'v': expected 10 points (8 without the halo, as in "
              "argument 0 'u') on axis 0 for !stencil.field<[-1,?+1]xf64>, got "
              "11");
  int64_t negative[] = {-1};
  v.shape = negative;
  expectError("argument 1 'v': expected an extent of at least 0 on axis 0, got "
              "-1");
  int64_t small[] = {2};
  u.shape = small;
  expectError("argument 0 'u': expected an extent of more than 2 on axis 0 for "
              "!stencil.field<[-1,?+1]xf64>, got 2");
  int64_t huge[] = {int64_t(1) << 62};
  u.shape = v.shape = huge;
  expectError("argument 0 'u': expected an array that fits in memory, got "
              "extents 4611686018427387904");
}

TEST_F(CallTest, ExtentsOfTheCompilation) {
  ExecutableOptions options;
  options.extents = {8};
  ExecutablePtr executable = compileOrFail(kAverage, options);
  ASSERT_TRUE(executable);
  EXPECT_EQ("", callError(*executable, {u, v}));
  int64_t other[] = {9};
  u.shape = other;
  EXPECT_EQ("argument 0 'u': expected 10 points (8 without the halo, as in the "
            "options of the compilation) on axis 0 for "
            "!stencil.field<[-1,?+1]xf64>, got 9",
            callError(*executable, {u, v}));
}

TEST_F(CallTest, Strides) {
  int64_t strides[] = {2};
  v.strides = strides;
  expectError("argument 1 'v': expected row-major elements without gaps "
              "(strides 1), got strides 2");
  int64_t more[] = {1, 1};
  v.strides = more;
  expectError("argument 1 'v': expected a stride for each of 1 axes, got 2");
}

TEST_F(CallTest, Memory) {
  v.data = nullptr;
  expectError("argument 1 'v': expected an array, got a null pointer");
  v.data = reinterpret_cast<char *>(storage.data() + 10) + 4;
  expectError("argument 1 'v': expected elements at multiples of their 8 "
              "bytes, got an array that begins 4 bytes behind one");
  v.data = storage.data() + 10;
  v.onDevice = true;
  expectError("argument 1 'v': expected an array in the memory of the host, "
              "got one of the device");
  v.onDevice = false;
  v.isReadOnly = true;
  expectError("argument 1 'v': expected an array that can be written, got a "
              "read-only one");
}

TEST_F(CallTest, Overlaps) {
  v.data = storage.data() + 9;
  expectError("argument 1 'v': expected memory that does not overlap that of "
              "argument 0 'u', as the program writes to it");
  std::swap(u, v);
  u.data = storage.data();
  v.data = storage.data() + 9;
  expectError("argument 1 'v': expected memory that does not overlap that of "
              "argument 0 'u', as the program writes to it");
}

TEST_F(CallTest, Stream) {
  EXPECT_EQ("expected no stream for a program for the CPU, got one",
            callError(getAverage(), {u, v}, &storage));
}

TEST(ExecutableCall, Scalars) {
  ExecutablePtr executable = compileOrFail(R"mlir(
func.func @f(%n: i8, %b: i1, %x: f32) -> (i8, i1, f32) {
  return %n, %b, %x : i8, i1, f32
}
)mlir");
  ASSERT_TRUE(executable);
  auto call = [&](ScalarArgument n, ScalarArgument b, ScalarArgument x) {
    return callError(*executable, {n, b, x});
  };
  int64_t one = 1;
  EXPECT_EQ("argument 0 'n': expected an integer in the range of type i8, got "
            "256",
            call(int64_t(256), one, 1.0));
  EXPECT_EQ("argument 0 'n': expected an integer of type i8, got a "
            "floating-point number",
            call(1.0, one, 1.0));
  EXPECT_EQ("argument 1 'b': expected an integer in the range of type i1, got "
            "2",
            call(one, int64_t(2), 1.0));
  EXPECT_EQ("argument 2 'x': expected a floating-point number of type f32, got "
            "an integer",
            call(one, one, one));
  EXPECT_EQ("argument 2 'x': expected a number in the range of type f32, got "
            "1e+300",
            call(one, one, 1e300));
  std::vector<ScalarArgument> results;
  double inf = std::numeric_limits<double>::infinity();
  llvm::Error error = executable->call(
      {ScalarArgument(int64_t(255)), ScalarArgument(one), ScalarArgument(inf)},
      results);
  ASSERT_EQ("", llvm::toString(std::move(error)));
  EXPECT_EQ((std::vector<ScalarArgument>{int64_t(-1), one, inf}), results);
  int64_t shape[] = {1};
  std::vector<double> values(1);
  EXPECT_EQ("argument 0 'n': expected a number of type i8, got an array",
            callError(*executable, {makeArray(values, shape),
                                    ScalarArgument(one), ScalarArgument(1.0)}));
}
