//===- Device.cpp - Threads, and what they do together --------------------===//

#include "Writer.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

/// A variable such as `const int tx = threadIdx.x`.
static LogicalResult writeNumber(Writer &writer, Operation *op, StringRef text,
                                 StringRef hint) {
  if (op->use_empty())
    return success();
  Expression number;
  number.text = text.str();
  number.form = Form::Narrow;
  std::string own = writer.context.sourceNames.getName(op->getResult(0));
  std::string name = writer.getNames().get(own.empty() ? hint : own);
  writer.line("const int " + name + " = " + number.text + ";");
  writer.bind(op->getResult(0), {Expression::name(name, Form::Narrow)});
  return success();
}

static LogicalResult writeDimension(Writer &writer, Operation *op,
                                    gpu::Dimension dimension, StringRef builtin,
                                    StringRef hint) {
  StringRef axis = gpu::stringifyDimension(dimension);
  return writeNumber(writer, op, (builtin + "." + axis).str(),
                     (hint + axis).str());
}

/// The position of a thread in its block in the order of hardware.
static std::string getThreadNumber(Operation *op) {
  auto function = op->getParentOfType<gpu::GPUFuncOp>();
  if (function)
    if (std::optional<ArrayRef<int32_t>> size = function.getKnownBlockSize())
      if ((*size)[1] == 1 && (*size)[2] == 1)
        return "threadIdx.x";
  return "(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * "
         "threadIdx.z))";
}

namespace {

struct Shuffle {
  Writer &writer;
  gpu::ShuffleOp op;

  LogicalResult write();

private:
  std::string makeCallText(const Expression &value, Type type,
                           const Expression &offset, const Expression &width);
  Expression makeValid(const Expression &offset, const Expression &width);
};

} // namespace

std::string Shuffle::makeCallText(const Expression &value, Type type,
                                  const Expression &offset,
                                  const Expression &width) {
  std::string name = "__shfl";
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    name += "_xor";
    break;
  case gpu::ShuffleMode::DOWN:
    name += "_down";
    break;
  case gpu::ShuffleMode::UP:
    name += "_up";
    break;
  case gpu::ShuffleMode::IDX:
    break;
  }
  std::string operand =
      type.isInteger() && type.getIntOrFloatBitWidth() < 32
          ? makeCast("int", value).text
          : makeExact(value, type, writer.prologue.language).text;
  std::optional<int64_t> lanes = getConstantIntValue(op.getWidth());
  if (!writer.prologue.isCUDA()) {
    std::string segment = lanes ? std::to_string(*lanes) : "32";
    return name + "(" + operand + ", " + offset.text + ", " + segment + ")";
  }
  std::string mask;
  llvm::raw_string_ostream os(mask);
  if (lanes)
    os << llvm::format("0x%llxu", (1ULL << *lanes) - 1);
  else
    os << "0xffffffffu >> (32 - " << inside(width, Precedence::Multiply) << ")";
  return name + "_sync(" + mask + ", " + operand + ", " + offset.text + ")";
}

/// Whether the lane that is read takes part.
Expression Shuffle::makeValid(const Expression &offset,
                              const Expression &width) {
  Expression lane =
      makeBinary("%", Precedence::Multiply,
                 Expression::name(getThreadNumber(op)), makeInteger(32));
  lane = makeCast("int", lane);
  switch (op.getMode()) {
  case gpu::ShuffleMode::XOR:
    return makeBinary("<", Precedence::Relational,
                      makeBinary("^", Precedence::BitXor, lane, offset), width);
  case gpu::ShuffleMode::DOWN:
    return makeBinary("<", Precedence::Relational,
                      makeBinary("+", Precedence::Add, lane, offset), width);
  case gpu::ShuffleMode::UP:
    return makeBinary(">=", Precedence::Relational, lane, offset);
  case gpu::ShuffleMode::IDX:
    return makeBinary("<", Precedence::Relational, offset, width);
  }
  llvm_unreachable("a mode");
}

LogicalResult Shuffle::write() {
  Type type = getElementTypeOrSelf(op.getValue().getType());
  if (writer.getType(type).empty() || type.isIndex() ||
      (type.isBF16() && !writer.prologue.isCUDA()))
    return emitNoForm(op, "on type " + debugString(type));
  std::optional<int64_t> lanes = getConstantIntValue(op.getWidth());
  if (lanes && (*lanes < 1 || *lanes > (writer.prologue.isCUDA() ? 32 : 64)))
    return emitNoForm(op, "with " + Twine(*lanes) + " lanes");
  Parts values = writer.takeAll(op.getValue());
  Expression offset = writer.takeStable(op.getOffset());
  Expression width = writer.takeStable(op.getWidth());
  // All threads must come here, which an operand of && would not ensure.
  writer.effect();
  Parts results;
  for (const Expression &value : values) {
    Expression result;
    result.text = makeCallText(value, type, offset, width);
    results.push_back(writer.makeStable(result, type));
  }
  writer.bind(op.getShuffleResult(), std::move(results));
  if (!op.getValid().use_empty())
    writer.define(op.getValid(), makeValid(offset, width));
  return success();
}

/// Shared memory whose size the launch gives.
static LogicalResult writeDynamicMemory(Writer &writer,
                                        gpu::DynamicSharedMemoryOp op) {
  if (!op.getType().getElementType().isInteger(8))
    return emitNoForm(op, "on type " + debugString(op.getType()));
  // One name in all kernels, as the linker sees one thing.
  writer.line("alignas(16) extern __shared__ signed char stencilShared[];");
  writer.setMemory(op, makeMemory("stencilShared", op.getType()));
  return success();
}

LogicalResult gpusource::writeGPU(Writer &writer, Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](gpu::ThreadIdOp id) {
        return writeDimension(writer, op, id.getDimension(), "threadIdx", "t");
      })
      .Case([&](gpu::BlockIdOp id) {
        return writeDimension(writer, op, id.getDimension(), "blockIdx", "b");
      })
      .Case([&](gpu::BlockDimOp dim) {
        return writeDimension(writer, op, dim.getDimension(), "blockDim",
                              "block_");
      })
      .Case([&](gpu::GridDimOp dim) {
        return writeDimension(writer, op, dim.getDimension(), "gridDim",
                              "grid_");
      })
      .Case([&](gpu::LaneIdOp) {
        return writeNumber(writer, op, getThreadNumber(op) + " % warpSize",
                           "lane");
      })
      .Case([&](gpu::SubgroupIdOp) {
        return writeNumber(writer, op, getThreadNumber(op) + " / warpSize",
                           "warp");
      })
      .Case([&](gpu::SubgroupSizeOp) {
        return writeNumber(writer, op, "warpSize", "lanes");
      })
      .Case([&](gpu::NumSubgroupsOp) {
        return writeNumber(writer, op,
                           "(blockDim.x * blockDim.y * blockDim.z + warpSize - "
                           "1) / warpSize",
                           "warps");
      })
      .Case([&](gpu::BarrierOp) {
        writer.effect();
        writer.line("__syncthreads();");
        return success();
      })
      .Case([&](gpu::ShuffleOp shuffle) {
        return Shuffle{writer, shuffle}.write();
      })
      .Case([&](gpu::DynamicSharedMemoryOp memory) {
        return writeDynamicMemory(writer, memory);
      })
      .Default([](Operation *op) { return emitNoForm(op); });
}
