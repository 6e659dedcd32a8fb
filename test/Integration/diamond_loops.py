"""Runs random time loops whose steps a CPU takes in diamonds (`stencil.diamonds`).

    diamond_loops.py --bin build/bin --work DIR --seeds 0:40

The programs are those of time_blocks.py and of state_blocks.py, over planes and volumes, with halos of any kind: one
state and several, in two buffers, in more, or in place; several applies, chains of them; fields that do not change; lopsided and open ones, smaller than a diamond; any number of steps, in diamonds of 1 to 15; loops that count
from other numbers than 0 and by others than 1. All fields, halos included, have to be what the interpreter finds step by step,
to the last bit, for some numbers of threads. They are also run as they are, for the extents of the run or for any, on a CPU
whose caches are small, so that diamonds, tiles or neither are chosen. Programs that fail are left in DIR.
"""

import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

import state_blocks  # noqa: E402
import time_blocks  # noqa: E402
from harness import Failure, make_parser, run_seeds  # noqa: E402

CONDITIONS = ["keep", "dirichlet<0.5>"]
# Halos that each step changes, too.
CHANGING = list(time_blocks.CONDITIONS)


def choose_sides(rng):
    """Halos of a field that are constant are filled once, before the loop."""
    return [rng.choice(CONDITIONS) for _ in range(2)]


def choose_extent(rng, halo):
    """Some are smaller than a diamond or a tile, but all have as many points as any condition is made of."""
    return max(need(halo) for need in time_blocks.CONDITIONS.values()) + rng.choice([0, 3, 18, 29, 42])


class OneState(time_blocks.Case):
    def choose_extent(self, axis, is_cpu):
        return choose_extent(self.rng, max(self.low[axis], self.high[axis]))

    def choose_conditions(self):
        # A condition that keeps all is no condition.
        rng = self.rng
        if rng.random() < 0.3:
            return None
        if rng.random() < 0.3:
            sides = [choose_sides(rng) for _ in range(self.rank)]
            sides[0][0] = "dirichlet<0.5>"
            return sides
        sides = [[rng.choice(CHANGING) for _ in range(2)] for _ in range(self.rank)]
        sides[rng.randrange(self.rank)][rng.randrange(2)] = rng.choice(CHANGING[2:])
        for side in sides:
            if rng.random() < 0.3:
                side[:] = ["periodic"]
        return sides


class SeveralStates(state_blocks.SeveralStates):
    def choose_conditions(self):
        rng = self.rng
        self.wrapped = [False] * self.rank
        if rng.random() < 0.7:
            sides = [[rng.choice(CHANGING) for _ in range(2)] for _ in range(self.rank)]
            for axis in range(self.rank):
                if rng.random() < 0.3:
                    sides[axis], self.wrapped[axis] = ["periodic"], True
            return sides
        sides = [choose_sides(rng) for _ in range(self.rank)]
        sides[0][0] = "dirichlet<0.5>"
        return sides

    def keep(self, value):
        """Applies on both sides of a buffer stay two, and become stages of a pipeline; others are fused."""
        if self.rng.random() < 0.2:
            return value, []
        kept = self.new()
        return kept, [f"{kept} = stencil.buffer {value} : !temp -> !temp"]

    def choose_extent(self, axis):
        return choose_extent(self.rng, self.width * max(self.low[axis], self.high[axis]))


def find(seed):
    """The first of the seed's programs that can be cut."""
    rng = random.Random(seed)
    for number in range(1000):
        if rng.random() < 0.5:
            case = OneState(f"{seed} {number} in diamonds", is_cpu=True)
        else:
            case = SeveralStates(random.Random(f"{seed} {number} of several states in diamonds"))
        # Of a row, nothing is computed that a step does not store.
        if case.rank > 1 or isinstance(case, OneState):
            return rng, case
    raise Failure("no program")


def check(trial):
    rng, case = find(trial.seed)
    keys = f"steps = {rng.choice([1, 3, 3, 5, 7, 15])}"
    if rng.random() < 0.6:
        keys += f", tile = {rng.choice([1, 2, 3, 5, 8, 40])}"
    parts = case.text.rsplit("scf.yield", 1)
    behind = parts[1].replace("\n}\n", f"\n}} {{stencil.diamonds = #stencil.diamonds<{keys}>}}\n", 1)
    program = trial.write("program.mlir", "scf.yield".join([parts[0], behind]))
    # Fields with NaN are NaN everywhere after a few steps, in whatever order.
    arguments = [re.sub(r"=wild:(\d+).*", r"=random:\1", word) for word in case.arguments()]
    arguments += ["--schedule", "default"]
    # A row may wait for the one before as a whole.
    options = rng.choice([[], [], ["--cpu-options", "deal=0"]])
    trial.run("stencil-run", program, "--target", "cpu", "--threads", rng.choice(["1", "2", "3", "16"]), *options, *arguments)
    check_chosen(trial, rng, case, [word for word in arguments if word not in ("--schedule", "default")])


def check_chosen(trial, rng, case, arguments):
    """The same by itself, where caches are taken to be so small that no grid fits, and each has diamonds for all threads."""
    program = trial.write("chosen.mlir", case.text)
    options = f"near-last-level=true cache-bytes=1 own-cache-bytes={1 << 20}"
    # A program for any extents asks for those of the call.
    extents = rng.choice([["--any-extents"], []])
    trial.run("stencil-run", program, "--target", "cpu", "--threads", rng.choice(["1", "2", "3"]), *extents, "--cpu-options", options, *arguments)


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
