//===- LowerEvictions.cpp - What the second-level cache gives up last -----===//
//
// LLVM has no loads with a policy for the caches: they become assembly. So the
// pass runs when kernels are functions of the LLVM dialect, and before the ops
// of NVVM that have an operand for it are assembly.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/Schedule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILLOWEREVICTIONS
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

/// The buffer that an address is in; null if it is not known.
static BlockArgument findBuffer(Value address) {
  while (Operation *op = address.getDefiningOp()) {
    if (auto element = dyn_cast<LLVM::GEPOp>(op))
      address = element.getBase();
    else if (isa<LLVM::AddrSpaceCastOp, LLVM::BitcastOp>(op))
      address = op->getOperand(0);
    else
      return {};
  }
  return cast<BlockArgument>(address);
}

/// True if nobody writes to the buffer while the kernel runs.
static bool isReadOnly(LLVM::LLVMFuncOp kernel, BlockArgument buffer) {
  auto has = [&](StringRef name) {
    return static_cast<bool>(kernel.getArgAttr(buffer.getArgNumber(), name));
  };
  return buffer && buffer.getOwner() == &kernel.getBody().front() &&
         has(LLVM::LLVMDialect::getNoAliasAttrName()) &&
         has(LLVM::LLVMDialect::getReadonlyAttrName());
}

namespace {

/// What one instruction loads.
struct Words {
  int64_t count;
  Type type;
  /// As PTX and as LLVM names it.
  StringRef suffix, constraint;
};

} // namespace

/// The words that `bytes` of elements are loaded as.
static Words chooseWords(Type element, int64_t bytes) {
  MLIRContext *context = element.getContext();
  if (element.isF64() && bytes % 8 == 0)
    return {bytes / 8, element, "f64", "d"};
  if (element.isInteger(64) && bytes % 8 == 0)
    return {bytes / 8, element, "b64", "l"};
  if (element.isF32() && bytes % 4 == 0)
    return {bytes / 4, element, "f32", "f"};
  if (bytes % 4 == 0)
    return {bytes / 4, IntegerType::get(context, 32), "b32", "r"};
  // There are no registers of 8 bits.
  return {1, IntegerType::get(context, 16), bytes == 2 ? "b16" : "b8", "h"};
}

//===----------------------------------------------------------------------===//
// Policies
//===----------------------------------------------------------------------===//

namespace {

/// Gives what one kernel reads a policy.
class Keeper {
public:
  explicit Keeper(LLVM::LLVMFuncOp kernel)
      : kernel(kernel), builder(kernel.getContext()) {}

  void run();

private:
  Value getPolicy();
  Value assemble(Location loc, Type result, ValueRange operands, StringRef text,
                 StringRef constraints, bool hasSideEffects = false);
  void keep(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp copy);
  void keep(NVVM::CpAsyncOp copy);
  void keep(LLVM::LoadOp load);
  SmallVector<Value> load(Location loc, Value address, const Words &words);

  LLVM::LLVMFuncOp kernel;
  OpBuilder builder;
  Value policy;
};

} // namespace

Value Keeper::assemble(Location loc, Type result, ValueRange operands,
                       StringRef text, StringRef constraints,
                       bool hasSideEffects) {
  auto op = LLVM::InlineAsmOp::create(
      builder, loc, result ? TypeRange(result) : TypeRange(), operands, text,
      constraints, hasSideEffects, /*is_align_stack=*/false,
      LLVM::tailcallkind::TailCallKind::None, /*asm_dialect=*/nullptr,
      /*operand_attrs=*/nullptr);
  return op.getRes();
}

/// What `createpolicy.fractional.L2::evict_last.b64` makes of all lines, from
/// sm_80 on; as in CUTLASS (TMA::CacheHintSm90::EVICT_LAST). A constant takes
/// neither instructions nor registers.
static constexpr int64_t kEvictLast = 0x14F0000000000000;

Value Keeper::getPolicy() {
  if (policy)
    return policy;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&kernel.getBody().front());
  return policy = LLVM::ConstantOp::create(
             builder, kernel.getLoc(), builder.getI64IntegerAttr(kEvictLast));
}

void Keeper::keep(NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp copy) {
  if (!copy.getL2CacheHint())
    copy.getL2CacheHintMutable().assign(getPolicy());
}

void Keeper::keep(NVVM::CpAsyncOp copy) {
  builder.setInsertionPoint(copy);
  SmallVector<Value> operands = {copy.getDst(), copy.getSrc()};
  std::string text = llvm::formatv(
      "cp.async.{0}.shared.global.L2::cache_hint [$0], [$1], {1}",
      NVVM::stringifyLoadCacheModifierKind(copy.getModifier()), copy.getSize());
  // Of what is not there, zeros are written.
  bool isPart = static_cast<bool>(copy.getCpSize());
  if (isPart)
    operands.push_back(copy.getCpSize());
  operands.push_back(getPolicy());
  text += isPart ? ", $2, $3;" : ", $2;";
  assemble(copy.getLoc(), {}, operands, text,
           isPart ? "l,l,r,l,~{memory}" : "l,l,l,~{memory}",
           /*hasSideEffects=*/true);
  copy.erase();
}

/// The words that one instruction loads; those of 8 bits as such.
SmallVector<Value> Keeper::load(Location loc, Value address,
                                const Words &words) {
  std::string registers, constraints, vector;
  for (int64_t i = 0; i < words.count; ++i) {
    registers += (i ? ", $" : "$") + std::to_string(i);
    constraints += ("=" + words.constraint + ",").str();
  }
  Type type = words.type;
  if (words.count > 1) {
    type = LLVM::LLVMStructType::getLiteral(
        builder.getContext(), SmallVector<Type>(words.count, words.type));
    vector = ".v" + std::to_string(words.count);
    registers = "{" + registers + "}";
  }
  std::string text = llvm::formatv(
      "ld.global.nc.L2::cache_hint{0}.{1} {2}, [${3}], ${4};", vector,
      words.suffix, registers, words.count, words.count + 1);
  Value result =
      assemble(loc, type, {address, getPolicy()}, text, constraints + "l,l");
  if (words.suffix == "b8")
    return {LLVM::TruncOp::create(builder, loc, builder.getI8Type(), result)};
  if (words.count == 1)
    return {result};
  SmallVector<Value> loaded;
  for (int64_t i = 0; i < words.count; ++i)
    loaded.push_back(LLVM::ExtractValueOp::create(builder, loc, result, i));
  return loaded;
}

void Keeper::keep(LLVM::LoadOp op) {
  Type type = op.getRes().getType();
  Type element = getElementTypeOrSelf(type);
  bool isVector = type != element;
  // A boolean is a byte, a vector of them has bits.
  if (!isReadOnly(kernel, findBuffer(op.getAddr())) || op.getVolatile_() ||
      op.getOrdering() != LLVM::AtomicOrdering::not_atomic ||
      !element.isIntOrFloat() || (isVector && element.isInteger(1)))
    return;
  DataLayout layout = DataLayout::closest(op);
  auto bytes = static_cast<int64_t>(layout.getTypeSize(type).getFixedValue());
  uint64_t alignment =
      op.getAlignment().value_or(layout.getTypeABIAlignment(type));
  constexpr uint64_t kWidest = 16;
  auto part =
      static_cast<int64_t>(llvm::MinAlign(bytes, std::min(alignment, kWidest)));
  Words words = chooseWords(element, part);

  Location loc = op.getLoc();
  builder.setInsertionPoint(op);
  auto global = LLVM::LLVMPointerType::get(
      builder.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::Global));
  Value address = op.getAddr();
  if (address.getType() != global)
    address = LLVM::AddrSpaceCastOp::create(builder, loc, global, address);
  SmallVector<Value> loaded;
  for (int64_t offset = 0; offset < bytes; offset += part) {
    Value at = address;
    if (offset)
      at = LLVM::GEPOp::create(builder, loc, global, builder.getI8Type(), at,
                               ArrayRef<LLVM::GEPArg>(offset));
    llvm::append_range(loaded, load(loc, at, words));
  }

  Value result = loaded.front();
  if (isVector || loaded.size() > 1) {
    auto count = static_cast<int64_t>(loaded.size());
    result = LLVM::PoisonOp::create(builder, loc,
                                    VectorType::get(count, result.getType()));
    for (auto [index, word] : llvm::enumerate(loaded)) {
      Value at = LLVM::ConstantOp::create(builder, loc,
                                          builder.getI32IntegerAttr(index));
      result = LLVM::InsertElementOp::create(builder, loc, result, word, at);
    }
  }
  if (type.isInteger(1))
    result = LLVM::TruncOp::create(builder, loc, type, result);
  else if (result.getType() != type)
    result = LLVM::BitcastOp::create(builder, loc, type, result);
  op.getRes().replaceAllUsesWith(result);
  op.erase();
}

void Keeper::run() {
  kernel.walk([&](Operation *op) {
    if (auto tensor =
            dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op))
      keep(tensor);
    else if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op))
      keep(copy);
    else if (auto load = dyn_cast<LLVM::LoadOp>(op))
      keep(load);
  });
}

namespace {
struct LowerEvictions
    : stencil::impl::StencilLowerEvictionsBase<LowerEvictions> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      auto name = dyn_cast_or_null<StringAttr>(
          kernel->removeDiscardableAttr(kEvictionAttrName));
      if (name && symbolizeEviction(name.getValue()) == Eviction::Last)
        Keeper(kernel).run();
    }
  }
};
} // namespace
