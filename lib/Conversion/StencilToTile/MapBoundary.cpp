//===- MapBoundary.cpp - Boundary conditions to kernels over lists --------===//
//
//   stencil.boundary %u(<interior>) [...]
//     ==> tile.kernel @boundary(%a = %u) grid <...> list <[slab, ...]> {
//           tile.where part 0 {
//             %h = tile.halo %a boundary(<interior>) [...]
//             tile.store %h to %a
//           }
//           ...
//         }
//
// The halo of axis d is the slab over the full extents of the axes before d and
// the interior of those behind. The slabs of all axes and sides do not overlap,
// and one kernel fills all of them, a thread per point. Where a condition
// combines several values (extrapolation), the axes are filled one after the
// other, by a kernel each.
//
// The halos beside rows take most of the time: each is an access to memory of
// its own. Neighbouring threads fill those on both sides of a row, so that what
// one reads comes with what the other one writes.
//
// Fields whose halos are filled in the same way, one after the other, share a
// kernel: a launch takes longer than a small halo.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Analysis/PeriodicImages.h"
#include "StencilToTile.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace stencil;

static constexpr int64_t kHaloThreads = 128;

/// The kernel chooses among the fields by as many selects.
static constexpr size_t kMaxFields = 16;

/// Whether the halos on both sides of an axis are filled as one: those beside
/// rows, if both are loaded from somewhere.
static bool joinsSides(BoundaryOp op, int64_t axis) {
  return axis + 1 == op.getBounds().getRank() &&
         llvm::all_of(std::array{false, true}, [&](bool upper) {
           HaloRule rule = getHaloRule(op.getCondition(axis, upper));
           return getHaloWidth(op, axis, upper) > 0 &&
                  (rule.wraps() || rule.kind == HaloRule::Kind::Point);
         });
}

/// Lists the halo of an axis, slab by slab.
static void listSlabs(BoundaryOp op, int64_t axis,
                      SmallVectorImpl<BoundsAttr> &boxes) {
  BoundsAttr field = getBounds(op.getField()), interior = op.getBounds();
  SmallVector<int64_t> lb, ub;
  for (int64_t other = 0; other < field.getRank(); ++other) {
    BoundsAttr part = other <= axis ? field : interior;
    lb.push_back(part.getLb()[other]);
    ub.push_back(part.getUb()[other]);
  }
  auto add = [&](int64_t first, int64_t end) {
    lb[axis] = first;
    ub[axis] = end;
    boxes.push_back(BoundsAttr::get(op.getContext(), lb, ub));
  };
  if (joinsSides(op, axis)) {
    add(field.getLb()[axis], field.getUb()[axis]);
    return;
  }
  for (bool upper : {false, true}) {
    HaloRule rule = getHaloRule(op.getCondition(axis, upper));
    int64_t halo = getHaloWidth(op, axis, upper);
    if (rule.isKept() || halo == 0)
      continue;
    int64_t first = interior.getLb()[axis], end = interior.getUb()[axis];
    if (!rule.isPolynomial()) {
      upper ? add(end, end + halo) : add(first - halo, first);
      continue;
    }
    // One layer has other weights than the next.
    for (int64_t layer = 1; layer <= halo; ++layer)
      upper ? add(end + layer - 1, end + layer)
            : add(first - layer, first - layer + 1);
  }
}

/// `op` and those behind it that do the same to other fields, with nothing but
/// scalars in between.
static SmallVector<BoundaryOp> findGroup(BoundaryOp op,
                                         FieldAliasAnalysis &aliases) {
  SmallVector<BoundaryOp> group = {op};
  for (Operation *next = op->getNextNode(); next && group.size() < kMaxFields;
       next = next->getNextNode()) {
    auto boundary = dyn_cast<BoundaryOp>(next);
    if (!boundary && isMemoryEffectFree(next) && next->getNumRegions() == 0)
      continue;
    if (!boundary || boundary.getField().getType() != op.getField().getType() ||
        boundary.getBounds() != op.getBounds() ||
        boundary.getConditions() != op.getConditions())
      break;
    Operation *source = boundary.getField().getDefiningOp();
    bool isKnown = !source || source->getBlock() != op->getBlock() ||
                   source->isBeforeInBlock(op);
    if (!isKnown || llvm::any_of(group, [&](BoundaryOp other) {
          return aliases.mayAlias(other.getField(), boundary.getField());
        }))
      break;
    group.push_back(boundary);
  }
  return group;
}

/// The kernel that fills some boxes, when the halos of the first `filled` axes
/// are.
static void fillBoxes(ArrayRef<BoundaryOp> group, ArrayRef<BoundsAttr> boxes,
                      int64_t filled) {
  BoundaryOp op = group.front();
  MLIRContext *context = op.getContext();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  auto type = cast<FieldType>(op.getField().getType());
  tile::GridAttr grid = makeListGrid(type.getBounds(), kHaloThreads);
  // Between both sides of rows.
  int64_t first = op.getBounds().getLb().back();
  int64_t end = op.getBounds().getUb().back();
  BoundsAttr without =
      type.getBounds().withAxis(type.getRank() - 1, first, end);
  auto lead = [&](BoundsAttr box) {
    return box.getLb().back() < first && end < box.getUb().back();
  };
  if (llvm::none_of(boxes, lead))
    without = {};
  auto list = tile::ListAttr::get(context, boxes, without,
                                  static_cast<int64_t>(group.size()), 0);
  auto fields = llvm::map_to_vector(
      group, [](BoundaryOp each) -> Value { return each.getField(); });
  Block &body = *makeKernel(op, "boundary", grid, fields, list).getBodyBlock();
  builder.setInsertionPointToEnd(&body);
  Value field = body.getArgument(0);
  if (group.size() > 1)
    field = tile::TurnOp::create(builder, loc, type, body.getArguments());
  Type values = TempType::get(grid.getTileBox(), type.getElementType());
  for (unsigned part = 0; part < boxes.size(); ++part) {
    auto where =
        tile::WhereOp::create(builder, loc, TypeRange(), Value(), BoundsAttr(),
                              builder.getI64IntegerAttr(part));
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&where.getBody());
    Value halo =
        tile::HaloOp::create(builder, loc, values, field, op.getBounds(),
                             op.getConditions(), filled);
    tile::StoreOp::create(builder, loc, halo, field, Value());
    tile::YieldOp::create(builder, loc);
  }
}

void stencil::mapBoundary(BoundaryOp op, FieldAliasAnalysis &aliases,
                          SmallVectorImpl<Operation *> &done) {
  SmallVector<BoundaryOp> group = findGroup(op, aliases);
  done.append(group.begin(), group.end());
  bool isSequential = llvm::any_of(op.getConditions(), [](Attribute condition) {
    return getHaloRule(condition).isPolynomial();
  });
  SmallVector<BoundsAttr> boxes;
  for (int64_t axis = 0, rank = op.getBounds().getRank(); axis < rank; ++axis) {
    listSlabs(op, axis, boxes);
    if (boxes.empty() || !(isSequential || axis + 1 == rank))
      continue;
    fillBoxes(group, boxes, isSequential ? axis : 0);
    boxes.clear();
  }
}
