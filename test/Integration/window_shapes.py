"""Runs the kernels of the suite with every shape of rolling windows, in the emulator.

    window_shapes.py --bin build/bin --work DIR --sample 60
    window_shapes.py --bin build/bin --all --jobs 2
    window_shapes.py --bin build/bin --all --pipelines

A shape is a window (where neighbours live), an accumulation (how planes are summed), a prefetch (how planes come from
memory), a chain (where values live that are read at neighbouring points) and a chip. Blocks, points, segments, the axis and the extents, odd ones, are chosen by --seed. The emulator
looks at every access, at races and at barriers. No bit may differ from the interpreter's, of whatever numbers; where
planes are added up in another order, of the same sign, results are as close as that allows. A schedule that the compiler
refuses for a known reason (random/windows.py) is counted as refused, and a fifth may be. Everything else is a failure:
another error, another number, a crash, a run of more than --timeout seconds of processor time. Failures are printed with their command line.

With --pipelines, what stencil-stream-windows makes is interpreted, instead: with the same result as the program, to the
last bit, but for sums in another order.
"""

import argparse
import array
import collections
import concurrent.futures
import os
import random
import re
import shlex
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "random"))

from arrays import choose_input  # noqa: E402
from harness import Failure, Refusal, Refusals, execute, work_directory  # noqa: E402
from windows import ACCUMULATIONS, PREFETCHES, REFUSALS, WINDOWS, block_and_points  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(HERE))
EXTENTS = {1: [(37,), (131,), (256,)], 2: [(13, 37), (29, 70), (9, 64)], 3: [(13, 17, 37), (9, 33, 70), (12, 6, 32)]}
STEPS = 2
# Programs with fixed extents are made smaller: number by number, where they have two digits.
SMALLER = {
    "heat3d": {48: 13, 49: 14, 65: 17, 66: 18, 81: 37, 82: 38},
    "hdiff": {60: 7, 63: 20, 65: 22, 85: 38, 87: 40},
}


class Kernel:
    """A program of the suite, how it is run, and for how many axes its schedules are."""

    def __init__(self, path, work):
        self.name = os.path.splitext(os.path.basename(path))[0]
        self.path = path
        with open(path, encoding="utf-8") as file:
            text = file.read()
        if self.name in SMALLER:
            smaller = SMALLER[self.name]
            if not all(re.search(rf"\b{extent}\b", text) for extent in smaller):
                raise SystemExit(f"{path}: expected the extents {list(smaller)}")
            text = re.sub(r"\b\d\d\b", lambda m: str(smaller.get(int(m[0]), m[0])), text)
            self.path = os.path.join(work, self.name + ".mlir")
            with open(self.path, "w", encoding="utf-8") as file:
                file.write(text)
        # What a sum adds up, for a bound of its roundings.
        self.taps = text.count("stencil.access") + sum(points.count("[") - 1 for points in re.findall(r"offsets (\[\[.*?\]\])", text))
        aliases = dict(re.findall(r"^(!\w+) = (!stencil\.field<.*>)$", text, re.MULTILINE))
        signature = re.search(r"func\.func @\w+\((.*?)\)", text, re.DOTALL).group(1)
        self.arguments = []
        self.rank = 0
        for kind in re.findall(r"%\w+: ([^,]+)", signature):
            field = aliases.get(kind, kind)
            if field.startswith("!stencil.field"):
                self.arguments.append(f"random:{len(self.arguments) + 1}")
                self.rank = max(self.rank, len(re.findall(r"\?(?=x)|\[", field)))
            else:
                # Steps, or a position in the interior.
                self.arguments.append(str(STEPS))
        self.is_symbolic = "?+" in text

    def command(self, extents, choose=lambda argument: argument):
        """What stencil-run is given; `choose` may take other fields than random ones."""
        words = [self.path]
        for index, argument in enumerate(self.arguments):
            words += ["--arg", f"{index}={choose(argument)}"]
        if self.is_symbolic:
            words += ["--extents", ",".join(map(str, extents))]
        return words


class Shape(collections.namedtuple("Shape", "window accumulate prefetch chip chain", defaults=[None])):
    def __str__(self):
        chain = ["chain"] * bool(self.chain)
        return "/".join([self.window, self.accumulate or "tile"] + [self.prefetch] * bool(self.prefetch) + chain)


def shapes():
    """A walk with each accumulation, or, without one, a tile."""
    for chip, prefetches in PREFETCHES.items():
        for window in WINDOWS:
            for accumulate in [*ACCUMULATIONS, *([None] if window in ("shared", "shuffle") else [])]:
                for prefetch in prefetches if window == "shared" else [None]:
                    if not accumulate and prefetch == "registers":
                        continue
                    yield Shape(window, accumulate, prefetch, chip)
                    yield Shape(window, accumulate, prefetch, chip, "shared")


def schedule(rng, shape, rank):
    stream = None
    if shape.accumulate:
        stream = 0 if rank < 3 or rng.random() < 0.8 else 1
    keys = []
    if rng.random() < 0.9:
        block, points = block_and_points(rng, rank, stream)
        keys += [f"block = {block}", f"points = {points}"]
    if shape.accumulate:
        keys += [f"stream = {stream}", f"accumulate = {shape.accumulate}"]
        segments = rng.choice([None, 1, 2, 3])
        if segments:
            keys.append(f"segments = {segments}")
    keys.append(f"window = {shape.window}")
    if shape.chain:
        keys.append(f"chain = {shape.chain}")
    if shape.prefetch:
        keys.append(f"prefetch = {shape.prefetch}")
        if shape.accumulate and rng.random() < 0.3:
            keys.append(f"stages = {rng.randint(2, 8)}")
    return f"#stencil.schedule<{', '.join(keys)}>"


def read_array(path):
    """The elements of a .npy file of floats or bytes."""
    with open(path, "rb") as file:
        content = file.read()
    begin = 10 + int.from_bytes(content[8:10], "little")
    kind = re.search(rb"'descr': '[<|](\w\d)'", content[:begin]).group(1).decode()
    values = array.array({"f8": "d", "f4": "f", "i1": "b"}[kind])
    values.frombytes(content[begin:])
    return values, {"f8": 2.0**-52, "f4": 2.0**-23, "i1": 0}[kind]


def interpret(options, kernel, path, extents, name):
    """The fields after a run of `path`."""
    command = [os.path.join(options.bin, "stencil-run"), path, *kernel.command(extents)[1:], "--target", "interpreter"]
    files = []
    for index, argument in enumerate(kernel.arguments):
        if argument.startswith("random:"):
            files.append(os.path.join(options.work, f"{name}.{index}.npy"))
            command += ["--out", f"{index}={files[-1]}"]
    try:
        execute(command, REFUSALS, options.timeout)
        return [read_array(file) for file in files]
    finally:
        for file in files:
            if os.path.exists(file):
                os.remove(file)


def check_pipelines(options, kernel, shape, extents, wanted, math):
    """Interprets what the pass makes."""
    name = re.sub(r"\W", "-", f"{kernel.name}-{shape}-{shape.chip}")
    path = os.path.join(options.work, name + ".mlir")
    command = [os.path.join(options.bin, "stencil-opt"), kernel.path, "--stencil-infer-shapes", "--stencil-bufferize"]
    command.append(f"--stencil-attach-target=chip={shape.chip}")
    flags = f"schedule='{wanted}' math={math}"
    execute([*command, f"--stencil-stream-windows={flags}", "-o", path], REFUSALS, options.timeout)
    before = interpret(options, kernel, kernel.path, extents, name)
    after = interpret(options, kernel, path, extents, name)
    for (expected, epsilon), (got, _) in zip(before, after):
        # As in run(): of numbers of one sign, in which no sum of magnitudes is larger than the largest by much.
        allowed = STEPS * kernel.taps * epsilon * max(map(abs, expected)) if math == "reassociate" else 0
        wrong = [(a, b) for a, b in zip(expected, got) if not abs(a - b) <= allowed]
        if wrong:
            raise Failure(f"{len(wrong)} points differ, as {wrong[0]}: {shlex.join(command)} \"--stencil-stream-windows={flags}\"")
    os.remove(path)


def run(options, kernel, shape):
    """The outcome ('passed', 'refused' or 'failed'), what to say about it, and the seconds that it took."""
    rng = random.Random(f"{options.seed} {kernel.name} {shape} {shape.chip}")
    extents = rng.choice(EXTENTS[kernel.rank])
    wanted = schedule(rng, shape, kernel.rank)
    # What is scattered is summed in another order.
    reorders = shape.accumulate in ("scatter", "semi")
    math = "reassociate" if reorders else "contract" if options.pipelines else "strict"
    begin = time.monotonic()
    outcome, text = "passed", ""
    try:
        if options.pipelines:
            check_pipelines(options, kernel, shape, extents, wanted, math)
        else:
            def choose(argument):
                isField = argument.startswith("random:") and not reorders
                return choose_input(rng, argument.partition(":")[2]) if isField else argument

            # Each way to add up n terms makes n - 1 roundings of half an epsilon of the sum of their magnitudes, and each
            # product one: in both ways together at most n epsilons, in every step.
            bound = STEPS * kernel.taps if reorders else 0
            command = [os.path.join(options.bin, "stencil-run"), *kernel.command(extents, choose), "--target", "emulator"]
            command += ["--chip", shape.chip, "--schedule", wanted, "--math", math, f"--verify={bound}"]
            execute(command, REFUSALS, options.timeout)
    except Refusal as refusal:
        outcome, text = "refused", str(refusal)
    except Failure as failure:
        outcome, text = "failed", str(failure)
    return outcome, text, time.monotonic() - begin


def print_table(counts):
    """A row per kernel, per shape and per chip."""
    def show(label, count):
        print(f"{label:28} {count['passed']:7} {count['refused']:8} {count['failed']:7}")

    print(f"{'':28} {'passed':>7} {'refused':>8} {'failed':>7}")
    for kind in ("kernel", "shape", "chip"):
        for (of, label), count in counts.items():
            if of == kind:
                show(label, count)


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin", help="where stencil-run is")
    parser.add_argument("--work", default=".", help="directory for programs with smaller extents")
    parser.add_argument("--sample", type=int, default=60, help="so many of the runs")
    parser.add_argument("--all", action="store_true", help="all of them")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kernels", default="", help="a regular expression: these alone")
    parser.add_argument("--shapes", default="", help="a regular expression: these alone, such as shared/scatter/tma")
    parser.add_argument("--chips", default="", help="a regular expression: these alone")
    parser.add_argument("--pipelines", action="store_true", help="interpret what stencil-stream-windows makes")
    parser.add_argument("--timeout", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--times", action="store_true", help="print how long each run takes")
    return parser.parse_args()


def find_kernels(options):
    paths = []
    chains = os.path.join(HERE, "Inputs", "chains")
    for directory in (os.path.join(ROOT, "benchmarks", "kernels"), os.path.join(ROOT, "examples"), chains):
        names = sorted(name for name in os.listdir(directory) if name.endswith(".mlir"))
        paths += [os.path.join(directory, name) for name in names if not name.startswith("mhd")]
    kernels = [Kernel(path, options.work) for path in paths]
    return [kernel for kernel in kernels if re.search(options.kernels, kernel.name)]


def has_use(kernel, shape):
    """Chains are for those that read at neighbouring points what they compute; without one, what these compute is not
    added up plane by plane."""
    is_chain = kernel.name.startswith(("chain", "hdiff"))
    return shape.chain or shape.accumulate not in ("scatter", "semi") if is_chain else not shape.chain


def main():
    options = parse_options()
    with work_directory(options.work):
        return run_all(options)


def run_all(options):
    """The exit code."""
    kernels = find_kernels(options)
    cases = [
        (kernel, shape)
        for kernel in kernels
        for shape in shapes()
        if re.search(options.shapes, str(shape)) and re.search(options.chips, shape.chip) and has_use(kernel, shape)
    ]
    if not options.all:
        cases = random.Random(options.seed).sample(cases, min(options.sample, len(cases)))
    counts = collections.defaultdict(collections.Counter)
    refusals = Refusals()
    total = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for (kernel, shape), (outcome, text, seconds) in zip(cases, pool.map(lambda case: run(options, *case), cases)):
            total[outcome] += 1
            for key in (("kernel", kernel.name), ("shape", str(shape)), ("chip", shape.chip)):
                counts[key][outcome] += 1
            with refusals.count():
                if outcome == "refused":
                    raise Refusal(text)
            if outcome == "failed":
                print(f"{kernel.name} {shape} {shape.chip}: {text}", flush=True)
            if options.times:
                print(f"{seconds:7.2f} s {outcome} {kernel.name} {shape} {shape.chip}", flush=True)
    print_table(counts)
    excess = refusals.report()
    print(f"{total['passed']} passed, {total['refused']} refused, {total['failed']} failed")
    return 1 if total["failed"] or excess else 0


if __name__ == "__main__":
    sys.exit(main())
