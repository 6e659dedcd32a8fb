//===- KernelNumbersTest.cpp - Numbers that rules ask for -----------------===//

#include "StencilDialect/Analysis/KernelNumbers.h"
#include "StencilDialect/Analysis/TiledSchedule.h"
#include "StencilDialect/IR/StencilDialect.h"
#include "mlir/AsmParser/AsmParser.h"

#include "../Support/TestSupport.h"

using namespace stencil;

static const TargetInfo &get(llvm::StringRef name) {
  return llvm::cantFail(getTargetInfo(name));
}

static KernelNumbers getWalk(int64_t span, int64_t radius,
                             llvm::StringRef reads = "star") {
  FormFacts facts;
  facts.kernel = "open walk";
  facts.rank = 3;
  facts.bytes = 8;
  facts.span = span;
  facts.radius = radius;
  facts.reads = reads;
  return {facts, get("sm_90")};
}

// Each number is that of the first form that has it.
TEST(KernelNumbers, OfTheFirstFormThatHasThem) {
  KernelNumbers seven = getWalk(7, 3);
  EXPECT_TRUE(seven.comesFirst("rows", "points"));
  EXPECT_FALSE(seven.comesFirst("points", "rows"));
  EXPECT_EQ(seven.getCount("rows"), 4);
  EXPECT_EQ(seven.getCount("blocks"), 2);
  EXPECT_EQ(seven.getCount("planes"), 128);
  EXPECT_EQ(seven.listCounts("tile"), (llvm::SmallVector<int64_t>{16, 16, 64}));
  KernelNumbers box = getWalk(5, 2, "box");
  EXPECT_FALSE(box.comesFirst("rows", "points"));
  EXPECT_EQ(box.getCount("points"), 4);
  EXPECT_EQ(box.getCount("blocks"), 1);
  EXPECT_EQ(box.getCount("planes"), 128);
  KernelNumbers near = getWalk(0, 1);
  EXPECT_EQ(near.getCount("points"), 1);
  EXPECT_EQ(near.getCount("blocks"), 0);
  EXPECT_EQ(near.getCount("planes"), 8);
  EXPECT_EQ(getWalk(0, 4).getCount("blocks"), 2);
  EXPECT_EQ(near.find("colour"), std::nullopt);
  EXPECT_TRUE(near.listCounts("colour").empty());
}

TEST(KernelNumbers, OfTheNearestDevice) {
  auto getTile = [](const char *target, int64_t taps) {
    FormFacts facts;
    facts.kernel = "plain tile";
    facts.rank = 2;
    facts.taps = taps;
    return KernelNumbers(facts, get(target));
  };
  EXPECT_EQ(getTile("sm_80", 17).get("paying_reuse"), 2.7);
  EXPECT_EQ(getTile("sm_80", 16).get("paying_reuse"), 4);
  EXPECT_EQ(getTile("gfx942", 17).get("paying_reuse"), 4);
  EXPECT_EQ(getTile("gfx942", 9).listCounts("registers").back(), 144);
  EXPECT_EQ(getTile("sm_90", 9).listCounts("registers").back(), 256);
  auto countLegs = [](const char *target) {
    FormFacts facts;
    facts.kernel = "steps";
    facts.rank = 2;
    return KernelNumbers(facts, get(target)).findCount("legs");
  };
  // With a feature suffix it is the same GPU, and each product has its chip's.
  for (const char *target : {"sm_90", "sm_90a", "h100", "h200"})
    EXPECT_EQ(countLegs(target), 4) << target;
  for (const char *target : {"sm_80", "sm_100", "sm_89", "gfx942"})
    EXPECT_EQ(countLegs(target), std::nullopt) << target;
}

// Rules rely on these for any kernel, on any GPU.
TEST(KernelNumbers, AreThereForAll) {
  const std::pair<const char *, std::vector<const char *>> wanted[] = {
      {"open walk",
       {"tile", "points", "blocks", "planes", "fewest_planes", "few_threads",
        "panel_bytes"}},
      {"open tile", {"tile", "rows", "blocks", "few_threads"}},
      {"open products", {"points", "warps"}},
      {"tap loop", {"points"}},
      {"plain tile",
       {"most_ops", "reuse", "registers", "paying_reuse", "box_registers",
        "far_too_many", "most_live", "rows", "deep_planes", "deep_blocks",
        "panel_blocks", "panel_rows", "panel_part", "fewest_panel_blocks",
        "keeps_lines"}},
      {"stages", {"shortest_segment", "halos_of_segment"}},
      {"steps", {"points", "warps", "narrow_warps", "ahead", "most_rounds"}},
  };
  for (const char *target : {"sm_52", "sm_90", "h100", "gfx906", "gfx1100"})
    for (const auto &[kernel, keys] : wanted)
      for (int64_t rank : {1, 2, 3, 4})
        for (int64_t radius : {0, 1, 2, 3, 4, 9}) {
          FormFacts facts;
          facts.kernel = kernel;
          facts.rank = rank;
          facts.radius = radius;
          facts.span = 0;
          KernelNumbers numbers(facts, get(target));
          for (const char *key : keys)
            EXPECT_TRUE(numbers.find(key)) << kernel << ", " << key;
        }
}

TEST(KernelNumbers, OfDiamondsAreThereForAll) {
  for (int64_t rank : {2, 3, 4})
    for (int64_t radius : {1, 2, 4}) {
      FormFacts facts;
      facts.kernel = "diamonds";
      facts.rank = rank;
      facts.radius = radius;
      KernelNumbers numbers(facts, getCPUFormDevice());
      for (const char *key : {"most_steps", "least_tile", "most_tile",
                              "cache_share", "fewest_diamonds", "own_cache"})
        EXPECT_TRUE(numbers.find(key)) << rank << ", " << key;
    }
}

TEST(KernelNumbers, SomeAreThereForAnyDevice) {
  for (auto [kernel, key] : {std::pair("composed steps", "rim_at_once"),
                             {"stores", "fewest_points"},
                             {"stores", "fewest_vectors"}}) {
    FormFacts facts;
    facts.kernel = kernel;
    EXPECT_TRUE(KernelNumbers(facts, FormDevice()).find(key))
        << kernel << ", " << key;
  }
}

TEST(KernelNumbers, SchedulesOfShippedFormsAreSchedules) {
  mlir::MLIRContext context;
  context.loadDialect<StencilDialect>();
  for (const TuningForm &form : getShippedForms()) {
    const FormKind *kind = findFormKind(form.of.kernel);
    ASSERT_TRUE(kind);
    EXPECT_TRUE(!form.schedule.empty() || !form.numbers.empty()) << form.name;
    if (!form.schedule.empty())
      EXPECT_TRUE(llvm::isa_and_nonnull<ScheduleAttr>(
          mlir::parseAttribute(form.schedule, &context)))
          << form.name;
  }
}

TEST(KernelNumbers, OfLoopsOverTaps) {
  const TargetInfo &target = get("sm_90");
  EXPECT_EQ(chooseTapLoopPoints(63, target), 7);
  EXPECT_EQ(chooseTapLoopPoints(64, target), 15);
  EXPECT_EQ(chooseTapLoopPoints(127, target), 15);
  EXPECT_EQ(chooseTapLoopPoints(255, target), 13);
  EXPECT_EQ(chooseTapLoopPoints(256, target), 21);
  EXPECT_EQ(chooseTapLoopThreads(1, get("gfx942")), 128);
  EXPECT_EQ(chooseTapLoopThreads(2, get("gfx942")), 64);
}
