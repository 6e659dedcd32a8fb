//===- ThreadStage.h - What engines are given of a thread -------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADSTAGE_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADSTAGE_H

#include "TileReads.h"

namespace stencil {

/// A stage at a row of a thread's points; of a walk, at the first plane of its
/// box.
class ThreadStage : public tile::StageEmission {
public:
  ThreadStage(ThreadValues &held, ApplyOp stage,
              llvm::ArrayRef<TilePoint> points, TileReads &reads);

  ApplyOp getStage() const override { return stage; }
  llvm::ArrayRef<TilePoint> getPoints() const override { return row; }
  mlir::OpBuilder &getBuilder() override;
  MathMode getMath() const override;
  tile::OperandMemory getMemory(unsigned input, int64_t plane) override;
  mlir::Value getConstants(mlir::Location loc,
                           mlir::DenseElementsAttr values) override;
  mlir::Value getTable(mlir::Location loc,
                       mlir::DenseElementsAttr values) override;
  void setResult(unsigned result, llvm::ArrayRef<int64_t> point,
                 mlir::Value value) override;
  mlir::LogicalResult emitPointwise() override;

  // TileMatrix.cpp: matrix instructions.
  mlir::Value getLane() override;
  mlir::Value getFactor(mlir::Location loc, mlir::Value value) override;
  llvm::SmallVector<mlir::Value>
  multiply(mlir::Location loc, llvm::ArrayRef<int64_t> shape,
           mlir::ValueRange a, mlir::ValueRange b, mlir::ValueRange c) override;

  // TileLanes.cpp: what other lanes have.
  mlir::Value getNeighbour(unsigned source, unsigned values,
                           llvm::ArrayRef<int64_t> point) override;

private:
  mlir::Value load(unsigned source, const TilePoint &point);
  mlir::Value isNeeded(const TilePoint &point);

  ThreadValues &held;
  TileBlock &block;
  KernelBuilder &kernel;
  ApplyOp stage;
  std::vector<TilePoint> row;
  TileReads &reads;
  /// What has come from other lanes already.
  std::map<std::pair<unsigned, TilePoint>, mlir::Value> neighbours;
};

/// Emits a stage at a row of a thread's points, by its engine.
mlir::LogicalResult emitStage(ThreadValues &held, ApplyOp stage,
                              llvm::ArrayRef<TilePoint> row, TileReads &reads);

/// Emits a stage point by point, whatever its engine is.
mlir::LogicalResult emitPointwise(ThreadValues &held, ApplyOp stage,
                                  llvm::ArrayRef<TilePoint> row,
                                  TileReads &reads);

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_THREADSTAGE_H
