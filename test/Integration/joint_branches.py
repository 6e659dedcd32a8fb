"""Runs random bodies that branch on where in its row a point is, in the emulator.

    joint_branches.py --bin build/bin --work DIR --seeds 0:30

They compute what they do in the interpreter, to the last bit. Programs that fail are left in DIR.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input  # noqa: E402
from harness import make_parser, run_seeds  # noqa: E402

FORMS = (
    "block = [2, 8], points = [1, {n}]",
    "block = [2, 8], points = [2, {n}]",
    "block = [1, 8], points = [1, {n}], stream = 0, window = [shared, cache], segments = 2",
    "block = [1, 8], points = [1, {n}], stream = 0, window = [shared, shared], prefetch = tma",
)
PREDICATES = ("slt", "sle", "sgt", "sge", "ult", "uge", "eq", "ne")


class Body:
    """The text of a body: what it reads, and nested branches that store or do not."""

    def __init__(self, rng):
        self.rng = rng
        self.count = 0

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def condition(self, lines):
        terms = []
        for _ in range(self.rng.randint(1, 2)):
            axis = self.rng.choice((1, 1, 1, 0))
            index, at, term = self.name(), self.name(), self.name()
            lines.append(f"{index} = stencil.index {axis} <[0, {self.rng.randint(-2, 2)}]>")
            lines.append(f"{at} = arith.constant {self.rng.choice((4, 8, 9, 12, 14, 16, 31, 32))} : index")
            lines.append(f"{term} = arith.cmpi {self.rng.choice(PREDICATES)}, {index}, {at} : index")
            terms.append(term)
        if len(terms) == 1:
            return terms[0]
        both = self.name()
        lines.append(f"{both} = arith.{self.rng.choice(('andi', 'ori'))} {terms[0]}, {terms[1]} : i1")
        return both

    def value(self, lines, known):
        access, sum_ = self.name(), self.name()
        field, offset = self.rng.choice(("%x", "%y")), [self.rng.randint(-1, 1), self.rng.randint(-1, 1)]
        lines.append(f"{access} = stencil.access {field}{offset} : !field")
        lines.append(f"{sum_} = arith.{self.rng.choice(('addf', 'mulf'))} {self.rng.choice(known)}, {access} : f32")
        return sum_

    def branch(self, lines, known, depth):
        """Returns a value, and a result that may be nothing."""
        condition, out = self.condition(lines), self.name()
        lines.append(f"{out}:2 = scf.if {condition} -> (f32, !stencil.result<f32>) {{")
        for side in range(2):
            inner = list(known)
            for _ in range(self.rng.randint(0, 2)):
                inner.append(self.value(lines, inner))
            if depth and self.rng.random() < 0.4:
                value, result = self.branch(lines, inner, depth - 1)
            else:
                value, result = inner[-1], self.name()
                kept = f"{value} " if self.rng.random() < 0.6 else ""
                lines.append(f"{result} = stencil.store_result {kept}: !stencil.result<f32>")
            lines.append(f"scf.yield {value}, {result} : f32, !stencil.result<f32>")
            lines.append("} else {" if side == 0 else "}")
        return f"{out}#0", f"{out}#1"


def write(seed):
    rng = random.Random(seed)
    lines = ["%c = stencil.access %x[0, 0] : !field"]
    value, result = Body(rng).branch(lines, ["%c"], 2)
    low = rng.choice((0, 0, 4, 3))
    schedule = rng.choice(FORMS).format(n=rng.choice((2, 4)))
    if "tma" in schedule:
        schedule = schedule.replace("tma", rng.choice(("tma", "async")))
    body = "\n    ".join(lines)
    return f"""!field = !stencil.field<[-4,28]x[-4,60]xf32>
func.func @branches(%u: !field, %e: !field, %v: !field, %w: !field) {{
  stencil.apply(%x = %u : !field, %y = %e : !field) outs (%v : !field, %w : !field) attributes {{stencil.schedule = #stencil.schedule<{schedule}>}} {{
    {body}
    stencil.return {value}, {result} : f32, !stencil.result<f32>
  }} to <[{rng.choice((0, 1))}, {low}], [17, {rng.choice((48, 41))}]>
  return
}}
"""


def check(trial):
    words = ["--target", "emulator", "--chip", "sm_90", "--math", "strict", "--verify=0"]
    rng = random.Random(f"inputs {trial.seed}")
    for index in range(4):
        words += ["--arg", f"{index}={choose_input(rng, index + 1)}"]
    trial.run("stencil-run", trial.write("program.mlir", write(trial.seed)), *words)


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
