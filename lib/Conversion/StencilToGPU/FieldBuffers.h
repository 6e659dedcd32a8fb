//===- FieldBuffers.h - Device memory of fields -----------------*- C++ -*-===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_FIELDBUFFERS_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_FIELDBUFFERS_H

#include "DeviceArguments.h"

namespace stencil {

/// Device memory of one field.
struct FieldMemory {
  mlir::Location loc;
  GridType type;
  /// The memref of the caller that it is a copy of; null for a field of the
  /// function's own.
  mlir::Value host;
  /// A value of the program that names the field.
  mlir::Value field;
  mlir::Value buffer;
  /// `host` is on the device, and nothing is copied.
  bool inPlace = false;
};

/// The device buffers of the fields of a function. The ops of the function are
/// lowered in program order; fields keep their types meanwhile, and are looked
/// up here.
class FieldBuffers {
public:
  FieldBuffers(mlir::func::FuncOp function, DeviceStream &stream,
               const DeviceArrays &arrays)
      : function(function), stream(stream), arrays(arrays) {}

  /// An op that names a field, and is removed in the end.
  void addName(mlir::Operation *op) { names.push_back(op); }
  /// A field gets memory, which `allocatePending` allocates. `host`: the memref
  /// of the caller that it is made of, or null. Fails with an error.
  mlir::LogicalResult add(mlir::Operation *op, mlir::Value host, GridType type,
                          mlir::Value field);
  /// A field without bounds stands for a memref of the caller.
  void setHost(mlir::Value field, mlir::Value host) { hosts[field] = host; }
  mlir::Value getHost(mlir::Value field) const { return hosts.lookup(field); }
  /// `to` is another name of a field.
  void addAlias(mlir::Value from, mlir::Value to);
  /// A field that is handed on by structured control flow.
  mlir::LogicalResult addCarried(mlir::Value field);

  /// Allocates the memory of all fields that are known by now, after a check
  /// that there is as much, and copies the caller's fields to it.
  void allocatePending(mlir::Operation *before);
  /// Whether anything has been allocated: from then on, the time of what the
  /// device does is being taken.
  bool isTimed() const { return timed; }

  /// The device buffer of a field, a linear memref; null if it has none.
  mlir::Value get(mlir::Value field) const { return buffers.lookup(field); }
  /// The same for a field that is operand of `op`, with an error there.
  mlir::FailureOr<mlir::Value> require(mlir::Operation *op, mlir::Value field);
  llvm::ArrayRef<FieldMemory> getAll() const { return memories; }
  /// That of the field that is made of this memref; null if there is none.
  const FieldMemory *find(mlir::Value memref) const;
  /// Whether the op names a memref, or a view of one, that a field is made of.
  bool areUsedBy(mlir::Operation *op) const;

  void copy(mlir::OpBuilder &builder, const FieldMemory &memory, bool toDevice);
  /// Fields are gone: what names one becomes its buffer.
  void removeNames();

private:
  mlir::Value viewInPlace(mlir::OpBuilder &builder, const FieldMemory &memory,
                          mlir::Value size);
  void nameBuffers();

  mlir::func::FuncOp function;
  DeviceStream &stream;
  const DeviceArrays &arrays;
  bool timed = false;
  /// What has memory, and how many of it have it already.
  llvm::SmallVector<FieldMemory, 0> memories;
  size_t allocated = 0;
  llvm::DenseMap<mlir::Value, mlir::Value> buffers;
  /// The caller's memrefs that fields without bounds stand for.
  llvm::DenseMap<mlir::Value, mlir::Value> hosts;
  llvm::SmallVector<mlir::Value> carried;
  llvm::SmallVector<mlir::Operation *> names;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_FIELDBUFFERS_H
