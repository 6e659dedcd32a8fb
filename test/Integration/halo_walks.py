"""Runs random time loops in volumes whose steps have their halos (`time = T, chain = shuffle, prefetch = tma`) in the emulator.

    halo_walks.py --bin build/bin --work DIR --seeds 0:40

Programs are those of time_blocks.py that are volumes of one state with known extents, some with a field that does not
change, whose halos are kept, constants, or made of points inside; of those that follow from more points than a step reads there is a rim. Where halos are kept, both
fields have the same ones, or different ones, so that the loop takes no step and one with a rim takes them all.
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
            if case.rank == 3 and not case.is_open:
                return case

    def choose_conditions(self):
        rng = self.rng
        if self.rank == 3 and self.time == 2 and rng.random() < 0.5:
            self.low = [rng.randint(0, 2) for _ in range(3)]
            self.high = [rng.randint(0, 2) for _ in range(3)]
            self.high[-1] = max(self.high[-1], 1)
        kind = rng.random()
        if kind < 0.2:
            return None
        kinds = ["keep", "dirichlet<0.5>", "dirichlet<0.5>", "dirichlet<-1.5>"]
        inside = ["neumann", "symmetric", "antisymmetric", "symmetric_about_face", "antisymmetric_about_face", "extrapolate<1>"]
        if kind < 0.4:
            inside = []
        elif kind < 0.7:
            kinds = []
        elif kind < 0.8:
            inside = ["neumann", "extrapolate<2>"]
        return [[rng.choice(kinds + inside) for _ in range(2)] for _ in range(self.rank)]

    def choose_extent(self, axis, is_cpu):
        """Some are smaller than a tile, and than what tiles overlap by; what is kept needs room for a rim."""
        # Some have tiles that touch no side.
        if axis == 0:
            self.is_wide = self.rng.random() < 0.25
        if self.is_wide and axis > 0:
            return self.rng.randint(24, 30) if axis == 1 else self.rng.randint(80, 100)
        needs_rim = not self.conditions or any("keep" in side for side in self.conditions)
        if not needs_rim and self.rng.random() < 0.3:
            return self.rng.choice([4, 5, 6])
        return super().choose_extent(axis, is_cpu)

    def write(self):
        """The field that does not change may be read around the point, too."""
        around = [self.rng.randint(-low, high) for low, high in zip(self.low, self.high)]
        return super().write().replace("stencil.access %c[0, 0, 0]", f"stencil.access %c{around if self.rng.random() < 0.5 else [0, 0, 0]}")

    def schedule(self):
        rng = self.rng
        keys = f"time = {self.time}, stream = 0, window = shared, chain = shuffle, prefetch = tma"
        keys += f", block = [1, {rng.choice([2, 3, 4])}, {16 if self.is_wide else rng.choice([16, 32, 32])}]"
        keys += f", points = [1, {rng.choice([1, 3, 4])}, {2 if self.is_wide else rng.choice([2, 2, 4])}]"
        if rng.random() < 0.5:
            keys += f", segments = {rng.choice([1, 2, 3]) if self.extents[0] > 8 else 1}"
        if rng.random() < 0.5:
            keys += f", stages = {self.low[0] + self.high[0] + rng.choice([2, 3, 4])}"
        if rng.random() < 0.3:
            keys += f", unroll = {rng.choice([1, 2, 5])}"
        return keys

    def emulator_arguments(self):
        rng = self.rng
        words = ["--target", "emulator", "--chip", "sm_90", "--verify=0", "--math", "strict"]
        words += ["--extents", ",".join(map(str, self.extents)), "--arg", "0=random:1", "--arg", f"1=random:{rng.choice([1, 1, 1, 2])}"]
        steps = rng.choice([self.time - 1, self.time + 2, 2 * self.time + 2, 3 * self.time + 1, 4 * self.time, 4 * self.time + 3])
        words += ["--arg", "2=random:3"] * self.has_coefficient
        return words + ["--arg", f"{2 + self.has_coefficient}={steps}", "--schedule", f"#stencil.schedule<{self.schedule()}>"]


# Tiles that are narrower than what they overlap by, and few planes. Where halos are kept, or follow from more points than a
# step reads, there has to be room for a rim.
MORE_REFUSALS = ["the interior has", "expected segments of at least", "expected 'stages' of at least"]


def check(trial):
    case = Walk.choose(trial.seed)
    program = trial.write("program.mlir", case.text)
    trial.run("stencil-run", program, *case.emulator_arguments(), refusals=[*REFUSALS, *MORE_REFUSALS])


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
