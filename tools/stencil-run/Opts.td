include "StencilDialect/Tools/Targets.td"
include "llvm/Option/OptParser.td"

// `--name VALUE` and `--name=VALUE`.
multiclass Value<string name, string metaVar, string help> {
  def NAME : Separate<["--"], name>, HelpText<help>, MetaVarName<metaVar>;
  def NAME # _eq : Joined<["--"], name # "=">, Alias<!cast<Separate>(NAME)>;
}

// `--name` and `--name=VALUE`.
multiclass OptionalValue<string name, string metaVar, string help> {
  def NAME : Flag<["--"], name>;
  def NAME # _eq : Joined<["--"], name # "=">, HelpText<help>,
                   MetaVarName<metaVar>;
}

def help : Flag<["--"], "help">, HelpText<"Print this">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version">;

defm entry : Value<"entry", "NAME", "Function to run; not needed if there is only one public function">;
let Values = !strconcat("cpu,", GPUTargetValues, ",interpreter") in
defm target : Value<"target", "TARGET", !strconcat("cpu (default), ", DeviceWords, ": compiled for this machine's processor or GPU; emulator: the GPU's code on the processor, checked; interpreter: the reference evaluation")>;
defm chip : Value<"chip", "CHIP", "GPU to compile for, a chip such as sm_90 or gfx942, or a product such as h100 (default: the one at hand; the emulator needs one)">;
defm schedule : Value<"schedule", "SCHEDULE", "For applies that have none: a #stencil.schedule<...>, on a GPU also the name of one; or what chooses it: auto (default: a model, and what was measured), model, measured, default (neither), or, on a GPU, timed: the fastest of some on the device at hand, remembered with --tuning-db">;
defm tuning_db : Value<"tuning-db", "FILE", "Tuning database: what stencil-tune has measured comes before what is chosen without">;
let Values = "strict,contract,reassociate,tf32" in
defm math : Value<"math", "MODE", "What may be done to floating-point arithmetic: strict (as written), contract (default: a product and a sum in one), reassociate (sums in any order, factored and shared), tf32 (and factors of f32 rounded to TF32 by matrix units)">;
def no_algebra : Flag<["--"], "no-algebra">, HelpText<"Compile bodies as they are written">;
defm arg : Value<"arg", "I=VALUE", "Value of argument I, from 0: FILE.npy, random:SEED, random:SEED:LOW:HIGH, wild:SEED (mixed magnitudes and signs, point sources, a plane of NaN), wild:SEED:finite or zeros for a field, a number for a scalar, bytes:N (zeros) for a pointer">;
defm extents : Value<"extents", "N0,N1,..", "Interior points per axis, for fields whose type leaves them open">;
def any_extents : Flag<["--"], "any-extents">, HelpText<"Compile, and on a CPU choose steps, for any extents, as for a library, instead of for those of the run">;
def device_arrays : Flag<["--"], "device-arrays">, HelpText<"On a GPU, compile for arrays in its memory that belong to the caller, as for a library">;
defm out : Value<"out", "I=FILE", "Write field argument I after the run, halo included, as .npy">;
defm png : Value<"png", "I=FILE", "Write a picture of the interior of field argument I after the run (of 3D fields the middle slice of axis 0)">;
defm verify : OptionalValue<"verify", "ULP", "Compare with the interpreter; fail where a result is off by more than ULP units in the last place (default 5) of what it is a sum of. Also: --verify">;
let Values = "program,f80" in
defm reference : Value<"reference", "PRECISION", "Arithmetic that --verify compares with: program (default), or f80 for 80 bits">;
defm bench : OptionalValue<"bench", "REPEATS", "Measure the speed (default: repeats for one to two seconds, at least 3). Also: --bench">;
defm json : Value<"json", "FILE", "Write everything that was measured and verified as JSON; - is stdout">;
def flush_denormals : Flag<["--"], "flush-denormals">, HelpText<"On a CPU, take denormal numbers, which x86 is slow with, for zero">;
defm library : Value<"library", "FILE", "Shared library with functions that the program calls and does not have; may be repeated">;
defm dump_ir : Value<"dump-ir", "DIR", "Write the program after each pass, its LLVM IR and its assembly to DIR">;
defm cache_dir : Value<"cache-dir", "DIR", "Keep the compiled program in DIR, and take it from there if it has been compiled before (not with --dump-ir)">;
defm threads : Value<"threads", "N", "Threads to run on (default: OMP_NUM_THREADS, or one on each CPU)">;
defm cpu_options : Value<"cpu-options", "OPTIONS", "For developers: options of the stencil-to-cpu pipeline, such as 'rows=2 vector-bits=128'">;
def progress : Flag<["--"], "progress">, HelpText<"Show progress although stderr is not a terminal">;

// For tests of --verify: compile another program than is interpreted.
def test_compiled_program : Separate<["--"], "test-compiled-program">, Flags<[HelpHidden]>;
