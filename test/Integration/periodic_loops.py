"""Runs random time loops over periodic fields as GPU code.

    periodic_loops.py --bin build/bin --work DIR --seeds 0:40

Rank, type, extents, the widths of halos, conditions (nearly all periodic, some kept), how many fields there are, whether
the one before is read, bounds, schedules and the number of steps are random. All fields, halos included, have to be what
the interpreter finds, to the last bit: in the emulator, which looks at every access and at races. Some schedules store
halos with the field (`boundary = store`), and are refused where that cannot be done. Programs that fail
are left in DIR.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from arrays import choose_input  # noqa: E402
from harness import make_parser, run_seeds  # noqa: E402


class Case:
    def __init__(self, seed):
        self.rng = rng = random.Random(seed)
        self.rank = rng.choice([1, 2, 2, 3, 3])
        self.element = rng.choice(["f64", "f32", "i32"])
        self.fields = rng.choice([1, 1, 2, 3])
        self.reads_last = rng.random() < 0.3
        self.symbolic = rng.random() < 0.4
        self.halo = [(rng.randint(0, 3), rng.randint(1, 3)) for _ in range(self.rank)]
        self.extents = [rng.choice([5, 6, 7, 8, 9, 16, 17]) for _ in range(self.rank)]
        self.extents[-1] = rng.choice([6, 8, 13, 16, 31, 32, 40, 64])
        if rng.random() < 0.1:
            self.extents[0] = 3
        self.lower = [0 if self.symbolic else rng.choice([0, 0, 0, 2, -3]) for _ in range(self.rank)]
        kinds = ["periodic"] * 8 + ["keep", "keep", "neumann"]
        self.conditions = [f"#stencil.{rng.choice(kinds)}" for _ in range(self.rank)]
        self.text = self.write()

    def bounds(self, axis, low, high):
        begin = self.lower[axis]
        end = f"?+{high}" if self.symbolic else begin + self.extents[axis] + high
        return begin - low, "?" if end == "?+0" else end

    def box(self):
        pairs = [self.bounds(axis, 0, 0) for axis in range(self.rank)]
        return "(<[{}], [{}]>)".format(*(", ".join(map(str, side)) for side in zip(*pairs)))

    def body(self):
        kind, weight = ("i", "3") if self.element == "i32" else ("f", "0.25")
        yield f"%w = arith.constant {weight} : {self.element}"
        for field in range(self.fields):
            terms = [f"%x{self.rng.randrange(self.fields)}" for _ in range(self.rng.choice([2, 3, 5]))]
            offsets = [[self.rng.randint(-low, high) for low, high in self.halo] for _ in terms]
            if self.reads_last:
                terms.append(f"%y{field}")
                offsets.append([0] * self.rank)
            for i, (term, offset) in enumerate(zip(terms, offsets)):
                yield f"%a{field}_{i} = stencil.access {term}{offset} : !temp"
                left = f"%s{field}_{i - 1}" if i > 1 else f"%a{field}_0"
                if i:
                    yield f"%s{field}_{i} = arith.add{kind} {left}, %a{field}_{i} : {self.element}"
            yield f"%r{field} = arith.mul{kind} %s{field}_{len(terms) - 1}, %w : {self.element}"
        results = ", ".join(f"%r{field}" for field in range(self.fields))
        yield f"stencil.return {results} : {', '.join([self.element] * self.fields)}"

    def write(self):
        numbers = range(self.fields)
        sides = ["[{},{}]".format(*self.bounds(axis, *self.halo[axis])) for axis in range(self.rank)]
        names = [f"%{name}{i}" for name in "uv" for i in numbers]
        types = ", ".join(["!field"] * len(names))
        box, marks = self.box(), "x".join("?" * self.rank)
        inputs = [f"%x{i} = %t{i} : !temp" for i in numbers]
        if self.reads_last:
            inputs += [f"%y{i} = %l{i} : !temp" for i in numbers]
        lines = [f"!field = !stencil.field<{'x'.join(sides)}x{self.element}>"]
        lines += [f"!open = !stencil.field<{marks}x{self.element}>", f"!temp = !stencil.temp<{marks}x{self.element}>"]
        lines += [f"func.func @main({', '.join(f'{name}_a: !open' for name in names)}, %n: index) {{"]
        lines += [f"{name}_c = stencil.cast {name}_a : !open -> !field" for name in names]
        lines += ["%zero = arith.constant 0 : index", "%one = arith.constant 1 : index"]
        lines += [f"%q:{len(names)} = scf.for %i = %zero to %n step %one iter_args("]
        lines += [", ".join(f"{name} = {name}_c" for name in names) + f") -> ({types}) {{"]
        lines += [f"stencil.boundary %u{i}{box} [{', '.join(self.conditions)}] : !field" for i in numbers]
        lines += [f"%t{i} = stencil.load %u{i} : !field -> !temp" for i in numbers]
        if self.reads_last:
            lines += [f"%l{i} = stencil.load %v{i} : !field -> !temp" for i in numbers]
        lines += [f"%p:{self.fields} = stencil.apply({', '.join(inputs)}) -> ({', '.join(['!temp'] * self.fields)}) {{"]
        lines += [*self.body(), "}"]
        lines += [f"stencil.store %p#{i} to %v{i}{box} : !temp to !field" for i in numbers]
        lines += [f"scf.yield {', '.join(names[self.fields:] + names[: self.fields])} : {types}", "}", "return", "}", ""]
        return "\n".join(lines)

    def arguments(self):
        rng = self.rng
        words = ["--target", "emulator", "--verify=0", "--math", "strict"]
        chip = rng.choice(["sm_90", "sm_90", "gfx942"])
        words += ["--chip", chip, "--extents", ",".join(map(str, self.extents))]
        is_open = rng.random() < 0.5
        words += ["--any-extents"] * is_open
        for i in range(2 * self.fields):
            words += ["--arg", f"{i}={choose_input(rng, i + 1)}"]
        words += ["--arg", f"{2 * self.fields}={rng.choice([0, 1, 2, 3, 4, 7])}"]
        if rng.random() < 0.5:
            block = [rng.choice([1, 2, 4]) for _ in range(self.rank - 1)] + [rng.choice([8, 16, 32])]
            points = [rng.choice([1, 1, 2]) for _ in range(self.rank - 1)] + [rng.choice([1, 2, 4])]
            keys = f"block = {block}, points = {points}"
            order = list(reversed(range(self.rank)))
            if rng.random() < 0.3:
                rng.shuffle(order)
                keys += f", order = {order}"
            if rng.random() < 0.3:
                keys += f", panel = {[rng.choice([0, 1, 2]) for _ in range(self.rank)]}"
            # Blocks ask ahead along another axis than that of rows.
            if chip == "sm_90" and order[-1] != self.rank - 1 and rng.random() < 0.4:
                keys += ", prefetch = l2"
            # Where halos can be stored with the field; and, now and then, where they cannot.
            fits = not is_open and not self.symbolic and all("periodic" in condition for condition in self.conditions)
            if rng.random() < (0.8 if fits else 0.1):
                keys += ", boundary = store"
            words += ["--schedule", f"#stencil.schedule<{keys}>"]
        return words


def check(trial):
    case = Case(trial.seed)
    trial.run("stencil-run", trial.write("program.mlir", case.text), *case.arguments(), refusals=["for 'boundary = store'"])


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
