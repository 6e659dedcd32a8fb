"""Runs random time loops in volumes whose steps have their halos (`time = T, chain = shuffle, prefetch = tma`) in the emulator.

    halo_walks.py --bin build/bin --work DIR --seeds 0:40

Programs are those of time_blocks.py that are volumes of one state with known extents, whose halos are kept or constants.
Both fields have the same halos, or different ones, so that the loop takes no step and one with a rim takes them all.
Rows and columns of threads, segments and how far planes come ahead are random. Both fields, halos included, have to be what
the interpreter finds step by step, to the last bit. Programs that fail are left in DIR.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from time_blocks import REFUSALS, Case  # noqa: E402
from harness import make_parser, run_seeds  # noqa: E402


class Walk(Case):
    @staticmethod
    def choose(seed):
        """The first volume of one state."""
        number = 0
        while True:
            case = Walk(f"{seed} {number} of a walk")
            number += 1
            if case.rank == 3 and not case.is_open and not case.has_coefficient:
                return case

    def choose_conditions(self):
        rng = self.rng
        if rng.random() < 0.4:
            return None
        kinds = ["keep", "dirichlet<0.5>", "dirichlet<0.5>", "dirichlet<-1.5>"]
        return [[rng.choice(kinds) for _ in range(2)] for _ in range(self.rank)]

    def schedule(self):
        rng = self.rng
        keys = f"time = {self.time}, stream = 0, window = shared, chain = shuffle, prefetch = tma"
        keys += f", block = [1, {rng.choice([2, 3, 4])}, {rng.choice([16, 32, 32])}]"
        keys += f", points = [1, {rng.choice([1, 3, 4])}, {rng.choice([2, 2, 4])}]"
        if rng.random() < 0.5:
            keys += f", segments = {rng.choice([1, 2, 3])}"
        if rng.random() < 0.5:
            keys += f", stages = {self.low[0] + self.high[0] + rng.choice([2, 3, 4])}"
        return keys

    def emulator_arguments(self):
        rng = self.rng
        words = ["--target", "emulator", "--chip", "sm_90", "--verify=0", "--math", "strict"]
        words += ["--extents", ",".join(map(str, self.extents)), "--arg", "0=random:1", "--arg", f"1=random:{rng.choice([1, 1, 1, 2])}"]
        steps = rng.choice([self.time - 1, self.time + 2, 2 * self.time + 2, 3 * self.time + 1, 4 * self.time, 4 * self.time + 3])
        return words + ["--arg", f"2={steps}", "--schedule", f"#stencil.schedule<{self.schedule()}>"]


# Tiles that are narrower than what they overlap by, and few planes.
MORE_REFUSALS = ["expected segments of at least", "expected 'stages' of at least"]


def check(trial):
    case = Walk.choose(trial.seed)
    program = trial.write("program.mlir", case.text)
    trial.run("stencil-run", program, *case.emulator_arguments(), refusals=[*REFUSALS, *MORE_REFUSALS])


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
