//===- DeviceLayout.h - Where a field's points are on the device *- C++ -*-===//
//
// On the device a field is a linear buffer. Its rows have a pitch of their own,
// such that coordinate 0 of the last axis, the first interior point, lies on a
// sector of 32 bytes in every row: an alignment to 16 bytes costs a sweep 3 to
// 10 %, to 8 bytes 20 %, and a larger pitch than this needs up to 3 %. The
// layout is a function of the field's type and of the run-time extents, so that
// fields of one type can be swapped.
//
// Of functions whose fields are the caller's arrays, all fields are dense: rows
// follow each other without gaps.
//
//===----------------------------------------------------------------------===//

#ifndef STENCIL_LIB_CONVERSION_STENCILTOGPU_DEVICELAYOUT_H
#define STENCIL_LIB_CONVERSION_STENCILTOGPU_DEVICELAYOUT_H

#include "StencilDialect/Conversion/Arithmetic.h"
#include "StencilDialect/Conversion/BodyEmitter.h"
#include "StencilDialect/IR/StencilTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace stencil {

/// The coordinate that a bound of an axis stands for.
using BoundValue = function_ref<Value(int64_t bound, int64_t axis)>;

enum class RowLayout { Padded, Dense };

/// That of the fields of a function.
RowLayout getRowLayout(Operation *function);

class DeviceLayout {
public:
  /// Alignment of coordinate 0 of the last axis.
  static constexpr int64_t kAlignmentBytes = 32;

  /// Emits the layout of `type`, whose axis i is axis `axes[i]` of whoever
  /// gives the values of bounds; by default, axis i.
  DeviceLayout(const Arithmetic &math, GridType type, RowLayout rows,
               BoundValue getBound, ArrayRef<int64_t> axes = {});

  /// True for the elements that GPUs can move: 80-bit floats have no form
  /// there.
  static bool canHold(Type elementType);

  /// The memref type of a buffer of fields of this type: of known size if the
  /// extents are known. Null if fields of the type have none.
  static mlir::MemRefType getBufferType(GridType type, RowLayout rows);

  /// Elements of the buffer; not known for symbolic bounds. Dense ones have no
  /// more than padded ones.
  static std::optional<int64_t>
  getStaticSize(GridType type, RowLayout rows = RowLayout::Padded);

  /// What is known of the alignment of all buffers of such elements, in bytes.
  static int64_t getBufferAlignment(Type elementType, RowLayout rows);

  /// The alignment, in elements, of coordinate 0 of the last axis in every row
  /// of a buffer that is aligned to kAlignmentBytes: a power of two.
  static int64_t getAlignment(GridType type, RowLayout rows);

  Value getSize() const { return size; }
  /// Elements from the row before to a row.
  Value getPitch() const { return pitch; }
  Value getRowLength() const { return rowLength; }
  Value getRowCount() const { return rowCount; }
  /// Elements of a row before its first point.
  Value getRowStart() const { return rowStart; }
  ArrayRef<Value> getStrides() const { return strides; }

  /// The position of a point in the buffer.
  Value getPosition(const Arithmetic &math, ValueRange point) const;

private:
  Value size, pitch, rowLength, rowCount, rowStart;
  SmallVector<Value> strides;
  /// Position of the point at the lower bounds less that of coordinates 0.
  Value origin;
};

} // namespace stencil

#endif // STENCIL_LIB_CONVERSION_STENCILTOGPU_DEVICELAYOUT_H
