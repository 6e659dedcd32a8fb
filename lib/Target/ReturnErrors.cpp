//===- ReturnErrors.cpp - Programs that return their errors ---------------===//

#include "StencilDialect/Target/ReturnErrors.h"
#include "ArrayChecks.h"
#include "ErrorPaths.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace stencil;

/// What the runtime library has, for programs that do without it.
static constexpr llvm::StringLiteral ownRuntime = R"mlir(
llvm.mlir.global internal thread_local @stencil.status(0 : i32) : i32
llvm.mlir.global internal constant @stencil.format("error: %s\0A\00")
llvm.mlir.global weak_odr @stencilErrorHandler() {alignment = 8 : i64} : !llvm.ptr {
  %null = llvm.mlir.zero : !llvm.ptr
  llvm.return %null : !llvm.ptr
}
llvm.func @dprintf(i32, !llvm.ptr, ...) -> i32
llvm.func weak_odr @stencilSetErrorHandler(%handler: !llvm.ptr) -> !llvm.ptr {
  %slot = llvm.mlir.addressof @stencilErrorHandler : !llvm.ptr
  %before = llvm.atomicrmw xchg %slot, %handler seq_cst : !llvm.ptr, !llvm.ptr
  llvm.return %before : !llvm.ptr
}
llvm.func internal @stencil.take_status() -> i32 {
  %slot = llvm.mlir.addressof @stencil.status : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %status = llvm.load %slot : !llvm.ptr -> i32
  llvm.store %zero, %slot : i32, !llvm.ptr
  llvm.return %status : i32
}
llvm.func internal @stencil.fail(%code: i32, %message: !llvm.ptr) attributes {passthrough = ["cold", "noinline"]} {
  %slot = llvm.mlir.addressof @stencil.status : !llvm.ptr
  %zero = llvm.mlir.constant(0 : i32) : i32
  %null = llvm.mlir.zero : !llvm.ptr
  %before = llvm.load %slot : !llvm.ptr -> i32
  %isFirst = llvm.icmp "eq" %before, %zero : i32
  llvm.cond_br %isFirst, ^first, ^done
^first:
  llvm.store %code, %slot : i32, !llvm.ptr
  %isSilent = llvm.icmp "eq" %message, %null : !llvm.ptr
  llvm.cond_br %isSilent, ^done, ^report
^report:
  %handlerSlot = llvm.mlir.addressof @stencilErrorHandler : !llvm.ptr
  %handler = llvm.load %handlerSlot atomic acquire {alignment = 8 : i64} : !llvm.ptr -> !llvm.ptr
  %isDefault = llvm.icmp "eq" %handler, %null : !llvm.ptr
  llvm.cond_br %isDefault, ^print, ^call
^call:
  llvm.call %handler(%code, %message) : !llvm.ptr, (i32, !llvm.ptr) -> ()
  llvm.br ^done
^print:
  %stderr = llvm.mlir.constant(2 : i32) : i32
  %format = llvm.mlir.addressof @stencil.format : !llvm.ptr
  %written = llvm.call @dprintf(%stderr, %format, %message) vararg(!llvm.func<i32 (i32, ptr, ...)>) : (i32, !llvm.ptr, !llvm.ptr) -> i32
  llvm.br ^done
^done:
  llvm.return
}
)mlir";

static constexpr llvm::StringLiteral libraryRuntime = R"mlir(
llvm.func @stencilTakeStatus() -> i32
llvm.func @stencilFail(i32, !llvm.ptr)
)mlir";

static constexpr llvm::StringLiteral kInterfacePrefix = "_mlir_ciface_";

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

/// Makes `_mlir_ciface_NAME` return the status.
static void rewriteInterface(LLVM::LLVMFuncOp function,
                             const StatusFunctions &runtime,
                             const InterfaceArrays &arrays) {
  addArrayChecks(
      function, runtime,
      arrays.lookup(function.getName().drop_front(kInterfacePrefix.size())));
  MLIRContext *context = function.getContext();
  OpBuilder builder(context);
  Location loc = function.getLoc();
  LLVM::LLVMFunctionType type = function.getFunctionType();
  llvm::SmallVector<Type> arguments(type.getParams());
  Value result;
  if (!isa<LLVM::LLVMVoidType>(type.getReturnType())) {
    auto pointer = LLVM::LLVMPointerType::get(context);
    arguments.insert(arguments.begin(), pointer);
    result = function.front().insertArgument(0u, pointer, loc);
  }
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(builder.getI32Type(), arguments));

  // A status that nobody asked for is of an earlier call.
  builder.setInsertionPointToStart(&function.front());
  LLVM::CallOp::create(builder, loc, runtime.takeStatus, ValueRange());
  function.walk([&](LLVM::ReturnOp op) {
    builder.setInsertionPoint(op);
    if (result)
      LLVM::StoreOp::create(builder, loc, op.getArg(), result);
    auto status =
        LLVM::CallOp::create(builder, loc, runtime.takeStatus, ValueRange());
    LLVM::ReturnOp::create(builder, loc, status.getResult());
    op.erase();
  });
}

/// The functions that calls reach; kernels of the emulator are not called.
static llvm::SetVector<Operation *>
findCallees(ArrayRef<LLVM::LLVMFuncOp> interfaces) {
  llvm::SetVector<Operation *> callees;
  auto visit = [&](Operation *function) {
    function->walk([&](LLVM::CallOp call) {
      if (!call.getCallee())
        return;
      auto callee = dyn_cast_or_null<LLVM::LLVMFuncOp>(
          SymbolTable::lookupNearestSymbolFrom(call, call.getCalleeAttr()));
      if (callee && !callee.isExternal())
        callees.insert(callee);
    });
  };
  for (LLVM::LLVMFuncOp function : interfaces)
    visit(function);
  for (size_t i = 0; i < callees.size(); ++i)
    visit(callees[i]);
  return callees;
}

void stencil::returnErrors(ModuleOp module, bool hasRuntime,
                           const InterfaceArrays &arrays) {
  llvm::SmallVector<LLVM::LLVMFuncOp> interfaces;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (!function.isExternal() &&
        function.getName().starts_with(kInterfacePrefix))
      interfaces.push_back(function);
  llvm::SetVector<Operation *> callees = findCallees(interfaces);

  OwningOpRef<ModuleOp> library =
      parseSourceString<ModuleOp>(hasRuntime ? libraryRuntime : ownRuntime,
                                  ParserConfig(module.getContext()));
  for (Operation &op : *library->getBody())
    if (!module.lookupSymbol(SymbolTable::getSymbolName(&op)))
      module.push_back(op.clone());
  auto find = [&](llvm::StringRef name) {
    return module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  };
  StatusFunctions runtime = {
      find(hasRuntime ? "stencilFail" : "stencil.fail"),
      find(hasRuntime ? "stencilTakeStatus" : "stencil.take_status")};
  for (Operation *callee : callees)
    addErrorPaths(cast<LLVM::LLVMFuncOp>(callee), runtime, callees);
  for (LLVM::LLVMFuncOp function : interfaces)
    rewriteInterface(function, runtime, arrays);
}
