/* Heat spreads in a plate with a hot square.
 *
 *   heat heat2d.mlir [TARGET [STEPS]]
 *
 * TARGET is cpu, cuda, hip or emulator.
 */
#include "StencilDialect-c/CompileModule.h"
#include "StencilDialect-c/Dialect.h"
#include "StencilDialect-c/Executable.h"
#include "StencilDialect-c/Passes.h"
#include "mlir-c/Diagnostics.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 64, SIDE = POINTS + 2 }; /* one cell of halo on each side */

static void print_part(MlirStringRef part, void *file) {
  fwrite(part.data, 1, part.length, (FILE *)file);
}

/* Prints what MLIR reports. */
static MlirLogicalResult report(MlirDiagnostic diagnostic, void *unused) {
  (void)unused;
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), print_part, stderr);
  fputs(": ", stderr);
  mlirDiagnosticPrint(diagnostic, print_part, stderr);
  fputs("\n", stderr);
  return mlirLogicalResultSuccess();
}

/* Runs passes by their names, as stencil-opt does. */
static MlirLogicalResult run_passes(MlirModule module, const char *names) {
  MlirPassManager manager = mlirPassManagerCreate(mlirModuleGetContext(module));
  MlirLogicalResult result = stencilRegisterAllPasses();
  if (mlirLogicalResultIsSuccess(result))
    result = mlirOpPassManagerAddPipeline(
        mlirPassManagerGetAsOpPassManager(manager),
        mlirStringRefCreateFromCString(names), print_part, stderr);
  if (mlirLogicalResultIsSuccess(result))
    result = mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module));
  mlirPassManagerDestroy(manager);
  return result;
}

/* Parses a file, rewrites its sums, and compiles it; 0 after an error. */
static StencilExecutable compile(const char *path, const char *target) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  stencilRegisterAllDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, report, NULL, NULL);

  StencilExecutable executable = 0;
  MlirModule module = mlirModuleCreateParseFromFile(
      context, mlirStringRefCreateFromCString(path));
  if (!mlirModuleIsNull(module)) {
    if (mlirLogicalResultIsSuccess(run_passes(module, "stencil-simplify"))) {
      StencilOptions options = stencilOptionsCreate();
      stencilOptionsSetTarget(options, target);
      if (stencilExecutableCompileModule(module, options, &executable))
        fprintf(stderr, "heat: %s\n", stencilGetLastError());
      stencilOptionsDestroy(options);
    }
    mlirModuleDestroy(module);
  }
  mlirContextDestroy(context);
  return executable;
}

/* The heat in the plate, without its halo. */
static double sum(const double *u) {
  double total = 0;
  for (int i = 1; i <= POINTS; ++i)
    for (int j = 1; j <= POINTS; ++j)
      total += u[i * SIDE + j];
  return total;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 4) {
    fprintf(stderr, "usage: %s PROGRAM [TARGET [STEPS]]\n", argv[0]);
    return 2;
  }
  StencilExecutable heat = compile(argv[1], argc > 2 ? argv[2] : "cpu");
  if (!heat)
    return 1;

  static double u[SIDE * SIDE], v[SIDE * SIDE];
  for (int i = 20; i < 30; ++i)
    for (int j = 20; j < 40; ++j)
      u[i * SIDE + j] = 100;
  const double before = sum(u);
  /* The program swaps its two fields in each step. */
  const long steps = argc > 3 ? atol(argv[3]) : 100;
  const int64_t shape[] = {SIDE, SIDE};
  const StencilArgument arguments[] = {stencilArray(STENCIL_F64, 2, u, shape),
                                       stencilArray(STENCIL_F64, 2, v, shape),
                                       stencilInteger(steps)};
  const int32_t code = stencilExecutableCall(heat, 3, arguments, 0, NULL, NULL);
  if (code)
    fprintf(stderr, "heat: %s\n", stencilGetLastError());
  else
    printf("heat before %.6g, after %.6g\n", before, sum(steps % 2 ? v : u));
  stencilExecutableRelease(heat);
  return code != STENCIL_STATUS_OK;
}
