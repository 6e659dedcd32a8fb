//===- JoinLaunches.cpp - Several kernels as one --------------------------===//
//
// The blocks of the joint kernel are those of its parts, one part after the
// other. All threads of a block run the same part, so that they can wait for
// each other there.
//
//===----------------------------------------------------------------------===//

#include "StencilDialect/IR/StencilAttrs.h"
#include "StencilDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
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

/// One of the kernels that become one.
struct Part {
  gpu::LaunchFuncOp launch;
  gpu::GPUFuncOp kernel;
  /// Threads along x, y, z.
  std::array<int64_t, 3> threads = {1, 1, 1};
  /// Who waits for others cannot be short of some.
  bool synchronises = false;

  int64_t countThreads() const { return threads[0] * threads[1] * threads[2]; }
};

class Joiner {
public:
  explicit Joiner(ArrayRef<gpu::LaunchFuncOp> launches) {
    for (gpu::LaunchFuncOp launch : launches)
      parts.push_back({launch, {}});
  }

  LogicalResult run(int64_t group);

private:
  LogicalResult read(Part &part);
  LogicalResult readBody(Part &part);
  LogicalResult chooseShape();
  void makeKernel(int64_t group);
  void addArguments(Part &part, IRMapping &mapping);
  void fillPart(Part &part, IRMapping &mapping, Value block,
                OpBuilder &builder);
  SmallVector<Value> countThrough(const Part &part, OpBuilder &builder);
  Value addOperand(Value value, DictionaryAttr attributes, Location loc);
  Value passIndex(Value index, OpBuilder &builder);
  void makeLaunch();

  SmallVector<Part> parts;
  /// The part whose threads are numbered as those of the joint kernel are.
  const Part *shape = nullptr;
  gpu::GPUFuncOp kernel;
  SmallVector<Value> operands;
  llvm::MapVector<std::pair<Value, Attribute>, unsigned> known;
  Value blocks;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is there
//===----------------------------------------------------------------------===//

/// An op of a kernel that asks where it is, and for which there is an answer.
static bool isPosition(Operation *op) {
  return isa<gpu::ThreadIdOp, gpu::BlockIdOp, gpu::BlockDimOp, gpu::GridDimOp>(
      op);
}

/// One that asks in a way that depends on the shape of block or grid.
static bool isOtherPosition(Operation *op) {
  return isa<gpu::GlobalIdOp, gpu::ClusterIdOp, gpu::ClusterDimOp,
             gpu::ClusterBlockIdOp, gpu::ClusterDimBlocksOp,
             gpu::NumSubgroupsOp>(op);
}

LogicalResult Joiner::readBody(Part &part) {
  auto result = part.kernel.getBody().walk([&](Operation *op) {
    if (isOtherPosition(op)) {
      op->emitOpError("has no lowering in a kernel that is joined with others: "
                      "expected gpu.thread_id, gpu.block_id, gpu.block_dim or "
                      "gpu.grid_dim");
      return WalkResult::interrupt();
    }
    StringRef dialect = op->getName().getDialectNamespace();
    part.synchronises |=
        (dialect == "gpu" && !isPosition(op) && !isa<gpu::ReturnOp>(op)) ||
        llvm::is_contained({"nvgpu", "nvvm", "rocdl", "amdgpu"}, dialect);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

LogicalResult Joiner::read(Part &part) {
  gpu::LaunchFuncOp launch = part.launch;
  part.kernel = SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
      launch, launch.getKernelAttr());
  if (!part.kernel || !part.kernel.getBody().hasOneBlock())
    return launch.emitOpError("expected a kernel of one block, to be joined "
                              "with others");
  gpu::KernelDim3 grid = launch.getGridSizeOperandValues();
  if (!matchPattern(grid.y, m_One()) || !matchPattern(grid.z, m_One()))
    return launch.emitOpError("expected a grid along x, to be joined with "
                              "others");
  if (launch.hasClusterSize() || launch.getAsyncToken() ||
      !launch.getAsyncDependencies().empty() ||
      launch.getAsyncObject() != parts.front().launch.getAsyncObject() ||
      launch.getKernelModuleName() !=
          parts.front().launch.getKernelModuleName())
    return launch.emitOpError("expected a launch of one module to one stream, "
                              "without tokens and clusters, to be joined with "
                              "others");
  gpu::KernelDim3 block = launch.getBlockSizeOperandValues();
  for (auto [extent, count] :
       llvm::zip_equal(std::array{block.x, block.y, block.z}, part.threads)) {
    APInt value;
    if (!matchPattern(extent, m_ConstantInt(&value)))
      return launch.emitOpError("expected blocks of a constant size, to be "
                                "joined with others");
    count = value.getSExtValue();
  }
  return readBody(part);
}

/// As many threads as the largest block has.
LogicalResult Joiner::chooseShape() {
  for (const Part &part : parts)
    if (!shape || part.countThreads() > shape->countThreads())
      shape = &part;
  for (const Part &part : parts)
    if (part.synchronises && part.countThreads() != shape->countThreads()) {
      InFlightDiagnostic diag =
          part.launch->emitOpError("expected blocks of ")
          << shape->countThreads()
          << " threads, as another region of the same launch has, got "
          << part.countThreads()
          << ", which wait for each other: say 'block' in the schedules";
      diag.attachNote(shape->launch->getLoc()) << "the other region is here";
      return diag;
    }
  return success();
}

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

void Joiner::addArguments(Part &part, IRMapping &mapping) {
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
Value Joiner::passIndex(Value index, OpBuilder &builder) {
  Location loc = kernel.getLoc();
  APInt value;
  if (matchPattern(index, m_ConstantInt(&value)))
    return arith::ConstantIndexOp::create(builder, loc, value.getSExtValue());
  OpBuilder outside(parts.back().launch);
  Value passed =
      arith::IndexCastOp::create(outside, loc, outside.getI64Type(), index);
  Value argument =
      addOperand(passed, DictionaryAttr::get(kernel.getContext()), loc);
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    argument);
}

/// Position of a thread in blocks of this part, which are not shaped as those
/// of the kernel are; and its number.
SmallVector<Value> Joiner::countThrough(const Part &part, OpBuilder &builder) {
  Location loc = kernel.getLoc();
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value number = constant(0);
  for (int dimension = 2; dimension >= 0; --dimension) {
    int64_t count = shape->threads[dimension];
    if (count == 1)
      continue;
    number = arith::MulIOp::create(builder, loc, number, constant(count));
    Value thread = gpu::ThreadIdOp::create(
        builder, loc, static_cast<gpu::Dimension>(dimension));
    number = arith::AddIOp::create(builder, loc, number, thread);
  }
  SmallVector<Value> position;
  Value rest = number;
  for (int dimension = 0; dimension < 3; ++dimension) {
    Value count = constant(part.threads[dimension]);
    position.push_back(arith::RemUIOp::create(builder, loc, rest, count));
    rest = arith::DivUIOp::create(builder, loc, rest, count);
  }
  position.push_back(number);
  return position;
}

/// Copies the body of a part, for its block number `block`.
void Joiner::fillPart(Part &part, IRMapping &mapping, Value block,
                      OpBuilder &builder) {
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
  if (part.threads != shape->threads) {
    threads = countThrough(part, builder);
    if (part.countThreads() < shape->countThreads()) {
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
  for (StringRef name : {"nvvm.minctasm", "rocdl.waves_per_eu"}) {
    auto own = kernel->getAttrOfType<IntegerAttr>(name);
    auto other = part->getAttrOfType<IntegerAttr>(name);
    if (other && (!own || own.getInt() < other.getInt()))
      kernel->setAttr(name, other);
  }
}

void Joiner::makeKernel(int64_t group) {
  Part &first = parts.front();
  SmallVector<Location> places;
  for (Part &part : parts)
    places.push_back(part.kernel.getLoc());
  Location loc = FusedLoc::get(first.kernel.getContext(), places);
  auto module = first.kernel->getParentOfType<gpu::GPUModuleOp>();
  OpBuilder builder(module.getContext());
  auto caller = first.launch->getParentOfType<FunctionOpInterface>();
  kernel = gpu::GPUFuncOp::create(
      builder, loc, (caller.getName() + "_regions" + Twine(group)).str(),
      builder.getFunctionType({}, {}));
  for (StringRef name :
       {gpu::GPUDialect::getKernelFuncAttrName(), StringRef("stencil.source")})
    if (Attribute value = first.kernel->getAttr(name))
      kernel->setAttr(name, value);
  SmallVector<int32_t> size(shape->threads.begin(), shape->threads.end());
  kernel.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr(size));
  // Gives it another name if there is one of this.
  SymbolTable(module).insert(kernel, first.kernel->getIterator());

  builder.setInsertionPointToStart(&kernel.getBody().front());
  Value block = gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  Value begin = arith::ConstantIndexOp::create(builder, loc, 0);
  OpBuilder outside(parts.back().launch);
  for (Part &part : parts) {
    joinBounds(kernel, part.kernel);
    IRMapping mapping;
    addArguments(part, mapping);
    Value count = part.launch.getGridSizeOperandValues().x;
    blocks = blocks ? outside.createOrFold<arith::AddIOp>(loc, blocks, count)
                    : count;
    Value own = builder.createOrFold<arith::SubIOp>(loc, block, begin);
    if (&part == &parts.back()) {
      fillPart(part, mapping, own, builder);
      break;
    }
    Value end = passIndex(blocks, builder);
    Value isHere = arith::CmpIOp::create(builder, loc,
                                         arith::CmpIPredicate::ult, block, end);
    auto branch = scf::IfOp::create(builder, loc, isHere,
                                    /*withElseRegion=*/true);
    builder.setInsertionPointToStart(branch.thenBlock());
    fillPart(part, mapping, own, builder);
    builder.setInsertionPointToStart(branch.elseBlock());
    begin = end;
  }
  builder.setInsertionPointToEnd(&kernel.getBody().front());
  gpu::ReturnOp::create(builder, loc);
}

void Joiner::makeLaunch() {
  gpu::LaunchFuncOp last = parts.back().launch;
  OpBuilder builder(last);
  Location loc = kernel.getLoc();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1), shared;
  for (Part &part : parts)
    if (Value own = part.launch.getDynamicSharedMemorySize())
      shared =
          shared ? builder.createOrFold<arith::MaxSIOp>(loc, shared, own) : own;
  gpu::LaunchFuncOp shaped = shape->launch;
  auto symbol =
      SymbolRefAttr::get(last.getKernelModuleName(),
                         {FlatSymbolRefAttr::get(kernel.getNameAttr())});
  gpu::LaunchFuncOp::create(builder, loc, symbol,
                            gpu::KernelDim3{blocks, one, one},
                            shaped.getBlockSizeOperandValues(), shared,
                            operands, last.getAsyncObject());
}

LogicalResult Joiner::run(int64_t group) {
  for (Part &part : parts)
    if (failed(read(part)))
      return failure();
  if (failed(chooseShape()))
    return failure();
  makeKernel(group);
  makeLaunch();
  auto module = kernel->getParentOfType<gpu::GPUModuleOp>();
  llvm::SmallSetVector<Operation *, 8> kernels;
  for (Part &part : parts) {
    kernels.insert(part.kernel);
    part.launch->erase();
  }
  for (Operation *old : kernels)
    if (SymbolTable::symbolKnownUseEmpty(old, module->getParentOp()))
      old->erase();
  return success();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct JoinLaunches : stencil::impl::StencilJoinLaunchesBase<JoinLaunches> {
  using StencilJoinLaunchesBase::StencilJoinLaunchesBase;

  void runOnOperation() override {
    using Group = std::pair<Block *, RegionGroupAttr>;
    llvm::MapVector<Group, SmallVector<gpu::LaunchFuncOp>> groups;
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      auto group =
          launch->getAttrOfType<RegionGroupAttr>(RegionGroupAttr::kAttrName);
      if (group && group.getHow() == RegionLaunch::Launch)
        groups[{launch->getBlock(), group}].push_back(launch);
    });
    for (auto &[group, launches] : groups)
      if (launches.size() > 1 &&
          failed(Joiner(launches).run(group.second.getNumber())))
        return signalPassFailure();
  }
};

} // namespace
