//===- PointwiseTest.cpp - Pointwise ops of another dialect ---------------===//
//
// Ops that our libraries do not know, in bodies: all asks their interface.
//
//===----------------------------------------------------------------------===//

#include "InterpreterTest.h"
#include "StencilDialect/Analysis/Cost.h"
#include "StencilDialect/Conversion/Passes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace stencil;

namespace {

template <typename Concrete> // NOLINTNEXTLINE(bugprone-crtp*)
struct PointwiseOp
    : Op<Concrete, OpTrait::OneResult, OpTrait::OneOperand, InBody,
         PointwiseOpInterface::Trait, MemoryEffectOpInterface::Trait,
         ConditionallySpeculatable::Trait,
         OpTrait::AlwaysSpeculatableImplTrait> {
  using Op<Concrete, OpTrait::OneResult, OpTrait::OneOperand, InBody,
           PointwiseOpInterface::Trait, MemoryEffectOpInterface::Trait,
           ConditionallySpeculatable::Trait,
           OpTrait::AlwaysSpeculatableImplTrait>::Op;
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  void getEffects(
      SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>> &) {}
};

/// What is positive, or 0.
struct RampOp : PointwiseOp<RampOp> {
  using PointwiseOp::PointwiseOp;
  static StringRef getOperationName() { return "test.ramp"; }
  SmallVector<Value> expand(OpBuilder &builder, ValueRange operands) {
    Value x = operands.front();
    Value zero = arith::ConstantOp::create(builder, getLoc(),
                                           builder.getZeroAttr(x.getType()));
    Value isPositive = arith::CmpFOp::create(
        builder, getLoc(), arith::CmpFPredicate::OGT, x, zero);
    return {arith::SelectOp::create(builder, getLoc(), isPositive, x, zero)};
  }
};

/// Its operand: no op at all.
struct SameOp : PointwiseOp<SameOp> {
  using PointwiseOp::PointwiseOp;
  static StringRef getOperationName() { return "test.same"; }
  SmallVector<Value> expand(OpBuilder & /*builder*/, ValueRange operands) {
    return {operands.front()};
  }
};

struct TestDialect : Dialect {
  explicit TestDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<TestDialect>()) {
    addOperations<RampOp, SameOp>();
  }
  static StringRef getDialectNamespace() { return "test"; }
};

class PointwiseTest : public InterpreterTest {
protected:
  PointwiseTest() { context.loadDialect<TestDialect>(); }

  /// ramp(x) + same(x) of eight points.
  static constexpr const char *kProgram = R"(
    !field = !stencil.field<[0,8]xf64>
    func.func @main(%u: !field, %v: !field) {
      stencil.apply(%x = %u : !field) outs (%v : !field) {
        %a = stencil.access %x[0] : !field
        %same = "test.same"(%a) : (f64) -> f64
        %ramp = "test.ramp"(%a) : (f64) -> f64
        %more = arith.addf %ramp, %ramp : f64
        %r = arith.addf %more, %same : f64
        stencil.return %r : f64
      } to <[0], [8]>
      return
    })";
};

TEST_F(PointwiseTest, IsInterpreted) {
  std::vector<double> u = {-3, -2, -1, 0, 1, 2, 3, 4}, v(8);
  ASSERT_TRUE(run(kProgram, {field(u, {8}), field(v, {8})})) << error;
  EXPECT_EQ(v, (std::vector<double>{-3, -2, -1, 0, 3, 6, 9, 12}));
}

TEST_F(PointwiseTest, CostsWhatItExpandsTo) {
  auto module = parseSourceString<ModuleOp>(kProgram, &context);
  ASSERT_TRUE(module);
  ApplyOp apply;
  module->walk([&](ApplyOp op) { apply = op; });
  OperationCount count = getApplyCost(apply, /*contract=*/false).shared;
  EXPECT_EQ(count.adds, 2u);
  EXPECT_EQ(count.others, 2u);
}

/// Four points at once.
TEST_F(PointwiseTest, BecomesVectors) {
  auto module = parseSourceString<ModuleOp>(kProgram, &context);
  ASSERT_TRUE(module);
  PassManager manager(&context);
  StencilShapeLoopsOptions options;
  options.vectorBits = 256;
  manager.addPass(createStencilShapeLoops(options));
  manager.addPass(createConvertStencilToCPU());
  ASSERT_TRUE(succeeded(manager.run(*module)));
  bool isVector = false;
  module->walk([&](Operation *op) {
    EXPECT_NE(op->getName().getDialectNamespace(), "test");
    if (auto select = dyn_cast<arith::SelectOp>(op))
      isVector |= isa<VectorType>(select.getType());
  });
  EXPECT_TRUE(isVector);
}

TEST_F(PointwiseTest, StandsInABody) {
  EXPECT_FALSE(run(R"(
    func.func @main(%a: f64) -> f64 {
      %r = "test.ramp"(%a) : (f64) -> f64
      return %r : f64
    })",
                   {real(1)}));
  EXPECT_EQ(error, "'test.ramp' op expects ancestor op 'stencil.apply'\n");
}

} // namespace
