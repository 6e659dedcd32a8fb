//===- ModelConstants.cpp - The numbers of the cost model -----------------===//

#include "StencilDialect/Analysis/ModelConstants.h"
#include "llvm/ADT/STLExtras.h"

using namespace stencil;

static constexpr std::pair<llvm::StringLiteral, double ModelConstants::*>
    kNames[] = {
        {"memoryShare", &ModelConstants::memoryShare},
        {"l2Share", &ModelConstants::l2Share},
        {"l2Kept", &ModelConstants::l2Kept},
        {"againFromL2", &ModelConstants::againFromL2},
        {"l1Share", &ModelConstants::l1Share},
        {"sharedShare", &ModelConstants::sharedShare},
        {"keptLines", &ModelConstants::keptLines},
        {"firstLatency", &ModelConstants::firstLatency},
        {"againLatency", &ModelConstants::againLatency},
        {"maxInFlight", &ModelConstants::maxInFlight},
        {"registersInFlight", &ModelConstants::registersInFlight},
        {"waitingWarps", &ModelConstants::waitingWarps},
        {"spreadRows", &ModelConstants::spreadRows},
        {"thinRows", &ModelConstants::thinRows},
        {"askedAhead", &ModelConstants::askedAhead},
        {"askedInVain", &ModelConstants::askedInVain},
        {"fewWarps", &ModelConstants::fewWarps},
        {"iteration", &ModelConstants::iteration},
        {"asyncIteration", &ModelConstants::asyncIteration},
        {"copiedIteration", &ModelConstants::copiedIteration},
        {"ownPart", &ModelConstants::ownPart},
        {"waitedPart", &ModelConstants::waitedPart},
        {"withTma", &ModelConstants::withTma},
        {"lateInputs", &ModelConstants::lateInputs},
        {"alone", &ModelConstants::alone},
        {"aloneThreads", &ModelConstants::aloneThreads},
        {"drift", &ModelConstants::drift},
        {"driftPlanes", &ModelConstants::driftPlanes},
        {"driftWaves", &ModelConstants::driftWaves},
        {"driftHalo", &ModelConstants::driftHalo},
        {"driftLength", &ModelConstants::driftLength},
        {"rowsOfPlane", &ModelConstants::rowsOfPlane},
        {"lastWave", &ModelConstants::lastWave},
        {"boundLastWave", &ModelConstants::boundLastWave},
        {"oneAhead", &ModelConstants::oneAhead},
        {"twoAheadAlone", &ModelConstants::twoAheadAlone},
        {"narrowHalo", &ModelConstants::narrowHalo},
        {"threeAhead", &ModelConstants::threeAhead},
        {"moreAhead", &ModelConstants::moreAhead},
        {"morePlanes", &ModelConstants::morePlanes},
        {"shortWalk", &ModelConstants::shortWalk},
        {"longWalk", &ModelConstants::longWalk},
        {"codeKept", &ModelConstants::codeKept},
        {"codeSharpness", &ModelConstants::codeSharpness},
        {"codeFetched", &ModelConstants::codeFetched},
        {"turnover", &ModelConstants::turnover},
        {"issuedByWarp", &ModelConstants::issuedByWarp},
        {"codeBeside", &ModelConstants::codeBeside},
        {"turnedCode", &ModelConstants::turnedCode},
        {"guardedCode", &ModelConstants::guardedCode},
        {"addressing", &ModelConstants::addressing},
        {"perThread", &ModelConstants::perThread},
        {"perSpill", &ModelConstants::perSpill},
        {"perCopy", &ModelConstants::perCopy},
        {"blockCycles", &ModelConstants::blockCycles},
        {"launch", &ModelConstants::launch},
        {"ramp", &ModelConstants::ramp},
        {"halfRamp", &ModelConstants::halfRamp},
        {"norm", &ModelConstants::norm},
        {"tileBase", &ModelConstants::tileBase},
        {"tileRead", &ModelConstants::tileRead},
        {"tilePoint", &ModelConstants::tilePoint},
        {"tileLive", &ModelConstants::tileLive},
        {"tileSlow", &ModelConstants::tileSlow},
        {"planeBase", &ModelConstants::planeBase},
        {"planeRead", &ModelConstants::planeRead},
        {"planePoint", &ModelConstants::planePoint},
        {"planeLive", &ModelConstants::planeLive},
        {"planeSlow", &ModelConstants::planeSlow},
        {"queueBase", &ModelConstants::queueBase},
        {"queueWindows", &ModelConstants::queueWindows},
        {"queueRead", &ModelConstants::queueRead},
        {"queueBeside", &ModelConstants::queueBeside},
        {"queuePoint", &ModelConstants::queuePoint},
        {"queueLive", &ModelConstants::queueLive},
        {"queueWork", &ModelConstants::queueWork},
        {"tileBounded", &ModelConstants::tileBounded},
        {"planeBounded", &ModelConstants::planeBounded},
        {"queueBounded", &ModelConstants::queueBounded},
        {"walkBase", &ModelConstants::walkBase},
        {"walkWindows", &ModelConstants::walkWindows},
        {"walkRow", &ModelConstants::walkRow},
        {"scattered", &ModelConstants::scattered},
        {"boxWindows", &ModelConstants::boxWindows},
        {"boxPlane", &ModelConstants::boxPlane},
        {"openExtents", &ModelConstants::openExtents},
        {"asyncCopies", &ModelConstants::asyncCopies},
        {"registerCopies", &ModelConstants::registerCopies},
        {"loopBase", &ModelConstants::loopBase},
        {"loopPoint", &ModelConstants::loopPoint},
        {"roomy", &ModelConstants::roomy},
        {"spilledOfWalk", &ModelConstants::spilledOfWalk},
        {"spilledOfTile", &ModelConstants::spilledOfTile},
        {"squeezedElsewhere", &ModelConstants::squeezedElsewhere},
        {"storedAndLoaded", &ModelConstants::storedAndLoaded},
        {"stepBase", &ModelConstants::stepBase},
        {"stepPoint", &ModelConstants::stepPoint},
        {"stepRadius", &ModelConstants::stepRadius},
        {"legBase", &ModelConstants::legBase},
        {"legPoint", &ModelConstants::legPoint},
        {"volumeBase", &ModelConstants::volumeBase},
        {"volumePoint", &ModelConstants::volumePoint},
        {"volumeStep", &ModelConstants::volumeStep},
        {"walkedSteps", &ModelConstants::walkedSteps},
        {"walkedStep", &ModelConstants::walkedStep},
        {"walkedPoint", &ModelConstants::walkedPoint},
        {"walkedStepPoint", &ModelConstants::walkedStepPoint},
        {"walkedSpared", &ModelConstants::walkedSpared},
        {"stepShare", &ModelConstants::stepShare},
        {"stepLaunch", &ModelConstants::stepLaunch},
        {"stepBoundary", &ModelConstants::stepBoundary},
        {"legRate", &ModelConstants::legRate},
        {"legWaiting", &ModelConstants::legWaiting},
        {"singleLegRate", &ModelConstants::singleLegRate},
        {"legSweep", &ModelConstants::legSweep},
        {"composedShare", &ModelConstants::composedShare},
        {"composedLaunch", &ModelConstants::composedLaunch},
        {"composedRim", &ModelConstants::composedRim},
        {"stepsWorthwhile", &ModelConstants::stepsWorthwhile},
        {"worthwhile", &ModelConstants::worthwhile},
        {"leastSaved", &ModelConstants::leastSaved},
        {"smallSweep", &ModelConstants::smallSweep},
        {"fittedDoubt", &ModelConstants::fittedDoubt},
        {"otherDoubt", &ModelConstants::otherDoubt},
        {"otherTileDoubt", &ModelConstants::otherTileDoubt},
        {"sureOfTile", &ModelConstants::sureOfTile},
        {"sureOfWalk", &ModelConstants::sureOfWalk},
        {"sureElsewhere", &ModelConstants::sureElsewhere},
        {"heavyOps", &ModelConstants::heavyOps},
        {"largestTile", &ModelConstants::largestTile},
        {"largestTileOfVolume", &ModelConstants::largestTileOfVolume},
        {"largestPoint", &ModelConstants::largestPoint},
        {"manyOps", &ModelConstants::manyOps},
        {"planeWalkDoubt", &ModelConstants::planeWalkDoubt},
        {"planeWalkRate", &ModelConstants::planeWalkRate},
        {"narrowDoubt", &ModelConstants::narrowDoubt},
        {"productCopy", &ModelConstants::productCopy},
        {"otherProductCopy", &ModelConstants::otherProductCopy},
        {"productNorm", &ModelConstants::productNorm},
};

const ModelConstants &ModelConstants::getDefault() {
  static const ModelConstants constants;
  return constants;
}

llvm::Expected<ModelConstants>
ModelConstants::with(const llvm::json::Object &numbers) const {
  ModelConstants changed = *this;
  for (const auto &[name, value] : numbers) {
    llvm::StringRef key(name);
    const auto *known = llvm::find_if(
        kNames, [&](const auto &entry) { return entry.first == key; });
    if (known == std::end(kNames))
      return llvm::createStringError("the cost model has no constant '" + key +
                                     "'");
    std::optional<double> number = value.getAsNumber();
    if (!number || !(*number > 0))
      return llvm::createStringError("expected a positive number for '" + key +
                                     "'");
    changed.*known->second = *number;
  }
  return changed;
}

llvm::json::Object ModelConstants::toJson() const {
  llvm::json::Object object;
  for (const auto &[name, member] : kNames)
    object[name] = this->*member;
  return object;
}
