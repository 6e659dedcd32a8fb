include "StencilDialect/Tools/Targets.td"
include "llvm/Option/OptParser.td"

def help : Flag<["--"], "help">, HelpText<"Print this">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version">;

def to_llvmir : Flag<["--"], "to-llvmir">, HelpText<"Write LLVM IR">;
def to_object : Flag<["--"], "to-object">, HelpText<"Write a position-independent object file; it needs libc, libm and, unless --sequential, libomp">;
def to_c_header : Flag<["--"], "to-c-header">, HelpText<"Write prototypes for C and C++">;

def to_ptx : Flag<["--"], "to-ptx">, HelpText<"Write the kernels as PTX, the assembly of NVIDIA GPUs">;
def to_cubin : Flag<["--"], "to-cubin">, HelpText<"Write the kernels as a binary for one NVIDIA GPU; needs ptxas">;
def to_fatbin : Flag<["--"], "to-fatbin">, HelpText<"Write the kernels as a binary and PTX for NVIDIA GPUs; needs ptxas">;
def to_hsaco : Flag<["--"], "to-hsaco">, HelpText<"Write the kernels as a binary for one AMD GPU">;

def to_cuda : Flag<["--"], "to-cuda">, HelpText<"Write CUDA C++ source, to read and for nvcc">;
def to_hip : Flag<["--"], "to-hip">, HelpText<"Write HIP C++ source, to read and for hipcc">;

def to_c_library : Flag<["--"], "to-c-library">, HelpText<"Write the C source of a library (--library) for several targets">;

def library : Separate<["--"], "library">, HelpText<"Library that an object, a header or --to-c-library is for; a header and a library take several files">, MetaVarName<"NAME">;
def library_eq : Joined<["--"], "library=">, Alias<library>;
def targets : Separate<["--"], "targets">, HelpText<"What the library is compiled for: cpu, chips or products (sm_90,gfx942,h100), emulator:CHIP">, MetaVarName<"LIST">;
def targets_eq : Joined<["--"], "targets=">, Alias<targets>;
def extents : Separate<["--"], "extents">, HelpText<"Compile for these numbers of interior points per axis, 0 for one that stays open">, MetaVarName<"N0,N1,...">;
def extents_eq : Joined<["--"], "extents=">, Alias<extents>;
def output : Separate<["-"], "o">, HelpText<"File to write (default: stdout)">, MetaVarName<"FILE">;
def cpu : Separate<["--"], "cpu">, HelpText<"CPU to compile for: native (default), the one at hand, or a name of LLVM's such as x86-64-v3">, MetaVarName<"NAME">;
def cpu_eq : Joined<["--"], "cpu=">, Alias<cpu>;
def opt_level : Separate<["--"], "opt-level">, HelpText<"LLVM's optimisations: 0 to 3 (default)">, MetaVarName<"N">;
def opt_level_eq : Joined<["--"], "opt-level=">, Alias<opt_level>;
def sequential : Flag<["--"], "sequential">, HelpText<"Make code for one thread, without OpenMP">;
def padded_rows : Flag<["--"], "padded-rows">, HelpText<"On a CPU, take fields with gaps between their rows, as the strides of their descriptors say">;
def entry : Separate<["--"], "entry">, HelpText<"Function to translate (default: all public ones)">, MetaVarName<"NAME">;
def entry_eq : Joined<["--"], "entry=">, Alias<entry>;
let Values = !strconcat("cpu,", GPUTargetValues) in
def target : Separate<["--"], "target">, HelpText<!strconcat("What --to-object and --to-llvmir are to run on: cpu (default), ", GPUTargetWords, "; all but the first need libStencilRuntime.so")>, MetaVarName<"NAME">;
def target_eq : Joined<["--"], "target=">, Alias<target>;
def device_arrays : Flag<["--"], "device-arrays">, HelpText<"Functions for a GPU take arrays in its memory and give their work to the caller's stream (--to-object, --to-llvmir, --to-c-header)">;
def chip : Separate<["--"], "chip">, HelpText<"GPU to compile for, a chip such as sm_90 or gfx942, or a product such as h100">, MetaVarName<"NAME">;
def chip_eq : Joined<["--"], "chip=">, Alias<chip>;
def toolkit : Separate<["--"], "toolkit">, HelpText<"Directory of the CUDA toolkit or of ROCm (default: searched for)">, MetaVarName<"DIR">;
def toolkit_eq : Joined<["--"], "toolkit=">, Alias<toolkit>;
let Values = "strict,contract,reassociate,tf32" in
def math : Separate<["--"], "math">, HelpText<"What may be done to floating-point arithmetic: strict, contract (default), reassociate or tf32">, MetaVarName<"MODE">;
def math_eq : Joined<["--"], "math=">, Alias<math>;
def no_algebra : Flag<["--"], "no-algebra">, HelpText<"Compile bodies as they are written">;
def schedule : Separate<["--"], "schedule">, HelpText<"For applies that have none: a #stencil.schedule, or on a GPU the name of one; or what chooses it: auto (default), model, measured or default">, MetaVarName<"SCHEDULE">;
def tuning_db : Separate<["--"], "tuning-db">, HelpText<"Tuning database: schedules that stencil-tune has measured, on a GPU">, MetaVarName<"FILE">;
def tuning_db_eq : Joined<["--"], "tuning-db=">, Alias<tuning_db>;
def schedule_eq : Joined<["--"], "schedule=">, Alias<schedule>;
