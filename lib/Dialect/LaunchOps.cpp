//===- LaunchOps.cpp - Kernels as the host sees them ----------------------===//

#include "LaunchSyntax.h"
#include "StencilDialect/IR/Bounds.h"
#include "StencilDialect/IR/Elements.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace stencil;

//===----------------------------------------------------------------------===//
// LaunchOp
//===----------------------------------------------------------------------===//

ParseResult stencil::parseLaunchArguments(
    OpAsmParser &parser, SmallVectorImpl<OpAsmParser::UnresolvedOperand> &args,
    SmallVectorImpl<Type> &types, DenseI32ArrayAttr &access) {
  SmallVector<int32_t> accesses;
  auto parseArgument = [&]() -> ParseResult {
    if (parser.parseOperand(args.emplace_back()) ||
        parser.parseColonType(types.emplace_back()))
      return failure();
    KernelAccess kind = KernelAccess::None;
    StringRef keyword;
    if (succeeded(parser.parseOptionalKeyword(&keyword,
                                              {"read", "write", "readwrite"})))
      kind = *symbolizeKernelAccess(keyword);
    accesses.push_back(static_cast<int32_t>(kind));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren,
                                     parseArgument))
    return failure();
  access = parser.getBuilder().getDenseI32ArrayAttr(accesses);
  return success();
}

void stencil::printLaunchArguments(OpAsmPrinter &printer, Operation *,
                                   OperandRange args, TypeRange types,
                                   DenseI32ArrayAttr access) {
  printer << '(';
  llvm::interleaveComma(llvm::zip_equal(args, types, access.asArrayRef()),
                        printer, [&](const auto &each) {
                          auto [arg, type, kind] = each;
                          printer << arg << " : " << type;
                          if (auto word = static_cast<KernelAccess>(kind);
                              word != KernelAccess::None)
                            printer << ' ' << stringifyKernelAccess(word);
                        });
  printer << ')';
}

static bool isMemory(Type type) { return isa<FieldType, MemRefType>(type); }

LogicalResult LaunchOp::verify() {
  if (getAccess().size() != getArgs().size())
    return emitOpError("expected an access for each of ")
           << getArgs().size() << " arguments, got " << getAccess().size();
  for (auto [index, type] : llvm::enumerate(getArgs().getTypes())) {
    if (!symbolizeKernelAccess(getAccess()[index]))
      return emitOpError("expected accesses from 0 to 3, got ")
             << getAccess()[index];
    bool isAccessed = getAccessTo(index) != KernelAccess::None;
    if (isMemory(type) != isAccessed)
      return emitOpError(isAccessed ? "expected no access to argument "
                                    : "expected 'read', 'write' or "
                                      "'readwrite' for argument ")
             << index << ", of type " << type;
    if (auto field = dyn_cast<FieldType>(type); field && !field.getBounds())
      return emitOpError("expected fields with bounds, got ") << type;
  }
  if (getThreads().size() != 3 ||
      llvm::any_of(getThreads(), [](int64_t extent) { return extent < 1; }))
    return emitOpError("expected three extents of at least 1 as threads, got [")
           << llvm::ArrayRef(getThreads()) << "]";
  if (static_cast<int64_t>(getShared()) < 0)
    return emitOpError("expected a number of bytes of shared memory, got ")
           << static_cast<int64_t>(getShared());
  if (static_cast<int64_t>(getAlignment()) < 1 ||
      !llvm::isPowerOf2_64(getAlignment()))
    return emitOpError("expected an alignment that is a power of two, got ")
           << static_cast<int64_t>(getAlignment());
  return success();
}

/// Whether a kernel that takes `parameter` can be given `argument`.
static bool fits(Type argument, Type parameter) {
  auto field = dyn_cast<FieldType>(argument);
  if (!field)
    return argument == parameter;
  auto buffer = dyn_cast<MemRefType>(parameter);
  return buffer && buffer.getElementType() == field.getElementType() &&
         buffer.getRank() <= 1;
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto kernel = dyn_cast_or_null<FunctionOpInterface>(
      symbols.lookupNearestSymbolFrom(*this, getKernel()));
  if (!kernel || !kernel->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()))
    return emitOpError("expected the name of a kernel, got ") << getKernel();
  ArrayRef<Type> parameters = kernel.getArgumentTypes();
  if (parameters.size() != getArgs().size())
    return withNote(emitOpError("expected ")
                        << parameters.size() << " arguments, got "
                        << getArgs().size(),
                    kernel.getLoc(), "the kernel");
  for (auto [index, argument, parameter] :
       llvm::enumerate(getArgs().getTypes(), parameters))
    if (!fits(argument, parameter))
      return withNote(emitOpError("expected an argument ")
                          << index << " for " << parameter << ", got "
                          << argument,
                      kernel.getLoc(), "the kernel");
  return success();
}

void LaunchOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (auto [index, operand] : llvm::enumerate(getArgsMutable())) {
    KernelAccess access = getAccessTo(index);
    if (access == KernelAccess::Read || access == KernelAccess::ReadWrite)
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (access == KernelAccess::Write || access == KernelAccess::ReadWrite)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    // What a map describes, the copy engine reads.
    if (isa<nvgpu::TensorMapDescriptorType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get());
  }
}

//===----------------------------------------------------------------------===//
// What kernels are given
//===----------------------------------------------------------------------===//

LogicalResult BufferSizeOp::verify() {
  if (!getBounds(getField()))
    return emitOpError("expected a field with bounds, got ")
           << getField().getType();
  return success();
}

LogicalResult TensorMapOp::verify() {
  constexpr int64_t kMaxRank = 5, kMaxBox = 256, kRowBytes = 16;
  auto field = cast<FieldType>(getField().getType());
  BoundsAttr bounds = field.getBounds();
  if (!bounds || isSymbolic(bounds.getLb().back()))
    return emitOpError("expected a field with bounds, of which the last lower "
                       "one is constant, got ")
           << Type(field);
  if (field.getRank() > kMaxRank)
    return emitOpError("expected a field of at most ")
           << kMaxRank << " axes, got " << field.getRank();
  auto map = dyn_cast<nvgpu::TensorMapDescriptorType>(getMap().getType());
  if (!map)
    return emitOpError("expected a !nvgpu.tensormap.descriptor, got ")
           << getMap().getType();
  MemRefType box = map.getTensor();
  int64_t rank = field.getRank() + (getSegment() ? 1 : 0);
  if (rank > kMaxRank)
    return emitOpError("expected a field of at most ")
           << kMaxRank - 1 << " axes with 'segment', got " << field.getRank();
  if (box.getRank() != rank || box.getElementType() != field.getElementType())
    return emitOpError("expected boxes of ")
           << rank << " axes and of elements of type " << field.getElementType()
           << ", got " << box;
  for (int64_t extent : box.getShape())
    if (extent < 1 || extent > kMaxBox)
      return emitOpError("expected boxes of 1 to ")
             << kMaxBox << " points along each axis, got " << box;
  if (int64_t bytes =
          box.getShape().back() * getElementBytes(box.getElementType());
      bytes % kRowBytes != 0)
    return emitOpError("expected rows of a multiple of ")
           << kRowBytes << " bytes, got " << bytes;
  if (!getSegment())
    return success();
  auto segment = static_cast<int64_t>(*getSegment());
  constexpr int64_t kMaxSegment = 1 << 20;
  if (segment < 1 || segment > kMaxSegment ||
      segment * getElementBytes(box.getElementType()) % kRowBytes != 0)
    return emitOpError("expected segments of a multiple of ")
           << kRowBytes << " bytes, of at most " << kMaxSegment
           << " points, got " << segment << " points";
  return success();
}

LogicalResult ScratchOp::verify() {
  auto type = dyn_cast<MemRefType>(getMemory().getType());
  if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity() ||
      type.getMemorySpace())
    return emitOpError("expected a memref of static shape, without a layout or "
                       "a memory space, got ")
           << getMemory().getType();
  return success();
}

LogicalResult ErrorWordOp::verify() {
  auto expected = MemRefType::get({1}, IntegerType::get(getContext(), 32));
  if (getWord().getType() != expected)
    return emitOpError("expected a result of type ")
           << expected << ", got " << getWord().getType();
  return success();
}

LogicalResult FetchOp::verify() {
  auto type = cast<MemRefType>(getMemory().getType());
  if (type.getNumElements() != 1 || type.getRank() != 1)
    return emitOpError("expected a memref of one element and one axis, got ")
           << type;
  return success();
}
