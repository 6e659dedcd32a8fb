include "llvm/Option/OptParser.td"

def help : Flag<["--"], "help">, HelpText<"Print this">;
def h : Flag<["-"], "h">, Alias<help>;
def version : Flag<["--"], "version">, HelpText<"Print the version">;

def output : Separate<["-"], "o">, HelpText<"File to write (default: stdout)">, MetaVarName<"FILE">;
def pass_pipeline : Separate<["--"], "pass-pipeline">, HelpText<"Passes that show the fault (default: those that are in the file, as tools leave it that crash)">, MetaVarName<"PASSES">;
def pass_pipeline_eq : Joined<["--"], "pass-pipeline=">, Alias<pass_pipeline>;
def error : Separate<["--"], "error">, HelpText<"The fault is an error with this text (default: a crash)">, MetaVarName<"TEXT">;
def error_eq : Joined<["--"], "error=">, Alias<error>;
def test : Separate<["--"], "test">, HelpText<"Program that shows the fault instead, as for mlir-reduce: it gets a file and exits with another code than 0 if it is there">, MetaVarName<"FILE">;
def test_eq : Joined<["--"], "test=">, Alias<test>;
def test_arg : Separate<["--"], "test-arg">, HelpText<"Argument for it, before the file; may be given several times">, MetaVarName<"TEXT">;
def test_arg_eq : Joined<["--"], "test-arg=">, Alias<test_arg>;
def opt : Separate<["--"], "opt">, HelpText<"What runs the passes (default: the stencil-opt beside this tool)">, MetaVarName<"FILE">;
def opt_eq : Joined<["--"], "opt=">, Alias<opt>;
def timeout : Separate<["--"], "timeout">, HelpText<"Seconds after which a program is taken for one without the fault (default: 60)">, MetaVarName<"N">;
def timeout_eq : Joined<["--"], "timeout=">, Alias<timeout>;

// What MLIR's reduction passes call.
def judge : Flag<["--"], "judge">;
