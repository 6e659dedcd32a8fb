"""Runs random programs in several ways that must agree.

    random_programs.py --bin build/bin --work DIR --seeds 0:150

For every seed a program is made (random/programs.py) and
- printed and parsed again by stencil-opt, in custom and generic form;
- interpreted as it is, and after canonicalisation, CSE and shape inference: same bits;
- compiled, as it is or simplified, for one thread or two, with random options of the pipeline: as the interpreter has
  it, within the bound of each point that --verify derives (docs/verification.md).
With --wild, a program has no operation whose result may differ; it reads NaN, infinities, numbers of any magnitude and
either sign, and under math=strict it gives the interpreter's bits.
With --contract, neither; under math=contract it gives the same bits with any target, schedule and options.

With --target emulator --windows, schedules have rolling windows. What the compiler refuses for a known reason
(random/windows.py) is counted, and may be a fifth of all. With --cover, every feature that a program may have has to come
up. Programs that fail are left in DIR as seed-N.mlir. `--print N` shows a program.
"""

import argparse
import concurrent.futures
import os
import random
import shlex
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input  # noqa: E402
from chains import Chains  # noqa: E402
from harness import Failure, Refusal, Refusals, execute, parse_seeds, work_directory  # noqa: E402
from linear import Linear  # noqa: E402
from programs import FEATURES, Program, has_feature  # noqa: E402
from windows import REFUSALS, random_schedule  # noqa: E402

SEPARATOR = "\n// -----\n"
# What no window can have: it comes up now and then, to see that it is refused.
WITHOUT_WINDOWS = ["dyn_access", "unroll", "lower-rank"]
# What is not defined for all numbers, or may be off by some bits even under math=strict.
WITHOUT_WILD = ["math", "int-conversions", "fold-sum"]
# What programs of sums alone do not have, or rarely.
WITHOUT_LINEAR = ["if", "for", "math", "int-conversions", "partial", "combine", "function-if", "alloc", "fold-sum"]
SIMPLIFY = ["--canonicalize", "--cse", "--stencil-infer-shapes"]
# A program, whatever the schedule: what is stored in parts has to be the whole of it, in one field.
UNSTORED = [r"op result #\d+ stores nothing at some points: expected it to be stored on all of its box"]


def run(command, stdin=None):
    """The standard output of a command that has to succeed; a schedule may be refused."""
    refusals = [*UNSTORED, *REFUSALS] if any("schedule" in word for word in command) else UNSTORED
    return execute(command, refusals, stdin=stdin)


class Case:
    def __init__(self, options, seed):
        self.options, self.seed = options, seed
        rng = random.Random(f"case {seed}")
        without = list(options.without)
        # Of --wild, no bit may differ.
        self.bound = "--verify=0" if options.wild else "--verify"
        if options.windows and rng.random() < 0.9:
            without += WITHOUT_WINDOWS
        if options.wild or options.contract:
            without += WITHOUT_WILD
        generator = Chains if options.chains else Linear if options.linear else Program
        self.program = generator(seed, without).generate()
        if options.wild:
            arguments = self.program.arguments
            arguments[:] = [choose_input(rng, i + 1) if a.startswith("random:") else a for i, a in enumerate(arguments)]
        self.path = os.path.join(options.work, f"seed-{seed}.mlir")
        self.simple_path = os.path.join(options.work, f"seed-{seed}-simple.mlir")
        self.text = f"{self.program.text}// stencil-run {self.shown()}\n"

    def shown(self):
        return " ".join([*self.program.command(), self.bound])

    def write(self, simple):
        self.simple = simple
        for path, text in ((self.path, self.text), (self.simple_path, simple)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def remove(self):
        for path in (self.path, self.simple_path):
            if os.path.exists(path):
                os.remove(path)

    def interpret(self, path):
        """What the interpreter prints, and the bytes of the fields."""
        return self.evaluate(path, "--target", "interpreter")

    def evaluate(self, path, *options):
        """What a run prints, and the bytes of the fields."""
        command = [self.options.stencil_run, path, *options, *self.program.command()]
        files = []
        for index, argument in enumerate(self.program.arguments):
            if argument.startswith(("random:", "wild:")):
                files.append(f"{path}.{index}.npy")
                command += ["--out", f"{index}={files[-1]}"]
        try:
            printed = run(command)
            contents = []
            for name in files:
                with open(name, "rb") as file:
                    contents.append(file.read())
            return printed, contents
        finally:
            for name in files:
                if os.path.exists(name):
                    os.remove(name)

    def verify(self, path, *more):
        if self.options.contract:
            if self.evaluate(path, *more) != self.contracted:
                raise Failure(f"other bits than on a CPU: {path} {shlex.join([*more, *self.program.command()])}")
            return
        run([self.options.stencil_run, path, *self.program.command(), self.bound, *more])

    def cpu_options(self, rng):
        """Options of the pipeline that force what it would choose rarely."""
        rank = self.program.grid.rank
        options = [f"vector-bits={rng.choice([64, 128, 256, 512])}", f"rows={rng.choice([0, 1, 2, 3])}"]
        options.append(f"columns={rng.choice([0, 0, 1, 2, 3])}")
        if rng.random() < 0.5:
            options.append(rng.choice(["cache-bytes=1", "cache-bytes=1 stream-rows=true", "cache-bytes=1 stream-rows=false"]))
        if rng.random() < 0.3:
            # As a library's arrays are.
            options.append("padded-rows=false")
        if rng.random() < 0.5:
            # Blocks of rows, also where extents are small.
            options.append(f"core-cache-bytes={rng.choice([1 << 11, 1 << 13, 1 << 15])} threads=1")
        if rng.random() < 0.5:
            options.append("tile=" + ",".join(str(rng.choice([0, 1, 2, 5, 16])) for _ in range(rank)))
        if rng.random() < 0.5:
            # Rows of any length around the caches, and teams for few points.
            options.append(f"stream-row=0 stream-row-of-volume=0 parallel-points={rng.choice([1, 100, 8192])}")
        if rng.random() < 0.5:
            # Planes together, of any body.
            options.append(f"joint-planes={rng.choice([2, 3, 4])} joint-planes-percent=100 joint-planes-plain={rng.choice(['true', 'false'])}")
        return " ".join(options)

    def schedule(self, rng, chip):
        """A schedule for the applies of the grid's rank, with odd shapes among them."""
        rank = self.program.grid.rank
        keys, order = [], list(reversed(range(rank)))
        if rng.random() < 0.7:
            block = [1] * rank
            for axis in range(max(0, rank - 3), rank):
                block[axis] = rng.choice([1, 2, 3, 4] if axis < rank - 1 else [1, 2, 7, 8, 32])
            keys.append(f"block = {block}")
        if rng.random() < 0.7:
            keys.append(f"points = {[rng.choice([1, 1, 2, 3, 4]) for _ in range(rank)]}")
        if rng.random() < 0.4:
            order = rng.sample(range(rank), rank)
            keys.append(f"order = {order}")
        # Blocks ask ahead along another axis than that of rows.
        if chip.startswith("sm") and order[-1] != rank - 1 and rng.random() < 0.3:
            keys.append("prefetch = l2")
        if rng.random() < 0.4:
            keys.append(f"panel = {[rng.choice([0, 1, 2, 3]) for _ in range(rank)]}")
        if rng.random() < 0.2:
            keys.append("launch_bounds = 2")
        return f"#stencil.schedule<{', '.join(keys)}>"

    def math(self, rng):
        """What may be done to sums: where values are compared, they have to be the same."""
        if self.options.contract:
            return "contract"
        return rng.choice(["strict"] if self.options.wild else ["strict", "contract"] + ["reassociate"] * self.options.linear)

    def device_options(self, rng):
        options = ["--target", self.options.target, "--math", self.math(rng)]
        chip = rng.choice(["sm_90", "sm_80", "gfx942"])
        if self.options.target == "emulator":
            options += ["--chip", chip]
        else:
            chip = {"cuda": "sm_90", "hip": "gfx942"}[self.options.target]
        if rng.random() < 0.8:
            options += ["--schedule", self.schedule(rng, chip)]
        if rng.random() < 0.3:
            options.append("--any-extents")
        if self.options.device_arrays:
            options.append("--device-arrays")
        return options

    def check_windows(self, path, rng):
        """What stencil-stream-windows makes, in the interpreter; and its code."""
        chip = rng.choice(["sm_90", "sm_80", "gfx942"])
        planes = 2 * self.program.radius + 1
        is_narrow = any(field.elem in ("f16", "bf16", "i16", "i8", "i1") for field in self.program.fields)
        inputs = self.program.inputs or 1
        schedule = random_schedule(rng, self.program.grid.rank, chip, inputs, planes, is_narrow)
        # What is scattered is summed in another order.
        reorders = "scatter" in schedule or "semi" in schedule
        if reorders and self.options.contract:
            return
        math = "reassociate" if reorders else self.math(rng)
        passes = ["--stencil-infer-shapes", "--stencil-bufferize"]
        passes.append(f"--stencil-attach-target=chip={chip}")
        passes.append(f"--stencil-stream-windows=schedule='{schedule}' math={math}")
        passes.append("--stencil-fold-boundaries")
        streamed = path.replace(".mlir", "-streamed.mlir")
        run([self.options.stencil_opt, path, *passes, "-o", streamed])
        if not reorders and self.interpret(path) != self.interpret(streamed):
            raise Failure(f"the interpreter differs on {path} and {streamed}: {shlex.join(passes)}")
        os.remove(streamed)
        options = ["--target", self.options.target, "--schedule", schedule, "--math", math]
        if self.options.target == "emulator":
            options += ["--chip", chip]
        if rng.random() < 0.3:
            options.append("--any-extents")
        if self.options.device_arrays:
            options.append("--device-arrays")
        self.verify(path, *options)

    def check(self, refusals):
        rng = random.Random(self.seed)
        if self.options.contract:
            self.contracted = self.evaluate(self.path, "--math", "contract", "--threads", "1")
        # That does not depend on the target.
        if self.options.target == "cpu" and self.interpret(self.path) != self.interpret(self.simple_path):
            raise Failure(f"the interpreter differs on {self.path} and {self.simple_path}")
        for _ in range(self.options.variants):
            path = rng.choice([self.path, self.simple_path])
            if self.options.windows:
                with refusals.count():
                    self.check_windows(path, rng)
                continue
            if self.options.target != "cpu":
                with refusals.count():
                    self.verify(path, *self.device_options(rng))
                continue
            options = ["--cpu-options", self.cpu_options(rng)] if rng.random() < 0.7 else []
            self.verify(path, "--threads", rng.choice(["1", "2"]), "--math", self.math(rng), *options)


def simplify(options, cases):
    """Checks that the programs survive printing, and returns them simplified."""
    opt = [options.stencil_opt, "--split-input-file"]
    text = SEPARATOR.join(case.text for case in cases)
    once = run([*opt], text)
    if run([*opt], once) != once:
        raise Failure("printed differently after parsing")
    if run([*opt], run([*opt, "--mlir-print-op-generic"], once)) != once:
        raise Failure("printed differently after parsing the generic form")
    parts = run([*opt, *(shlex.split(options.passes) or SIMPLIFY)], once).split(SEPARATOR)
    if len(parts) != len(cases):
        raise Failure(f"expected {len(cases)} programs, got {len(parts)}")
    return parts


def simplify_each(options, cases, report):
    """Like simplify, but for one after the other where one fails."""
    try:
        return dict(zip(cases, simplify(options, cases)))
    except Failure:
        simple = {}
        for case in cases:
            try:
                simple[case] = simplify(options, [case])[0]
            except Failure as failure:
                case.write("")
                report(case, failure)
        return simple


def find_missing(options, texts):
    """The features that no program has, of those that some should have."""
    without = options.without + (options.wild or options.contract) * WITHOUT_WILD + options.linear * WITHOUT_LINEAR
    if options.windows or options.linear:
        without += WITHOUT_WINDOWS
    if "math" in without:
        without += [f for f in FEATURES if f.startswith("math.")]
    return [f for f in FEATURES if f not in without and not any(has_feature(text, f) for text in texts)]


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin", help="where stencil-opt and stencil-run are")
    parser.add_argument("--work", default=".", help="directory for programs that fail")
    parser.add_argument("--seeds", default="0:10", type=parse_seeds, help="A:B, without B; or one")
    parser.add_argument("--without", default="", help=f"comma-separated, of: {' '.join(FEATURES)}")
    parser.add_argument("--variants", type=int, default=1, help="how often each program is compiled")
    parser.add_argument("--target", default="cpu", choices=["cpu", "emulator", "cuda", "hip"])
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--chains", action="store_true", help="programs whose applies read each other's results")
    parser.add_argument("--linear", action="store_true", help="programs whose applies are weighted sums")
    parser.add_argument("--passes", default="", help="passes in front: what is compared with the program as it is")
    parser.add_argument("--windows", action="store_true", help="schedules with rolling windows, on the emulator")
    parser.add_argument("--device-arrays", action="store_true", help="arrays are in the memory of the device")
    parser.add_argument("--wild", action="store_true", help="inputs of all kinds, and no bit may differ")
    parser.add_argument("--contract", action="store_true", help="math=contract, and no bit may depend on what is compiled")
    parser.add_argument("--cover", action="store_true", help="fail if no program has some feature")
    parser.add_argument("--print", type=int, metavar="SEED", help="print a program and its command line")
    options = parser.parse_args()
    options.without = [w for w in options.without.split(",") if w]
    for word in options.without:
        if word not in FEATURES:
            parser.error(f"--without: unknown '{word}', expected some of {', '.join(FEATURES)}")
    if (options.windows or options.device_arrays) and options.target == "cpu":
        parser.error("--windows, --device-arrays: expected --target emulator, cuda or hip")
    options.stencil_opt = os.path.join(options.bin, "stencil-opt")
    options.stencil_run = os.path.join(options.bin, "stencil-run")
    return options


def main():
    options = parse_options()
    if options.print is not None:
        print(Case(options, options.print).text, end="")
        return 0
    with work_directory(options.work):
        return run_all(options)


def run_all(options):
    """The exit code."""
    failures, refusals, texts = {}, Refusals(), []

    def report(case, failure):
        failures[case.seed] = failure
        print(f"seed {case.seed}: {case.path}: {failure}", flush=True)

    def check(case):
        try:
            case.check(refusals)
            case.remove()
        # The program itself: no try of a schedule, of which a fifth may be refused.
        except Refusal as refusal:
            refusals.add(refusal)
            case.remove()
        except Failure as failure:
            report(case, failure)

    batch = 50
    for start in range(0, len(options.seeds), batch):
        cases = [Case(options, seed) for seed in options.seeds[start : start + batch]]
        texts += [case.text for case in cases]
        for case, simple in simplify_each(options, cases, report).items():
            case.write(simple)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(check, [case for case in cases if case.seed not in failures]))
    excess = refusals.report()
    missing = options.cover and find_missing(options, texts)
    if missing:
        print(f"error: expected programs with all features, got none with {', '.join(missing)}", file=sys.stderr)
    counts = f"{len(options.seeds)} programs, {refusals.total} refused, {len(failures)} failed"
    print(counts, *sorted(failures))
    return 1 if failures or excess or missing else 0


if __name__ == "__main__":
    sys.exit(main())
