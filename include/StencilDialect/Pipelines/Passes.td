//===- Passes.td - Passes that run pipelines ----------------*- tablegen -*-===//

#ifndef STENCILDIALECT_PIPELINES_PASSES_TD
#define STENCILDIALECT_PIPELINES_PASSES_TD

include "StencilDialect/IR/MathOption.td"
include "mlir/Pass/PassBase.td"

def StencilCompileKernels
    : Pass<"stencil-compile-kernels", "::mlir::ModuleOp"> {
  let summary = "bufferised applies to binaries; chosen schedules that spill are declined";
  let description = [{
    Chooses schedules (`stencil-select-schedule`) and compiles what they make of the applies: kernels become
    `gpu.binary`, as by the passes of `stencil-to-nvvm` or `stencil-to-rocdl` from there to
    `stencil-serialize-kernels`. The module has a `stencil.target`.

    Only the compiler of the binary knows what spills registers. Where a kernel does whose schedule was chosen, the
    next best schedule is chosen for its apply and all is compiled again, at most three times; of schedules that all
    spill, the one that spills least stays. Remarks (category `Schedule`) say which were declined and what they
    spilled. A schedule that was asked for, or is an entry of a tuning database, stays as it is, and so does a
    program that does not spill; what makes no binary (PTX) says nothing of registers.
  }];
  let options = [
    Option<"format", "format", "std::string", /*default=*/"\"auto\"",
           "as that of stencil-serialize-kernels">,
    Option<"toolkit", "toolkit", "std::string", /*default=*/"\"\"",
           "directory of the CUDA toolkit or of ROCm; default: searched for">,
    Option<"optLevel", "opt-level", "unsigned", /*default=*/"3",
           "LLVM's and ptxas' optimisations: 0 to 3">,
    Option<"schedule", "schedule", "std::string", /*default=*/"\"\"",
           "as that of stencil-select-schedule">,
    Option<"tuningDb", "tuning-db", "std::string", /*default=*/"\"\"",
           "file of schedules that stencil-tune has measured">,
    MathOption<"what may be done to floating-point arithmetic">,
    Option<"countSteps", "count-steps", "bool", /*default=*/"false",
           "let the loops of the program say how far they are">
  ];
}

#endif // STENCILDIALECT_PIPELINES_PASSES_TD
