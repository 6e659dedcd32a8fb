include "llvm/Option/OptParser.td"

def help : Flag<["--"], "help">, HelpText<"Print this">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version">;

def to_llvmir : Flag<["--"], "to-llvmir">, HelpText<"Write LLVM IR">;
def to_object : Flag<["--"], "to-object">, HelpText<"Write a position-independent object file; it needs libc, libm and, unless --sequential, libomp">;
def to_c_header : Flag<["--"], "to-c-header">, HelpText<"Write prototypes for C and C++">;

def output : Separate<["-"], "o">, HelpText<"File to write (default: stdout)">, MetaVarName<"FILE">;
def cpu : Separate<["--"], "cpu">, HelpText<"CPU to compile for: native (default), the one at hand, or a name of LLVM's such as x86-64-v3">, MetaVarName<"NAME">;
def cpu_eq : Joined<["--"], "cpu=">, Alias<cpu>;
def opt_level : Separate<["--"], "opt-level">, HelpText<"LLVM's optimisations: 0 to 3 (default)">, MetaVarName<"N">;
def opt_level_eq : Joined<["--"], "opt-level=">, Alias<opt_level>;
def sequential : Flag<["--"], "sequential">, HelpText<"Make code for one thread, without OpenMP">;
