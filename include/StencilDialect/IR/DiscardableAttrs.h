//===- DiscardableAttrs.h - Attributes on ops of programs -------*- C++ -*-===//
//
// Names of the attributes that passes and people put on ops. The dialect
// verifies them; `stencil.schedule` is in StencilAttrs.td.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_IR_DISCARDABLEATTRS_H
#define STENCILDIALECT_IR_DISCARDABLEATTRS_H

#include "llvm/ADT/StringRef.h"

namespace stencil {

/// Of a stencil.apply: what stencil-split-regions is to do with it. A string,
/// "all", "two" or "keep".
inline constexpr llvm::StringLiteral kRegionsAttr = "stencil.regions";

/// Of a stencil.apply: the axes that stencil-split-regions divides, if not all.
/// An array<i64> of different axes.
inline constexpr llvm::StringLiteral kRegionAxesAttr = "stencil.region_axes";

/// Of a stencil.apply that stencil-split-regions has made: its region, a
/// #stencil.bounds.
inline constexpr llvm::StringLiteral kRegionAttr = "stencil.region";

/// Of a stencil.apply: what options and remarks call it. A string.
inline constexpr llvm::StringLiteral kApplyNameAttr = "stencil.name";

/// Of a stencil.apply that stencil-block-time has made: how many steps of a
/// time loop its body takes, each a value that the next one reads; or of a
/// stencil.pipeline, each a stage. An i64, from 2.
inline constexpr llvm::StringLiteral kStepsAttr = "stencil.steps";

/// Of a stencil.accumulate: its terms, and the terms of these, may be added in
/// any order. A unit.
inline constexpr llvm::StringLiteral kAnyOrderAttr = "stencil.any_order";

/// Of a stencil.window of what a stage or an accumulation makes: a box, beyond
/// which nobody uses what the window has, although it may be read there. Along
/// axes where readers reach beyond it, it has the ends of the box of the
/// stores; nothing is computed there. A #stencil.bounds.
inline constexpr llvm::StringLiteral kWithinAttr = "stencil.within";

/// Of a stencil.pipeline with an axis, or of the kernel that it becomes: a box.
/// Stages choose by coordinates what they read next to the sides of the domain;
/// at points of the box there is nothing to choose. A kernel has code of its
/// own for blocks and planes of which all points are in it. A #stencil.bounds.
inline constexpr llvm::StringLiteral kInnerAttr = "stencil.inner";

/// Of a tile.walk: planes that its loop takes at a time, a multiple of its
/// `unroll`, instead of as many as it takes until all that is carried is in the
/// same registers again. An i64 from 1 to 32.
inline constexpr llvm::StringLiteral kUnrollAttr = "stencil.unroll";

/// Of an apply: what its schedule was chosen by (Analysis/ScheduleRequest.h,
/// Evidence), where stencil-select-schedule was told to say so.
inline constexpr llvm::StringLiteral kEvidenceAttr = "stencil.evidence";

/// Of a stencil.apply of open extents: interior points per axis that its
/// schedule is chosen for, as it runs for such boxes only
/// (stencil-vary-extents). An array<i64> of positive numbers, one for each
/// axis.
inline constexpr llvm::StringLiteral kAssumedExtentsAttr =
    "stencil.assumed_extents";

/// Of a stencil.apply, and of the pipeline and the kernel that it becomes:
/// every position in its fields is a number of 32 bits, as it runs only if that
/// is so (stencil-vary-extents). An i64: 0, or over less than how many planes
/// what is added to a position has to reach (Analysis/NarrowPositions.h).
inline constexpr llvm::StringLiteral kNarrowAttr = "stencil.narrow";

/// Of an scf.for whose `stencil.diamonds` stencil-block-time has chosen: a
/// unit. Where what the step has become cannot be cut after all, it is a loop
/// as any other (stencil-shape-loops); what a program asks for is an error
/// there.
inline constexpr llvm::StringLiteral kChosenDiamondsAttr =
    "stencil.chosen_diamonds";

/// Of an scf.for that is proven to be a time loop: a #stencil.time_loop.
inline constexpr llvm::StringLiteral kTimeLoopAttr = "stencil.time_loop";

/// Of an scf.parallel: iterations that a thread takes at a time, its own first
/// and then those of others that are not done. An i64, from 1.
inline constexpr llvm::StringLiteral kDealAttr = "stencil.deal";

/// Of a stencil.weighted_sum over an input, with constant weights: conversions
/// make loops over its taps instead of code for each of them. A unit.
inline constexpr llvm::StringLiteral kTapLoopAttr = "stencil.tap_loop";

/// Of a stencil.weighted_sum over an input, with constant weights: it is
/// computed by matrix instructions. A #tile.mma.
inline constexpr llvm::StringLiteral kMatrixProductAttr =
    "stencil.matrix_product";

/// Of a product of floats: it is rounded before it is added to anything, unless
/// sums may be computed in any order (Conversion/FusedProducts.h). A unit.
inline constexpr llvm::StringLiteral kRoundedAttr = "stencil.rounded";

/// Of a func.func: its fields are arrays of the caller in the memory of the
/// GPU, row-major without gaps. A unit.
inline constexpr llvm::StringLiteral kDeviceArraysAttr =
    "stencil.device_arrays";

} // namespace stencil

#endif // STENCILDIALECT_IR_DISCARDABLEATTRS_H
