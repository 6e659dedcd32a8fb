"""Runs random time loops in planes whose steps are legs of a relay (`time = T, relay = N`) as GPU code in the emulator.

    relays.py --bin build/bin --work DIR --seeds 0:40

Programs are those of time_blocks.py that are planes of one state. Legs, points of a lane, rows of threads, how rows come,
whether sums are scattered over rows and whether steps of a leg are moved along the row are random. Both fields, halos included, have to be what the interpreter finds
step by step, to the last bit (where sums are scattered, of numbers of which no sum rounds), for waves of 32 and 64. Steps that can have their
halos do; of half of the programs, what is near a boundary is computed step by step instead (`rim = steps`), and compared with the program one by one.
Programs that fail are left in DIR.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from time_blocks import REFUSALS, Case, block_steps, compare_blocked  # noqa: E402
from harness import make_parser, run_seeds  # noqa: E402


class Relay(Case):
    @staticmethod
    def choose(seed):
        """The first plane that a relay is for."""
        number = 0
        while True:
            case = Relay(f"{seed} {number} of a relay")
            number += 1
            is_plain = not case.has_coefficient
            # Of steps that do not read their own point, or farther to one side than to the other, each is moved by other
            # points.
            is_centred = (0, 0) in case.offsets and case.low == case.high
            if case.rank == 2 and is_plain and is_centred:
                # Tiles at the ends of rows are kernels of their own where there are more beside each other.
                case.extents[-1] += case.rng.choice([0, 0, 60, 150])
                case.text = case.write()
                return case

    def schedule(self):
        rng = self.rng
        legs = rng.choice([legs for legs in range(2, self.time + 1) if self.time % legs == 0])
        keys = f"time = {self.time}, relay = {legs}, stream = 0, window = shared, chain = shuffle"
        keys += f", prefetch = {rng.choice(['none', 'async', 'async', 'registers'])}"
        keys += f", block = [1, {rng.choice([16, 32, 32])}], points = [1, {rng.choice([2, 3, 4, 5, 7])}]"
        if self.adds_planes:
            keys += ", accumulate = scatter"
        elif rng.random() < 0.5:
            keys += ", accumulate = shift"
        # A leg of one step has none that is moved.
        if rng.random() < 0.3:
            keys += f", skew = {rng.choice([-2, -1, 1, 3])}"
        if rng.random() < 0.5:
            keys += f", segments = {rng.choice([1, 2, 3])}"
        if rng.random() < 0.3:
            keys += f", unroll = {rng.choice([1, 2, 5])}"
        return keys


# Steps with several sums over rows are none of one; and few rows.
MORE_REFUSALS = [
    "expected segments of at least",
    "expected one accumulation of one stage for 'relay'",
    "expected to read windows of the stage before it only, for 'relay'",
]


def check(trial):
    case = Relay.choose(trial.seed)
    program = trial.write("program.mlir", case.text)
    refusals = [*REFUSALS, *MORE_REFUSALS]
    if case.adds_planes or case.rng.random() < 0.5:
        trial.run("stencil-run", program, *case.emulator_arguments(trial), refusals=refusals)
    else:
        option = f"schedule='#stencil.schedule<{case.schedule()}>' rim=steps"
        blocked = block_steps(trial, program, option, refusals)
        compare_blocked(trial, case, program, blocked, refusals)


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
