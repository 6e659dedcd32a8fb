//===- ScheduleModelTest.cpp - Schedules and their predicted times --------===//

#include "StencilDialect/Analysis/ScheduleModel.h"
#include "ParseTest.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace stencil;

namespace {

struct ScheduleModelTest : ParseTest {
  TargetInfo getTarget(llvm::StringRef chip) {
    return llvm::cantFail(getTargetInfo(chip));
  }

  /// A star of this radius, f64.
  ApplyOp makeStar(int64_t rank, int64_t radius, int64_t extent) {
    std::string axis = llvm::formatv("[{0},{1}]", -radius, extent + radius);
    std::string type, offsets, lower, upper;
    int64_t taps = 0;
    for (int64_t a = 0; a < rank; ++a) {
      type += (a ? "x" : "") + axis;
      lower += a ? ", 0" : "0";
      upper += (a ? ", " : "") + std::to_string(extent);
      for (int64_t distance = -radius; distance <= radius; ++distance) {
        if (distance == 0 && a > 0)
          continue;
        offsets += taps++ ? ", [" : "[";
        for (int64_t b = 0; b < rank; ++b)
          offsets += (b ? ", " : "") + std::to_string(a == b ? distance : 0);
        offsets += "]";
      }
    }
    parse(llvm::formatv(R"mlir(
!f = !stencil.field<{0}xf64>
func.func @f(%u: !f, %v: !f) {{
  stencil.apply(%x = %u : !f) outs (%v : !f) {{
    %s = stencil.weighted_sum %x offsets [{1}] weights dense<0.1> : tensor<{2}xf64> : !f
    stencil.return %s : f64
  } to <[{3}], [{4}]>
  return
})mlir",
                        type, offsets, taps, lower, upper)
              .str());
    ApplyOp found;
    module->walk([&](ApplyOp apply) { found = apply; });
    return found;
  }

  ScheduleAttr parseSchedule(llvm::StringRef keys) {
    return mlir::cast<ScheduleAttr>(mlir::parseAttribute(
        ("#stencil.schedule<" + keys + ">").str(), &context));
  }

  static std::vector<RankedSchedule> rank(ApplyOp apply,
                                          const TargetInfo &target) {
    return rankSchedules(apply, profileKernel(apply, {}, MathMode::Contract),
                         target);
  }

  SchedulePrediction predictStar(int64_t radius, int64_t extent,
                                 llvm::StringRef keys,
                                 llvm::StringRef chip = "sm_90") {
    return predict(makeStar(3, radius, extent), parseSchedule(keys),
                   getTarget(chip), {}, MathMode::Contract);
  }
};

constexpr llvm::StringLiteral kTile = "block = [1, 8, 32], points = [2, 1, 2]";
constexpr llvm::StringLiteral kWalk =
    "block = [1, 8, 32], points = [1, 2, 2], stream = 0, segments = 4, "
    "window = shared, accumulate = shift, prefetch = tma, stages = 7, "
    "launch_bounds = 2";

TEST_F(ScheduleModelTest, NeverFasterThanCompulsoryTraffic) {
  for (llvm::StringRef chip : getDescribedChips()) {
    TargetInfo target = getTarget(chip);
    ApplyOp apply = makeStar(3, 2, 256);
    for (const RankedSchedule &candidate : rank(apply, target)) {
      const SchedulePrediction &prediction = candidate.prediction;
      EXPECT_GE(prediction.memoryBytes, prediction.compulsoryBytes);
      EXPECT_GE(prediction.l2Bytes, prediction.compulsoryBytes);
      EXPECT_GT(prediction.seconds,
                prediction.compulsoryBytes / target.dramBandwidth);
      EXPECT_LT(prediction.shareOfCopy, 1.0);
      EXPECT_FALSE(prediction.limiter.empty());
    }
  }
}

TEST_F(ScheduleModelTest, MorePointsTakeLonger) {
  double last = 0;
  for (int64_t extent : {32, 64, 128, 256, 512}) {
    double seconds = predictStar(1, extent, kTile).seconds;
    EXPECT_GT(seconds, last);
    last = seconds;
  }
}

TEST_F(ScheduleModelTest, WiderStarsReadMore) {
  double bytes = 0, seconds = 0;
  for (int64_t radius : {1, 2, 3, 4}) {
    SchedulePrediction tile = predictStar(radius, 512, kTile);
    EXPECT_GT(tile.l2Bytes, bytes);
    EXPECT_GT(tile.seconds, seconds);
    bytes = tile.l2Bytes;
    seconds = tile.seconds;
  }
}

// Measured on an H200: 56 % of a copy in tiles, 86 % walking.
TEST_F(ScheduleModelTest, CloseToMeasurements) {
  EXPECT_NEAR(predictStar(4, 512, kTile).shareOfCopy, 0.57, 0.08);
  EXPECT_NEAR(predictStar(4, 512, kWalk).shareOfCopy, 0.865, 0.08);
  EXPECT_NEAR(
      predictStar(1, 512, "block = [1, 8, 32], points = [4, 1, 2]").shareOfCopy,
      0.927, 0.08);
}

// Measured on an H200 with 6, 7 and 8 planes: 72, 86 and 75 % of a copy.
TEST_F(ScheduleModelTest, OnePlaneMoreOrLessOnItsWayTakesLonger) {
  auto predictStages = [&](int64_t stages) {
    return predictStar(4, 512,
                       ("block = [1, 8, 32], points = [1, 2, 2], stream = 0, "
                        "segments = 2, window = shared, accumulate = shift, "
                        "prefetch = tma, launch_bounds = 2, stages = " +
                        llvm::Twine(stages))
                           .str())
        .seconds;
  };
  EXPECT_NEAR(predictStages(6) / predictStages(7), 1.20, 0.06);
  EXPECT_NEAR(predictStages(8) / predictStages(7), 1.15, 0.06);
}

TEST_F(ScheduleModelTest, EvictionLastSavesWhatWasMeasured) {
  SchedulePrediction last = predictStar(4, 512, kWalk);
  SchedulePrediction normal =
      predictStar(4, 512, (kWalk + ", eviction = normal").str());
  EXPECT_NEAR(last.seconds / normal.seconds, 0.97, 0.005);
  EXPECT_NEAR(last.seconds + last.evictionSeconds, normal.seconds,
              0.001 * normal.seconds);
  EXPECT_EQ(predictStar(4, 512, kTile).evictionSeconds, 0);
}

// What ptxas (13.0) takes: 58 and 176 registers. The estimate of wide stars in
// tiles is low.
TEST_F(ScheduleModelTest, LargeTilesSpill) {
  SchedulePrediction small = predictStar(4, 512, kTile);
  EXPECT_NEAR(small.registers, 58, 29);
  EXPECT_EQ(small.spilledRegisters, 0);
  SchedulePrediction large =
      predictStar(4, 512, "block = [1, 8, 32], points = [4, 2, 2]");
  EXPECT_GT(large.registers, 1.5 * small.registers);
  SchedulePrediction spilled =
      predictStar(4, 512, "block = [4, 8, 32], points = [4, 4, 2]");
  EXPECT_GT(spilled.spilledRegisters, 50);
  EXPECT_GT(spilled.seconds, 1.1 * large.seconds);
}

// Of 300 recorded tiles whose arithmetic takes longest, those with 8 warps of a
// multiprocessor took 1.3 times what those with 64 would.
TEST_F(ScheduleModelTest, FewWarpsWaitForTheirArithmetic) {
  auto getSecondsOfInstruction = [&](llvm::StringRef keys) {
    SchedulePrediction prediction = predictStar(2, 512, keys);
    return prediction.fp64Seconds / prediction.fp64Instructions;
  };
  SchedulePrediction few =
      predictStar(2, 512, "block = [2, 2, 32], points = [4, 2, 2]");
  auto warps = static_cast<double>(4 * few.blocksPerMultiprocessor);
  double many =
      getSecondsOfInstruction("block = [1, 2, 32], points = [1, 1, 1]");
  double share = getSecondsOfInstruction("block = [2, 2, 32], points = [4, 2, "
                                         "2]") /
                 many;
  EXPECT_NEAR(share, (1 + 2.5 / warps) / (1 + 2.5 / 64), 0.01);
  EXPECT_GT(share, 1.02);
}

// A thread with many registers has more loads on their way.
TEST_F(ScheduleModelTest, RegistersHoldWhatIsOnItsWay) {
  auto getBytesOfThread = [&](llvm::StringRef keys) {
    SchedulePrediction prediction = predictStar(4, 512, keys);
    return prediction.bytesOnTheirWay /
           static_cast<double>(128 * prediction.blocksPerMultiprocessor *
                               getTarget("sm_90").multiprocessors);
  };
  EXPECT_NEAR(getBytesOfThread("block = [1, 4, 32], points = [1, 1, 2]"), 88.5,
              0.1);
  EXPECT_GT(getBytesOfThread("block = [1, 4, 32], points = [4, 4, 2]"), 200);
}

// Rows of more than a vector of a thread, or of less than half of one.
TEST_F(ScheduleModelTest, RowsOfOneVectorAreFastest) {
  ModelConstants level = ModelConstants::getDefault();
  level.spreadRows = level.thinRows = 1;
  ApplyOp apply = makeStar(2, 1, 8192);
  KernelProfile profile = profileKernel(apply, {}, MathMode::Contract);
  TargetInfo target = getTarget("sm_90");
  auto getFactor = [&](llvm::StringRef keys) {
    ScheduleAttr schedule = parseSchedule(keys);
    return ScheduleModel(profile, target).predict(schedule).seconds /
           ScheduleModel(profile, target, level).predict(schedule).seconds;
  };
  EXPECT_NEAR(getFactor("block = [4, 32], points = [4, 2]"), 1, 1e-9);
  EXPECT_NEAR(getFactor("block = [4, 32], points = [4, 4]"), 1.06, 0.01);
}

// The planes beside a segment are copied, and nothing is computed of them.
TEST_F(ScheduleModelTest, SegmentsOfWindowsComputeNothingTwice) {
  auto countInstructions = [&](llvm::StringRef accumulate, int64_t segments) {
    return predictStar(
               2, 512,
               llvm::formatv("block = [1, 4, 32], points = [1, 4, 2], stream = "
                             "0, segments = {0}, window = shared, accumulate = "
                             "{1}, prefetch = tma, stages = 8",
                             segments, accumulate)
                   .str())
        .instructions;
  };
  EXPECT_NEAR(countInstructions("gather", 32) / countInstructions("gather", 1),
              1, 0.02);
  EXPECT_GT(countInstructions("shift", 32) / countInstructions("shift", 1),
            1.2);
}

// The last blocks have the memory to themselves, but no more of shared memory
// and arithmetic than all others had.
TEST_F(ScheduleModelTest, LastWavesOfWindows) {
  ModelConstants level = ModelConstants::getDefault();
  level.boundLastWave = level.lastWave;
  TargetInfo target = getTarget("sm_90");
  ScheduleAttr schedule = parseSchedule(
      "block = [1, 4, 32], points = [1, 2, 1], stream = 0, segments = 1, "
      "window = shared, accumulate = gather, prefetch = tma, stages = 18");
  auto getRatio = [&](int64_t radius) {
    ApplyOp apply = makeStar(3, radius, 320);
    KernelProfile profile = profileKernel(apply, {}, MathMode::Contract);
    return ScheduleModel(profile, target).predict(schedule).lastWave /
           ScheduleModel(profile, target, level).predict(schedule).lastWave;
  };
  EXPECT_NEAR(getRatio(1), 1, 1e-9);
  EXPECT_GT(getRatio(8), 1.02);
}

TEST_F(ScheduleModelTest, SmallGridsAreLaunches) {
  SchedulePrediction small = predictStar(1, 16, kTile);
  EXPECT_EQ(small.limiter, "launch");
  EXPECT_LT(small.seconds, 5e-6);
  EXPECT_GT(small.seconds, 2e-6);
}

TEST_F(ScheduleModelTest, WavesOfBlocks) {
  SchedulePrediction walk = predictStar(4, 512, kWalk);
  // 512 / 16 tiles of rows, 512 / 64 of columns, 4 segments.
  EXPECT_EQ(walk.blocks, 32 * 8 * 4);
  EXPECT_EQ(walk.blocksPerMultiprocessor, 2);
  EXPECT_NEAR(walk.waves, 1024.0 / 264, 1e-9);
  // Seven planes of (16 + 8) x (64 + 8) points.
  EXPECT_EQ(walk.sharedBytes, 7 * 24 * 72 * 8);
}

TEST_F(ScheduleModelTest, CandidatesFit) {
  for (llvm::StringRef chip : getDescribedChips()) {
    TargetInfo target = getTarget(chip);
    for (int64_t rank : {1, 2, 3}) {
      ApplyOp apply = makeStar(rank, 3, rank == 3 ? 100 : 1000);
      KernelProfile profile = profileKernel(apply, {}, MathMode::Reassociate);
      std::vector<ScheduleAttr> candidates =
          enumerateSchedules(apply, profile, target);
      EXPECT_GE(candidates.size(), 10u);
      EXPECT_EQ(candidates.front(), getDefaultSchedule(apply, profile, target));
      for (ScheduleAttr schedule : candidates) {
        EXPECT_EQ(findMisfit(profile, schedule, target), "");
        EXPECT_TRUE(ScheduleKeys(schedule).getChecked(
            [&] { return mlir::emitError(apply.getLoc()); }, &context));
        EXPECT_TRUE(suits(schedule, apply));
        EXPECT_LE(llvm::product_of(schedule.getBlock()),
                  int64_t(target.threadsPerBlock));
        if (schedule.getPrefetch() == Prefetch::Tma)
          EXPECT_TRUE(target.hasAsyncCopy(AsyncCopyTensor));
      }
    }
  }
}

// Only what may be reordered is added plane by plane.
TEST_F(ScheduleModelTest, SumsKeepTheirOrder) {
  ApplyOp apply = makeStar(3, 2, 256);
  auto hasScatter = [&](MathMode math) {
    return llvm::any_of(enumerateSchedules(apply, getTarget("sm_90"), {}, math),
                        [](ScheduleAttr schedule) {
                          return schedule.getAccumulate() ==
                                 Accumulation::Scatter;
                        });
  };
  EXPECT_FALSE(hasScatter(MathMode::Strict));
  EXPECT_FALSE(hasScatter(MathMode::Contract));
  EXPECT_TRUE(hasScatter(MathMode::Reassociate));
}

// Vectors of scattered points are rarely aligned: some walks have half a vector
// of a row. A star's are, and a box shares them.
TEST_F(ScheduleModelTest, ScatteredPointsHaveNarrowRows) {
  parse(R"mlir(
!f = !stencil.field<[-4,260]x[-4,260]x[-4,260]xf64>
func.func @f(%u: !f, %v: !f) {
  stencil.apply(%x = %u : !f) outs (%v : !f) {
    %s = stencil.weighted_sum %x offsets [[-3, 1, 2], [1, -2, 3], [2, 3, -1], [0, 0, 0]] weights dense<0.1> : tensor<4xf64> : !f
    stencil.return %s : f64
  } to <[0, 0, 0], [256, 256, 256]>
  return
})mlir");
  ApplyOp scattered;
  module->walk([&](ApplyOp found) { scattered = found; });
  auto hasNarrowWalk = [&](ApplyOp apply) {
    return llvm::any_of(
        enumerateSchedules(apply, getTarget("sm_90"), {}, MathMode::Contract),
        [](ScheduleAttr schedule) {
          return schedule.getStream() && schedule.getPoints().back() == 1;
        });
  };
  EXPECT_TRUE(hasNarrowWalk(scattered));
  EXPECT_FALSE(hasNarrowWalk(makeStar(3, 2, 256)));
}

TEST_F(ScheduleModelTest, WalksWhereThatPays) {
  TargetInfo target = getTarget("sm_90");
  auto wide = rank(makeStar(3, 4, 512), target);
  EXPECT_TRUE(wide.front().schedule.getStream().has_value());
  auto flat = rank(makeStar(2, 1, 8192), target);
  EXPECT_FALSE(flat.front().schedule.getStream().has_value());
}

TEST_F(ScheduleModelTest, SameEveryTime) {
  TargetInfo target = getTarget("gfx942");
  ApplyOp apply = makeStar(3, 2, 200);
  auto first = rank(apply, target);
  auto second = rank(apply, target);
  ASSERT_EQ(first.size(), second.size());
  for (auto [a, b] : llvm::zip_equal(first, second)) {
    EXPECT_EQ(a.schedule, b.schedule);
    EXPECT_EQ(a.prediction.seconds, b.prediction.seconds);
  }
}

TEST_F(ScheduleModelTest, Limits) {
  TargetInfo target = getTarget("sm_80");
  ApplyOp apply = makeStar(3, 4, 512);
  KernelProfile profile = profileKernel(apply, {}, MathMode::Contract);
  auto why = [&](llvm::StringRef keys) {
    return findMisfit(profile, parseSchedule(keys), target);
  };
  EXPECT_EQ(why(kTile), "");
  EXPECT_EQ(why(kWalk), "no tensor memory accelerator");
  EXPECT_EQ(why("block = [1, 32, 64], points = [1, 1, 1]"),
            "2048 threads of at most 1024");
  EXPECT_EQ(why("block = [1, 8, 32], points = [1, 2, 2], stream = 0, "
                "segments = 256, window = shared"),
            "segments shorter than a halo of 4");
  EXPECT_EQ(why("block = [1, 8, 32], points = [1, 2, 2], stream = 0, window = "
                "shared, accumulate = scatter"),
            "no sums that may be added plane by plane");
  EXPECT_NE(why("block = [1, 16, 64], points = [1, 2, 2], stream = 0, "
                "window = shared, prefetch = async, stages = 8"),
            "");
}

// Nothing is known of the rates of other chips.
TEST_F(ScheduleModelTest, UnknownChip) {
  TargetInfo target = getTarget("sm_75");
  ApplyOp apply = makeStar(3, 4, 512);
  EXPECT_EQ(enumerateSchedules(apply, target, {}, MathMode::Contract).size(),
            1u);
  EXPECT_EQ(predict(apply, {}, target, {}, MathMode::Contract).seconds, 0);
}

// What the program leaves open is given, or assumed.
TEST_F(ScheduleModelTest, OpenExtents) {
  parse(R"mlir(
!f = !stencil.field<[-1,?+1]x[-1,?+1]x[-1,?+1]xf64>
func.func @f(%u: !f, %v: !f) {
  stencil.apply(%x = %u : !f) outs (%v : !f) {
    %a = stencil.access %x[1, 0, 0] : !f
    stencil.return %a : f64
  } to <[0, 0, 0], [?, ?-2, ?]>
  return
})mlir");
  ApplyOp apply;
  module->walk([&](ApplyOp found) { apply = found; });
  KernelProfile open = profileKernel(apply, {}, MathMode::Contract);
  EXPECT_FALSE(open.isShapeKnown);
  EXPECT_EQ(open.shape, (llvm::SmallVector<int64_t>{512, 510, 512}));
  KernelProfile given =
      profileKernel(apply, {100, 200, 300}, MathMode::Contract);
  EXPECT_TRUE(given.isShapeKnown);
  EXPECT_EQ(given.shape, (llvm::SmallVector<int64_t>{100, 198, 300}));
}

} // namespace
