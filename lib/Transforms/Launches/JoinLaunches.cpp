//===- JoinLaunches.cpp - Several kernels as one --------------------------===//
//
// The blocks of the joint kernel are those of its parts, one part after the
// other; those of neighbours that have as many blocks alternate. Such are the
// layers on both sides of a box: where a row ends the next one begins, so that
// they read and write the same lines of memory, and do so at the same time. All
// threads of a block run the same part, so that they can wait for each other
// there.
//
//===----------------------------------------------------------------------===//

#include "LaunchParts.h"
#include "StencilDialect/Conversion/KernelName.h"
#include "StencilDialect/IR/ChoiceAttrs.h"
#include "StencilDialect/IR/Schedule.h"
#include "StencilDialect/Target/Vendors.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILJOINLAUNCHES
#include "StencilDialect/Transforms/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;

namespace {

class Joiner {
public:
  /// `shape`: the part whose threads are numbered as those of the joint kernel
  /// are.
  Joiner(ArrayRef<LaunchPart> parts, const LaunchPart &shape)
      : parts(parts), shape(shape) {}

  /// The joint launch.
  gpu::LaunchFuncOp run(int64_t group);

private:
  void makeKernel(int64_t group);
  void addArguments(const LaunchPart &part, IRMapping &mapping);
  void fillPart(const LaunchPart &part, IRMapping &mapping, Value block,
                ImplicitLocOpBuilder &builder);
  void fillRun(ArrayRef<LaunchPart> run, Value block,
               ImplicitLocOpBuilder &builder);
  SmallVector<Value> countThrough(const LaunchPart &part,
                                  ImplicitLocOpBuilder &builder);
  Value addOperand(Value value, DictionaryAttr attributes, Location loc);
  Value passIndex(Value index, ImplicitLocOpBuilder &builder);
  gpu::LaunchFuncOp makeLaunch();

  ArrayRef<LaunchPart> parts;
  const LaunchPart &shape;
  gpu::GPUFuncOp kernel;
  SmallVector<Value> operands;
  llvm::MapVector<std::pair<Value, Attribute>, unsigned> known;
  Value blocks;
};

} // namespace

//===----------------------------------------------------------------------===//
// The joint kernel
//===----------------------------------------------------------------------===//

/// Passes a value of the host; those that are the same in several parts once,
/// if the parts say the same of them.
Value Joiner::addOperand(Value value, DictionaryAttr attributes, Location loc) {
  auto [it, isNew] =
      known.try_emplace({value, attributes}, kernel.getNumArguments());
  if (isNew) {
    (void)kernel.insertArgument(it->second, value.getType(), attributes, loc);
    operands.push_back(value);
  }
  return kernel.getArgument(it->second);
}

void Joiner::addArguments(const LaunchPart &part, IRMapping &mapping) {
  for (auto [index, operand] :
       llvm::enumerate(part.launch.getKernelOperands())) {
    DictionaryAttr attributes = part.kernel.getArgAttrDict(index);
    if (!attributes)
      attributes = DictionaryAttr::get(kernel.getContext());
    BlockArgument argument = part.kernel.getArgument(index);
    mapping.map(argument, addOperand(operand, attributes, argument.getLoc()));
  }
}

/// An index of the host, in the kernel.
Value Joiner::passIndex(Value index, ImplicitLocOpBuilder &builder) {
  Location loc = kernel.getLoc();
  APInt value;
  if (matchPattern(index, m_ConstantInt(&value)))
    return arith::ConstantIndexOp::create(builder, value.getSExtValue());
  OpBuilder outside(parts.back().launch);
  Value passed =
      arith::IndexCastOp::create(outside, loc, outside.getI64Type(), index);
  Value argument =
      addOperand(passed, DictionaryAttr::get(kernel.getContext()), loc);
  return arith::IndexCastOp::create(builder, builder.getIndexType(), argument);
}

/// Position of a thread in blocks of this part, which are not shaped as those
/// of the kernel are; and its number.
SmallVector<Value> Joiner::countThrough(const LaunchPart &part,
                                        ImplicitLocOpBuilder &builder) {
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, value);
  };
  Value number = constant(0);
  for (int dimension = 2; dimension >= 0; --dimension) {
    int64_t count = shape.threads[dimension];
    if (count == 1)
      continue;
    number = arith::MulIOp::create(builder, number, constant(count));
    Value thread = gpu::ThreadIdOp::create(
        builder, static_cast<gpu::Dimension>(dimension));
    number = arith::AddIOp::create(builder, number, thread);
  }
  SmallVector<Value> position;
  Value rest = number;
  for (int dimension = 0; dimension < 3; ++dimension) {
    Value count = constant(part.threads[dimension]);
    position.push_back(arith::RemUIOp::create(builder, rest, count));
    rest = arith::DivUIOp::create(builder, rest, count);
  }
  position.push_back(number);
  return position;
}

/// Copies the body of a part, for its block number `block`.
void Joiner::fillPart(const LaunchPart &part, IRMapping &mapping, Value block,
                      ImplicitLocOpBuilder &builder) {
  Location loc = part.kernel.getLoc();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  for (BlockArgument memory : part.kernel.getWorkgroupAttributions())
    mapping.map(memory, kernel.addWorkgroupAttribution(memory.getType(),
                                                       memory.getLoc()));
  for (BlockArgument memory : part.kernel.getPrivateAttributions())
    mapping.map(memory, kernel.addPrivateAttribution(memory.getType(),
                                                     memory.getLoc()));
  SmallVector<Value> threads;
  OpBuilder::InsertionGuard guard(builder);
  if (part.threads != shape.threads) {
    threads = countThrough(part, builder);
    if (part.countThreads() < shape.countThreads()) {
      Value exists = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, threads.pop_back_val(),
          constant(part.countThreads()));
      auto branch = scf::IfOp::create(builder, loc, exists);
      builder.setInsertionPointToStart(branch.thenBlock());
    }
  }
  SmallVector<Operation *> replaced;
  for (Operation &op : part.kernel.getBody().front().without_terminator())
    builder.clone(op, mapping)->walk([&](Operation *inner) {
      if (isPosition(inner))
        replaced.push_back(inner);
    });
  for (Operation *op : replaced) {
    builder.setInsertionPoint(op);
    auto answer = [&](gpu::Dimension dimension) -> Value {
      auto number = static_cast<unsigned>(dimension);
      if (isa<gpu::ThreadIdOp>(op))
        return threads.empty() ? Value() : threads[number];
      if (isa<gpu::BlockDimOp>(op))
        return constant(part.threads[number]);
      if (isa<gpu::BlockIdOp>(op))
        return dimension == gpu::Dimension::x ? block : constant(0);
      return dimension == gpu::Dimension::x
                 ? passIndex(part.launch.getGridSizeOperandValues().x, builder)
                 : constant(1);
    };
    Value value = llvm::TypeSwitch<Operation *, Value>(op)
                      .Case<gpu::ThreadIdOp, gpu::BlockDimOp, gpu::BlockIdOp,
                            gpu::GridDimOp>([&](auto known) {
                        return answer(known.getDimension());
                      });
    if (!value)
      continue;
    op->replaceAllUsesWith(ValueRange(value));
    op->erase();
  }
}

/// Of attributes that bound registers, the strictest.
static void joinBounds(gpu::GPUFuncOp kernel, gpu::GPUFuncOp part) {
  for (const VendorInfo &vendor : getVendors()) {
    StringRef name = vendor.launchBounds.attribute;
    auto own = kernel->getAttrOfType<IntegerAttr>(name);
    auto other = part->getAttrOfType<IntegerAttr>(name);
    if (other && (!own || own.getInt() < other.getInt()))
      kernel->setAttr(name, other);
  }
}

/// A part that keeps its lines does not want to lose them to the others', and
/// what is straight in one part stays so, whatever the others are.
static void joinWishes(gpu::GPUFuncOp kernel, gpu::GPUFuncOp part) {
  for (StringRef name : {kEvictionAttrName, kStraightAttrName})
    if (Attribute wish = part->getDiscardableAttr(name))
      kernel->setDiscardableAttr(name, wish);
}

static void joinChoices(gpu::GPUFuncOp kernel, gpu::GPUFuncOp part) {
  SmallVector<int64_t> choices(getChoices(kernel));
  llvm::append_range(choices, getChoices(part));
  if (!choices.empty())
    kernel->setDiscardableAttr(
        kChoiceAttr, DenseI64ArrayAttr::get(kernel.getContext(), choices));
}

/// Splits off the parts at the front that have as many blocks as the first one.
static ArrayRef<LaunchPart> takeAlternating(ArrayRef<LaunchPart> &parts) {
  auto count = [](const LaunchPart &part) {
    return getConstantIntValue(part.launch.getGridSizeOperandValues().x);
  };
  std::optional<int64_t> first = count(parts.front());
  size_t size = 1;
  while (first && size < parts.size() && count(parts[size]) == first)
    ++size;
  ArrayRef<LaunchPart> run = parts.take_front(size);
  parts = parts.drop_front(size);
  return run;
}

/// Copies the bodies of parts whose blocks alternate; `block` counts those of
/// all of them.
void Joiner::fillRun(ArrayRef<LaunchPart> run, Value block,
                     ImplicitLocOpBuilder &builder) {
  auto constant = [&](size_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, static_cast<int64_t>(value));
  };
  Value turn;
  if (run.size() > 1) {
    Value count = constant(run.size());
    turn = arith::RemUIOp::create(builder, block, count);
    block = arith::DivUIOp::create(builder, block, count);
  }
  OpBuilder::InsertionGuard guard(builder);
  for (auto [index, part] : llvm::enumerate(run)) {
    joinBounds(kernel, part.kernel);
    joinWishes(kernel, part.kernel);
    joinChoices(kernel, part.kernel);
    IRMapping mapping;
    addArguments(part, mapping);
    if (index + 1 == run.size()) {
      fillPart(part, mapping, block, builder);
      break;
    }
    Value isHere = arith::CmpIOp::create(builder, arith::CmpIPredicate::eq,
                                         turn, constant(index));
    auto branch = scf::IfOp::create(builder, isHere,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    fillPart(part, mapping, block, builder);
    builder.setInsertionPointToStart(branch.elseBlock());
  }
}

void Joiner::makeKernel(int64_t group) {
  const LaunchPart &first = parts.front();
  auto places = llvm::map_to_vector(
      parts, [](const LaunchPart &part) { return part.kernel.getLoc(); });
  Location loc = FusedLoc::get(first.kernel.getContext(), places);
  auto module = first.kernel->getParentOfType<gpu::GPUModuleOp>();
  ImplicitLocOpBuilder builder(loc, module.getContext());
  auto caller = first.launch->getParentOfType<FunctionOpInterface>();
  kernel = gpu::GPUFuncOp::create(
      builder,
      makeKernelName((caller.getName() + "_regions" + Twine(group)).str()),
      builder.getFunctionType({}, {}));
  for (StringRef name :
       {gpu::GPUDialect::getKernelFuncAttrName(), StringRef("stencil.source")})
    if (Attribute value = first.kernel->getAttr(name))
      kernel->setAttr(name, value);
  SmallVector<int32_t> size(shape.threads.begin(), shape.threads.end());
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(size));
  // Gives it another name if there is one of this.
  SymbolTable(module).insert(kernel, first.kernel->getIterator());

  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value block = gpu::BlockIdOp::create(builder, gpu::Dimension::x);
  Value begin = arith::ConstantIndexOp::create(builder, 0);
  OpBuilder outside(parts.back().launch);
  for (ArrayRef<LaunchPart> rest = parts; !rest.empty();) {
    ArrayRef<LaunchPart> run = takeAlternating(rest);
    Value count = run.front().launch.getGridSizeOperandValues().x;
    for (size_t i = 0; i < run.size(); ++i)
      blocks = blocks ? outside.createOrFold<arith::AddIOp>(loc, blocks, count)
                      : count;
    Value own = builder.createOrFold<arith::SubIOp>(block, begin);
    if (rest.empty()) {
      fillRun(run, own, builder);
      break;
    }
    Value end = passIndex(blocks, builder);
    Value isHere =
        arith::CmpIOp::create(builder, arith::CmpIPredicate::ult, block, end);
    auto branch = scf::IfOp::create(builder, isHere,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    fillRun(run, own, builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    begin = end;
  }
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(builder);
}

gpu::LaunchFuncOp Joiner::makeLaunch() {
  gpu::LaunchFuncOp last = parts.back().launch;
  ImplicitLocOpBuilder builder(kernel.getLoc(), last);
  Value one = arith::ConstantIndexOp::create(builder, 1), shared;
  for (const LaunchPart &part : parts)
    if (Value own = part.launch.getDynamicSharedMemorySize())
      shared = shared ? builder.createOrFold<arith::MaxSIOp>(shared, own) : own;
  gpu::LaunchFuncOp shaped = shape.launch;
  auto symbol =
      SymbolRefAttr::get(last.getKernelModuleName(),
                         {FlatSymbolRefAttr::get(kernel.getNameAttr())});
  return gpu::LaunchFuncOp::create(builder, symbol,
                                   gpu::KernelDim3{blocks, one, one},
                                   shaped.getBlockSizeOperandValues(), shared,
                                   operands, last.getAsyncObject());
}

gpu::LaunchFuncOp Joiner::run(int64_t group) {
  makeKernel(group);
  gpu::LaunchFuncOp joint = makeLaunch();
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  llvm::SmallSetVector<Operation *, 8> kernels;
  for (const LaunchPart &part : parts) {
    kernels.insert(part.kernel);
    part.launch->erase();
  }
  for (Operation *old : kernels)
    if (SymbolTable::symbolKnownUseEmpty(old, module->getParentOp()))
      old->erase();
  return joint;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct JoinLaunches : stencil::impl::StencilJoinLaunchesBase<JoinLaunches> {
  void runOnOperation() override {
    // By the number: others of it may have streams of their own.
    using Group = std::pair<Block *, int64_t>;
    llvm::MapVector<Group, SmallVector<gpu::LaunchFuncOp>> groups;
    llvm::MapVector<Group, RegionGroupAttr> streams;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      RegionGroupAttr group = RegionGroupAttr::of(launch);
      if (!group)
        return;
      Group key(launch->getBlock(), group.getNumber());
      if (group.getHow() == RegionLaunch::Launch)
        groups[key].push_back(launch);
      else if (group.getHow() == RegionLaunch::Streams)
        streams[key] = group;
    });
    for (auto &[group, launches] : groups) {
      gpu::LaunchFuncOp joint = launches.front();
      if (launches.size() > 1) {
        auto parts = readLaunchParts(launches);
        if (failed(parts))
          return signalPassFailure();
        const LaunchPart *shape = findLargestPart(*parts);
        if (!shape)
          return signalPassFailure();
        joint = Joiner(*parts, *shape).run(group.second);
      }
      if (RegionGroupAttr beside = streams.lookup(group))
        joint->setDiscardableAttr(RegionGroupAttr::kAttrName, beside);
    }
  }
};

} // namespace
