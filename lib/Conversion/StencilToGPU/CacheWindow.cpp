//===- CacheWindow.cpp - Neighbours in the caches of the hardware ---------===//

#include "StencilDialect/IR/Elements.h"
#include "StencilDialect/IR/Schedule.h"
#include "Window.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <set>

using namespace mlir;
using namespace stencil;

/// The widest access of a thread.
static constexpr int64_t kVectorBytes = 16;

int64_t stencil::getVectorLength(KernelSet &kernels, GridType type,
                                 int64_t alignment) {
  Type element = type.getElementType();
  if (!hasVectorLayout(element))
    return 1;
  int64_t aligned =
      std::min(alignment, DeviceLayout::getAlignment(type, kernels.getRows()));
  return std::clamp<int64_t>(kVectorBytes / getElementBytes(element), 1,
                             aligned);
}

SmallVector<int64_t> stencil::findAxes(ApplyOp apply, unsigned input) {
  BlockArgument argument = apply.getBodyBlock()->getArgument(input);
  for (Operation *user : argument.getUsers())
    if (auto access = dyn_cast<AccessOp>(user))
      return access.getAxes();
  int64_t rank = cast<GridType>(argument.getType()).getRank();
  return llvm::to_vector(llvm::seq<int64_t>(0, rank));
}

void stencil::splitAxes(ApplyOp apply) {
  Block &body = *apply.getBodyBlock();
  for (unsigned input = 0, end = apply.getArgs().size(); input < end; ++input) {
    BlockArgument argument = body.getArgument(input);
    auto type = dyn_cast<GridType>(argument.getType());
    if (!type || type.getRank() == apply.getRank())
      continue;
    std::map<SmallVector<int64_t>, Value> known;
    known[findAxes(apply, input)] = argument;
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
      auto access = dyn_cast<AccessOp>(user);
      if (!access)
        continue;
      Value &own = known[access.getAxes()];
      if (!own) {
        apply.getArgsMutable().append(apply.getArgs()[input]);
        own = body.addArgument(argument.getType(), argument.getLoc());
        addWindows(apply, Space::Cache);
      }
      access.getTempMutable().assign(own);
    }
  }
}

Value RowAddresses::get(const KernelField &field, ArrayRef<int64_t> offset) {
  ImplicitLocOpBuilder &b = kernel.body();
  const Arithmetic &math = kernel.math();
  // The base point's position is computed once, in the kernel's integer type.
  // What is added to it are constants where strides are, and become part of the
  // address of the access.
  Arithmetic wide(b, b.getLoc(), b.getIndexType());
  Offset row(offset.begin(), offset.end() - 1);
  Value &start = rows[{&field, row}];
  if (!start) {
    Value &first = rows[{&field, Offset()}];
    if (!first) {
      SmallVector<Value> point;
      for (int64_t axis : field.axes)
        point.push_back(base.coordinates[axis]);
      first = math.toIndex(field.layout->getPosition(math, point));
    }
    start = first;
    for (auto [step, stride] : llvm::zip(row, field.layout->getStrides()))
      if (step != 0)
        start = wide.add(start, wide.mul(wide.toIndex(stride), step));
  }
  return wide.add(start, offset.back());
}

/// The registers that a thread may have on any GPU at hand.
static constexpr int64_t kThreadRegisters = 255;

void CacheWindow::fetchRow(unsigned input, ArrayRef<int64_t> row,
                           ArrayRef<int64_t> positions,
                           const std::set<int64_t> &wanted) {
  ImplicitLocOpBuilder &b = kernel.body();
  const KernelField &field = inputs[input];
  bool isLast = field.axes.back() == rank - 1;
  int64_t length =
      isLast ? getVectorLength(kernel.getSet(), field.type, alignment) : 1;
  auto keyOf = [&](int64_t position) {
    Offset offset(row.begin(), row.end());
    offset.push_back(position);
    return offset;
  };
  for (int64_t position : positions) {
    if (values.count({input, keyOf(position)}))
      continue;
    bool isWhole = length > 1 && position % length == 0;
    for (int64_t i = 0; isWhole && i < length; ++i)
      isWhole = wanted.count(position + i);
    Value index = addresses.get(field, keyOf(position));
    int64_t count = isWhole ? length : 1;
    Value loaded = loadElements(b, b.getLoc(), count, field.buffer, index);
    if (isWhole)
      kernel.requireAlignment(length *
                              getElementBytes(field.type.getElementType()));
    for (int64_t i = 0; i < count; ++i)
      values[{input, keyOf(position + i)}] = extract(b, b.getLoc(), loaded, i);
  }
}

/// Registers of 32 bits for what the body reads at one point.
static int64_t countLoadedRegisters(ApplyOp apply) {
  std::set<std::pair<unsigned, std::vector<int64_t>>> reads;
  int64_t count = 0;
  for (AccessOp op : apply.getBodyBlock()->getOps<AccessOp>())
    if (reads
            .emplace(cast<BlockArgument>(op.getTemp()).getArgNumber(),
                     op.getOffset().getValues())
            .second)
      count += llvm::divideCeil(getBitWidth(op.getRes().getType()), 32);
  return count;
}

CacheWindow::Rows
CacheWindow::collectRows(Block &block, PointList points,
                         SmallVectorImpl<std::pair<unsigned, Offset>> &order) {
  Rows wanted;
  for (AccessOp op : block.getOps<AccessOp>()) {
    unsigned input = cast<BlockArgument>(op.getTemp()).getArgNumber();
    if (!inputs[input].buffer)
      continue;
    SmallVector<int64_t> axes = op.getAxes();
    for (const SmallVector<int64_t> &point : points) {
      Offset offset;
      for (auto [axis, step] :
           llvm::zip_equal(axes, op.getOffset().getValues()))
        offset.push_back(step + point[axis]);
      int64_t position = offset.back();
      offset.pop_back();
      auto &row = wanted[{input, offset}];
      if (row.empty())
        order.emplace_back(input, offset);
      row.insert(position);
    }
  }
  return wanted;
}

void CacheWindow::fetch(ApplyOp apply, PointList points) {
  SmallVector<std::pair<unsigned, Offset>> order;
  Rows wanted = collectRows(*apply.getBodyBlock(), points, order);
  if (countLoadedRegisters(apply) > kThreadRegisters) {
    late = std::move(wanted);
    block = kernel.body().getInsertionBlock();
    return;
  }
  for (const auto &key : order) {
    const auto &row = wanted[key];
    fetchRow(key.first, key.second,
             SmallVector<int64_t>(row.begin(), row.end()), row);
  }
}

void CacheWindow::openBranch(Block &branch, PointList points) {
  outside.push_back({values, std::move(late), block, addresses.getKnown()});
  // The compiler moves loads forward as far as it has registers for them.
  SmallVector<std::pair<unsigned, Offset>> order;
  late = collectRows(branch, points, order);
  block = kernel.body().getInsertionBlock();
}

void CacheWindow::closeBranch() {
  Scope &scope = outside.back();
  values = std::move(scope.values);
  late = std::move(scope.late);
  block = scope.block;
  addresses.setKnown(std::move(scope.rows));
  outside.pop_back();
}

Value CacheWindow::fetchLate(unsigned input, const Offset &offset) {
  if (kernel.body().getInsertionBlock() != block)
    return {};
  Offset row(offset.begin(), offset.end() - 1);
  auto it = late.find({input, row});
  if (it == late.end() || !it->second.count(offset.back()))
    return {};
  // With the vector that it is an element of, if all of that is read.
  const KernelField &field = inputs[input];
  bool isLast = field.axes.back() == rank - 1;
  int64_t length =
      isLast ? getVectorLength(kernel.getSet(), field.type, alignment) : 1;
  int64_t first = offset.back() - llvm::mod(offset.back(), length);
  SmallVector<int64_t> positions;
  for (int64_t i = 0; i < length; ++i)
    if (it->second.count(first + i))
      positions.push_back(first + i);
  if (static_cast<int64_t>(positions.size()) < length)
    positions.assign(1, offset.back());
  fetchRow(input, row, positions, it->second);
  return values.find({input, offset})->second;
}

void CacheWindow::fetch(unsigned input, ArrayRef<Offset> offsets) {
  std::map<Offset, SmallVector<int64_t>> rows;
  for (const Offset &offset : offsets)
    rows[Offset(offset.begin(), offset.end() - 1)].push_back(offset.back());
  for (const auto &[row, positions] : rows)
    fetchRow(input, row, positions,
             std::set<int64_t>(positions.begin(), positions.end()));
}

Value CacheWindow::get(unsigned input, ArrayRef<int64_t> offset) {
  Offset key(offset.begin(), offset.end());
  auto it = values.find({input, key});
  if (it != values.end())
    return it->second;
  if (Value value = fetchLate(input, key))
    return value;
  // In a branch: loaded where it is needed, and known there only.
  return addresses.inBranch([&]() -> Value {
    return memref::LoadOp::create(kernel.body(), inputs[input].buffer,
                                  addresses.get(inputs[input], offset));
  });
}

Value CacheWindow::load(unsigned input, ValueRange coordinates) {
  const Arithmetic &math = kernel.math();
  const KernelField &field = inputs[input];
  Value position = math.toIndex(field.layout->getPosition(math, coordinates));
  return memref::LoadOp::create(kernel.body(), field.buffer, position);
}
