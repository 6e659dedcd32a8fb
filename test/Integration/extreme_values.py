"""Tries the operations that a body may hold on extreme values: zeros of both signs, infinities, NaN, denormal numbers,
the largest and the smallest ones.

    extreme_values.py --bin build/bin --work DIR --target cpu
    extreme_values.py --bin build/bin --work DIR --target emulator --chip sm_90
    extreme_values.py --bin build/bin --work DIR --target isa --chip sm_75     (makes the GPU's code, and does not run it)

Each type has one program with a field for every operation. Where an operation is exact or rounded once, NumPy judges the
interpreter, and the interpreter judges the compiled program, bit for bit; functions may be off by ULP units in the last
place, but not in what is NaN, infinite, or negative. What MLIR leaves open is not compared: shifts by the width or more,
and conversions to integers of what they do not hold. math.clampf is refused everywhere: what MLIR's text says of it,
maxf(minf(value, min), max), is no clamp (test/Regression/integer-powers.mlir).
"""

import argparse
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from extreme_tables import FLOATS, INTS, FloatTable, IntTable  # noqa: E402
from harness import Failure, execute  # noqa: E402

# Of a function that is not rounded once. What GPUs' libraries are off by, their manuals say; here the C library computes,
# or, unless in strict mode, glibc's libmvec.
ULP = {"strict": 2, "contract": 4, "reassociate": 4}


def write_program(table):
    """A function that stores the result of every operation to a field of its own."""
    count = len(table.inputs[0][1])
    parameters = [f"%{name}: {field(ty, count)}" for name, _, ty in table.inputs]
    parameters += [f"%out{i}: {field(case.result, count)}" for i, case in enumerate(table.cases)]
    lines = [f"func.func @extremes({', '.join(parameters)}) {{"]
    for name, _, ty in table.inputs:
        lines.append(f"  %{name}_t = stencil.load %{name} : {field(ty, count)} -> !stencil.temp<?x{ty}>")
    inputs = ", ".join(f"%{name}_i = %{name}_t : !stencil.temp<?x{ty}>" for name, _, ty in table.inputs)
    # One apply for some results: kernels have a limit on parameters.
    for first in range(0, len(table.cases), 40):
        cases = list(enumerate(table.cases))[first : first + 40]
        types = ", ".join(f"!stencil.temp<?x{case.result}>" for _, case in cases)
        lines.append(f"  %r{first}:{len(cases)} = stencil.apply({inputs}) -> ({types}) {{")
        for name, _, ty in table.inputs:
            lines.append(f"    %{name}_v = stencil.access %{name}_i[0] : !stencil.temp<?x{ty}>")
        for i, case in cases:
            text = case.text.format(**{name: f"%{name}_v" for name, _, _ in table.inputs}, i=i)
            if case.prepare:
                lines.append(f"    {case.prepare.format(i=i)}")
            lines.append(f"    %v{i}{case.results} = {text}")
        values = ", ".join(f"%v{i}{case.number}" for i, case in cases)
        lines.append(f"    stencil.return {values} : {', '.join(case.result for _, case in cases)}")
        lines.append("  }")
        for position, (i, case) in enumerate(cases):
            lines.append(
                f"  stencil.store %r{first}#{position} to %out{i}(<[0], [{count}]>)"
                f" : !stencil.temp<?x{case.result}> to {field(case.result, count)}"
            )
    return "\n".join([*lines, "  return", "}", ""])


def field(ty, count):
    return f"!stencil.field<[0,{count}]x{ty}>"


def run(options, table, path, words):
    """The results of all operations, as bits."""
    directory = os.path.dirname(path)
    command = [os.path.join(options.bin, "stencil-run"), path, *words]
    for i, (name, values, _) in enumerate(table.inputs):
        np.save(os.path.join(directory, f"{name}.npy"), values)
        command += ["--arg", f"{i}={os.path.join(directory, name)}.npy"]
    for i in range(len(table.cases)):
        index = len(table.inputs) + i
        command += ["--arg", f"{index}=zeros", "--out", f"{index}={directory}/out{i}.npy"]
    execute(command)
    return [np.load(f"{directory}/out{i}.npy") for i in range(len(table.cases))]


def make_code(options, path):
    pipeline = "nvvm" if options.chip.startswith("sm_") else "rocdl"
    words = f"--stencil-to-{pipeline}=chip={options.chip} math={options.math} format=isa"
    execute([os.path.join(options.bin, "stencil-opt"), path, words, "-o", os.devnull])


def compare(table, case, expected, got, ulp):
    """The first point at which two arrays differ, in words."""
    right = case.agree(expected, got, ulp) | ~table.is_defined(case)
    wrong = np.flatnonzero(~right)
    if not len(wrong):
        return None
    at = wrong[0]
    operands = ", ".join(f"{name} = {table.show(values[at], ty)}" for name, values, ty in table.inputs)
    return (
        f"{case.name} : {table.type}: expected {table.show(expected[at], case.result)}, got"
        f" {table.show(got[at], case.result)} for {operands} ({len(wrong)} of {len(right)} points)"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--work", default=".")
    parser.add_argument("--target", default="cpu", help="cpu, emulator, cuda, hip, isa, or interpreter: against NumPy")
    parser.add_argument("--chip")
    parser.add_argument("--math", default="strict")
    parser.add_argument("--types", default=",".join([*FLOATS, *INTS]))
    options = parser.parse_args()
    count, failed = 0, 0
    for ty in options.types.split(","):
        table = FloatTable(ty) if ty in FLOATS else IntTable(ty)
        directory = os.path.join(options.work, ty)
        os.makedirs(directory, exist_ok=True)
        path = os.path.join(directory, "program.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(write_program(table))
        if options.target == "isa":
            make_code(options, path)
            count += len(table.cases)
            continue
        reference = run(options, table, path, ["--target", "interpreter"])
        if options.target == "interpreter":
            judged = [(case, case.compute(table), result) for case, result in zip(table.cases, reference) if case.compute]
        else:
            chip = ["--chip", options.chip] if options.chip else []
            results = run(options, table, path, ["--target", options.target, "--math", options.math, *chip])
            judged = list(zip(table.cases, reference, results))
        for case, expected, got in judged:
            count += 1
            problem = compare(table, case, expected, got, case.ulp * ULP[options.math])
            if problem:
                failed += 1
                print(problem)
    print(f"{count} operations, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(str(failure))
