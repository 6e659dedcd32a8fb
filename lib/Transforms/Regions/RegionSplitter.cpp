//===- RegionSplitter.cpp - One apply to one per region -------------------===//
//
// What the boxes are is found by Analysis/IndexRegions.h; here the bodies are
// specialised and the stores divided.
//
//===----------------------------------------------------------------------===//

#include "RegionSplitter.h"
#include "StencilDialect/Analysis/FieldAccesses.h"
#include "StencilDialect/IR/DiscardableAttrs.h"
#include "StencilDialect/Transforms/ComposeBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// Plan
//===----------------------------------------------------------------------===//

static std::string print(ArrayRef<int64_t> axes) {
  std::string text = axes.size() == 1 ? "axis " : "axes ";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(axes, os);
  return text;
}

/// Points; those along axes of unknown extent count as very many.
static double getVolume(const GridBox &box) {
  double volume = 1;
  for (auto [lb, ub] : llvm::zip_equal(box.lb, box.ub))
    volume *= static_cast<double>(ub) - static_cast<double>(lb);
  return volume;
}

RegionSplitter::RegionSplitter(ApplyOp apply, RegionMode mode,
                               const ShapeInference &shapes,
                               FieldAliasAnalysis &aliases,
                               ArrayRef<int64_t> minimalExtents,
                               ArrayRef<int64_t> axes)
    : apply(apply), mode(mode), aliases(aliases), builder(apply) {
  options.minimalExtents = minimalExtents;
  options.axes = axes;
  domainAttr = apply.isBufferised() ? *apply.getBounds()
                                    : shapes.getBox(apply.getRes().front());
  if (!domainAttr)
    return;
  domain = GridBox(domainAttr);
  auto boxOf = [&](Value value) { return shapes.getBox(value); };
  for (Value result : apply.getRes()) {
    onlyStored.push_back(
        llvm::all_of(result.getUsers(), llvm::IsaPred<StoreOp>));
    isCombined |= !onlyStored.back();
    for (OpOperand &use : result.getUses())
      OperandDemands(use.getOwner())
          .forEach(use, boxOf,
                   [&](Operation *, const GridBox &box, const InputRead *) {
                     demands.push_back(box.get(apply.getContext()));
                   });
  }
  if (apply.isBufferised()) {
    onlyStored.assign(apply.getDest().size(), true);
    demands.push_back(domainAttr);
  }
  options.boxes = demands;
}

bool RegionSplitter::fail(Operation *op, const Twine &text) {
  reason = text.str();
  culprit = op;
  return false;
}

/// The hull of what is needed of a region; nothing if no point is.
std::optional<GridBox>
RegionSplitter::getNeeded(const IndexRegion &region) const {
  // The parts of a combine have to be there as a whole.
  if (isCombined)
    return region.box;
  GridBox hull;
  for (BoundsAttr demand : demands)
    if (std::optional<GridBox> part = intersect(GridBox(demand), region.box))
      hull.join(*part);
  return hull.lb.empty() ? std::nullopt : std::optional(hull);
}

/// An unrolled body starts at the same points as before if every new apply has
/// all of its region.
bool RegionSplitter::coversRegions() const {
  return llvm::all_of(boxes, [&](const IndexRegion &region) {
    std::optional<GridBox> needed = getNeeded(region);
    return needed && needed->lb == region.box.lb && needed->ub == region.box.ub;
  });
}

/// An apply that stores nothing at some points has to write its fields itself,
/// all of its box at once: nothing can be copied later.
bool RegionSplitter::canStoreInPart() {
  if (isCombined)
    return fail(apply, "of two regions, one is no box, and its values are used "
                       "by others than stores");
  for (Value result : apply.getRes()) {
    if (!result.hasOneUse() ||
        cast<StoreOp>(*result.getUsers().begin()).getBounds() != domainAttr)
      return fail(apply, "of two regions, one is no box, and not all of a "
                         "result is stored to one field");
    Value field = cast<StoreOp>(*result.getUsers().begin()).getField();
    for (Value input : apply.getArgs()) {
      auto load = input.getDefiningOp<LoadOp>();
      if (load && aliases.mayAlias(load.getField(), field))
        return fail(apply, "of two regions, one is no box, and a field that is "
                           "read may be the one that is stored to");
    }
  }
  return true;
}

bool RegionSplitter::plan(unsigned maxRegions) {
  // What nobody needs a point of has no box to divide.
  if (!domainAttr)
    return false;
  options.maxLeaves = 4 * maxRegions;
  FailureOr<IndexRegions> computed =
      computeIndexRegions(apply, domainAttr, options);
  if (failed(computed))
    return fail(apply,
                "it would take more than " + Twine(maxRegions) + " regions");
  regions = std::move(*computed);
  bool decidesAny = llvm::any_of(regions.getLeaves(), [](const auto &leaf) {
    return leaf.outcomes.find_first_of("01") != std::string::npos;
  });
  if (!decidesAny && !options.axes.empty())
    return fail(regions.undecided, "expected a branch on comparisons of "
                                   "stencil.index with constants along " +
                                       print(options.axes));
  if (!decidesAny) {
    if (regions.undecided)
      return fail(regions.undecided,
                  "a branch depends on stencil.index, but not in a way that is "
                  "decided on boxes: expected comparisons of one coordinate "
                  "with constants");
    return fail(nullptr, "expected a branch on comparisons of stencil.index "
                         "with constants");
  }
  boxes = isCombined ? regions.getLeaves() : regions.getMerged();
  if (boxes.size() > maxRegions)
    return fail(apply, "it would take " + Twine(boxes.size()) +
                           " regions, more than " + Twine(maxRegions));
  if (llvm::product_of(apply.getUnrollFactors()) != 1 && !coversRegions())
    return fail(apply, "it is unrolled, and a region is not needed as a whole");
  // Two boxes are two regions.
  if (boxes.size() <= 2)
    mode = RegionMode::All;
  return mode != RegionMode::Two || canStoreInPart();
}

//===----------------------------------------------------------------------===//
// Rewrite
//===----------------------------------------------------------------------===//

/// An apply with an empty body for some of the results. It is told apart from
/// applies with the same body for other regions, which CSE would join.
ApplyOp RegionSplitter::makeApply(ValueRange args, ArrayRef<unsigned> results,
                                  const GridBox &box) {
  BoundsAttr bounds = box.get(apply.getContext());
  ApplyOp created;
  if (apply.isBufferised()) {
    auto dest = llvm::map_to_vector(
        results, [&](unsigned i) -> Value { return apply.getDest()[i]; });
    created = ApplyOp::create(builder, apply.getLoc(), args, dest, bounds);
  } else {
    SmallVector<Type> types;
    for (unsigned i : results) {
      auto type = cast<GridType>(apply.getRes()[i].getType());
      types.push_back(hasFixedBox(type) ? type.withBounds(bounds) : type);
    }
    created = ApplyOp::create(builder, apply.getLoc(), types, args);
  }
  created->setDiscardableAttrs(apply->getDiscardableAttrDictionary());
  created->removeDiscardableAttr(kRegionsAttr);
  if (boxes.size() > 1)
    created->setDiscardableAttr(kRegionAttr, bounds);
  return created;
}

/// The box is in the type of parts that are stored: there can be no other need
/// of them. What is needed of a combine is for shape inference to find, unless
/// the type said it before.
bool RegionSplitter::hasFixedBox(GridType type) {
  bool isUnrolled = llvm::product_of(apply.getUnrollFactors()) != 1;
  return boxes.size() > 1 && (type.getBounds() || !isCombined || isUnrolled);
}

/// The apply of one region, and its part of every result. There is none where
/// the region stores nothing.
ApplyOp RegionSplitter::specialize(const IndexRegion &region,
                                   SmallVector<Value> &parts) {
  llvm::DenseMap<Operation *, bool> decided;
  for (auto [branch, outcome] :
       llvm::zip_equal(regions.branches, region.outcomes))
    if (outcome == '0' || outcome == '1')
      decided[branch] = outcome == '1';
  SpecializedBody body(apply, std::move(decided),
                       findKnownConditions(apply, region.box, options));
  SmallVector<unsigned> results;
  for (unsigned i = 0; i < apply.getNumOutputs(); ++i)
    if (!onlyStored[i] || !body.isEmpty(i))
      results.push_back(i);
  parts.assign(apply.getNumOutputs(), Value());
  if (results.empty())
    return {};
  body.keep(results);
  ApplyOp created = makeApply(apply.getArgs(), results,
                              getNeeded(region).value_or(region.box));
  body.moveTo(created);
  if (!apply.isBufferised())
    for (auto [result, part] : llvm::zip_equal(results, created.getRes()))
      parts[result] = part;
  return created;
}

/// Stores a part of a result wherever the result was stored.
void RegionSplitter::store(unsigned result, Value part, const GridBox &box) {
  if (!part)
    return;
  // Uses are listed latest first.
  SmallVector<Operation *> users(apply.getRes()[result].getUsers());
  for (Operation *user : llvm::reverse(users)) {
    auto whole = dyn_cast<StoreOp>(user);
    if (!whole)
      continue;
    std::optional<GridBox> common = intersect(GridBox(whole.getBounds()), box);
    if (!common)
      continue;
    builder.setInsertionPoint(whole);
    auto stored =
        StoreOp::create(builder, whole.getLoc(), part, whole.getField(),
                        common->get(apply.getContext()));
    stored->setDiscardableAttrs(whole->getDiscardableAttrDictionary());
  }
}

/// Joins the parts of a result below a node of the tree of regions.
Value RegionSplitter::combine(unsigned result, unsigned number,
                              ArrayRef<SmallVector<Value>> parts,
                              unsigned &leaf) {
  const IndexRegions::Node &node = regions.nodes[number];
  if (node.isLeaf())
    return parts[leaf++][result];
  Value lower = combine(result, node.lower, parts, leaf);
  Value upper = combine(result, node.upper, parts, leaf);
  auto type = cast<GridType>(apply.getRes()[result].getType());
  if (type.getBounds())
    type = cast<GridType>(
        Type(type.withBounds(node.region.box.get(apply.getContext()))));
  return CombineOp::create(builder, apply.getLoc(), TypeRange(Type(type)),
                           builder.getIndexAttr(node.axis),
                           builder.getIndexAttr(node.at), lower, upper,
                           ValueRange(), ValueRange())
      .getResult(0);
}

void RegionSplitter::rewriteAll() {
  std::vector<SmallVector<Value>> parts(boxes.size());
  for (auto [region, values] : llvm::zip_equal(boxes, parts))
    specialize(region, values);
  if (apply.isBufferised())
    return;
  for (unsigned result = 0; result < apply.getRes().size(); ++result) {
    if (!onlyStored[result]) {
      builder.setInsertionPoint(apply);
      unsigned leaf = 0;
      Value whole = combine(result, regions.nodes.size() - 1, parts, leaf);
      apply.getRes()[result].replaceUsesWithIf(
          whole, [](OpOperand &use) { return !isa<StoreOp>(use.getOwner()); });
    }
    for (auto [region, values] : llvm::zip_equal(boxes, parts))
      store(result, values[result], region.box);
  }
}

/// Whether this point is in a box, as far as it is not so anyway.
Value RegionSplitter::isInside(OpBuilder &at, const GridBox &box) {
  ImplicitLocOpBuilder builder(apply.getLoc(), at);
  Value inside;
  SmallVector<int64_t> zeros(box.lb.size(), 0);
  auto require = [&](int64_t axis, arith::CmpIPredicate predicate,
                     int64_t bound) {
    Value index = IndexOp::create(builder, axis, zeros);
    Value constant = arith::ConstantIndexOp::create(builder, bound);
    Value met = arith::CmpIOp::create(builder, predicate, index, constant);
    inside = inside ? arith::AndIOp::create(builder, inside, met) : met;
  };
  for (int64_t axis = 0, rank = box.lb.size(); axis < rank; ++axis) {
    if (box.lb[axis] != domain.lb[axis])
      require(axis, arith::CmpIPredicate::sge, box.lb[axis]);
    if (box.ub[axis] != domain.ub[axis])
      require(axis, arith::CmpIPredicate::slt, box.ub[axis]);
  }
  return inside;
}

/// The body as it is, which stores nothing in the interior.
void RegionSplitter::makeRest(const IndexRegion &interior) {
  Location loc = apply.getLoc();
  SmallVector<unsigned> results =
      llvm::to_vector(llvm::seq<unsigned>(0, apply.getNumOutputs()));
  ApplyOp rest = makeApply(apply.getArgs(), results, domain);
  rest->setDiscardableAttr(kRegionsAttr, builder.getStringAttr("keep"));
  auto terminator = cast<ReturnOp>(apply.getBodyBlock()->getTerminator());
  SmallVector<Type> types;
  for (Type type : terminator.getArgs().getTypes())
    types.push_back(isa<ResultType>(type)
                        ? type
                        : Type(ResultType::get(apply.getContext(), type)));
  OpBuilder inner = OpBuilder::atBlockEnd(rest.getBodyBlock());
  IRMapping mapping;
  mapping.map(apply.getBodyBlock()->getArguments(),
              rest.getBodyBlock()->getArguments());
  auto copyBody = [&]() {
    for (Operation &op : apply.getBodyBlock()->without_terminator())
      inner.clone(op, mapping);
  };
  // A value that is summed over neighbouring points is at the top level.
  bool isCopiedFirst = hasSumsOverValues(apply);
  if (isCopiedFirst)
    copyBody();
  auto ifOp =
      scf::IfOp::create(inner, loc, types, isInside(inner, interior.box),
                        /*withElseRegion=*/true);
  ReturnOp::create(inner, terminator.getLoc(), ifOp.getResults(),
                   terminator.getUnrollAttr());
  inner.setInsertionPointToStart(ifOp.thenBlock());
  SmallVector<Value> yielded;
  for (Type type : types)
    yielded.push_back(StoreResultOp::create(inner, loc, type, Value()));
  scf::YieldOp::create(inner, loc, yielded);

  inner.setInsertionPointToStart(ifOp.elseBlock());
  if (!isCopiedFirst)
    copyBody();
  yielded.clear();
  for (auto [value, type] : llvm::zip_equal(terminator.getArgs(), types)) {
    Value mapped = mapping.lookupOrDefault(value);
    yielded.push_back(value.getType() == type ? mapped
                                              : Value(StoreResultOp::create(
                                                    inner, loc, type, mapped)));
  }
  scf::YieldOp::create(inner, loc, yielded);
  for (auto [i, part] : llvm::enumerate(rest.getRes()))
    store(i, part, domain);
}

void RegionSplitter::rewriteTwo() {
  const IndexRegion &interior =
      *llvm::max_element(boxes, [](const IndexRegion &a, const IndexRegion &b) {
        return getVolume(a.box) < getVolume(b.box);
      });
  makeRest(interior);
  builder.setInsertionPoint(apply);
  SmallVector<Value> parts;
  specialize(interior, parts);
  for (auto [i, part] : llvm::enumerate(parts))
    store(i, part, interior.box);
}

void RegionSplitter::rewrite() {
  if (mode == RegionMode::Two)
    rewriteTwo();
  else
    rewriteAll();
  for (Value result : apply.getRes())
    for (Operation *user : llvm::make_early_inc_range(result.getUsers()))
      user->erase();
  apply.erase();
}
