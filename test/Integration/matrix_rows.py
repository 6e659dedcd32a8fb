"""Runs rows of matrices (stencil.matvec) on every target, against NumPy.

    matrix_rows.py --bin build/bin --work DIR --seeds 0:40

Rows, columns, where they begin, and the extents of the fields are random, also at run time only; some points have numbers
beyond the rows there are. Elements and fields are such that no sum rounds. Zeros among the elements meet NaN in the
field, which they must not take. Programs that fail are left in DIR.
"""

import os
import random
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from harness import Failure, make_parser, run_seeds  # noqa: E402

DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16}
TARGETS = [["interpreter"], ["cpu", "--threads", "1"], ["emulator", "--chip", "sm_90"], ["emulator", "--chip", "gfx942"]]


class Case:
    def __init__(self, seed):
        rng = random.Random(seed)
        self.type = rng.choice(["f64", "f64", "f32", "f16"])
        self.rows, self.columns = rng.randint(1, 40), rng.choice([1, 2, 15, 16, 17, rng.randint(1, 100)])
        self.first, self.begin = rng.randint(-20, 20), rng.randint(-10, 10)
        # Points before the first row and behind the last one take theirs.
        self.low = rng.choice([0, 0, rng.randint(0, 5)])
        self.points = self.rows + self.low + rng.choice([0, 0, rng.randint(0, 5)])
        self.lower = self.begin + self.first - (self.rows - 1)
        self.upper = self.begin + self.points + self.first + self.columns - 1
        self.lower, self.upper = min(self.lower, self.begin) - rng.randint(0, 3), max(self.upper, self.begin + self.points) + rng.randint(0, 3)
        # Extents begin at 0.
        self.symbolic = rng.random() < 0.4 and self.begin + self.points > 0
        values = np.random.RandomState(seed)
        self.matrix = values.randint(-2, 3, size=(self.rows, self.columns)).astype(DTYPES[self.type])
        self.field = values.randint(1, 5, size=self.upper - self.lower).astype(DTYPES[self.type])
        self.schedule = rng.choice([[], [], ["--schedule", f"#stencil.schedule<block = [{rng.choice([32, 64])}], points = [{rng.randint(1, 3)}]>"]])
        self.add_nan(values)
        self.flags = rng.choice(["", "fastmath<reassoc> "])
        self.text = self.write()

    def reads(self):
        """For every point its row, and the position in the field of what the row's first column multiplies."""
        for number in range(self.points):
            row = min(max(number - self.low, 0), self.rows - 1)
            yield row, self.begin + number - row + self.first - self.lower

    def add_nan(self, values):
        taken = np.zeros(len(self.field), bool)
        for row, at in self.reads():
            taken[at : at + self.columns] |= self.matrix[row] != 0
        self.field[~taken & (values.rand(len(self.field)) < 0.5)] = np.nan

    def write(self):
        number = lambda x: repr(float(x))
        rows = ", ".join("[" + ", ".join(map(number, row)) + "]" for row in self.matrix)
        ends = self.upper, self.begin + self.points
        # All ends are known relative to the extent, which is that of the output.
        up, end = (f"?+{ends[0] - ends[1]}" if ends[0] > ends[1] else "?", "?") if self.symbolic else ends
        return f"""!in = !stencil.field<[{self.lower},{up}]x{self.type}>
!out = !stencil.field<[{self.begin},{end}]x{self.type}>
!temp = !stencil.temp<?x{self.type}>
func.func @rows(%f: !in, %g: !out) {{
  %t = stencil.load %f : !in -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) {{
    %i = stencil.index 0 <[{-self.begin - self.low}]>
    %v = stencil.matvec %x[%i] {self.flags}from {self.first} matrix dense<[{rows}]> : tensor<{self.rows}x{self.columns}x{self.type}> : !temp
    stencil.return %v : {self.type}
  }}
  stencil.store %r to %g(<[{self.begin}], [{end}]>) : !temp to !out
  return
}}
"""

    def expect(self):
        result = np.zeros(self.points, DTYPES[self.type])
        for number, (row, at) in enumerate(self.reads()):
            taps = self.matrix[row] != 0
            result[number] = (self.matrix[row] * np.where(taps, self.field[at : at + self.columns], 0)).sum()
        return result


def check(trial):
    case = Case(trial.seed)
    path, field, result = trial.write("program.mlir", case.text), trial.path("field.npy"), trial.path("result.npy")
    np.save(field, case.field)
    for target in TARGETS:
        words = ["--arg", f"0={field}", "--arg", "1=zeros", "--out", f"1={result}", *(case.schedule if target[0] == "emulator" else [])]
        trial.run("stencil-run", path, "--target", *target, *words)
        got, want = np.load(result), case.expect()
        if not np.array_equal(got, want):
            raise Failure(f"{path}, {' '.join(target)}: {(got != want).sum()} of {len(want)} points differ")


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
