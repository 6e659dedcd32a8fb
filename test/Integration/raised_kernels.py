"""Kernels that are lowered to loops and raised again: the program is the same.

usage: raised_kernels.py STENCIL_OPT BENCHMARKS DIRECTORY

All kernels of the suites (BENCHMARKS/harness/catalog.py), and of BENCHMARKS/kernels. Both programs are brought to normal form;
constants, casts and loads are compared where they are used, as nothing depends on the order in which they stand. The halos
of mhd_substep, which become loops over modulo, are taken out first. Left out is acoustic_pml, which is an application of many
applies with buffers between them: its arrays come back as memrefs. DIRECTORY gets what differs.
"""

import os
import pathlib
import re
import subprocess
import sys

LOWER = (
    "canonicalize,stencil-infer-shapes,stencil-bufferize,stencil-expand-weighted-sums,"
    "convert-stencil-to-cpu{{vector-bits=8 rows=1 columns=1 threads={threads} tile={tile} stream-stores=false"
    " core-cache-bytes=0 math=strict}},canonicalize,cse"
)


def optimise(opt, passes, program):
    command = [opt, "-", f"--pass-pipeline=builtin.module({passes})"]
    done = subprocess.run(command, input=program, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {passes}\n{done.stderr}")
    return done.stdout


def normalise(opt, program):
    """Canonical text, with sums in normal form, in which constants, casts and loads stand where they are used; loads also in sorted runs."""
    lines, loads, values = [], [], {}
    for line in optimise(opt, "stencil-raise-weighted-sums,canonicalize,cse", program).splitlines():
        line = re.sub(r"%[\w-]+\b(?! = )", lambda name: values.get(name[0], name[0]), line)
        value = re.fullmatch(r"\s*(%\S+) = ((?:arith.constant|stencil.cast|stencil.load) .*)", line)
        if value:
            values[value[1]] = f"({value[2]})"
            if "stencil.load" in line:
                loads.append(value[2])
            continue
        lines += sorted(loads) + [line]
        loads = []
    return lines


def read_kernels(benchmarks):
    """The kernels of all suites, and those of BENCHMARKS/kernels that no suite has."""
    sys.path.insert(0, benchmarks)
    sys.dont_write_bytecode = True
    from harness import catalog

    texts = {}
    for kernel in catalog.kernels().values():
        if kernel.program is None:  # acoustic_pml.
            continue
        program = kernel.program(catalog.extents_of(kernel, "tiny"), "plain", False)
        if isinstance(program, pathlib.Path):
            program = program.read_text(encoding="utf-8")
        texts[kernel.name] = program
    for path in sorted(pathlib.Path(benchmarks, "kernels").glob("*.mlir")):
        texts.setdefault(path.stem, path.read_text(encoding="utf-8"))
    return texts.items()


def main(opt, benchmarks, directory):
    os.makedirs(directory, exist_ok=True)
    for number, (name, text) in enumerate(read_kernels(benchmarks)):
        program = re.sub(r"\n\s*stencil\.boundary.*", "", text)
        rank = re.search(r"stencil\.field<((?:\?x)+)", program)[1].count("?")
        expected = normalise(opt, program)
        # Whole axes; of every fourth kernel, tiles.
        forms = [(1, ",".join("0" * rank)), (4, ",".join("4" * (rank - 1) + "0"))]
        for threads, tile in forms[: 2 if number % 4 == 0 else 1]:
            loops = optimise(opt, LOWER.format(threads=threads, tile=tile), program)
            if "stencil." in loops:
                sys.exit(f"error: {name}: expected loops only")
            raised = normalise(opt, optimise(opt, "stencil-raise-loops{field-arguments}", loops))
            if raised != expected:
                with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                    file.write("\n".join(raised))
                sys.exit(f"error: {name} differs when it was raised from tiles of {tile}")
        print(f"{name}: the same")


if __name__ == "__main__":
    main(*sys.argv[1:])
