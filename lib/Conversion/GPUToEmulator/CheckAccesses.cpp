//===- CheckAccesses.cpp - A check before every access to memory ----------===//
//
// llvm.load %p : f64  ==>  call @stencilEmulatorCheck(%p, 8, 8, 0,
// "f.mlir:3:8")
//                          llvm.load %p : f64
//
// Runs when everything is in the LLVM dialect, where few ops access memory,
// whatever dialects they came from.
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"
#include "StencilDialect/Conversion/Passes.h"
#include "StencilDialect/IR/OpWalks.h"
#include "StencilRuntime/EmulatorCalls.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

namespace stencil {
#define GEN_PASS_DEF_STENCILCHECKEMULATORACCESSES
#include "StencilDialect/Conversion/Passes.h.inc"
} // namespace stencil

using namespace mlir;
using namespace stencil;
using namespace stencil::emulator;

/// Whose frame is larger than the page below a thread's stack must not leave
/// out that page: another thread's stack may lie below it.
static void probeStack(LLVM::LLVMFuncOp function) {
  Builder builder(function.getContext());
  SmallVector<Attribute> attributes;
  if (ArrayAttr known = function.getPassthroughAttr())
    llvm::append_range(attributes, known);
  attributes.push_back(builder.getStrArrayAttr({"probe-stack", "inline-asm"}));
  function.setPassthroughAttr(builder.getArrayAttr(attributes));
}

namespace {

struct Access {
  Value address;
  Type type;
  int32_t kind;
  std::optional<uint64_t> alignment;
};

class StencilCheckEmulatorAccesses
    : public stencil::impl::StencilCheckEmulatorAccessesBase<
          StencilCheckEmulatorAccesses> {
public:
  void runOnOperation() override {
    Emitter emitter(getOperation());
    auto isOfDevice = [](LLVM::LLVMFuncOp function) {
      return function->hasAttr(kDeviceFunctionAttr);
    };
    for (LLVM::LLVMFuncOp function : llvm::to_vector(llvm::make_filter_range(
             getOperation().getOps<LLVM::LLVMFuncOp>(), isOfDevice))) {
      MovedValues moved(function);
      moved.emit(emitter);
      if (failed(checkWithin(function, [&](Operation *op) {
            return check(op, moved, emitter);
          })))
        return signalPassFailure();
      probeStack(function);
      function->removeAttr(kDeviceFunctionAttr);
      function->removeAttr(kKernelAttr);
      function->removeAttr(kRelaxedAttr);
    }
  }

private:
  LogicalResult check(Operation *op, const MovedValues &moved,
                      Emitter &emitter);
  void insertCheck(Writer &b, const Access &access);
  void checkLanes(Writer &b, const Access &access, Value mask);
  uint64_t getBytes(Type type) { return layout.getTypeSize(type); }

  DataLayout layout;
};

} // namespace

static bool isBlockScope(std::optional<StringRef> scope) {
  return scope == "block" || scope == "workgroup" || scope == "wavefront" ||
         scope == "singlethread";
}

/// Bits that say what an atomic operation orders.
static int32_t getOrder(LLVM::AtomicOrdering ordering,
                        std::optional<StringRef> scope) {
  using runtime::AccessAcquire;
  using runtime::AccessRelease;
  int32_t bits = isBlockScope(scope) ? runtime::AccessBlockScope : 0;
  switch (ordering) {
  case LLVM::AtomicOrdering::acquire:
    return bits | AccessAcquire;
  case LLVM::AtomicOrdering::release:
    return bits | AccessRelease;
  case LLVM::AtomicOrdering::acq_rel:
  case LLVM::AtomicOrdering::seq_cst:
    return bits | AccessAcquire | AccessRelease;
  default:
    return bits;
  }
}

static std::optional<Access> getAccess(Operation *op) {
  using runtime::AccessAtomic;
  using runtime::AccessRead;
  using runtime::AccessVector;
  using runtime::AccessWrite;
  auto vectorBit = [](Type type) {
    return isa<VectorType>(type) ? int32_t(AccessVector) : 0;
  };
  auto atomicBits = [](auto access) {
    return access.getOrdering() == LLVM::AtomicOrdering::not_atomic
               ? 0
               : AccessAtomic |
                     getOrder(access.getOrdering(), access.getSyncscope());
  };
  return llvm::TypeSwitch<Operation *, std::optional<Access>>(op)
      .Case([&](LLVM::LoadOp load) {
        Type type = load.getType();
        return Access{load.getAddr(), type, vectorBit(type) | atomicBits(load),
                      load.getAlignment()};
      })
      .Case([&](LLVM::StoreOp store) {
        Type type = store.getValue().getType();
        return Access{store.getAddr(), type,
                      AccessWrite | vectorBit(type) | atomicBits(store),
                      store.getAlignment()};
      })
      .Case([&](LLVM::AtomicRMWOp atomic) {
        auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
        int32_t order =
            function->hasAttr(kRelaxedAttr)
                ? 0
                : getOrder(atomic.getOrdering(), atomic.getSyncscope());
        return Access{atomic.getPtr(), atomic.getVal().getType(),
                      AccessWrite | AccessRead | AccessAtomic | order,
                      std::nullopt};
      })
      .Case([&](LLVM::AtomicCmpXchgOp atomic) {
        return Access{
            atomic.getPtr(), atomic.getVal().getType(),
            AccessWrite | AccessRead | AccessAtomic |
                getOrder(atomic.getSuccessOrdering(), atomic.getSyncscope()),
            std::nullopt};
      })
      .Default(std::nullopt);
}

void StencilCheckEmulatorAccesses::insertCheck(Writer &b,
                                               const Access &access) {
  // Without another promise, a vector is aligned as its elements are.
  uint64_t alignment = access.alignment.value_or(
      layout.getTypeABIAlignment(getElementTypeOrSelf(access.type)));
  b.callFrom("stencilEmulatorCheck", Type(),
             {access.address, b.i64(getBytes(access.type)), b.i64(alignment),
              b.i32(access.kind)});
}

/// A check per lane of a masked access: a disabled lane's check is of 0 bytes.
void StencilCheckEmulatorAccesses::checkLanes(Writer &b, const Access &access,
                                              Value mask) {
  auto vector = cast<VectorType>(access.type);
  Type element = vector.getElementType();
  bool manyAddresses = isa<VectorType>(access.address.getType());
  Value text = b.locationText();
  Value none = b.i64(0);
  Value bytes = b.i64(getBytes(element));
  Value alignment = b.i64(layout.getTypeABIAlignment(element));
  Value kind = b.i32(access.kind);
  for (int64_t i = 0, e = vector.getNumElements(); i < e; ++i) {
    Value lane = b.i64(i);
    Value enabled = LLVM::ExtractElementOp::create(b, mask, lane);
    Value size = LLVM::SelectOp::create(b, enabled, bytes, none);
    Value address =
        manyAddresses
            ? LLVM::ExtractElementOp::create(b, access.address, lane)
            : b.element(access.address, element, static_cast<int32_t>(i));
    b.call("stencilEmulatorCheck", Type(),
           {address, size, alignment, kind, text});
  }
}

LogicalResult StencilCheckEmulatorAccesses::check(Operation *op,
                                                  const MovedValues &moved,
                                                  Emitter &emitter) {
  Writer b(emitter, op->getLoc(), op);
  if (std::optional<Access> access = getAccess(op)) {
    if (moved.contains(op))
      access->kind |= runtime::AccessCopy;
    if (!isPrivate(access->address))
      insertCheck(b, *access);
    return success();
  }
  auto lanes = [&](Value address, Type type, int32_t kind, Value mask) {
    if (isa<VectorType>(address.getType()) || !isPrivate(address))
      checkLanes(b, Access{address, type, kind, std::nullopt}, mask);
    return success();
  };
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](LLVM::FenceOp fence) {
        bool isDevice = !isBlockScope(fence.getSyncscope());
        b.callFrom("stencilEmulatorFence", Type(), b.i32(isDevice));
        return success();
      })
      .Case([&](LLVM::MaskedLoadOp load) {
        return lanes(load.getData(), load.getType(), 0, load.getMask());
      })
      .Case([&](LLVM::MaskedStoreOp store) {
        return lanes(store.getData(), store.getValue().getType(),
                     runtime::AccessWrite, store.getMask());
      })
      .Case([&](LLVM::masked_gather gather) {
        return lanes(gather.getPtrs(), gather.getType(), 0, gather.getMask());
      })
      .Case([&](LLVM::masked_scatter scatter) {
        return lanes(scatter.getPtrs(), scatter.getValue().getType(),
                     runtime::AccessWrite, scatter.getMask());
      })
      .Case<LLVM::MemcpyOp, LLVM::MemmoveOp, LLVM::MemsetOp>(
          [](Operation *copy) {
            return copy->emitOpError(
                "expected element-wise accesses: the emulator cannot check "
                "this one");
          })
      .Default(success());
}
