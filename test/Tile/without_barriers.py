"""Removes each barrier of kernels of the suite that are made by way of tiles, one at a time, and sees somebody complain: of the walk,
stencil-expand-walks, and of the loops, the emulator.

usage: without_barriers.py --bin DIR --work DIR [--sample N]
"""

import argparse
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys

KERNELS = pathlib.Path(__file__).resolve().parent.parent.parent / "benchmarks" / "kernels"
# Extents that no tile divides; segments of different lengths.
PROGRAMS = {
    "brick_star7p": ("13,9,37", "block = [1, 2, 8], points = [1, 2, 2]"),
    "brick_star13p": ("12,9,37", "block = [1, 4, 8], points = [1, 1, 2]"),
    "brick_cube27p": ("11,10,33", "block = [1, 4, 8], points = [1, 2, 1]"),
    "conv_box2d9p": ("14,61", "block = [1, 16], points = [1, 2]"),
}
CHIPS = {"": "gfx942", "prefetch = registers": "gfx942", "prefetch = async": "sm_80", "prefetch = tma": "sm_90"}
ACCUMULATIONS = ["gather", "shift", "scatter", "semi"]
# Where nobody waits for it, what is read is another plane, or nothing yet.
COMPLAINT = re.compile(r"error: emulator: (race|read of \d+ bytes of shared memory that has no value|missing fence)")
NEEDED = "expected a tile.barrier before it"


def parse():
    p = argparse.ArgumentParser(prog="without_barriers.py", description=__doc__, usage=argparse.SUPPRESS)
    p.formatter_class = argparse.RawDescriptionHelpFormatter
    p.add_argument("--bin", type=pathlib.Path, required=True, help="where stencil-opt and stencil-run are")
    p.add_argument("--work", type=pathlib.Path, required=True)
    p.add_argument("--sample", type=int, help="so many of the kernels")
    return p.parse_args()


def run(*command, text=None):
    return subprocess.run([str(c) for c in command], input=text, capture_output=True, text=True, timeout=120)


def remove_each(text, count):
    """(which, the text without it) for the first planes' barrier, and for each of so many of an iteration, in all loops."""
    lines = text.splitlines(keepends=True)
    barriers = [number for number, line in enumerate(lines) if line.strip() == "tile.barrier"]
    first = next(number for number, line in enumerate(lines) if "tile.kernel" in line)
    loops = next((n for n, line in enumerate(lines) if n > first and "scf.for" in line), first)
    ahead = [number for number in barriers if number < loops]
    inner = barriers[len(ahead) :]
    removed = {f"first planes, line {number + 1}": {number} for number in ahead}
    removed |= {f"iterations, number {number}": set(inner[number::count]) for number in range(count)}
    for which, gone in removed.items():
        yield which, "".join(line for number, line in enumerate(lines) if number not in gone)


class Kernel:
    def __init__(self, options, name, prefetch, accumulate):
        self.options, self.name = options, " ".join([name, accumulate, prefetch])
        self.extents, tile = PROGRAMS[name]
        self.chip = CHIPS[prefetch]
        keys = ["stream = 0", "segments = 2", tile, "window = shared", f"accumulate = {accumulate}", *([prefetch] if prefetch else [])]
        flags = f"chip={self.chip} math=reassociate schedule='#stencil.schedule<{', '.join(keys)}>'"
        passes = [f"--stencil-to-tiles={flags}", "--stencil-place-barriers"]
        self.walk = self.compile(KERNELS / f"{name}.mlir", *passes)
        if "tile.walk" not in self.walk:
            raise SystemExit(f"{self.name}: is not mapped to tiles")
        self.loops = self.compile("-", "--stencil-expand-walks", text=self.walk)

    def compile(self, *words, text=None):
        done = run(self.options.bin / "stencil-opt", *words, text=text)
        if done.returncode:
            raise SystemExit(f"{self.name}: {done.stderr}")
        return done.stdout

    def emulate(self, text, seed):
        path = self.options.work / "kernel.mlir"
        path.write_text(text)
        command = ["env", f"STENCIL_EMULATOR_SEED={seed}", self.options.bin / "stencil-run", path, "--target", "emulator"]
        command += ["--chip", self.chip, "--extents", self.extents, "--arg", "0=random:1", "--arg", "1=zeros", "--arg", "2=1"]
        return run(*command)

    def check(self):
        """What is wrong, and the number of barriers that have been removed."""
        done = self.emulate(self.loops, 1)
        if done.returncode:
            return [f"{self.name}: {done.stderr.strip()}"], 0
        wrong, count = [], 0
        each = self.walk.count("tile.barrier\n")
        for which, text in remove_each(self.walk, each):
            done = run(self.options.bin / "stencil-opt", "-", "--stencil-expand-walks", text=text)
            count += 1
            if NEEDED not in done.stderr:
                wrong.append(f"{self.name}: no error without a barrier of the walk: {which}")
        for which, text in remove_each(self.loops, each):
            count += 1
            # Copies that arrive late, early, and at random.
            if not any(COMPLAINT.search(self.emulate(text, seed).stderr) for seed in (1, 2, 3)):
                wrong.append(f"{self.name}: no error without a barrier of the loops: {which}")
        return wrong, count


def main():
    options = parse()
    options.work.mkdir(parents=True, exist_ok=True)
    kernels = list(itertools.product(PROGRAMS, CHIPS, ACCUMULATIONS))
    if options.sample:
        kernels = random.Random(1).sample(kernels, options.sample)
    wrong, count = [], 0
    for kernel in kernels:
        found, removed = Kernel(options, *kernel).check()
        wrong += found
        count += removed
    print(*(f"error: {text}" for text in wrong), sep="\n", end="\n" * bool(wrong))
    print(f"{count} barriers of {len(kernels)} kernels, {len(wrong)} failed")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
