//===- ModelConstants.h - The numbers of the cost model ---------*- C++ -*-===//
//
// What the cost model (ScheduleModel.h) does not count but knows from
// measurements. docs/cost-model.md has the formula and says what they were
// fitted to; benchmarks/calibrate fits them.
//
//===----------------------------------------------------------------------===//

#ifndef STENCILDIALECT_ANALYSIS_MODELCONSTANTS_H
#define STENCILDIALECT_ANALYSIS_MODELCONSTANTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace stencil {

/// Times are seconds.
struct ModelConstants {
  //===--- Memory and caches ----------------------------------------------===//

  /// The shares of the copy's bandwidth, and of L2's, that kernels reach.
  double memoryShare = 1.02, l2Share = 1.11;
  /// The part of L2 in which what is read again is found again. Beyond it ever
  /// less is; from twice as much on nothing.
  double l2Kept = 0.813;
  /// The part of what is read again that L2 has to deliver: the rest is in the
  /// first-level cache, or in the half of L2 that is near.
  double againFromL2 = 0.447;
  /// The share of their peak rate that the first-level cache and shared memory
  /// reach.
  double l1Share = 0.879, sharedShare = 0.966;
  /// The part of its time that a walk takes whose planes, which come with TMA,
  /// leave the second-level cache last: they are read again by the blocks
  /// beside.
  double keptLines = 0.97;

  //===--- Tiles ----------------------------------------------------------===//

  /// What a thread waits for what is read for the first time, and for what
  /// another block has read.
  double firstLatency = 1.61e-07, againLatency = 1.17e-06;
  /// Bytes that a thread asks for at once at most: six vectors of 16, or, where
  /// it has more than 64 registers, as much as this part of the others holds.
  double maxInFlight = 88.5, registersInFlight = 0.4;
  /// Arithmetic waits for its own results: so many warps beside those that a
  /// multiprocessor has, and it would not. 8 take 1.3 times as long as many
  /// do, 16 take 1.15 times. A walk's warps have their planes in shared memory.
  double waitingWarps = 2.5;
  /// How much longer it takes if a thread has more of a row than one vector,
  /// as neighbouring threads are not beside each other then, and if it has less
  /// than half of one.
  double spreadRows = 1.06, thinRows = 1.1;
  /// What it takes longer if a multiprocessor has one block, with two half as
  /// much: a block begins by waiting, and ends by storing.
  double turnover = 0.111;
  /// What blocks gain that ask ahead for the next one's memory (prefetch = l2)
  /// if a multiprocessor has few warps, and lose with many: a substep of MHD
  /// took 0.94 of the time, stars of 7 and 13 points 1.08 and 1.01.
  double askedAhead = 0.94, askedInVain = 1.05, fewWarps = 16;

  //===--- Walks ----------------------------------------------------------===//

  /// An iteration, from barrier to barrier; with copies by cp.async and through
  /// registers so many times as long.
  double iteration = 4.74e-07, asyncIteration = 1.05, copiedIteration = 1.4;
  /// The part that does not get shorter with more planes on their way, and the
  /// one that does.
  double ownPart = 1.03, waitedPart = 0.307;
  /// The part of what the terms say that walks with TMA take.
  double withTma = 0.945;
  /// How much longer it takes to wait, in each iteration, for inputs that are
  /// in no window.
  double lateInputs = 1.17;
  /// How much longer a walk takes whose multiprocessors have one block of at
  /// most so many threads each: nothing runs while it waits at a barrier.
  double alone = 1.06, aloneThreads = 256;
  /// What blocks lose because they do not stay together: with the planes of a
  /// segment, in `driftLength`; less with more waves, and with wider halos,
  /// where other things take longer. A row is less than a plane.
  double drift = 0.446, driftPlanes = 0.711, driftWaves = 0.317,
         driftHalo = 2.08, driftLength = 64, rowsOfPlane = 8;
  /// How a walk waits for a last wave that is not full: so long as if it were,
  /// to this power; to the second one where shared memory or arithmetic is what
  /// takes long, which the last blocks have no more of than others.
  double lastWave = 0.4, boundLastWave = 0.8;
  /// How much longer a walk with TMA takes with one plane on its way, with two
  /// if there is one block and the halo is up to `narrowHalo`, and how much
  /// more with three and with more, the farther, the longer they walk: from
  /// `shortWalk` to `longWalk` planes.
  double oneAhead = 1.15, twoAheadAlone = 1.03, narrowHalo = 4,
         threeAhead = 0.17, moreAhead = 0.214, morePlanes = 0.707,
         shortWalk = 16, longWalk = 256;

  //===--- Instructions and launches --------------------------------------===//

  /// Instructions for the address of a vector, of a thread, of a register that
  /// is spilled, and of 16 bytes that are copied through registers.
  double addressing = 0.491, perThread = 12, perSpill = 2, perCopy = 4;
  /// Instructions that a warp issues in a cycle at most, as it waits for its
  /// own results.
  double issuedByWarp = 0.683;
  /// Bytes of code that a multiprocessor keeps: where a walk has much more,
  /// each block fetches it again for every plane, so many bytes in a cycle.
  double codeKept = 150e3, codeSharpness = 14, codeFetched = 8;
  /// Copies of the code for a plane beside those of a walk's loop; how much
  /// more code it is than counted where queues or sums turn, and more so where
  /// tiles reach beyond the box: what ptxas made of 83 walks.
  double codeBeside = 2, turnedCode = 1.5, guardedCode = 2;
  /// Cycles in which the GPU begins a block: none of 6000 measured kernels did
  /// so in less, whatever their blocks do.
  double blockCycles = 1.2;
  /// What a launch takes at least; what it takes longer, if the kernel is long,
  /// until all multiprocessors are busy and until all are done, and the time at
  /// which that is half as much.
  double launch = 2.13e-06, ramp = 1.19e-05, halfRamp = 1.45e-05;
  /// What takes nearly as long as the longest gets in the way: the norm of the
  /// times. With an infinite one the longest would be all.
  double norm = 3.36;

  //===--- Registers: what ptxas took for 3600 kernels --------------------===//

  /// Of all kernels: for each word of the results of a thread's points is
  /// `...Point`, of what the body of a point holds at once `...Live`, of what
  /// the points read `...Read`, and of the operations of a point beyond its
  /// reads `...Slow` (divisions, roots, products): their operands are held.
  /// Tiles:
  double tileBase = 18.9, tileRead = 0.0831, tilePoint = 0.196,
         tileLive = 0.441, tileSlow = 0.23;
  /// Walks over planes that are only in shared memory; what is read of a plane:
  double planeBase = 15.4, planeRead = 0.17, planePoint = 0.737,
         planeLive = 0.894, planeSlow = 0.244;
  /// Walks with queues; `queueBeside` is for what is read of all planes,
  /// `queueWork` for all operations of a point.
  double queueBase = 5.05, queueWindows = 0.786, queueRead = 0.242,
         queueBeside = 0.181, queuePoint = 0.481, queueLive = 0.0798,
         queueWork = 0.261;
  /// ptxas takes more than it needs where bounds of a launch give it more: of
  /// a tile for each word that is read, as loads are begun earlier, of walks.
  double tileBounded = 0.422, planeBounded = 34.5, queueBounded = 8.29;
  /// Of walks whose sums are added plane by plane, and of compilers that were
  /// not measured: for each word of windows and of the row that is computed;
  /// of boxes, for what is read of a plane.
  double walkBase = 18, walkWindows = 1.45, walkRow = 2.5, scattered = 0.08,
         boxWindows = 1.2, boxPlane = 0.75;
  /// More for each point where strides are known to the run only; as a part,
  /// with cp.async, with copies through registers.
  double openExtents = 9, asyncCopies = 0.25, registerCopies = 0.45;
  /// A loop over taps holds a sum of each point, and of most what it reads.
  double loopBase = 20, loopPoint = 1.5;
  /// Of what is held beyond such a part of the registers that there are, so
  /// many times are spilled. Of other compilers less is known.
  double roomy = 0.9, spilledOfWalk = 1.15, spilledOfTile = 2.09,
         squeezedElsewhere = 0.67;
  /// Bytes that go through the caches for each register that is spilled: some
  /// are loaded more than once.
  double storedAndLoaded = 5.26;

  //===--- Several steps at once ------------------------------------------===//

  /// Registers beside the rows and planes that a thread keeps: what ptxas took
  /// on sm_90. Of planes of 5, 9, 13 and 25 points; of legs of 5, 9 and 13
  /// points, where it begins to spill; of volumes of 7 points, 2 to 4 steps and
  /// 8 and 16 points of a thread.
  double stepBase = 51, stepPoint = 4, stepRadius = 3;
  double legBase = 44, legPoint = 5;
  double volumeBase = 72, volumePoint = 2, volumeStep = 6;
  /// The same of volumes whose steps have their halos: 3 steps of FP64 with 4
  /// and 7 rows, 4 steps with 5 and 6, and FP32. What ptxas does without, where
  /// it has to.
  double walkedSteps = 11, walkedStep = 9, walkedPoint = 0.95,
         walkedStepPoint = 0.43, walkedSpared = 1.12;
  /// The share of the arithmetic that the units can do: of 5, 9, 13 and 25
  /// points in planes and 3 and 5 in rows, on an H100 and an H200. Launches of
  /// the slabs of a step, one after the other, beside it, and those of a
  /// boundary.
  double stepShare = 0.6, stepLaunch = 6e-6, stepBoundary = 3.5e-6;
  /// Legs compute at the rate of the units while others wait for memory, more
  /// slowly the fewer points a lane has to wait with. Of 5, 9 and 13 points,
  /// which take 56 to 165 us a step of 10240^2 points on an H200, within 5 %;
  /// of FP32 of 5 and 9.
  double legRate = 0.82, legWaiting = 1.8, singleLegRate = 1.15, legSweep = 0.8;
  /// Of steps of a row that become one sum: the share of the matrix unit's peak
  /// that it reaches, launches, and the rim that runs beside.
  double composedShare = 0.75, composedLaunch = 2.5e-6, composedRim = 15e-6;
  /// The part of the time of single steps that several may take.
  double stepsWorthwhile = 0.8;

  //===--- The choice -----------------------------------------------------===//

  /// The part of the default's time that another schedule may take, and the
  /// time that is to be saved: the default is known to work everywhere. Sweeps
  /// that take less than `smallSweep` are left as they are.
  double worthwhile = 0.97, leastSaved = 2e-6, smallSweep = 20e-6;
  /// How much longer than predicted a walk may well take where the model was
  /// fitted: the one that is predicted to be fastest of many is one of those
  /// that are predicted too fast. The same of what it was not fitted to, and of
  /// tiles on GPUs that nothing was measured on.
  double fittedDoubt = 1.06, otherDoubt = 1.15, otherTileDoubt = 1.25;

  /// The part of the registers that a candidate may want: of the kernels below,
  /// one of fifty spilled more than eight. Of other compilers; a star of 19
  /// points spilled between 0.6 and 0.75 of those of a gfx942.
  double sureOfTile = 0.75, sureOfWalk = 0.98, sureElsewhere = 0.6;
  /// What was measured: bodies of up to so many ops; tiles of so many points,
  /// in a plane and in a volume; walks with so many bytes of points per thread.
  /// Of many operations rows are faster than by default, and sums that stay in
  /// their order want registers that addresses of open extents take.
  double heavyOps = 1024, largestTile = 4096, largestTileOfVolume = 2048,
         largestPoint = 64, manyOps = 100;

  //===--- Products of matrices -------------------------------------------===//

  /// Walks in planes took up to so many times what is predicted; where
  /// arithmetic was their limit, they reached that part of its rate; of 16
  /// bits, sums whose weights coincide took up to so many times what is
  /// predicted (docs/notebook.md, "Sums of low rank").
  double planeWalkDoubt = 1.15, planeWalkRate = 0.55, narrowDoubt = 1.5;
  /// The share of the copy that products reach, of doubles and of other types;
  /// and, of the latter, the norm of the times of memory and products. Of
  /// doubles the slower of both is all that was seen on an H200.
  double productCopy = 0.99, otherProductCopy = 0.95, productNorm = 3;

  /// As they are above.
  static const ModelConstants &getDefault();

  /// These with the numbers of a JSON object, such as {"norm": 3}, in place of
  /// some. Fails on what is no number, not positive, or no constant.
  llvm::Expected<ModelConstants> with(const llvm::json::Object &numbers) const;

  llvm::json::Object toJson() const;
};

} // namespace stencil

#endif // STENCILDIALECT_ANALYSIS_MODELCONSTANTS_H
