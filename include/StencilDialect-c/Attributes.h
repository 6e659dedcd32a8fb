/*===- StencilDialect-c/Attributes.h - Attributes ---------------*- C -*-===*\
|*                                                                          *|
|* Functions that make an attribute that has rules have a location: where   *|
|* its errors are reported. All load the dialect if the context does not    *|
|* have it yet. Text works, too: mlirAttributeParseGet.                     *|
|*                                                                          *|
\*===--------------------------------------------------------------------===*/

#ifndef STENCILDIALECT_C_ATTRIBUTES_H
#define STENCILDIALECT_C_ATTRIBUTES_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/* #stencil.index: one integer per axis. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsAIndex(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute stencilIndexAttrGetChecked(
    MlirLocation location, intptr_t rank, const int64_t *values);
MLIR_CAPI_EXPORTED intptr_t stencilIndexAttrGetRank(MlirAttribute attribute);
MLIR_CAPI_EXPORTED int64_t stencilIndexAttrGetValue(MlirAttribute attribute,
                                                    intptr_t axis);

/* #stencil.bounds: a half-open box [lower, upper). A bound is a coordinate, or
 * relative to the number of interior points of its axis, which a run decides:
 * the `?+1` of the text is stencilBoundGetRelative(1). */
MLIR_CAPI_EXPORTED bool stencilAttributeIsABounds(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute
stencilBoundsAttrGetChecked(MlirLocation location, intptr_t rank,
                            const int64_t *lower, const int64_t *upper);
MLIR_CAPI_EXPORTED intptr_t stencilBoundsAttrGetRank(MlirAttribute attribute);
MLIR_CAPI_EXPORTED int64_t stencilBoundsAttrGetLower(MlirAttribute attribute,
                                                     intptr_t axis);
MLIR_CAPI_EXPORTED int64_t stencilBoundsAttrGetUpper(MlirAttribute attribute,
                                                     intptr_t axis);
/* True if every point of `other` lies in the box. */
MLIR_CAPI_EXPORTED bool stencilBoundsAttrContains(MlirAttribute attribute,
                                                  MlirAttribute other);

/* A relative bound; offsets up to 2^40 either way make one. */
MLIR_CAPI_EXPORTED int64_t stencilBoundGetRelative(int64_t offset);
MLIR_CAPI_EXPORTED bool stencilBoundIsRelative(int64_t bound);
/* The offset of a relative bound. */
MLIR_CAPI_EXPORTED int64_t stencilBoundGetOffset(int64_t bound);

/* Boundary conditions, for stencilBoundaryCreate. Of each of these there are a
 * function that asks whether an attribute is one, and one that makes it:
 * stencilAttributeIsAPeriodic and stencilPeriodicAttrGet, and so on. */
#define STENCIL_CONDITIONS(X)                                                  \
  X(Periodic)                                                                  \
  X(Neumann)                                                                   \
  X(Symmetric)                                                                 \
  X(Antisymmetric)                                                             \
  X(SymmetricAboutFace)                                                        \
  X(AntisymmetricAboutFace)                                                    \
  X(Keep)
#define STENCIL_DECLARE_CONDITION(name)                                        \
  MLIR_CAPI_EXPORTED bool stencilAttributeIsA##name(MlirAttribute attribute);  \
  MLIR_CAPI_EXPORTED MlirAttribute stencil##name##AttrGet(MlirContext context);
STENCIL_CONDITIONS(STENCIL_DECLARE_CONDITION)
#undef STENCIL_DECLARE_CONDITION

/* `value` is an integer or float attribute. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsADirichlet(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute
stencilDirichletAttrGetChecked(MlirLocation location, MlirAttribute value);
MLIR_CAPI_EXPORTED MlirAttribute
stencilDirichletAttrGetValue(MlirAttribute attribute);

/* Orders from 0 to 8. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsAExtrapolate(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute
stencilExtrapolateAttrGetChecked(MlirLocation location, int64_t order);
MLIR_CAPI_EXPORTED int64_t
stencilExtrapolateAttrGetOrder(MlirAttribute attribute);

/*===--------------------------------------------------------------------===*\
|* How applies are computed on GPUs                                         *|
\*===--------------------------------------------------------------------===*/

/* Names of attributes of ops. */
#define STENCIL_SCHEDULE_ATTR "stencil.schedule"
#define STENCIL_REGION_GROUP_ATTR "stencil.region_group"
#define STENCIL_STAGE_ATTR "stencil.stage"
#define STENCIL_TIME_LOOP_ATTR "stencil.time_loop"
#define STENCIL_TARGET_ATTR "stencil.target"
#define STENCIL_CPU_LOOPS_ATTR "stencil.cpu_loops"
#define STENCIL_DIAMONDS_ATTR "stencil.diamonds"

/* Values of keys of a schedule, and of the ops of pipelines. */
typedef enum StencilSpace {
  STENCIL_SPACE_SHARED = 0,
  STENCIL_SPACE_REGISTERS = 1,
  STENCIL_SPACE_SHUFFLE = 2,
  STENCIL_SPACE_CACHE = 3
} StencilSpace;

typedef enum StencilAccumulation {
  STENCIL_ACCUMULATION_GATHER = 0,
  STENCIL_ACCUMULATION_SHIFT = 1,
  STENCIL_ACCUMULATION_SCATTER = 2,
  STENCIL_ACCUMULATION_SEMI = 3
} StencilAccumulation;

typedef enum StencilPrefetch {
  STENCIL_PREFETCH_NONE = 0,
  STENCIL_PREFETCH_REGISTERS = 1,
  STENCIL_PREFETCH_ASYNC = 2,
  STENCIL_PREFETCH_TMA = 3,
  STENCIL_PREFETCH_L2 = 4
} StencilPrefetch;

typedef enum StencilEviction {
  STENCIL_EVICTION_NORMAL = 0,
  STENCIL_EVICTION_LAST = 1
} StencilEviction;

typedef enum StencilBoundaryPlace {
  STENCIL_BOUNDARY_KERNEL = 0,
  STENCIL_BOUNDARY_WINDOW = 1,
  STENCIL_BOUNDARY_STORE = 2
} StencilBoundaryPlace;

typedef enum StencilEngine {
  STENCIL_ENGINE_FMA = 0,
  STENCIL_ENGINE_TAPS = 1,
  STENCIL_ENGINE_MMA = 2
} StencilEngine;

typedef enum StencilRegionLaunch {
  STENCIL_REGIONS_SEPARATE = 0,
  STENCIL_REGIONS_LAUNCH = 1,
  STENCIL_REGIONS_STREAMS = 2
} StencilRegionLaunch;

/* The keys of a #stencil.schedule: STENCIL_SCHEDULE_BLOCK and so on, as
 * ScheduleKeys.td declares them. */
#define GET_StencilScheduleKey_DECL
#include "StencilDialect-c/ScheduleKeys.h.inc"
typedef enum StencilScheduleKey StencilScheduleKey;

/* A key with its values: a list (block, points, window, groups, order, panel),
 * or one number. */
typedef struct StencilScheduleEntry {
  int32_t key; /* StencilScheduleKey */
  intptr_t count;
  const int64_t *values;
} StencilScheduleEntry;

/* #stencil.schedule: how an apply is computed on a GPU. Keys that are not given
 * are chosen by the compiler. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsASchedule(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute stencilScheduleAttrGetChecked(
    MlirLocation location, intptr_t count, const StencilScheduleEntry *entries);
/* How many values a key has; 0 if it is not given. */
MLIR_CAPI_EXPORTED intptr_t stencilScheduleAttrGetCount(MlirAttribute attribute,
                                                        StencilScheduleKey key);
MLIR_CAPI_EXPORTED int64_t stencilScheduleAttrGetValue(MlirAttribute attribute,
                                                       StencilScheduleKey key,
                                                       intptr_t index);

/* #stencil.region_group: which launches may run at the same time. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsARegionGroup(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute stencilRegionGroupAttrGetChecked(
    MlirLocation location, int64_t number, StencilRegionLaunch how);
MLIR_CAPI_EXPORTED int64_t
stencilRegionGroupAttrGetNumber(MlirAttribute attribute);
MLIR_CAPI_EXPORTED StencilRegionLaunch
stencilRegionGroupAttrGetHow(MlirAttribute attribute);

/* #stencil.stage: when a pipeline runs a stage. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsAStage(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute stencilStageAttrGet(MlirContext context,
                                                     int64_t lead);
MLIR_CAPI_EXPORTED int64_t stencilStageAttrGetLead(MlirAttribute attribute);
/* With a number for each axis; 0 of them: no skew. */
MLIR_CAPI_EXPORTED MlirAttribute stencilStageAttrGetSkewed(MlirContext context,
                                                           int64_t lead,
                                                           intptr_t numAxes,
                                                           const int64_t *skew);
MLIR_CAPI_EXPORTED intptr_t
stencilStageAttrGetSkewRank(MlirAttribute attribute);
MLIR_CAPI_EXPORTED int64_t stencilStageAttrGetSkew(MlirAttribute attribute,
                                                   intptr_t axis);

/* #stencil.time_loop: what is known of a loop over time steps. `interior` is a
 * #stencil.bounds, `lower` and `upper` are #stencil.index. */
typedef struct StencilTimeLoop {
  MlirAttribute interior, lower, upper;
  uint64_t buffers, levels, stages, period;
  bool stepDependent;
} StencilTimeLoop;

MLIR_CAPI_EXPORTED bool stencilAttributeIsATimeLoop(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute stencilTimeLoopAttrGetChecked(
    MlirLocation location, const StencilTimeLoop *loop);
/* False, and `loop` as it was, for another attribute. */
MLIR_CAPI_EXPORTED bool stencilTimeLoopAttrGetValue(MlirAttribute attribute,
                                                    StencilTimeLoop *loop);

/* #stencil.diamonds: how a CPU takes the steps of a time loop in diamonds.
 * `keys` are as in text, such as "steps = 7, tile = 8". */
MLIR_CAPI_EXPORTED bool stencilAttributeIsADiamonds(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute
stencilDiamondsAttrGetChecked(MlirLocation location, MlirStringRef keys);

/* #stencil.target: the GPU that a module is compiled for, by a name of LLVM's
 * such as "sm_90"; another one is an error. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsATarget(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute
stencilTargetAttrGetChecked(MlirLocation location, MlirStringRef chip);
/* As long as the context lives; empty for another attribute. */
MLIR_CAPI_EXPORTED MlirStringRef
stencilTargetAttrGetChip(MlirAttribute attribute);

/* #stencil.cpu_loops: what the loops of an op look like on a CPU, and
 * #stencil.cpu_blocks, its key `blocks`. `keys` are as in text, such as
 * "lanes = 8, tile = [16, 0]"; those that are not given are as without the
 * attribute. */
MLIR_CAPI_EXPORTED bool stencilAttributeIsACPULoops(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute
stencilCPULoopsAttrGetChecked(MlirLocation location, MlirStringRef keys);
MLIR_CAPI_EXPORTED bool stencilAttributeIsACPUBlocks(MlirAttribute attribute);
MLIR_CAPI_EXPORTED MlirAttribute
stencilCPUBlocksAttrGetChecked(MlirLocation location, MlirStringRef keys);

#ifdef __cplusplus
}
#endif

#endif /* STENCILDIALECT_C_ATTRIBUTES_H */
