"""Kernels of tiles with something changed in one or two places: a number, an operand, an op that is left out, repeated, or
changes places with the next one. Whatever comes of it, the tool ends by itself, and each error is at a line of the program.

usage: mutate_kernels.py STENCIL_OPT SEED COUNT FILE...
"""

import random
import re
import subprocess
import sys

PASSES = [
    "--stencil-attach-target=chip=sm_90",
    "--stencil-place-barriers",
    "--stencil-expand-walks",
    "--convert-stencil-to-gpu",
]
SECONDS = 120
SEPARATOR = "\n// -----\n"


def read_kernels(path):
    """The functions of a file that have kernels, each with the names of types."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    names = "\n".join(re.findall(r"^[!#]\w+ = .*$", text, re.MULTILINE))
    functions = re.findall(r"^func\.func .*?^}$", text, re.MULTILINE | re.DOTALL)
    return [(names, function.split("\n")) for function in functions if "tile.kernel" in function]


def change_number(rnd, line):
    places = [m for m in re.finditer(r"(?<![\w%#.@])-?\d+(?![\w.])", line)]
    if not places:
        return line
    place = rnd.choice(places)
    number = int(place.group())
    choices = [number + 1, number - 1, -number, 0, 2 * number, 1 << 20, -(1 << 41), (1 << 63) - 1]
    return line[: place.start()] + str(rnd.choice(choices)) + line[place.end() :]


def change_operand(rnd, line, values):
    places = list(re.finditer(r"%\w+", line))
    if not places:
        return line
    place = rnd.choice(places)
    return line[: place.start()] + rnd.choice(values) + line[place.end() :]


def mutate(rnd, lines):
    lines = list(lines)
    values = sorted(set(re.findall(r"%\w+", "\n".join(lines))))
    for _ in range(rnd.choice([1, 1, 2])):
        place = rnd.randrange(1, len(lines) - 1)
        kind = rnd.randrange(6)
        if kind < 2:
            lines[place] = change_number(rnd, lines[place])
        elif kind == 2:
            lines[place] = change_operand(rnd, lines[place], values)
        elif kind == 3:
            del lines[place]
        elif kind == 4:
            lines.insert(place, lines[place])
        else:
            lines[place], lines[place - 1] = lines[place - 1], lines[place]
    return lines


def find_fault(tool, programs):
    """What is wrong with how the tool takes them; None if nothing is."""
    command = [tool, "-", "--split-input-file", *PASSES, "-o", "/dev/null"]
    try:
        done = subprocess.run(
            command, input=SEPARATOR.join(programs), stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no end within {SECONDS} seconds"
    if done.returncode not in (0, 1) or "crashed" in done.stderr:
        return f"exit status {done.returncode}: {done.stderr[-2000:]}"
    for line in done.stderr.splitlines():
        if "error: " in line and not re.match(r"(<stdin>|within split at <stdin>):\d+", line):
            return f"an error without a place: {line}"
    return None


def main(tool, seed, count, *paths):
    rnd = random.Random(int(seed))
    kernels = [kernel for path in paths for kernel in read_kernels(path)]
    programs = []
    for _ in range(int(count)):
        names, lines = rnd.choice(kernels)
        programs.append("\n".join([names, *mutate(rnd, lines), ""]))
    fault = find_fault(tool, programs)
    if fault is None:
        print(f"{len(programs)} programs of {len(kernels)} kernels")
        return 0
    # One of them alone shows it, as a rule.
    for program in programs:
        alone = find_fault(tool, [program])
        if alone:
            print(program, alone, sep="\n")
            return 1
    print(fault)
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
