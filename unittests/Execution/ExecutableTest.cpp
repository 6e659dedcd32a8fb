//===- ExecutableTest.cpp - Compiling and calling programs ----------------===//

#include "ExecutableTest.h"
#include "StencilDialect/Support/ProgramError.h"
#include "StencilDialect/Target/GPUTargets.h"
#include "StencilDialect/Target/LLVMTranslation.h"
#include "StencilRuntime/Runtime.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <atomic>
#include <cmath>
#include <csignal>
#include <thread>

using namespace stencil;
using ::testing::Test;

/// Runs @average on i^2 and compares.
static void expectAverages(const Executable &executable, int64_t n) {
  std::vector<double> u(n + 2), v(n + 2, -1);
  for (int64_t i = 0; i < n + 2; ++i)
    u[i] = double(i) * double(i);
  ASSERT_EQ("", callError(executable,
                          {makeArray(u, {n + 2}), makeArray(v, {n + 2})}));
  EXPECT_EQ(v.front(), -1);
  EXPECT_EQ(v.back(), -1);
  for (int64_t i = 1; i <= n; ++i)
    ASSERT_EQ(v[i], double(i) * double(i) + 1) << i;
}

TEST(Executable, RunsProgramsOfAnyExtents) {
  for (const char *target : {"cpu", "emulator"}) {
    ExecutableOptions options;
    options.target = target;
    ExecutablePtr executable = compileOrFail(kAverage, options);
    ASSERT_TRUE(executable);
    EXPECT_FALSE(executable->wasCached());
    for (int64_t n : {1, 2, 7, 64, 1001})
      expectAverages(*executable, n);
  }
}

// In turns with other threads that compile: contexts are of their own.
TEST(Executable, TimesSchedules) {
  ExecutableOptions options;
  options.target = "emulator";
  options.schedule = "timed";
  options.extents = {64};
  for (bool deviceArrays : {false, true}) {
    options.deviceArrays = deviceArrays;
    ExecutablePtr executable = compileOrFail(kAverage, options);
    ASSERT_TRUE(executable);
    EXPECT_NE(executable->getRemarks().find("remark: timed"),
              llvm::StringRef::npos)
        << executable->getRemarks().str();
    if (!deviceArrays)
      expectAverages(*executable, 64);
  }
}

TEST(Executable, DescribesItsParameters) {
  ExecutablePtr executable = compileOrFail(R"mlir(
func.func @f(%u: memref<4x?xf32>, %n: index, %a: f16) -> (f64, i8) {
  %0 = arith.constant 2.5 : f64
  %1 = arith.constant -3 : i8
  return %0, %1 : f64, i8
}
)mlir");
  ASSERT_TRUE(executable);
  const ExecutableSignature &signature = executable->getSignature();
  EXPECT_EQ("f", signature.name);
  ASSERT_EQ(3u, signature.parameters.size());
  EXPECT_EQ("u", signature.parameters[0].name);
  EXPECT_TRUE(signature.parameters[0].isArray);
  EXPECT_EQ(ElementKind::F32, signature.parameters[0].element);
  EXPECT_EQ((std::vector<int64_t>{4, -1}), signature.parameters[0].shape);
  EXPECT_EQ(ElementKind::I64, signature.parameters[1].element);
  EXPECT_EQ(ElementKind::F16, signature.parameters[2].element);
  EXPECT_EQ((std::vector<ElementKind>{ElementKind::F64, ElementKind::I8}),
            signature.results);
  std::vector<float> u(8);
  ArrayArgument array;
  array.element = ElementKind::F32;
  array.data = u.data();
  int64_t shape[] = {4, 2};
  array.shape = shape;
  std::vector<ScalarArgument> results;
  llvm::Error error = executable->call(
      {array, ScalarArgument(int64_t(1)), ScalarArgument(1.0)}, results);
  ASSERT_EQ("", llvm::toString(std::move(error)));
  EXPECT_EQ((std::vector<ScalarArgument>{2.5, int64_t(-3)}), results);
}

TEST(Executable, KnowsWhatIsReadAndWritten) {
  ExecutablePtr executable = compileOrFail(R"mlir(
!field = !stencil.field<[0,8]xf64>
!temp = !stencil.temp<?xf64>
func.func private @move(%from: !field, %to: !field) {
  %t = stencil.load %from : !field -> !temp
  stencil.store %t to %to(<[0], [8]>) : !temp to !field
  return
}
func.func @f(%a: !field, %b: !field, %c: !field, %d: !field, %e: !field,
             %m: memref<8xf64>) {
  func.call @move(%a, %b) : (!field, !field) -> ()
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last:2 = scf.for %i = %zero to %one step %one iter_args(%x = %c, %y = %d)
      -> (!field, !field) {
    func.call @move(%x, %y) : (!field, !field) -> ()
    scf.yield %y, %x : !field, !field
  }
  %v = arith.constant 1.0 : f64
  memref.store %v, %m[%zero] : memref<8xf64>
  return
}
)mlir");
  ASSERT_TRUE(executable);
  std::string uses;
  for (const ExecutableParameter &parameter :
       executable->getSignature().parameters)
    uses += parameter.name + (parameter.isRead ? "r" : "") +
            (parameter.isWritten ? "w" : "") + " ";
  // What the loop swaps is both.
  EXPECT_EQ("ar bw crw drw e mw ", uses);
}

TEST(Executable, TakesAModuleOfAnotherContext) {
  mlir::DialectRegistry registry;
  registerCPUDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kAverage, &context);
  ASSERT_TRUE(module);
  auto executable = Executable::compile(*module, {});
  ASSERT_TRUE(bool(executable)) << llvm::toString(executable.takeError());
  expectAverages(**executable, 9);
}

/// A double array in the memory of the emulated device.
static ArrayArgument toDevice(std::vector<double> &values,
                              llvm::ArrayRef<int64_t> shape) {
  stencilSelectBackend(2);
  ArrayArgument array = makeArray(values, shape);
  array.data = mgpuMemAlloc(values.size() * 8, nullptr, false);
  mgpuMemcpy(array.data, values.data(), values.size() * 8, nullptr);
  array.onDevice = true;
  return array;
}

TEST(Executable, TakesArraysOfTheDevice) {
  ExecutableOptions options;
  options.target = "emulator";
  options.deviceArrays = true;
  ExecutablePtr executable = compileOrFail(kAverage, options);
  ASSERT_TRUE(executable);
  std::vector<double> u = {1, 2, 3, 4, 5}, v(5);
  int64_t shape[] = {5};
  ArrayArgument from = toDevice(u, shape), to = toDevice(v, shape);
  ASSERT_EQ("", callError(*executable, {from, to}));
  mgpuMemcpy(v.data(), to.data, 40, nullptr);
  EXPECT_EQ((std::vector<double>{0, 2, 3, 4, 0}), v);

  ArrayArgument ofHost = makeArray(u, shape);
  EXPECT_EQ("argument 0 'u': expected an array in the memory of the device, "
            "got one of the host",
            callError(*executable, {ofHost, to}));
  // Who says so need not be right.
  ofHost.onDevice = true;
  EXPECT_NE("", callError(*executable, {ofHost, to}));
  EXPECT_EQ("", callError(*executable, {from, to}));
  for (void *data : {from.data, to.data})
    mgpuMemFree(data, nullptr);
}

//===----------------------------------------------------------------------===//
// Errors of the compilation
//===----------------------------------------------------------------------===//

TEST(Executable, ReturnsWhatTheToolsPrint) {
  std::string error = compileError("func.func @f() {\n  foo.bar\n}\n");
  EXPECT_TRUE(llvm::StringRef(error).starts_with("program.mlir:2:3: error: "))
      << error;
  error = compileError("func.func @a() { return }\nfunc.func @b() { return }");
  EXPECT_EQ("expected one public function to run, or --entry with one of: 'a', "
            "'b'",
            error);
  EXPECT_EQ("'program.mlir': expected a program, got an empty file",
            compileError(""));
  auto missing = Executable::compileFile("/nowhere/x.mlir", {});
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(std::string::npos,
            llvm::toString(missing.takeError()).find("/nowhere/x.mlir"));
}

TEST(Executable, RefusesWrongOptions) {
  auto check = [](const std::string &expected, auto change) {
    ExecutableOptions options;
    change(options);
    std::string error = compileError(kAverage, options);
    EXPECT_TRUE(llvm::StringRef(error).contains(expected)) << error;
  };
  std::string gpus = listGPUTargets();
  check("target: unknown 'gpu', expected cpu, " + gpus,
        [](auto &o) { o.target = "gpu"; });
  check("math: unknown 'fast'", [](auto &o) { o.math = "fast"; });
  check("chip: expected the target " + gpus + ", got cpu",
        [](auto &o) { o.chip = "sm_90"; });
  check("chip: ", [](auto &o) {
    o.target = "emulator";
    o.chip = "sm_1";
  });
  check("schedule: ", [](auto &o) {
    o.target = "emulator";
    o.schedule = "no-such-one";
  });
  check("extents: expected one for each of 1 axes, got 2",
        [](auto &o) { o.extents = {4, 4}; });
  check("extents: expected extents from 0", [](auto &o) { o.extents = {-1}; });
  check("deviceArrays: expected the target " + gpus + ", got cpu",
        [](auto &o) { o.deviceArrays = true; });
  check("threads: expected at most 4096", [](auto &o) { o.threads = 5000; });
  check("unknown entry 'x'", [](auto &o) { o.entry = "x"; });
  check("no-such-file", [](auto &o) { o.tuningDatabase = "no-such-file"; });
}

//===----------------------------------------------------------------------===//
// Errors of the program
//===----------------------------------------------------------------------===//

static constexpr char kDivide[] = R"mlir(
func.func @divide(%a: i32, %b: i32) -> i32 {
  %0 = arith.divsi %a, %b : i32
  return %0 : i32
}
)mlir";

/// An index out of range, on every thread of a parallel loop.
static constexpr char kOutOfRange[] = R"mlir(
!field = !stencil.field<[-1,4097]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @range(%a: !field, %b: !field, %i: index) {
  %t = stencil.load %a : !field -> !temp
  %r = stencil.apply(%x = %t : !temp, %k = %i : index) -> (!temp) {
    %v = stencil.dyn_access %x[%k, %k] in <[-1, -1]> : <[1, 1]> : !temp
    stencil.return %v : f64
  }
  stencil.store %r to %b(<[0, 0], [4096, 64]>) : !temp to !field
  return
}
)mlir";

TEST(Executable, ReturnsErrorsOfTheProgram) {
  ExecutablePtr divide = compileOrFail(kDivide);
  ASSERT_TRUE(divide);
  auto number = [](int64_t value) { return ScalarArgument(value); };
  EXPECT_EQ("program.mlir:3:8: error: integer division by zero, or of the "
            "smallest number by -1",
            callError(*divide, {number(3), number(0)}));
  // Nothing is left of it.
  std::vector<ScalarArgument> results;
  auto error = divide->call({number(7), number(2)}, results);
  ASSERT_EQ("", llvm::toString(std::move(error)));
  EXPECT_EQ(std::vector<ScalarArgument>{int64_t(3)}, results);

  error = divide->call({number(INT32_MIN), number(-1)}, results);
  llvm::handleAllErrors(std::move(error), [](const ProgramError &failure) {
    EXPECT_EQ(STENCIL_CHECK_FAILED, failure.getCode());
    EXPECT_EQ("program.mlir:3:8: ", failure.getPlace());
  });
}

static void expectOutOfRange(llvm::StringRef program, int64_t rows,
                             const ExecutableOptions &options) {
  ExecutablePtr executable = compileOrFail(program, options);
  ASSERT_TRUE(executable);
  std::vector<double> a((rows + 2) * 66), b(a.size());
  int64_t shape[] = {rows + 2, 66};
  testing::internal::CaptureStderr();
  std::string error =
      callError(*executable, {makeArray(a, shape), makeArray(b, shape),
                              ScalarArgument(int64_t(60))});
  EXPECT_EQ("", testing::internal::GetCapturedStderr());
  EXPECT_TRUE(llvm::StringRef(error).starts_with("program.mlir:7:10: error: "))
      << error;
}

TEST(Executable, ReturnsErrorsOfParallelLoops) {
  for (unsigned threads : {1, 4}) {
    ExecutableOptions options;
    options.threads = threads;
    expectOutOfRange(kOutOfRange, 4096, options);
  }
}

/// A kernel cannot return; who launched it does.
TEST(Executable, ReturnsErrorsOfKernels) {
  ExecutableOptions options;
  options.target = "emulator";
  std::string small(kOutOfRange);
  for (llvm::StringRef large : {"4097", "4096"})
    small.replace(small.find(large), large.size(), large == "4097" ? "9" : "8");
  expectOutOfRange(small, 8, options);
}

TEST(Executable, ReturnsErrorsOfMemory) {
  ExecutablePtr executable = compileOrFail(R"mlir(
func.func @f(%n: index, %i: index) -> f64 {
  %m = memref.alloc(%n) : memref<?xf64>
  %v = arith.constant 1.0 : f64
  memref.store %v, %m[%i] : memref<?xf64>
  %zero = arith.constant 0 : index
  %r = memref.load %m[%zero] : memref<?xf64>
  memref.dealloc %m : memref<?xf64>
  return %r : f64
}
)mlir");
  ASSERT_TRUE(executable);
  std::string error = callError(*executable, {ScalarArgument(int64_t(1) << 46),
                                              ScalarArgument(int64_t(0))});
  EXPECT_TRUE(llvm::StringRef(error).starts_with(
      "program.mlir:3:8: error: a buffer of the program"))
      << error;
}

/// Handlers of the host stay its own.
TEST(Executable, InstallsNoHandlers) {
  struct sigaction before[__SIGRTMIN] = {}, after = {};
  for (int signal = 1; signal < __SIGRTMIN; ++signal)
    sigaction(signal, nullptr, &before[signal]);
  static auto handler = [](int32_t, const char *) {};
  stencilSetErrorHandler(handler);
  ExecutablePtr executable = compileOrFail(kDivide);
  ASSERT_TRUE(executable);
  callError(*executable,
            {ScalarArgument(int64_t(1)), ScalarArgument(int64_t(0))});
  for (int signal = 1; signal < __SIGRTMIN; ++signal) {
    sigaction(signal, nullptr, &after);
    EXPECT_EQ(before[signal].sa_handler, after.sa_handler) << signal;
  }
  EXPECT_EQ(StencilErrorHandler(handler), stencilSetErrorHandler(nullptr));
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static void onThreads(unsigned count, llvm::function_ref<void(unsigned)> body) {
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back([&, i] { body(i); });
  for (std::thread &thread : threads)
    thread.join();
}

TEST(Executable, ThreadsCallOneHandle) {
  for (const char *target : {"cpu", "emulator"}) {
    ExecutableOptions options;
    options.target = target;
    options.threads = target == llvm::StringRef("cpu") ? 2 : 0;
    ExecutablePtr executable = compileOrFail(kAverage, options);
    ASSERT_TRUE(executable);
    onThreads(8, [&](unsigned thread) {
      for (int64_t n = 1; n < 40; ++n)
        expectAverages(*executable, n * (thread + 1));
    });
  }
}

TEST(Executable, ThreadsGetTheirOwnErrors) {
  ExecutablePtr divide = compileOrFail(kDivide);
  ASSERT_TRUE(divide);
  onThreads(8, [&](unsigned thread) {
    for (int64_t i = 0; i < 200; ++i) {
      int64_t divisor = (i + thread) % 2;
      std::string error =
          callError(*divide, {ScalarArgument(i), ScalarArgument(divisor)});
      EXPECT_EQ(divisor == 0, !error.empty()) << error;
    }
  });
}

TEST(Executable, ThreadsCompileAtTheSameTime) {
  onThreads(6, [&](unsigned thread) {
    ExecutableOptions options;
    options.target = thread % 2 ? "emulator" : "cpu";
    options.threads = 1 + thread % 3;
    // Errors of one do not show up in another.
    EXPECT_NE("", compileError("func.func @f() { foo.bar }", options));
    ExecutablePtr executable = compileOrFail(kAverage, options);
    if (executable)
      expectAverages(*executable, 20 + thread);
  });
}
