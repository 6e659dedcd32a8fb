//===- StorePoints.cpp - Results of a thread to memory --------------------===//

#include "StencilDialect/IR/Elements.h"
#include "Window.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <set>

using namespace mlir;
using namespace stencil;

using Offset = std::vector<int64_t>;

/// The values from `offset` on along the row that are stored together, in any
/// case or under one condition, at most `length`.
static SmallVector<Value> collectRow(const std::map<Offset, LaneValue> &values,
                                     Offset offset, int64_t length) {
  SmallVector<Value> elements;
  Value set = values.find(offset)->second.set;
  for (; static_cast<int64_t>(elements.size()) < length; ++offset.back()) {
    auto it = values.find(offset);
    if (it == values.end() || it->second.set != set)
      break;
    elements.push_back(it->second.value);
  }
  return elements;
}

void stencil::storePoints(KernelBuilder &kernel, RowAddresses &addresses,
                          const KernelField &field, int64_t alignment,
                          const std::map<Offset, LaneValue> &values) {
  OpBuilder &builder = kernel.body();
  Location loc = kernel.getLoc();
  int64_t length = getVectorLength(kernel.getSet(), field.type, alignment);
  std::set<Offset> done;
  for (auto &[offset, lane] : values) {
    if (done.count(offset))
      continue;
    Value index = addresses.get(field, offset);
    SmallVector<Value> elements = collectRow(values, offset, length);
    OpBuilder::InsertionGuard guard(builder);
    openIf(builder, loc, lane.set);
    if (length > 1 && offset.back() % length == 0 &&
        static_cast<int64_t>(elements.size()) == length) {
      for (Offset next = offset; next.back() < offset.back() + length;
           ++next.back())
        done.insert(next);
      Type element = field.type.getElementType();
      auto type = VectorType::get({length}, element);
      kernel.requireAlignment(length * getElementBytes(element));
      Value vector =
          vector::FromElementsOp::create(builder, loc, type, elements);
      vector::StoreOp::create(
          builder, loc, vector, field.buffer, index,
          /*nontemporal=*/false,
          llvm::MaybeAlign(length * getElementBytes(element)));
      continue;
    }
    memref::StoreOp::create(builder, loc, lane.value, field.buffer, index);
  }
}
