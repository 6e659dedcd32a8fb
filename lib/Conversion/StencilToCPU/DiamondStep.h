//===- DiamondStep.h - What a step in diamonds does in a tile ---*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDSTEP_H
#define STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDSTEP_H

#include "DiamondBoxes.h"
#include "PipelineEmitter.h"
#include "mlir/IR/IRMapping.h"

#include <functional>

namespace stencil {

/// Emits the phases of a step, each at the points that a tile has in it.
class DiamondStep {
public:
  /// `steps`: how many there are in all.
  DiamondStep(LoopBuilder &b, const DiamondLoop &found,
              const DiamondBoxes &boxes, const Extents &extents, MathMode mode,
              mlir::Value steps,
              llvm::function_ref<mlir::Value(mlir::Value)> getMemory)
      : b(b), math(b.math), found(found), boxes(boxes), extents(extents),
        mode(mode), steps(steps), getMemory(getMemory),
        pipelines(found.kernels.size()) {}
  /// What it has emitted with asks it for values.
  DiamondStep(const DiamondStep &) = delete;
  DiamondStep &operator=(const DiamondStep &) = delete;

  /// Whether tiles need buffers.
  bool hasBuffers() const;
  /// Buffers, before any tile, so many copies of them; which of them the tiles
  /// use that follow; and their end.
  void allocate(mlir::Value copies);
  void useCopy(mlir::Value number);
  void release();

  /// A step of a tile. `fields` are those that the loop carries.
  mlir::LogicalResult emit(const DiamondTile &tile, mlir::Value step,
                           mlir::ValueRange fields);

private:
  mlir::LogicalResult fillHalo(const DiamondLoopHalo &halo, const LoopBox &box,
                               mlir::Value step, mlir::Value memory);
  mlir::LogicalResult emitHaloPhase(const DiamondPhase &phase,
                                    mlir::Value memory, const LoopBox &box);
  mlir::LogicalResult emitPipeline(PipelineEmitter &emitter,
                                   const LoopBox &box);
  mlir::LogicalResult emitKernel(unsigned number, mlir::Value step,
                                 const LoopBox &box);
  mlir::Value find(mlir::Value value) const {
    return copies.contains(value) ? copies.lookup(value) : getMemory(value);
  }

  LoopBuilder &b;
  const Arithmetic &math;
  const DiamondLoop &found;
  const DiamondBoxes &boxes;
  const Extents &extents;
  MathMode mode;
  mlir::Value steps;
  llvm::function_ref<mlir::Value(mlir::Value)> getMemory;
  /// What values of the loop's body are in the step that is emitted.
  mlir::IRMapping copies;
  const std::function<mlir::Value(mlir::Value)> findInStep =
      [this](mlir::Value value) { return find(value); };
  /// By the number of the kernel: of pipelines.
  std::vector<std::optional<PipelineEmitter>> pipelines;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOCPU_DIAMONDSTEP_H
