//===- ScheduleSpace.h - The schedules that an apply can have ---*- C++ -*-===//
//
// The sensible schedules of an apply on a GPU: kernels of one tile per block,
// and kernels that walk along the first axis with windows in shared memory.
// Only such as fit: threads, shared memory, registers, alignment, what the chip
// can copy and what the mathematics allows.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_SCHEDULESPACE_H
#define STENCILDIALECT_ANALYSIS_SCHEDULESPACE_H

#include "StencilDialect/Analysis/KernelProfile.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/TargetInfo.h"

#include <vector>

namespace stencil {

/// The schedule of one tile per block that an apply without a schedule gets
/// (Analysis/TiledSchedule.h), written out. Blocks are cut to what the shape of
/// the profile needs.
ScheduleAttr getDefaultSchedule(ApplyOp apply, const KernelProfile &profile,
                                const TargetInfo &target);

/// The schedule without windows for what is stored to in place: windows are
/// filled by whole tiles, beyond a region as well, where another one stores.
/// Null if there is no such window, or no other one.
ScheduleAttr getWithoutStoredWindows(ScheduleAttr schedule,
                                     const KernelProfile &profile);

/// Rows, and points of each.
struct PlaneTile {
  int64_t rows = 0, row = 0;
};

/// The tiles of a walk along the first of three axes that divide the planes of
/// the box evenly and whose rows begin and end at multiples of 32 bytes, so
/// that their windows hold nothing that lies beyond the box in place; of whole
/// warps, those with the smallest halo first. None if the box is not known.
std::vector<PlaneTile> listEvenTiles(ApplyOp apply,
                                     const KernelProfile &profile,
                                     const TargetInfo &target);

/// The schedules to choose from, each once, the default first; the same ones in
/// the same order for the same apply. Without rates of the chip (see
/// TargetInfo::exact) or of a body that is not known, the default alone.
///
/// `extents`: points per axis where the apply's bounds do not say; 0 or nothing
/// if they are not known (getAssumedExtent).
std::vector<ScheduleAttr> enumerateSchedules(ApplyOp apply,
                                             const TargetInfo &target,
                                             llvm::ArrayRef<int64_t> extents,
                                             MathMode math);
std::vector<ScheduleAttr> enumerateSchedules(ApplyOp apply,
                                             const KernelProfile &profile,
                                             const TargetInfo &target);

/// Schedules that fit and differ from one, whose tile is known, in one number:
/// stages, segments, panel, blocks of a multiprocessor, what is asked of the
/// second-level cache, accumulation, tile, order of blocks, planes of an
/// iteration, legs of a relay; nearest first. None of a schedule whose tile is
/// not known. Legs are proposed of every chain in registers: whether its stages
/// can be cut so is seen when they are made.
std::vector<ScheduleAttr> listNeighbours(ScheduleAttr schedule,
                                         const KernelProfile &profile,
                                         const TargetInfo &target);

/// The planes and bytes that the shared windows of a schedule take.
struct SharedWindows {
  /// Planes in each ring, those aside that `step` adds; 1 without a walk.
  int64_t depth = 0;
  /// Planes on their way while one is computed.
  int64_t ahead = 0;
  /// Of a block, all windows together; of a plane of all of them.
  int64_t bytes = 0, planeBytes = 0;
};

/// What the windows of a schedule, whose tile is known, take. The same as
/// stencil-stream-windows is going to make of it.
SharedWindows getSharedWindows(const KernelProfile &profile,
                               ScheduleAttr schedule);

/// Whether a schedule makes loops of the long sums in the body: their input is
/// in a shared window of a whole tile (stencil-roll-sums).
bool loopsOverTaps(const KernelProfile &profile, ScheduleAttr schedule);

/// Whether sums are added plane by plane, which changes their order.
bool addsByPlane(ScheduleAttr schedule);

/// Registers of 32 bits that queues and sums of a walk take.
int64_t countWindowRegisters(const KernelProfile &profile,
                             ScheduleAttr schedule);

/// Why a schedule, whose tile is known, cannot be had: empty if it can. It says
/// what stencil-stream-windows, stencil-tile-registers and the lowering check,
/// as far as that can be told without them.
std::string findMisfit(const KernelProfile &profile, ScheduleAttr schedule,
                       const TargetInfo &target);

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_SCHEDULESPACE_H
