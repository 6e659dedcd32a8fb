//===- DeviceStream.h - What a function orders on the device ----*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_DEVICESTREAM_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_DEVICESTREAM_H

#include "DeviceLayout.h"
#include "StencilDialect/Conversion/ExtentChecks.h"

namespace stencil {

/// The address of a memref's first element: an index, or a pointer.
mlir::Value getAddress(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value memref);
mlir::Value getPointer(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value memref);

/// The stream of a function, and what goes to it besides launches: copies, and
/// memory that comes and goes.
class DeviceStream {
public:
  /// `inPlace`: arrays that the function is given are on the device.
  DeviceStream(const FunctionFacts &facts, bool inPlace)
      : facts(facts), inPlace(inPlace) {}

  bool isInPlace() const { return inPlace; }
  void open(mlir::OpBuilder &builder, mlir::Location loc);
  void close(mlir::OpBuilder &builder, mlir::Location loc);
  mlir::Value get() const { return stream; }
  /// Calls a function of the runtime with the stream.
  void call(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef name);

  /// Behind the entry of the function, which ends with this op.
  mlir::OpBuilder atEntry() const;
  void setEntryEnd(mlir::Operation *op) { entryEnd = op; }

  void wait(mlir::OpBuilder &builder, mlir::Location loc) {
    call(builder, loc, "mgpuStreamSynchronize");
  }
  /// Waits for something that the host needs.
  void synchronize(mlir::OpBuilder &builder, mlir::Location loc);
  bool hasWaited() const { return waits; }

  mlir::Value beginMemory(mlir::OpBuilder &builder, mlir::Location loc);
  mlir::Operation *endMemory(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value token);

  /// That of all fields of the function.
  RowLayout getRows() const {
    return inPlace ? RowLayout::Dense : RowLayout::Padded;
  }
  DeviceLayout emitLayout(mlir::OpBuilder &builder, mlir::Location loc,
                          GridType type) const;
  /// The coordinate that a bound stands for.
  mlir::Value getBound(mlir::OpBuilder &builder, mlir::Location loc,
                       int64_t bound, int64_t axis) const {
    return facts.extents.getBound(builder, loc, bound, axis);
  }

  /// Between a memref of the host without gaps, and the buffer of a field.
  void copyRows(mlir::OpBuilder &builder, mlir::Location loc, GridType type,
                mlir::Value host, mlir::Value device, bool toDevice);
  void copyOnDevice(mlir::OpBuilder &builder, mlir::Location loc, GridType type,
                    mlir::Value from, mlir::Value to);
  void copyBytes(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value to,
                 mlir::Value from, mlir::Value bytes);
  /// Writes zeros to all of a field's memory, in steps of two bytes.
  void clear(mlir::OpBuilder &builder, mlir::Location loc, GridType type,
             mlir::Value buffer, mlir::Value elements);
  /// The only element of memory of the device, for the host.
  mlir::Value fetch(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value device);

private:
  const FunctionFacts &facts;
  bool inPlace;
  mlir::Value stream;
  mlir::Operation *entryEnd = nullptr;
  bool waits = false;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_DEVICESTREAM_H
