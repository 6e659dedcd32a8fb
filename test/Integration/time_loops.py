"""Checks stencil-compose-steps: random linear time loops, composed, give the same numbers.

    time_loops.py --bin build/bin --work DIR --seeds 0:40

Rank, radius, halo, boundary conditions, extents, element type, bounds and type of the loop's variable, number of steps
and how many are composed are random, as is the way in which the step is written. Weights and fields are such that the
arithmetic is exact in whatever order. Both fields, halos included, have to be what the interpreter finds for the
program as it is: of the composed program interpreted, and of it compiled, where the rim is computed at once also in the
emulator of a GPU. Programs that fail are left in DIR.
"""

import itertools
import os
import random
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from harness import Failure, make_parser, run_seeds  # noqa: E402

DTYPES = {"f64": np.float64, "f32": np.float32, "i32": np.int32}


class Case:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.rank = rng.choice([1, 1, 2, 2, 3])
        self.steps = rng.choice([2, 2, 3, 3, 4, 5] if self.rank < 3 else [2, 3])
        self.element = rng.choice(["f64", "f64", "f32", "i32", "i32", "i32"])
        self.integer = self.element == "i32"
        most = 2 if self.rank < 3 else 1
        self.radius = [(rng.randint(0, most), rng.randint(0, most)) for _ in range(self.rank)]
        self.halo = [(a + rng.randint(0, 1), b + rng.randint(0, 1)) for a, b in self.radius]
        self.symbolic = rng.random() < 0.3
        self.extents = [self.choose_extent(axis) for axis in range(self.rank)]
        self.choose_taps()
        self.choose_count()
        self.form = rng.choice(["constants", "scalars", "tree"])
        # All steps of the rim at once: along one axis, of floats, with weights that are constants.
        can_be_at_once = self.rank == 1 and not self.integer and self.form == "constants"
        self.rim = rng.choice(["at-once", "at-once", "steps", "auto"]) if can_be_at_once else "auto"
        self.text = self.write()
        shape = [n + low + high for n, (low, high) in zip(self.extents, self.halo)]
        values = np.random.RandomState(seed)
        self.fields = [values.randint(-8, 9, size=shape).astype(DTYPES[self.element]) for _ in range(2)]

    def choose_extent(self, axis):
        """Wide enough for the rim; often by little."""
        rim = self.steps * sum(self.radius[axis])
        extent = rim + (self.rng.randint(1, 12) if self.rng.random() < 0.8 else 1)
        # Where the extent is known at run time only, rims may not meet at any step.
        return max(extent, sum(self.halo[axis]) + 2, 5) + (rim + 6 if self.symbolic else 0)

    def choose_taps(self):
        rng = self.rng
        box = list(itertools.product(*[range(-low, high + 1) for low, high in self.radius]))
        rng.shuffle(box)
        self.offsets = box[: rng.randint(1, {"i32": 9, "f64": 4, "f32": 3}[self.element])]
        weights = {"i32": [1, -1, 2, 0, 3], "f64": [0.5, -0.5, 1.0, -1.0, 0.25, 0.0, 2.0], "f32": [0.5, -0.5, 1.0, -1.0]}
        self.weights = [rng.choice(weights[self.element]) for _ in self.offsets]

    def choose_count(self):
        """Few steps where numbers would need more digits than there are."""
        rng, k = self.rng, self.steps
        count = rng.choice([0, 1, 2, 3, k, k + 1, k + 2, 2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 3, 3 * k + 2, 4 * k + 3])
        count = min(count, {"i32": 100, "f64": 8, "f32": 5}[self.element])
        self.start, self.stride = rng.choice([0, 0, 3, -2]), rng.choice([1, 1, 2])
        self.end = self.start + count * self.stride - (rng.randint(0, self.stride - 1) if count else 0)

    def number(self, value):
        return str(int(value)) if self.integer else str(float(value))

    def condition(self):
        rng = self.rng
        value = self.number(rng.choice([0, 3, -2]))
        kinds = [f"dirichlet<{value}>", "neumann", "symmetric", "antisymmetric", "symmetric_about_face", "antisymmetric_about_face",
                 f"extrapolate<{rng.randint(0, 2)}>", "keep"]
        return "#stencil." + rng.choice(kinds)

    def conditions(self):
        sides = lambda: f"{self.condition()} | {self.condition()}"
        return ", ".join("#stencil.periodic" if self.rng.random() < 0.25 else sides() for _ in range(self.rank))

    def constant(self, name, value):
        return f"{name} = arith.constant {self.number(value)} : {self.element}\n"

    def step(self):
        """What the apply takes besides the state, what stands before it, and its body."""
        add, mul = ("arith.addi", "arith.muli") if self.integer else ("arith.addf", "arith.mulf")
        points = ", ".join(str(list(o)) for o in self.offsets)
        form = self.form
        if form == "constants":
            weights = ", ".join(self.number(w) for w in self.weights)
            kind = f"tensor<{len(self.weights)}x{self.element}>"
            return "", "", f"%w = stencil.weighted_sum %x offsets [{points}] weights dense<[{weights}]> : {kind} : !temp\n"
        before = "".join(self.constant(f"%c{i}", w) for i, w in enumerate(self.weights)) + self.constant("%unit", 1)
        before += f"%p0 = {mul} %c0, %unit : {self.element}\n"
        if form == "scalars":
            names = ["%p0", *(f"%c{i}" for i in range(1, len(self.weights)))]
            taken = "".join(f", %w{i} = {name} : {self.element}" for i, name in enumerate(names))
            listed = ", ".join(f"%w{i}" for i in range(len(names)))
            return taken, before, f"%w = stencil.weighted_sum %x offsets [{points}] weights ({listed}) : !temp\n"
        body = self.constant("%s", self.rng.choice([0, 1])).replace("%s", "%s0")
        for i, (offset, weight) in enumerate(zip(self.offsets, self.weights)):
            if i:
                body += self.constant(f"%w{i}", weight)
            body += f"%a{i} = stencil.access %x{list(offset)} : !temp\n%m{i} = {mul} %a{i}, %w{i} : {self.element}\n"
            body += f"%s{i + 1} = {add} %s{i}, %m{i} : {self.element}\n"
        return f", %w0 = %p0 : {self.element}", before, body.replace(f"%s{len(self.weights)} =", "%w =")

    def write(self):
        rng, open_field = self.rng, f"!stencil.field<{'x'.join('?' * self.rank)}x{self.element}>"
        upper = lambda d: "?" + (f"+{self.halo[d][1]}" if self.halo[d][1] else "") if self.symbolic else self.extents[d] + self.halo[d][1]
        bounds = "x".join(f"[{-self.halo[d][0]},{upper(d)}]" for d in range(self.rank))
        interior = f"<{[0] * self.rank}, [{', '.join('?' if self.symbolic else str(n) for n in self.extents)}]>"
        boundary = f"stencil.boundary %u({interior}) [{self.conditions()}] : !field" if rng.random() < 0.8 else ""
        taken, before, body = self.step()
        index = rng.choice(["index", "index", "i64", "i32"])
        first = rng.random() < 0.5
        inits, yields = ("%u = %a, %v = %b", "%v, %u") if first else ("%v = %b, %u = %a", "%u, %v")
        return f"""!field = !stencil.field<{bounds}x{self.element}>
!temp = !stencil.temp<{'x'.join('?' * self.rank)}x{self.element}>
func.func @f(%a0: {open_field}, %b0: {open_field}, %n: {index}) {{
%a = stencil.cast %a0 : {open_field} -> !field
%b = stencil.cast %b0 : {open_field} -> !field
%start = arith.constant {self.start} : {index}
%stride = arith.constant {self.stride} : {index}
%r:2 = scf.for %i = %start to %n step %stride iter_args({inits}) -> (!field, !field) {"" if index == "index" else f": {index}"} {{
{boundary}
%t = stencil.load %u : !field -> !temp
{before}%s = stencil.apply(%x = %t : !temp{taken}) -> (!temp) {{
{body}stencil.return %w : {self.element}
}}
stencil.store %s to %v({interior}) : !temp to !field
scf.yield {yields} : !field, !field
}}
return
}}
"""


def run(trial, case, path, target):
    """Both fields after a run of `path`."""
    words = ["--target", target, "--arg", f"2={case.end}"]
    # As written: what else the pipeline may do is not on trial.
    if target == "cpu":
        words += ["--threads", "1", "--math", "strict"]
    elif target == "emulator":
        words += ["--chip", case.rng.choice(["sm_90", "gfx942"]), "--math", "strict"]
    results = [trial.path(f"result-{i}.npy") for i in range(2)]
    for i, field in enumerate(case.fields):
        np.save(trial.path(f"{i}.npy"), field)
        words += ["--arg", f"{i}={trial.path(f'{i}.npy')}", "--out", f"{i}={results[i]}"]
    trial.run("stencil-run", path, *words)
    return [np.load(name) for name in results]


def check(trial):
    case = Case(trial.seed)
    path, composed = trial.write("program.mlir", case.text), trial.path("composed.mlir")
    free = f"--stencil-compose-steps=steps={case.steps} rim={case.rim} math=reassociate"
    trial.run("stencil-opt", path, free, "-o", composed)
    expected = run(trial, case, path, "interpreter")
    for target in ["interpreter", "cpu", *(["emulator"] if case.rim == "at-once" else [])]:
        for i, (want, got) in enumerate(zip(expected, run(trial, case, composed, target))):
            if not np.array_equal(want, got):
                raise Failure(f"{composed}, {target}: {(want != got).sum()} points of field {i} differ")


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
