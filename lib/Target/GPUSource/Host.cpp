//===- Host.cpp - What the host calls
//--------------------------------------===//
//
// Ops of the gpu dialect on the host, and calls of the runtime library of
// programs that are compiled to binaries: here the vendor's own runtime does
// the same.
//
//===----------------------------------------------------------------------===//

#include "Writer.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace stencil;
using namespace stencil::gpusource;

namespace {

struct HostWriter {
  Writer &writer;

  LogicalResult write(gpu::AllocOp op);
  LogicalResult write(gpu::DeallocOp op);
  LogicalResult write(gpu::MemcpyOp op);
  LogicalResult write(gpu::WaitOp op);
  LogicalResult write(gpu::LaunchFuncOp op);
  LogicalResult write(func::CallOp op);

private:
  std::string api(StringRef name) { return writer.prologue.api(name); }
  /// `STENCIL_CHECK(cudaNAME(operands));`
  void check(StringRef name, ArrayRef<std::string> operands);
  /// `STENCIL_CHECK(held.NAME(operands));`: acquires or releases something.
  void checkHeld(StringRef name, ArrayRef<std::string> operands);
  std::string takeAddress(Value value);
  std::string makeBytes(const Memory &memory);
  void defineHandle(Value value, StringRef type, StringRef hint);
  std::string makeGrid(ArrayRef<Value> sizes);
};

} // namespace

void HostWriter::check(StringRef name, ArrayRef<std::string> operands) {
  writer.prologue.needChecks();
  writer.line("STENCIL_CHECK(" + api(name) + "(" + llvm::join(operands, ", ") +
              "));");
}

void HostWriter::checkHeld(StringRef name, ArrayRef<std::string> operands) {
  writer.prologue.needChecks();
  writer.line("STENCIL_CHECK(" + writer.held + "." + name + "(" +
              llvm::join(operands, ", ") + "));");
}

/// A pointer for an address, which may come as an index.
std::string HostWriter::takeAddress(Value value) {
  Expression expression = writer.take(value);
  if (expression.form == Form::Address || !value.getType().isIntOrIndex())
    return expression.text;
  return makeCast("void *", expression).text;
}

/// The number of bytes of a contiguous array; empty if unknown.
std::string HostWriter::makeBytes(const Memory &memory) {
  std::string text;
  for (const Expression &size : memory.sizes) {
    if (size.text.empty())
      return "";
    text += inside(size, Precedence::Unary) + " * ";
  }
  return text + "sizeof(" + writer.getType(memory.element) + ")";
}

/// A variable for a stream or a graph.
void HostWriter::defineHandle(Value value, StringRef type, StringRef hint) {
  Expression handle = Expression::name(writer.getNames().get(hint));
  handle.type = api(type);
  writer.line(handle.type + " " + handle.text + ";");
  writer.bind(value, {handle});
}

//===- The gpu dialect ----------------------------------------------------===//

LogicalResult HostWriter::write(gpu::AllocOp op) {
  MemRefType type = op.getType();
  std::string ctype = writer.getType(type.getElementType());
  if (op.getHostShared() || ctype.empty() || !type.getLayout().isIdentity())
    return emitNoForm(op, "on type " + debugString(type));
  Memory memory = makeMemory("", type);
  auto dynamicSize = op.getDynamicSizes().begin();
  Expression stride = makeInteger(1);
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis)
    memory.strides[axis] = Expression();
  for (Expression &size : memory.sizes)
    if (size.text.empty())
      size = writer.takeStable(*dynamicSize++);
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    memory.strides[axis] = stride;
    stride =
        makeIndexBinary("*", Precedence::Multiply, memory.sizes[axis], stride);
    stride.stable = true;
  }
  std::string name = writer.getName(op.getMemref(), "d");
  memory.base = Expression::name(name);
  writer.line(ctype + " *" + name + ";");
  checkHeld("allocate", {"&" + name, makeBytes(memory)});
  writer.setMemory(op.getMemref(), std::move(memory));
  return success();
}

LogicalResult HostWriter::write(gpu::DeallocOp op) {
  writer.effect();
  checkHeld("free", {writer.getMemory(op.getMemref()).base.text});
  return success();
}

LogicalResult HostWriter::write(gpu::MemcpyOp op) {
  const Memory &from = writer.getMemory(op.getSrc());
  std::string bytes = makeBytes(from);
  if (bytes.empty() || !op.getSrc().getType().getLayout().isIdentity() ||
      !op.getDst().getType().getLayout().isIdentity())
    return emitNoForm(op);
  std::string source = from.base.text;
  writer.effect();
  check("Memcpy", {writer.getMemory(op.getDst()).base.text, source, bytes,
                   api("MemcpyDefault")});
  return success();
}

/// Allocations here are not asynchronous; launches without a stream are.
LogicalResult HostWriter::write(gpu::WaitOp op) {
  writer.effect();
  for (Value token : op.getAsyncDependencies())
    if (!isa_and_nonnull<gpu::WaitOp, gpu::AllocOp, gpu::DeallocOp,
                         gpu::MemcpyOp>(token.getDefiningOp())) {
      check("DeviceSynchronize", {});
      break;
    }
  return success();
}

/// `n`, or `dim3(n, m)`, without the ones at the end.
std::string HostWriter::makeGrid(ArrayRef<Value> sizes) {
  while (sizes.size() > 1 && isConstantIntValue(sizes.back(), 1))
    sizes = sizes.drop_back();
  SmallVector<Expression> extents;
  for (Value size : sizes)
    extents.push_back(writer.take(size));
  return extents.size() == 1 ? extents.front().text
                             : makeCall("dim3", extents).text;
}

LogicalResult HostWriter::write(gpu::LaunchFuncOp op) {
  Operation *kernel =
      SymbolTable::lookupNearestSymbolFrom(op, op.getKernelAttr());
  auto found = writer.context.kernels.find(kernel);
  if (found == writer.context.kernels.end())
    return op.emitError() << "expected a kernel of this module, got "
                          << op.getKernelAttr();
  if (op.hasClusterSize())
    return emitNoForm(op, "with clusters");
  std::vector<std::string> operands;
  for (auto [operand, needed] :
       llvm::zip(op.getKernelOperands(), found->second.needed)) {
    std::string text = isa<MemRefType>(operand.getType())
                           ? writer.getMemory(operand).base.text
                           : writer.takeExact(operand).text;
    if (needed)
      operands.push_back(text);
  }
  const std::string &name = found->second.name;
  std::string shape =
      makeGrid({op.getGridSizeX(), op.getGridSizeY(), op.getGridSizeZ()}) +
      ", " +
      makeGrid({op.getBlockSizeX(), op.getBlockSizeY(), op.getBlockSizeZ()});
  std::string shared = "0";
  if (Value bytes = op.getDynamicSharedMemorySize()) {
    shared = writer.takeStable(bytes).text;
    // More than 48 KiB have to be asked for.
    check("FuncSetAttribute",
          {"(const void *)" + name,
           api("FuncAttributeMaxDynamicSharedMemorySize"), "(int)" + shared});
  }
  std::string stream =
      op.getAsyncObject() ? writer.take(op.getAsyncObject()).text : "0";
  if (stream != "0" || shared != "0")
    shape += ", " + shared;
  if (stream != "0")
    shape += ", " + stream;
  writer.effect();
  writer.line(name + "<<<" + shape + ">>>(" + llvm::join(operands, ", ") +
              ");");
  check("GetLastError", {});
  return success();
}

//===- The runtime library ------------------------------------------------===//

LogicalResult HostWriter::write(func::CallOp op) {
  StringRef callee = op.getCallee();
  // Time is for the caller to measure, and the backend is decided.
  if (callee == "stencilSelectBackend" || callee == "stencilBeginTiming" ||
      callee == "stencilEndTiming")
    return success();
  if (callee == "stencilMemcpy2D" && op.getNumOperands() == 7) {
    std::string to = takeAddress(op.getOperand(0));
    std::string toPitch = writer.takeExact(op.getOperand(1)).text;
    std::string from = takeAddress(op.getOperand(2));
    std::vector<std::string> rest;
    for (unsigned index = 3; index < 6; ++index)
      rest.push_back(writer.takeExact(op.getOperand(index)).text);
    std::string stream = writer.take(op.getOperand(6)).text;
    writer.effect();
    check("Memcpy2DAsync", {to, toPitch, from, rest[0], rest[1], rest[2],
                            api("MemcpyDefault"), stream});
    return success();
  }
  bool isOfWords = callee == "mgpuMemset32";
  if ((isOfWords || callee == "mgpuMemset16") && op.getNumOperands() == 4 &&
      matchPattern(op.getOperand(1), m_Zero())) {
    std::string to = takeAddress(op.getOperand(0));
    Expression count = writer.takeExact(op.getOperand(2));
    std::string stream = writer.take(op.getOperand(3)).text;
    writer.effect();
    check("MemsetAsync",
          {to, "0",
           inside(count, Precedence::Multiply) +
               (isOfWords ? " * sizeof(int)" : " * sizeof(short)"),
           stream});
    return success();
  }
  std::vector<std::string> operands;
  for (Value operand : op.getOperands())
    operands.push_back(writer.takeExact(operand).text);
  writer.effect();
  auto is = [&](StringRef name, unsigned arguments) {
    return callee == name && op.getNumOperands() == arguments;
  };
  if (is("stencilReserveMemory", 1)) {
    writer.prologue.needChecks();
    writer.prologue.need(Helper::Reserve);
    std::string code = writer.getNames().get("code");
    writer.line("if (int32_t " + code + " = stencilReserveMemory(" +
                operands[0] + "))");
    writer.line("  return " + code + ";");
  } else if (is("mgpuStreamCreate", 0) && op.getNumResults() == 1) {
    defineHandle(op.getResult(0), "Stream_t", "stream");
    checkHeld("create", {"&" + writer.take(op.getResult(0)).text});
  } else if (is("mgpuStreamDestroy", 1)) {
    checkHeld("destroy", operands);
  } else if (is("mgpuStreamSynchronize", 1)) {
    check("StreamSynchronize", operands);
  } else if (is("stencilBeginCapture", 1)) {
    checkHeld("beginCapture", operands);
  } else if (is("stencilEndCapture", 1) && op.getNumResults() == 1) {
    defineHandle(op.getResult(0), "GraphExec_t", "graph");
    operands.push_back("&" + writer.take(op.getResult(0)).text);
    checkHeld("endCapture", operands);
  } else if (is("stencilLaunchGraph", 2)) {
    check("GraphLaunch", operands);
  } else if (is("stencilDestroyGraph", 1)) {
    checkHeld("destroy", operands);
  } else {
    return emitNoForm(op, "of '" + callee + "'");
  }
  return success();
}

LogicalResult gpusource::writeHost(Writer &writer, Operation *op) {
  if (writer.device)
    return emitNoForm(op, "in a kernel");
  HostWriter host{writer};
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<gpu::AllocOp, gpu::DeallocOp, gpu::MemcpyOp, gpu::WaitOp,
            gpu::LaunchFuncOp, func::CallOp>(
          [&](auto op) { return host.write(op); })
      .Default([](Operation *op) { return emitNoForm(op); });
}
