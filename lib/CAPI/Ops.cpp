//===- Ops.cpp - Making ops -----------------------------------------------===//

#include "StencilDialect-c/Ops.h"
#include "OpMaker.h"

using namespace mlir;
using namespace stencil;
using capi::OpMaker;

//===----------------------------------------------------------------------===//
// Fields
//===----------------------------------------------------------------------===//

MlirOperation stencilCastCreate(MlirLocation location, MlirValue field,
                                MlirType resultType) {
  return OpMaker<CastOp>(location).operand(field).result(resultType).make();
}

MlirOperation stencilAllocCreate(MlirLocation location, MlirType fieldType) {
  return OpMaker<AllocOp>(location).result(fieldType).make();
}

MlirOperation stencilExternalLoadCreate(MlirLocation location,
                                        MlirValue storage, MlirType fieldType) {
  return OpMaker<ExternalLoadOp>(location)
      .operand(storage)
      .result(fieldType)
      .make();
}

MlirOperation stencilExternalStoreCreate(MlirLocation location, MlirValue field,
                                         MlirValue storage) {
  return OpMaker<ExternalStoreOp>(location)
      .operand(field)
      .operand(storage)
      .make();
}

MlirOperation stencilLoadCreate(MlirLocation location, MlirValue field) {
  OpMaker<LoadOp> maker(location);
  maker.operand(field);
  if (GridType grid = maker.grid(field))
    maker.result(TempType::get(grid.getRank(), grid.getElementType()));
  return maker.make();
}

MlirOperation stencilStoreCreate(MlirLocation location, MlirValue temp,
                                 MlirValue field, MlirAttribute bounds) {
  return OpMaker<StoreOp>(location)
      .operand(temp)
      .operand(field)
      .attribute("bounds", bounds)
      .make();
}

MlirOperation stencilBoundaryCreate(MlirLocation location, MlirValue field,
                                    MlirAttribute bounds, intptr_t count,
                                    const MlirAttribute *conditions) {
  return OpMaker<BoundaryOp>(location)
      .operand(field)
      .attribute("bounds", bounds)
      .attributes("conditions", count, conditions)
      .make();
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

MlirOperation stencilApplyCreate(MlirLocation location, intptr_t numInputs,
                                 const MlirValue *inputs, intptr_t numResults,
                                 const MlirType *resultTypes) {
  OpMaker<ApplyOp> maker(location);
  return maker.operands(numInputs, inputs)
      .segments({numInputs, 0})
      .results(numResults, resultTypes)
      .bodyOf(maker.operandTypes())
      .make();
}

MlirOperation
stencilApplyCreateBufferised(MlirLocation location, intptr_t numInputs,
                             const MlirValue *inputs, intptr_t numOutputs,
                             const MlirValue *outputs, MlirAttribute bounds) {
  OpMaker<ApplyOp> maker(location);
  maker.operands(numInputs, inputs).bodyOf(maker.operandTypes());
  return maker.operands(numOutputs, outputs)
      .segments({numInputs, numOutputs})
      .attribute("bounds", bounds)
      .make();
}

MlirBlock stencilApplyGetBody(MlirOperation handle) {
  auto apply = llvm::dyn_cast_if_present<ApplyOp>(unwrap(handle));
  if (!apply || apply.getRegion().empty())
    return MlirBlock{nullptr};
  return wrap(apply.getBodyBlock());
}

MlirOperation stencilReturnCreate(MlirLocation location, intptr_t count,
                                  const MlirValue *values,
                                  MlirAttribute unroll) {
  return OpMaker<ReturnOp>(location)
      .operands(count, values)
      .optional("unroll", unroll)
      .make();
}

MlirOperation stencilAccessCreate(MlirLocation location, MlirValue input,
                                  intptr_t rank, const int64_t *offset,
                                  MlirAttribute mapping) {
  OpMaker<AccessOp> maker(location);
  return maker.operand(input)
      .index("offset", rank, offset)
      .optional("offset_mapping", mapping)
      .result(maker.elementType(input))
      .make();
}

MlirOperation stencilDynAccessCreate(MlirLocation location, MlirValue input,
                                     intptr_t rank,
                                     const MlirValue *coordinates,
                                     const int64_t *lower,
                                     const int64_t *upper) {
  OpMaker<DynAccessOp> maker(location);
  return maker.operand(input)
      .operands(rank, coordinates)
      .index("lb", rank, lower)
      .index("ub", rank, upper)
      .result(maker.elementType(input))
      .make();
}

MlirOperation stencilIndexCreate(MlirLocation location, int64_t axis,
                                 intptr_t rank, const int64_t *offset) {
  OpMaker<stencil::IndexOp> maker(location);
  return maker.number("dim", axis)
      .index("offset", rank, offset)
      .result(maker.indexType())
      .make();
}

MlirOperation stencilMatVecCreate(MlirLocation location, MlirValue input,
                                  MlirValue row, int64_t from,
                                  MlirAttribute matrix) {
  OpMaker<MatVecOp> maker(location);
  if (!capi::get<ElementsAttr>(matrix))
    maker.fail("expected elements as matrix");
  maker.operand(input)
      .operand(row)
      .attribute("matrix", matrix)
      .result(maker.elementType(input));
  if (maker.isGood())
    maker.addAttribute(
        "from", Builder(unwrap(location).getContext()).getI64IntegerAttr(from));
  return maker.make();
}

/// Sums do not take part in the check of ranks: their number of offsets is a
/// product.
static bool checkTaps(capi::OpMaker<WeightedSumOp> &maker, intptr_t numTaps,
                      intptr_t rank) {
  if (numTaps >= 1 && numTaps <= capi::kMaxCount && rank >= 1 &&
      rank <= capi::kMaxRank)
    return true;
  maker.fail("expected at least one tap, and at least one axis");
  return false;
}

MlirOperation stencilWeightedSumCreate(MlirLocation location, MlirValue input,
                                       intptr_t numTaps, intptr_t rank,
                                       const int64_t *offsets,
                                       MlirAttribute weights,
                                       MlirAttribute mapping) {
  OpMaker<WeightedSumOp> maker(location);
  if (!checkTaps(maker, numTaps, rank))
    return MlirOperation{nullptr};
  auto elements = capi::get<ElementsAttr>(weights);
  if (!elements)
    maker.fail("expected elements as weights");
  return maker.operand(input)
      .numbers("offsets", numTaps * rank, offsets)
      .attribute("weights", weights)
      .optional("offset_mapping", mapping)
      .result(elements ? elements.getElementType() : Type())
      .make();
}

MlirOperation stencilWeightedSumCreateUniform(
    MlirLocation location, MlirValue input, intptr_t numTaps, intptr_t rank,
    const int64_t *offsets, const MlirValue *weights, MlirAttribute mapping) {
  OpMaker<WeightedSumOp> maker(location);
  if (!checkTaps(maker, numTaps, rank))
    return MlirOperation{nullptr};
  maker.operand(input)
      .operands(numTaps, weights)
      .numbers("offsets", numTaps * rank, offsets)
      .optional("offset_mapping", mapping);
  if (maker.isGood())
    maker.result(unwrap(weights[0]).getType());
  return maker.make();
}

MlirOperation stencilStoreResultCreate(MlirLocation location, MlirValue value,
                                       MlirType resultType) {
  OpMaker<StoreResultOp> maker(location);
  if (!mlirValueIsNull(value))
    maker.operand(value);
  return maker.result(resultType).make();
}

MlirOperation
stencilCombineCreate(MlirLocation location, int64_t axis, int64_t index,
                     intptr_t numPairs, const MlirValue *lower,
                     const MlirValue *upper, intptr_t numLowerExtra,
                     const MlirValue *lowerExtra, intptr_t numUpperExtra,
                     const MlirValue *upperExtra, const MlirType *resultTypes) {
  OpMaker<CombineOp> maker(location);
  maker.number("dim", axis)
      .number("index", index)
      .operands(numPairs, lower)
      .operands(numPairs, upper)
      .operands(numLowerExtra, lowerExtra)
      .operands(numUpperExtra, upperExtra)
      .segments({numPairs, numPairs, numLowerExtra, numUpperExtra});
  if (maker.isGood())
    maker.results(numPairs + numLowerExtra + numUpperExtra, resultTypes);
  return maker.make();
}

MlirOperation stencilBufferCreate(MlirLocation location, MlirValue temp) {
  OpMaker<BufferOp> maker(location);
  maker.operand(temp);
  if (GridType grid = maker.grid(temp))
    maker.result(grid);
  return maker.make();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

MlirOperation stencilFoldCreate(MlirLocation location, intptr_t count,
                                const MlirValue *values, MlirAttribute bounds,
                                StencilFoldKind kind) {
  OpMaker<FoldOp> maker(location);
  maker.operands(count, values)
      .attribute("bounds", bounds)
      .symbol<FoldKindAttr>("kind", symbolizeFoldKind(kind), kind);
  if (count == 0)
    maker.fail("expected at least one value");
  if (maker.isGood())
    maker.result(maker.elementType(values[0]));
  return maker.make();
}

MlirOperation stencilReduceCreate(MlirLocation location, MlirValue accumulator,
                                  MlirValue initial) {
  OpMaker<ReduceOp> maker(location);
  return maker.operand(accumulator)
      .operand(initial)
      .bodyOf(maker.operandTypes())
      .make();
}

MlirOperation stencilYieldCreate(MlirLocation location, MlirValue value) {
  return OpMaker<YieldOp>(location).operand(value).make();
}

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

MlirOperation stencilPipelineCreate(MlirLocation location, int64_t axis) {
  OpMaker<PipelineOp> maker(location);
  if (axis != -1)
    maker.number("axis", axis);
  return maker.bodyOf({}).make();
}

MlirOperation stencilWindowCreate(MlirLocation location, StencilSpace space,
                                  MlirValue temp,
                                  const StencilWindowParts *parts) {
  OpMaker<WindowOp> maker(location);
  maker.operand(temp).symbol<SpaceAttr>(
      "space",
      space == STENCIL_SPACE_CACHE
          ? std::nullopt
          : symbolizeSpace(static_cast<uint32_t>(space)),
      space);
  if (parts && parts->depth != 0)
    maker.number("depth", parts->depth).number("lead", parts->lead);
  if (parts && parts->group != -1)
    maker.number("group", parts->group);
  if (parts && parts->prefetch != -1)
    maker.symbol<PrefetchAttr>(
        "prefetch", symbolizePrefetch(static_cast<uint32_t>(parts->prefetch)),
        parts->prefetch);
  if (parts && !mlirAttributeIsNull(parts->bounds))
    maker.attribute("bounds", parts->bounds)
        .attributes("conditions", parts->numConditions, parts->conditions);
  if (parts && parts->numExchanged != 0)
    maker.numbers("exchange", parts->numExchanged, parts->exchange);
  if (parts && !mlirValueIsNull(parts->keep))
    maker.operand(parts->keep);
  if (maker.isGood())
    maker.result(unwrap(temp).getType());
  return maker.make();
}

MlirOperation stencilAccumulateCreate(MlirLocation location, intptr_t count,
                                      const MlirValue *terms,
                                      const int64_t *planes) {
  OpMaker<AccumulateOp> maker(location);
  maker.operands(count, terms).numbers("planes", count, planes);
  if (count == 0)
    maker.fail("expected at least one term");
  if (maker.isGood())
    maker.result(unwrap(terms[0]).getType());
  return maker.make();
}

//===----------------------------------------------------------------------===//
// Kernels as the host sees them
//===----------------------------------------------------------------------===//

MlirOperation stencilLaunchCreate(MlirLocation location, MlirAttribute kernel,
                                  MlirValue blocks, const int64_t threads[3],
                                  int64_t shared, int64_t alignment,
                                  intptr_t count, const MlirValue *args,
                                  const int32_t *access) {
  OpMaker<LaunchOp> maker(location);
  maker.attribute("kernel", kernel)
      .operand(blocks)
      .operands(count, args)
      .numbers("threads", 3, threads);
  if (maker.isGood()) {
    Builder builder(unwrap(location).getContext());
    maker.addAttribute("shared", builder.getI64IntegerAttr(shared));
    maker.addAttribute("alignment", builder.getI64IntegerAttr(alignment));
    maker.addAttribute("access",
                       builder.getDenseI32ArrayAttr(ArrayRef(access, count)));
  }
  return maker.make();
}

MlirOperation stencilExtentCreate(MlirLocation location, int64_t axis) {
  OpMaker<ExtentOp> maker(location);
  if (maker.isGood()) {
    Builder builder(unwrap(location).getContext());
    maker.addAttribute("axis", builder.getI64IntegerAttr(axis));
    maker.result(builder.getIndexType());
  }
  return maker.make();
}

MlirOperation stencilBufferSizeCreate(MlirLocation location, MlirValue field) {
  OpMaker<BufferSizeOp> maker(location);
  maker.operand(field);
  if (maker.isGood())
    maker.result(IndexType::get(unwrap(location).getContext()));
  return maker.make();
}

MlirOperation stencilTensorMapCreate(MlirLocation location, MlirValue field,
                                     MlirType mapType) {
  return OpMaker<TensorMapOp>(location).operand(field).result(mapType).make();
}

MlirOperation stencilScratchCreate(MlirLocation location, MlirType memoryType) {
  return OpMaker<ScratchOp>(location).result(memoryType).make();
}

MlirOperation stencilErrorWordCreate(MlirLocation location, intptr_t count,
                                     const MlirAttribute *messages,
                                     MlirType wordType) {
  return OpMaker<ErrorWordOp>(location)
      .attributes("messages", count, messages)
      .result(wordType)
      .make();
}

MlirOperation stencilFetchCreate(MlirLocation location, MlirValue memory) {
  OpMaker<FetchOp> maker(location);
  maker.operand(memory);
  if (maker.isGood()) {
    auto type = dyn_cast<MemRefType>(unwrap(memory).getType());
    if (!type)
      maker.fail("expected memory, a memref");
    else
      maker.result(type.getElementType());
  }
  return maker.make();
}
