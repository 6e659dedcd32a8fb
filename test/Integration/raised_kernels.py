"""Kernels that are lowered to loops and raised again: the program is the same.

usage: raised_kernels.py STENCIL_OPT BENCHMARKS DIRECTORY

All kernels of the suites (BENCHMARKS/harness/catalog.py), and of BENCHMARKS/kernels. Both programs are brought to normal form:
what has no order is compared without one (normalise). Halos, which become loops over modulo, are taken out first. DIRECTORY gets
what differs.
"""

import hashlib
import os
import pathlib
import re
import subprocess
import sys

LOWER = (
    "canonicalize,stencil-infer-shapes,stencil-bufferize,func.func(stencil-expand-weighted-sums),"
    "stencil-shape-loops{{vector-bits=8 rows=1 columns=1 threads={threads} tile={tile} stream-stores=false"
    " core-cache-bytes=0}},convert-stencil-to-cpu{{math=strict}},canonicalize,cse"
)


def optimise(opt, passes, program):
    command = [opt, "-", f"--pass-pipeline=builtin.module({passes})"]
    done = subprocess.run(command, input=program, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {passes}\n{done.stderr}")
    return done.stdout


def normalise(opt, program):
    """Canonical text: sums in normal form, constants, casts, loads and accesses where they are used.

    What only computes is named by what it computes and sorted, as its order does not matter; nor does it where a field is
    loaded that nothing stores to. Other loads stand where they are.
    """
    text = optimise(opt, "func.func(stencil-raise-weighted-sums),canonicalize,cse", program)
    changed = " ".join(re.findall(r"iter_args\(.*?\) ->|\bto %\w+\(", text))
    lines, free, values, applies = [], [], {}, 0
    for line in text.splitlines():
        line = re.sub(r"%[\w-]+\b(?! = )", lambda name: values.get(name[0], name[0]), line)
        value = re.fullmatch(r"\s*(%\S+) = ((?:arith|math|stencil)\.(\w+)(?<!apply)\b.*[^{])", line)
        if value and value[3] in ("constant", "cast", "load", "access"):
            values[value[1]] = f"({value[2]})"
            if value[3] == "load" and any(re.search(rf"{name}\b", changed) for name in re.findall(r"%\w+", value[2])):
                free.append(value[2])
            continue
        if value:
            name = "%" + hashlib.sha256(value[2].encode()).hexdigest()[:12]
            values[value[1]] = name
            free.append(f"{name} = {value[2]}")
            continue
        apply = re.search(r"(%\d+)(?::\d+)? = stencil\.apply\((.*)\) ->", line)
        if apply:
            inputs = split_inputs(apply[2])
            line = line.replace(apply[2], ", ".join(sorted(inputs.values()))).replace(apply[1], f"%apply{applies}", 1)
            values[apply[1]] = f"%apply{applies}"
            applies += 1
            values.update((name, f"<{value}>") for name, value in inputs.items())
        lines += sorted(free) + [line]
        free = []
    numbers = {}
    return [re.sub(r"%\d+\b", lambda name: numbers.setdefault(name[0], f"%{len(numbers)}"), line) for line in lines]


def split_inputs(text):
    """The inputs of an apply by the names of its arguments: the body reads inputs, in whatever order they are given."""
    parts = re.split(r"(?:^|, )(%arg\d+) = ", text)
    return dict(zip(parts[1::2], parts[2::2]))


def read_kernels(benchmarks):
    """The kernels of all suites, and those of BENCHMARKS/kernels that no suite has."""
    sys.path.insert(0, benchmarks)
    sys.dont_write_bytecode = True
    from harness import catalog

    texts = {}
    for kernel in catalog.kernels().values():
        if kernel.program is None:  # acoustic_pml: its results are compared, by raised-pml.test.
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
        # An op may take more than one line; its type comes last.
        program = re.sub(r"\n\s*stencil\.boundary[^:]*:.*", "", text)
        rank = len(re.findall(r"\?x|\[[^]]*\]x", re.search(r"stencil\.field<(\S+)", program)[1]))
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
