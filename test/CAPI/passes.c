// Passes by their names and by their functions, pipelines by their names.
// REQUIRES: capi
// RUN: %build_root/test/CAPI/capi-passes | FileCheck %s

#include "StencilDialect-c/Passes.h"
#include "Inputs/Support.h"

static const char *const program =
    "func.func @f(%u: !stencil.field<[-1,9]xf64>, "
    "%v: !stencil.field<[-1,9]xf64>) {\n"
    "  %0 = stencil.load %u : !stencil.field<[-1,9]xf64> -> "
    "!stencil.temp<?xf64>\n"
    "  %1 = stencil.apply(%x = %0 : !stencil.temp<?xf64>) -> "
    "(!stencil.temp<?xf64>) {\n"
    "    %l = stencil.access %x[-1] : !stencil.temp<?xf64>\n"
    "    stencil.return %l : f64\n"
    "  }\n"
    "  stencil.store %1 to %v(<[0], [8]>) : !stencil.temp<?xf64> to "
    "!stencil.field<[-1,9]xf64>\n"
    "  return\n"
    "}\n";

// Runs a pipeline on the program, and prints what comes out.
static void run(MlirContext context, const char *pipeline) {
  MlirModule module = mlirModuleCreateParse(context, text(program));
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  printf("--- %s\n", pipeline);
  if (*pipeline == '\0')
    mlirPassManagerAddOwnedPass(
        manager, mlirCreateStencilTransformsStencilInferShapes());
  else if (mlirLogicalResultIsFailure(mlirOpPassManagerAddPipeline(
               passes, text(pipeline), printPart, NULL)))
    printf("\nno pipeline\n");
  MlirOperation op = mlirModuleGetOperation(module);
  if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, op)))
    printf("failed\n");
  else
    mlirOperationPrint(op, printPart, NULL);
  mlirPassManagerDestroy(manager);
  mlirModuleDestroy(module);
}

int main(void) {
  MlirContext context = makeContext();
  run(context, "");
  // CHECK-LABEL: ---
  // CHECK: stencil.load {{.*}} -> !stencil.temp<[-1,7]xf64>

  // Nothing has a name yet; registering again does no harm.
  run(context, "stencil-infer-shapes");
  printf("%d%d%d\n", mlirLogicalResultIsSuccess(stencilRegisterPasses()),
         mlirLogicalResultIsSuccess(stencilRegisterAllPasses()),
         mlirLogicalResultIsSuccess(stencilRegisterAllPasses()));
  // CHECK-LABEL: --- stencil-infer-shapes
  // CHECK: stencil-infer-shapes
  // CHECK: no pipeline
  // CHECK: 111

  run(context, "canonicalize,stencil-infer-shapes,stencil-bufferize");
  // CHECK-LABEL: --- canonicalize,stencil-infer-shapes,stencil-bufferize
  // CHECK: stencil.apply({{.*}}) outs (

  // Tiles, by name; the function of a pass of theirs.
  run(context, "canonicalize,stencil-to-tiles{chip=sm_90},func.func("
               "stencil-place-barriers,stencil-expand-walks)");
  // CHECK-LABEL: --- canonicalize,stencil-to-tiles
  // CHECK: tile.kernel @

  run(context, "stencil-to-cpu{math=strict}");
  // CHECK-LABEL: --- stencil-to-cpu{math=strict}
  // CHECK: llvm.func @f(

  run(context, "stencil-to-nvvm{chip=sm_90 format=llvm}");
  // CHECK-LABEL: --- stencil-to-nvvm
  // CHECK: gpu.module

  run(context, "stencil-to-nvvm{chip=sm_9999}");
  // CHECK-LABEL: --- stencil-to-nvvm{chip=sm_9999}
  // CHECK: error: {{.*}}sm_9999
  // CHECK: failed

  run(context, "stencil-bufferise");
  // CHECK-LABEL: --- stencil-bufferise
  // CHECK: no pipeline

  mlirContextDestroy(context);
  return 0;
}
