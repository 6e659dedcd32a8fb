// Every attribute of the dialect, from C.
// REQUIRES: capi
// RUN: %build_root/test/CAPI/capi-attributes | FileCheck %s

#include "StencilDialect-c/Attributes.h"
#include "Inputs/Support.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#include <limits.h>

static const MlirAttribute none = {NULL};

static void testBounds(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  const int64_t values[] = {-1, 7};
  MlirAttribute index = stencilIndexAttrGetChecked(here, 2, values);
  printAttribute("index", index);
  printf("%d %d: %d %d, beyond: %d %d\n", stencilAttributeIsAIndex(index),
         (int)stencilIndexAttrGetRank(index),
         (int)stencilIndexAttrGetValue(index, 0),
         (int)stencilIndexAttrGetValue(index, 1),
         (int)stencilIndexAttrGetValue(index, 2),
         (int)stencilIndexAttrGetValue(index, -1));

  const int64_t lower[] = {0, -2};
  const int64_t upper[] = {stencilBoundGetRelative(0), 9};
  MlirAttribute box = stencilBoundsAttrGetChecked(here, 2, lower, upper);
  printAttribute("box", box);
  printf("%d %d: %d %d %d\n", stencilAttributeIsABounds(box),
         (int)stencilBoundsAttrGetRank(box),
         (int)stencilBoundsAttrGetLower(box, 1),
         (int)stencilBoundsAttrGetUpper(box, 1),
         (int)stencilBoundsAttrGetUpper(box, 2));
  int64_t bound = stencilBoundsAttrGetUpper(box, 0);
  printf("relative: %d, by %d; %d\n", stencilBoundIsRelative(bound),
         (int)stencilBoundGetOffset(bound), stencilBoundIsRelative(9));
  const int64_t inner[] = {1, -2}, innerEnd[] = {2, 9};
  MlirAttribute part = stencilBoundsAttrGetChecked(here, 2, inner, innerEnd);
  printf("contains: %d %d %d\n", stencilBoundsAttrContains(box, part),
         stencilBoundsAttrContains(part, box),
         stencilBoundsAttrContains(box, none));
}
// CHECK: index: #stencil.index<[-1, 7]>
// CHECK-NEXT: 1 2: -1 7, beyond: 0 0
// CHECK-NEXT: box: #stencil.bounds<[0, -2], [?, 9]>
// CHECK-NEXT: 1 2: -2 9 0
// CHECK-NEXT: relative: 1, by 0; 0
// CHECK-NEXT: contains: 1 0 0

static void testConditions(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirAttribute two =
      mlirFloatAttrDoubleGet(context, mlirF64TypeGet(context), 2);
  MlirAttribute conditions[] = {stencilPeriodicAttrGet(context),
                                stencilNeumannAttrGet(context),
                                stencilSymmetricAttrGet(context),
                                stencilAntisymmetricAttrGet(context),
                                stencilKeepAttrGet(context),
                                stencilDirichletAttrGetChecked(here, two),
                                stencilExtrapolateAttrGetChecked(here, 3),
                                stencilSymmetricAboutFaceAttrGet(context),
                                stencilAntisymmetricAboutFaceAttrGet(context)};
  for (int i = 0; i < 9; ++i) {
    MlirAttribute one = conditions[i];
    printf("%d%d%d%d%d%d%d%d%d ", stencilAttributeIsAPeriodic(one),
           stencilAttributeIsANeumann(one), stencilAttributeIsASymmetric(one),
           stencilAttributeIsAAntisymmetric(one), stencilAttributeIsAKeep(one),
           stencilAttributeIsADirichlet(one),
           stencilAttributeIsAExtrapolate(one),
           stencilAttributeIsASymmetricAboutFace(one),
           stencilAttributeIsAAntisymmetricAboutFace(one));
    printAttribute("condition", one);
  }
  printAttribute("value", stencilDirichletAttrGetValue(conditions[5]));
  printf("order: %d %d\n", (int)stencilExtrapolateAttrGetOrder(conditions[6]),
         (int)stencilExtrapolateAttrGetOrder(conditions[5]));
}
// CHECK-NEXT: 100000000 condition: #stencil.periodic
// CHECK-NEXT: 010000000 condition: #stencil.neumann
// CHECK-NEXT: 001000000 condition: #stencil.symmetric
// CHECK-NEXT: 000100000 condition: #stencil.antisymmetric
// CHECK-NEXT: 000010000 condition: #stencil.keep
// CHECK-NEXT: 000001000 condition: #stencil.dirichlet<2.000000e+00 : f64>
// CHECK-NEXT: 000000100 condition: #stencil.extrapolate<3>
// CHECK-NEXT: 000000010 condition: #stencil.symmetric_about_face
// CHECK-NEXT: 000000001 condition: #stencil.antisymmetric_about_face
// CHECK-NEXT: value: 2.000000e+00 : f64
// CHECK-NEXT: order: 3 0

// All keys, with the text of MLIR as the judge of the numbers of enumerations.
static void testSchedules(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  static const char *const texts[] = {
      "#stencil.schedule<block = [1, 4, 64], points = [1, 1, 2], "
      "window = cache, order = [2, 1, 0], panel = [0, 8, 0], "
      "launch_bounds = 2, regions = streams>",
      "#stencil.schedule<block = [1, 4, 64], stream = 0, segments = 32, "
      "window = [shared, cache, registers, shuffle], accumulate = semi, "
      "prefetch = tma, stages = 4, eviction = last, boundary = window>",
      "#stencil.schedule<block = [4, 64], window = shared, groups = [1, 2], "
      "prefetch = async, eviction = normal, regions = launch>",
      "#stencil.schedule<stream = 1, window = shared, accumulate = shift, "
      "chain = registers, engine = fma>",
      "#stencil.schedule<boundary = store, prefetch = l2, regions = separate>"};
  for (int i = 0; i < 5; ++i) {
    MlirAttribute parsed = mlirAttributeParseGet(context, text(texts[i]));
    StencilScheduleEntry entries[16];
    int64_t values[16][4];
    intptr_t count = 0;
    for (int key = STENCIL_SCHEDULE_BLOCK; key <= STENCIL_SCHEDULE_ENGINE;
         ++key) {
      intptr_t size = stencilScheduleAttrGetCount(parsed, key);
      for (intptr_t j = 0; j < size; ++j)
        values[count][j] = stencilScheduleAttrGetValue(parsed, key, j);
      if (size > 0) {
        entries[count] = (StencilScheduleEntry){key, size, values[count]};
        ++count;
      }
    }
    MlirAttribute made = stencilScheduleAttrGetChecked(here, count, entries);
    printf("schedule of %d keys: %d%d\n", (int)count,
           stencilAttributeIsASchedule(made), mlirAttributeEqual(made, parsed));
  }
  const int64_t shared = STENCIL_SPACE_SHARED, axis = 1,
                tma = STENCIL_PREFETCH_TMA,
                scatter = STENCIL_ACCUMULATION_SCATTER;
  const StencilScheduleEntry keys[] = {
      {STENCIL_SCHEDULE_WINDOW, 1, &shared},
      {STENCIL_SCHEDULE_STREAM, 1, &axis},
      {STENCIL_SCHEDULE_PREFETCH, 1, &tma},
      {STENCIL_SCHEDULE_ACCUMULATE, 1, &scatter}};
  printAttribute("made", stencilScheduleAttrGetChecked(here, 4, keys));
}
// CHECK-NEXT: schedule of 7 keys: 11
// CHECK-NEXT: schedule of 9 keys: 11
// CHECK-NEXT: schedule of 6 keys: 11
// CHECK-NEXT: schedule of 5 keys: 11
// CHECK-NEXT: schedule of 3 keys: 11
// CHECK-NEXT: made: #stencil.schedule<stream = 1, window = shared, accumulate = scatter, prefetch = tma>

static void testLaunches(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirAttribute group =
      stencilRegionGroupAttrGetChecked(here, 5, STENCIL_REGIONS_STREAMS);
  printAttribute("group", group);
  printf("%d: %d %d\n", stencilAttributeIsARegionGroup(group),
         (int)stencilRegionGroupAttrGetNumber(group),
         stencilRegionGroupAttrGetHow(group) == STENCIL_REGIONS_STREAMS);
  MlirAttribute stage = stencilStageAttrGet(context, -2);
  printAttribute("stage", stage);
  printf("%d: %d\n", stencilAttributeIsAStage(stage),
         (int)stencilStageAttrGetLead(stage));
  int64_t along[] = {0, -1};
  MlirAttribute skewed = stencilStageAttrGetSkewed(context, 2, 2, along);
  printAttribute("stage", skewed);
  printf("%d of %d: %d\n", (int)stencilStageAttrGetSkew(skewed, 1),
         (int)stencilStageAttrGetSkewRank(skewed),
         (int)stencilStageAttrGetSkew(skewed, 2) +
             (int)stencilStageAttrGetSkewRank(stage));

  MlirAttribute loop = mlirAttributeParseGet(
      context,
      text("#stencil.time_loop<interior = <[0], [?]>, lower = <[-1]>, "
           "upper = <[2]>, buffers = 3, levels = 2, stages = 1, period = 6, "
           "step_dependent = true>"));
  StencilTimeLoop parts;
  memset(&parts, 0, sizeof parts);
  printf("%d%d: %d\n", stencilAttributeIsATimeLoop(loop),
         stencilTimeLoopAttrGetValue(loop, &parts), (int)parts.period);
  printf("again: %d\n",
         mlirAttributeEqual(loop, stencilTimeLoopAttrGetChecked(here, &parts)));
  parts.upper = parts.interior;
  stencilTimeLoopAttrGetChecked(here, &parts);
  printf("%d%d\n", stencilTimeLoopAttrGetValue(group, &parts),
         stencilTimeLoopAttrGetValue(loop, NULL));
}
// CHECK-NEXT: group: #stencil.region_group<5, streams>
// CHECK-NEXT: 1: 5 1
// CHECK-NEXT: stage: #stencil.stage<lead = -2>
// CHECK-NEXT: 1: -2
// CHECK-NEXT: stage: #stencil.stage<lead = 2, skew = [0, -1]>
// CHECK-NEXT: -1 of 2: 0
// CHECK-NEXT: 11: 6
// CHECK-NEXT: again: 1
// CHECK-NEXT: error: expected a #stencil.bounds as the interior of a time loop, and #stencil.index as its offsets
// CHECK-NEXT: 00

static void testTarget(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirAttribute target = stencilTargetAttrGetChecked(here, text("gfx942"));
  printAttribute("target", target);
  MlirStringRef chip = stencilTargetAttrGetChip(target);
  printf("%d: %.*s, %d\n", stencilAttributeIsATarget(target), (int)chip.length,
         chip.data, (int)stencilTargetAttrGetChip(none).length);
  stencilTargetAttrGetChecked(here, text("sm_91"));
  stencilTargetAttrGetChecked(here, mlirStringRefCreate(NULL, 0));
}
// CHECK-NEXT: target: #stencil.target<chip = "gfx942">
// CHECK-NEXT: 1: gfx942, 0
// CHECK-NEXT: error: expected the chip of a GPU that LLVM knows{{.*}}, got 'sm_91'
// CHECK-NEXT: error: expected the chip of a GPU that LLVM knows{{.*}}, got ''

static void testCPULoops(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirAttribute loops =
      stencilCPULoopsAttrGetChecked(here, text("tile = [16, 0], lanes = 8"));
  printAttribute("loops", loops);
  printAttribute("plain", stencilCPULoopsAttrGetChecked(
                              here, mlirStringRefCreate(NULL, 0)));
  MlirAttribute blocks = stencilCPUBlocksAttrGetChecked(
      here, text("cache = 64, row = 8, halo = 0, rows = 4, planes = [2, 16], "
                 "tiles = 1"));
  printAttribute("blocks", blocks);
  printf("%d%d%d%d\n", stencilAttributeIsACPULoops(loops),
         stencilAttributeIsACPULoops(blocks),
         stencilAttributeIsACPUBlocks(blocks),
         stencilAttributeIsACPUBlocks(loops));
  MlirAttribute diamonds =
      stencilDiamondsAttrGetChecked(here, text("steps = 7"));
  printAttribute("diamonds", diamonds);
  printf("%d%d\n", stencilAttributeIsADiamonds(diamonds),
         stencilAttributeIsADiamonds(loops));
  stencilDiamondsAttrGetChecked(here, text("steps = 8"));
  stencilCPULoopsAttrGetChecked(here, text("lanes = 3"));
  stencilCPULoopsAttrGetChecked(here, text("> and more"));
  stencilCPUBlocksAttrGetChecked(here, text("cache = 64"));
}
// CHECK-NEXT: loops: #stencil.cpu_loops<lanes = 8, tile = [16, 0]>
// CHECK-NEXT: plain: #stencil.cpu_loops<>
// CHECK-NEXT: blocks: #stencil.cpu_blocks<cache = 64, row = 8, halo = 0, rows = 4, planes = [2, 16], tiles = 1>
// CHECK-NEXT: 1010
// CHECK-NEXT: diamonds: #stencil.diamonds<steps = 7>
// CHECK-NEXT: 10
// CHECK-NEXT: error: {{.*}}expected 'steps' to be an odd number from 1 to 1023, got 8
// CHECK-NEXT: error: expected 'lanes' to be a power of two up to 8192, got 3
// CHECK-NEXT: error: {{.+}}
// CHECK-NEXT: error: {{.*}}missing{{.*}}

static void testErrors(MlirContext context) {
  MlirLocation here = mlirLocationUnknownGet(context);
  const int64_t zero = 0, much = LLONG_MAX, beyond = -8;
  stencilIndexAttrGetChecked(here, 0, NULL);
  stencilIndexAttrGetChecked(here, 1, NULL);
  stencilIndexAttrGetChecked(here, -1, &zero);
  stencilIndexAttrGetChecked(here, 1, &much);
  stencilBoundsAttrGetChecked(here, 1, &zero, &zero);
  stencilBoundsAttrGetChecked(here, 1, &zero, NULL);
  const int64_t wide = stencilBoundGetRelative(LLONG_MAX);
  stencilBoundsAttrGetChecked(here, 1, &zero, &wide);
  stencilDirichletAttrGetChecked(here, mlirUnitAttrGet(context));
  stencilDirichletAttrGetChecked(here, none);
  MlirContext other = mlirContextCreate();
  stencilDirichletAttrGetChecked(
      here, mlirFloatAttrDoubleGet(other, mlirF64TypeGet(other), 2));
  mlirContextDestroy(other);
  stencilExtrapolateAttrGetChecked(here, 9);
  stencilRegionGroupAttrGetChecked(here, 0, (StencilRegionLaunch)7);
  stencilTimeLoopAttrGetChecked(here, NULL);
  // CHECK-NEXT: error: expected at least one axis
  // CHECK-NEXT: error: expected 1 values, got a null pointer
  // CHECK-NEXT: error: expected from 0 to 64 values, got -1
  // CHECK-NEXT: error: index out of range: expected a magnitude of at most 1099511627776, got 9223372036854775807
  // CHECK-NEXT: error: expected the upper bound of axis 0 to be greater than the lower bound 0, got 0
  // CHECK-NEXT: error: expected 1 bounds, got a null pointer
  // CHECK-NEXT: error: bound out of range on axis 0
  // CHECK-NEXT: error: expected a number as the value of a Dirichlet condition
  // CHECK-NEXT: error: expected a number as the value of a Dirichlet condition
  // CHECK-NEXT: error: expected values, types and attributes of the location's context, got one of another
  // CHECK-NEXT: error: expected an extrapolation order from 0 to 8, got 9
  // CHECK-NEXT: error: expected a StencilRegionLaunch, got 7
  // CHECK-NEXT: error: expected a #stencil.bounds as the interior of a time loop

  const StencilScheduleEntry wrong[] = {{99, 1, &zero},
                                        {STENCIL_SCHEDULE_BLOCK, 1, &zero},
                                        {STENCIL_SCHEDULE_STREAM, 0, NULL},
                                        {STENCIL_SCHEDULE_WINDOW, 1, &beyond},
                                        {STENCIL_SCHEDULE_STAGES, 1, &much}};
  for (int i = 0; i < 5; ++i)
    stencilScheduleAttrGetChecked(here, 1, &wrong[i]);
  const StencilScheduleEntry twice[] = {{STENCIL_SCHEDULE_STREAM, 1, &zero},
                                        {STENCIL_SCHEDULE_STREAM, 1, &zero}};
  stencilScheduleAttrGetChecked(here, 2, twice);
  stencilScheduleAttrGetChecked(here, 2, NULL);
  // CHECK-NEXT: error: expected a StencilScheduleKey, got 99
  // CHECK-NEXT: error: expected numbers from 1 to 1048576 in 'block', got 0
  // CHECK-NEXT: error: expected one value for this key, got 0
  // CHECK-NEXT: error: expected a value of this key's enumeration, got -8
  // CHECK-NEXT: error: expected 'stages' to be a number from 2 to 1024, got 9223372036854775807
  // CHECK-NEXT: error: expected key 2 once
  // CHECK-NEXT: error: expected 2 keys, got a null pointer

  // What is no such attribute, or none at all.
  printf("%d%d%d\n", stencilAttributeIsAIndex(none),
         stencilAttributeIsASchedule(none), stencilAttributeIsAKeep(none));
  printf("%d %d\n", (int)stencilBoundsAttrGetRank(none),
         (int)stencilScheduleAttrGetCount(none, STENCIL_SCHEDULE_BLOCK));
  printAttribute("no value", stencilDirichletAttrGetValue(none));
  printAttribute("no context", stencilKeepAttrGet((MlirContext){NULL}));
  // CHECK-NEXT: 000
  // CHECK-NEXT: 0 0
  // CHECK-NEXT: no value: null
  // CHECK-NEXT: no context: null
}

int main(void) {
  MlirContext context = makeContext();
  testBounds(context);
  testConditions(context);
  testSchedules(context);
  testLaunches(context);
  testTarget(context);
  testCPULoops(context);
  testErrors(context);
  mlirContextDestroy(context);
  return 0;
}
