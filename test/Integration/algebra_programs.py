"""Checks that the passes on weighted sums change no value of random programs.

    algebra_programs.py --bin build/bin --work DIR --seeds 0:40

A seed makes a program of many small cases (random/algebra.py): linear and nearly linear bodies, alone and in chains,
of all ranks and types, whose arithmetic is exact whatever its order. What the interpreter finds before a pass and
behind it has to be the same; -0 and 0 are. Some programs round, and hold NaN and infinities: with math=strict no bit of
them may change. For every seed each pass is run by itself, and some sequences of passes at
random. A pass of PASSES that stencil-opt does not have is left out.

A failure prints the command that repeats it, for the smallest set of cases and passes that was found, and leaves the
program in DIR. `--passes '...'` gives passes, `--case N` a case, `--print SEED` shows a program.
"""

import argparse
import concurrent.futures
import math
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from algebra import FLOATS, Program  # noqa: E402
from arrays import decode, read_npy, write_npy  # noqa: E402
from harness import Failure, execute, parse_seeds, work_directory  # noqa: E402

TIMEOUT = 60
FREE = "math=reassociate"
# The passes on trial and their options, of which one is taken at random.
PASSES = {
    "stencil-expand-weighted-sums": [""],
    "stencil-split-regions": ["", "regions=two"],
    "stencil-raise-weighted-sums": ["", "math=strict", FREE, FREE, FREE],
    "stencil-prune-zeros": ["", "math=strict", FREE],
    "stencil-factor-sums": ["", FREE, FREE, FREE + " points=2"],
    "stencil-fuse-applies": ["", "gain=0.001 max-registers=100000 max-ops=100000"],
    "stencil-compose-sums": ["", FREE, FREE + " gain=0.001", FREE + " gain=0.001 max-taps=40"],
}
# Those that divide by weights, which is not exact: floats may differ by so many eps of the sum of all magnitudes. A value
# comes through 4 applies at most; in each, factors add a quotient of weights, a product with it, and the additions of
# their sum, at most 9 for one axis or 3 + 3 + 3 for all: below 16 roundings, of half an eps each, on either side of an apply.
ROUNDING = {"stencil-factor-sums"}
ROUNDED = 32
# Others, which stand between them.
AROUND = ["canonicalize", "cse", "stencil-infer-shapes"]

def run(command):
    return execute(command, timeout=TIMEOUT)


class Trial:
    """A program, or some of its cases, and what the interpreter makes of it."""

    def __init__(self, options, seed, only=None):
        self.options, self.seed, self.only = options, seed, only
        self.program = Program(seed, options.cases, options.without, only)
        self.base = os.path.join(options.work, f"algebra-{seed}")
        self.path = self.base + ".mlir"
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.program.text())

    def interpret(self, path, *more):
        """The bytes of every result."""
        program = self.program
        command = [self.options.stencil_run, path, "--target", "interpreter", *more]
        index = 0
        for field in program.fields:
            name = f"{self.base}-{index}.npy"
            write_npy(name, program.ty, field.shape, program.data(field))
            command += ["--arg", f"{index}={name}"]
            index += 1
        for _, value in program.scalars:
            command += ["--arg", f"{index}={value}"]
            index += 1
        files = []
        for _ in program.outputs():
            command += ["--arg", f"{index}=zeros"]
            files.append(f"{self.base}-out-{index}.npy")
            command += ["--out", f"{index}={files[-1]}"]
            index += 1
        if any(program.symbolic):
            command += ["--extents", ",".join(map(str, program.extents))]
        try:
            run(command)
            return [read_npy(name) for name in files]
        finally:
            for name in files + [f"{self.base}-{i}.npy" for i in range(len(program.fields))]:
                if os.path.exists(name):
                    os.remove(name)

    def transform(self, passes):
        path = self.base + "-after.mlir"
        run([self.options.stencil_opt, self.path, *passes, "-o", path])
        return path

    def compare(self, before, after, eps):
        """Numbers of the cases that differ, and an example."""
        wrong, example = set(), ""
        for (case, bound), old, new in zip(self.program.outputs(), before, after):
            if old == new:
                continue
            ty = self.program.ty
            tolerance = eps * bound.most * 2.0**-bound.scale * 2.0 ** (1 - FLOATS[ty]) if ty in FLOATS else 0
            for i, (a, b) in enumerate(zip(decode(ty, old), decode(ty, new))):
                if self.program.strict:
                    same = a == b and math.copysign(1, a) == math.copysign(1, b) or a != a and b != b
                else:
                    # False where one is not a number.
                    same = abs(a - b) <= tolerance
                if not same:
                    wrong.add(case.number)
                    example = example or f"case {case.number}: expected {a!r}, got {b!r} at element {i}"
                    break
        return wrong, example

    def check(self, passes, before):
        """Raises a Failure, with the numbers of the cases that are wrong as `cases` if they are known."""
        after = self.interpret(self.transform(passes))
        rounds = any(name in flag for name in ROUNDING for flag in passes)
        wrong, example = self.compare(before, after, ROUNDED if rounds else 0)
        if wrong:
            failure = Failure(example)
            failure.cases = wrong
            raise failure

    def remove(self):
        for name in (self.path, self.base + "-after.mlir"):
            if os.path.exists(name):
                os.remove(name)


def sequences(options, rng, strict):
    """The lists of passes that a seed is tried with."""
    if options.passes:
        return [options.passes.split()]

    def flag(name):
        choices = PASSES[name]
        if strict:
            # One that has a mode has math=strict.
            choices = ["math=strict"] if any("math=" in choice for choice in choices) else choices
        choice = rng.choice(choices)
        return f"--{name}={choice}" if choice else f"--{name}"

    lists = []
    for name in options.trial:
        before = ["--stencil-infer-shapes"] if rng.random() < 0.5 else []
        lists.append([*before, flag(name)])
    for _ in range(options.orders if options.trial else 0):
        names = rng.choices(options.trial + AROUND, k=rng.randint(2, 6))
        lists.append([flag(n) if n in PASSES else f"--{n}" for n in names])
        if rng.random() < 0.3:
            lists[-1] += ["--stencil-infer-shapes", "--stencil-bufferize"]
            if rng.random() < 0.5:
                lists[-1].append(flag(rng.choice(options.trial)))
    return lists


def fails(options, seed, only, passes):
    """The Failure of these cases and passes, or None."""
    try:
        trial = Trial(options, seed, only)
        trial.check(passes, trial.interpret(trial.path))
    except Failure as failure:
        return failure
    return None


def reduce(options, seed, passes, failure):
    """Fewer cases, then fewer passes that fail still."""
    suspects = sorted(getattr(failure, "cases", range(options.cases)))
    only = None
    for number in suspects:
        found = fails(options, seed, {number}, passes)
        if found:
            only, failure = {number}, found
            break
    i = 0
    while i < len(passes) and len(passes) > 1:
        fewer = passes[:i] + passes[i + 1 :]
        if "--stencil-bufferize" in fewer and "--stencil-infer-shapes" not in fewer:
            i += 1
            continue
        found = fails(options, seed, only, fewer)
        if found:
            passes, failure = fewer, found
        else:
            i += 1
    # Leaves the files of what is reported.
    fails(options, seed, only, passes)
    return only, passes, failure


def check_seed(options, seed):
    """What is wrong, or None."""
    rng = random.Random(seed)
    only = None if options.case is None else {options.case}
    try:
        trial = Trial(options, seed, only)
        before = trial.interpret(trial.path)
        # No operation was rounded: in 80 bits all is the same.
        if trial.program.ty in ("f64", "f32") and not trial.program.strict:
            trial.interpret(trial.path, "--verify=0", "--reference=f80")
    except Failure as failure:
        return f"seed {seed}: before any pass: {failure}"
    for passes in sequences(options, rng, trial.program.strict):
        try:
            trial.check(passes, before)
        except Failure as failure:
            only, passes, failure = reduce(options, seed, passes, failure)
            case = f" --case {next(iter(only))}" if only else ""
            again = f"algebra_programs.py --cases {options.cases} --seeds {seed}{case} --passes '{' '.join(passes)}'"
            return f"seed {seed}: {failure}\n  {trial.path}\n  again: {again}"
    trial.remove()
    return None


def available(options):
    text = run([options.stencil_opt, "--help"])
    return [name for name in PASSES if re.search(rf"--{name}\b", text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin")
    parser.add_argument("--work", default=".")
    parser.add_argument("--seeds", default="0:10", type=parse_seeds, help="A:B, without B; or one")
    parser.add_argument("--cases", type=int, default=25, help="per program")
    parser.add_argument("--case", type=int, help="this one alone")
    parser.add_argument("--orders", type=int, default=3, help="random sequences of passes per seed")
    parser.add_argument("--passes", default="", help="the passes to run, with their options")
    parser.add_argument("--without", default="", help="comma-separated: weighted_sum, chain, unroll, symbolic, lower_rank, strict")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--print", type=int, metavar="SEED")
    options = parser.parse_args()
    options.without = options.without.split(",") if options.without else []
    if options.print is not None:
        only = None if options.case is None else {options.case}
        print(Program(options.print, options.cases, options.without, only).text(), end="")
        return 0
    options.stencil_opt = os.path.join(options.bin, "stencil-opt")
    options.stencil_run = os.path.join(options.bin, "stencil-run")
    options.trial = available(options)
    failed = 0
    with work_directory(options.work), concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for problem in pool.map(lambda seed: check_seed(options, seed), options.seeds):
            if problem:
                failed += 1
                print(problem, flush=True)
    cases = len(options.seeds) * (options.cases if options.case is None else 1)
    print(f"{cases} cases, {len(options.trial)} passes, {failed} programs failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
