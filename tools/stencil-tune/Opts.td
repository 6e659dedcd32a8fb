include "StencilDialect/Tools/Targets.td"
include "llvm/Option/OptParser.td"

// `--name VALUE` and `--name=VALUE`.
multiclass Value<string name, string metaVar, string help> {
  def NAME : Separate<["--"], name>, HelpText<help>, MetaVarName<metaVar>;
  def NAME # _eq : Joined<["--"], name # "=">, Alias<!cast<Separate>(NAME)>;
}

def help : Flag<["--"], "help">, HelpText<"Print this">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version">;

defm db : Value<"db", "FILE.json", "The tuning database: what is found out is added to it; made if it does not exist">;
defm budget : Value<"budget", "SECONDS", "Time for everything, the check of the result included (default 60)">;
defm max_candidates : Value<"max-candidates", "N", "Candidates to try at most, those in the database included (default: as many as there is time for)">;
defm schedules : Value<"schedules", "FILE.json", "Try these on a GPU in place of the model's candidates: a JSON list of #stencil.schedule<...>, in this order, beside what is close to the fastest; the best are not measured longer">;
defm jobs : Value<"jobs", "N", "Candidates to compile at the same time (default: one on each CPU)">;
defm timeout : Value<"timeout", "SECONDS", "Time for compiling a candidate, and for measuring one; beyond it has failed (default 30)">;
defm turns : Value<"turns", "FILE", "A file to be made, the lock of a GPU: tuners that have the same one measure in turns">;
def again : Flag<["--"], "again">, HelpText<"Measure everything anew, also what is in the database">;
def candidates : Flag<["--"], "candidates">, HelpText<"Print what would be tried, in order, and measure nothing">;
def neighbours : Flag<["--"], "neighbours">, HelpText<"With --candidates: below each, what would be tried if it were the fastest">;
defm list_database : Value<"list", "FILE.json", "Print what a tuning database has, and do nothing else">;

defm entry : Value<"entry", "NAME", "Function to tune; not needed if there is only one public function">;
let Values = !strconcat("cpu,", GPUTargetValues) in
defm target : Value<"target", "TARGET", !strconcat("cpu (default), ", DeviceWords, ": this machine's processor or GPU; emulator: for trying out; its times say nothing about a GPU")>;
defm chip : Value<"chip", "CHIP", "GPU to compile for, a chip such as sm_90 or gfx942, or a product such as h100 (default: the one at hand; the emulator needs one)">;
let Values = "auto,model,measured,default" in
defm schedule : Value<"schedule", "FROM", "What the program has without tuning, which the search begins with: what a model and shipped measurements say (auto, if nothing is said), one of these (model, measured), or neither (default)">;
let Values = "strict,contract,reassociate,tf32" in
defm math : Value<"math", "MODE", "What may be done to floating-point arithmetic: strict, contract (default), reassociate or tf32">;
def no_algebra : Flag<["--"], "no-algebra">, HelpText<"Compile bodies as they are written">;
defm arg : Value<"arg", "I=VALUE", "Value of argument I, from 0: FILE.npy, random:SEED, random:SEED:LOW:HIGH, wild:SEED (mixed magnitudes and signs, point sources, a plane of NaN), wild:SEED:finite or zeros for a field, a number for a scalar">;
defm extents : Value<"extents", "N0,N1,..", "Interior points per axis, for fields whose type leaves them open">;
defm verify : Value<"verify", "ULP", "By how many units in the last place the best may be off from the interpreter (default 5)">;
defm reference : Value<"reference", "WHAT", "What the best is compared with: interpreter (default), or untuned, what the program makes here without tuning: where the interpreter would take too long">;
defm verify_inputs : Value<"verify-inputs", "WHAT", "What the best is verified with: wild (default), values of all magnitudes and signs where --arg says random:SEED, or given, what it is timed with">;
def no_verify : Flag<["--"], "no-verify">, HelpText<"Do not compare the best with the interpreter">;
defm threads : Value<"threads", "N", "Threads of a program for the processor, and of the interpreter (default: OMP_NUM_THREADS, or one on each CPU)">;
def progress : Flag<["--"], "progress">, HelpText<"Show progress although stderr is not a terminal">;

// How the tool calls itself.
def worker : Flag<["--"], "worker">, Flags<[HelpHidden]>;
