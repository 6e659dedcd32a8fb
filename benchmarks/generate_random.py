#!/usr/bin/env python3
"""Generates random stencil programs: kernels that nobody has seen.

usage: generate_random.py SEED [--json]     prints the program of a seed, or what it is
       generate_random.py --list FIRST:LAST [--half fit|held-out]

The same seed gives the same program for ever; its name says the seed. Rank 1 to 3; stars, boxes, crosses and random
sets of taps; radii 1 to 8; one to four inputs, states that are swept over and fields of coefficients; one to three
outputs; now and then a minimum, a maximum, a division, a root or a boundary condition; FP64 and FP32; extents that are
round, odd or random, at most 4 GiB of fields. Values stay bounded for fields in [1/64, 1).

Constants are fitted to one half of the kernels and judged by the other. Which half is the hash of a name (`half`), so
that nobody chooses. Python's standard library is enough.
"""

import argparse
import hashlib
import itertools
import json
import math
import random
import sys

from generate import BYTES, bounds, box, star, symmetric
from generate_held_out import Body

MOST_BYTES = 4 << 30
# Values read per point, of all outputs.
MOST_READS = 200
CONDITIONS = ("#stencil.dirichlet<0.0>", "#stencil.neumann", "#stencil.periodic")
EXTENTS = {
    1: [(1 << 27,), (1 << 25,), (100_000_007,), (1 << 22,)],
    2: [(8192, 8192), (10240, 10240), (5000, 7000), (4096, 4096), (9001, 10007), (2048, 2048)],
    3: [(512, 512, 512), (384, 384, 384), (700, 500, 300), (256, 256, 256), (320, 320, 320), (200, 400, 800)],
}


def half(name):
    """"fit" or "held-out": which half of the kernels one is in."""
    return ("fit", "held-out")[hashlib.sha256(name.encode()).digest()[0] & 1]


class Draw:
    """Decisions. Only random() is used, whose numbers Python promises to keep."""

    def __init__(self, seed):
        self.next = random.Random(f"stencil {seed}").random

    def below(self, n):
        return int(self.next() * n)

    def between(self, low, high):
        return low + self.below(high - low + 1)

    def pick(self, items):
        return items[self.below(len(items))]

    def chance(self, share):
        return self.next() < share

    def weighted(self, weights):
        """A key of a dictionary, as often as its weight says."""
        left = self.next() * sum(weights.values())
        for key, weight in weights.items():
            left -= weight
            if left < 0:
                return key
        return key

    def some(self, items, count):
        items = list(items)
        return [items.pop(self.below(len(items))) for _ in range(min(count, len(items)))]


def make_taps(draw, rank, shape):
    """The offsets of a shape."""
    if shape == "star":
        return star(rank, draw.weighted({1: 5, 2: 4, 3: 3, 4: 3, 5: 2, 6: 2, 7: 1, 8: 2}))
    if shape == "box":
        most = {1: 8, 2: 4, 3: 2}[rank]
        return box(rank, draw.between(1, most))
    radius = draw.between(1, 4)
    if shape == "cross":
        # Diagonals, in three axes those of a cube.
        ends = itertools.product((-1, 1), repeat=rank)
        return [(0,) * rank] + [tuple(d * e for e in end) for end in ends for d in range(1, radius + 1)]
    points = [o for o in box(rank, radius) if any(o)]
    return [(0,) * rank] + draw.some(points, draw.between(3, 30))


class Program:
    """The program of a seed."""

    def __init__(self, seed):
        self.seed, self.name = seed, f"random_{seed}"
        draw = self.draw = Draw(seed)
        self.rank = draw.weighted({1: 1, 2: 3, 3: 6})
        self.type = draw.weighted({"f64": 3, "f32": 2})
        self.inputs = draw.weighted({1: 5, 2: 3, 3: 1, 4: 1})
        self.outputs = draw.weighted({1: 7, 2: 2, 3: 1})
        self.states = min(self.inputs, self.outputs)
        self.shape = draw.weighted({"star": 5, "box": 3, "cross": 1, "taps": 2})
        self.is_linear, self.has_boundary = not draw.chance(0.2), draw.chance(0.12)
        self.is_padded = draw.chance(0.75)
        self.taps = make_taps(draw, self.rank, self.shape)
        while len(self.taps) * self.outputs > MOST_READS:
            self.outputs -= 1
            self.states = min(self.states, self.outputs)
        self.fields = self.inputs + self.outputs
        self.radius = max(abs(x) for o in self.taps for x in o)
        self.conditions = [draw.pick(CONDITIONS) for _ in range(self.rank)]
        self.extents = self.choose_extents()
        self.body = self.make_body()

    def choose_extents(self):
        draw, rank = self.draw, self.rank
        if draw.chance(0.6):
            extents = list(draw.pick(EXTENTS[rank]))
        else:
            low, high = {1: (1 << 22, 1 << 27), 2: (1500, 11000), 3: (120, 640)}[rank]
            extents = [draw.between(low, high) for _ in range(rank)]
            if draw.chance(0.6):
                extents[-1] = extents[-1] // 8 * 8
        while self.count_bytes(extents) > MOST_BYTES:
            axis = extents.index(max(extents))
            extents[axis] //= 2
        return extents

    def count_bytes(self, extents):
        halo = self.radius + 4
        return self.fields * BYTES[self.type] * math.prod(n + 2 * halo for n in extents)

    def add_sum(self, b, input, taps, size):
        """A weighted sum of `size` at most for values of at most 1: a weight for each tap or for all that lie alike."""
        draw = self.draw
        groups = symmetric(taps) if draw.chance(0.5) else [[o] for o in taps]
        raw = [0.5 + draw.next() for _ in groups]
        scale = size / sum(w * len(g) for w, g in zip(raw, groups))
        terms = []
        for weight, group in zip(raw, groups):
            sign = -1 if draw.chance(0.2) else 1
            read = b.sum([b.read(input, o) for o in group])
            terms.append(b.op("mulf", b.constant(round(sign * weight * scale, 7)), read))
        return b.sum(terms)

    def make_output(self, b, number):
        draw, centre = self.draw, (0,) * self.rank
        own = number % self.inputs
        value = self.add_sum(b, own, self.taps, 0.6)
        for other in range(self.inputs):
            if other == own:
                continue
            if draw.chance(0.6):
                # A coefficient.
                product = b.op("mulf", b.read(other, centre), value)
                value = b.op("addf", b.op("mulf", b.constant(0.3), b.read(own, centre)), product)
            else:
                taps = star(self.rank, min(self.radius, draw.between(1, 2)))
                value = b.op("addf", b.op("mulf", b.constant(0.7), value), self.add_sum(b, other, taps, 0.3))
        if not self.is_linear:
            value = self.bend(b, value, b.read(own, centre))
        return value

    def bend(self, b, value, centre):
        kind = self.draw.pick(("minimumf", "maximumf", "divf", "sqrt"))
        if kind == "divf":
            square = b.op("mulf", centre, centre)
            return b.op("divf", value, b.op("addf", b.constant(1.0), square))
        if kind == "sqrt":
            root = b.emit(f"math.sqrt {b.emit(f'math.absf {centre} : {self.type}')} : {self.type}")
            return b.op("addf", b.op("mulf", b.constant(0.5), value), b.op("mulf", b.constant(0.4), root))
        return b.op(kind, value, b.op("mulf", b.constant(0.9), centre))

    def make_body(self):
        b = Body(self.type)
        results = [self.make_output(b, i) for i in range(self.outputs)]
        types = ", ".join([self.type] * self.outputs)
        return [*b.lines, f"stencil.return {', '.join(results)} : {types}"]

    def arguments(self, steps):
        """The arguments of stencil-run and stencil-tune."""
        made = [word for i in range(self.fields) for word in ("--arg", f"{i}=random:{i + 1}")]
        # What is written before it is read.
        for i in range(self.states, self.states + self.outputs):
            made[2 * i + 1] = f"{i}=zeros"
        return [*made, "--arg", f"{self.fields}={steps}"]

    def describe(self):
        return {
            "kernel": self.name,
            "seed": self.seed,
            "half": half(self.name),
            "rank": self.rank,
            "type": self.type,
            "extents": self.extents,
            "shape": self.shape,
            "radius": self.radius,
            "taps": len(self.taps),
            "inputs": self.inputs,
            "outputs": self.outputs,
            "linear": self.is_linear,
            "boundary": self.has_boundary,
            "padded": self.is_padded,
        }

    def mlir(self):
        rank, type, states, extra = self.rank, self.type, self.states, self.outputs - self.states
        open_type = "!stencil.field<" + "?x" * rank + f"{type}>"
        old, new = ([f"%{letter}{i}" for i in range(states)] for letter in "uv")
        seen, fixed = [f"%d{i}" for i in range(extra)], [f"%c{i}" for i in range(self.inputs - states)]
        given = [f"%arg{i}" for i in range(self.fields)]
        begin = [n + "0" for n in old + new] + seen + fixed
        interior = f"<[{', '.join('0' * rank)}], [{', '.join('?' * rank)}]>"
        loaded = [f"%t{i}" for i in range(self.inputs)]
        values = [f"%new#{i}" for i in range(self.outputs)] if self.outputs > 1 else ["%new"]
        types = ", ".join(["!field"] * (2 * states))
        reads = ", ".join(f"%x{i} = {t} : !temp" for i, t in enumerate(loaded))
        conditions = f"[{', '.join(self.conditions)}]"
        what = f"{self.shape}, {len(self.taps)} taps, radius {self.radius}; inputs: {self.inputs}, outputs: {self.outputs}"
        lines = [
            f"// {self.name}: {what}. Made by benchmarks/generate_random.py.",
            f"// {half(self.name)}; {'x'.join(map(str, self.extents))}",
            "",
            f"!field = !stencil.field<{bounds(rank, self.radius, type, pad=self.is_padded)}>",
            f"!temp = !stencil.temp<{'?x' * rank}{type}>",
            "",
            f"func.func @{self.name}({', '.join(f'{a}: {open_type}' for a in given)}, %steps: index) {{",
            *(f"  {b} = stencil.cast {a} : {open_type} -> !field" for a, b in zip(given, begin)),
            "  %zero = arith.constant 0 : index",
            "  %one = arith.constant 1 : index",
            f"  %r:{2 * states} = scf.for %step = %zero to %steps step %one"
            f" iter_args({', '.join(f'{n} = {n}0' for n in old + new)}) -> ({types}) {{",
            *(f"    stencil.boundary {u}({interior}) {conditions} : !field" for u in old if self.has_boundary),
            *(f"    {t} = stencil.load {f} : !field -> !temp" for t, f in zip(loaded, old + fixed)),
            f"    %new{f':{self.outputs}' if self.outputs > 1 else ''} = stencil.apply({reads})"
            f" -> ({', '.join(['!temp'] * self.outputs)}) {{",
            *(f"      {line}" for line in self.body),
            "    }",
            *(f"    stencil.store {v} to {f}({interior}) : !temp to !field" for v, f in zip(values, new + seen)),
            f"    scf.yield {', '.join(new + old)} : {types}",
            "  }",
            "  return",
            "}",
        ]
        return "\n".join(lines) + "\n"


def parse_seeds(text):
    """The seeds of FIRST:LAST, without the last, of one number, or of several, joined by commas."""
    try:
        if "," in text:
            return [seed for part in text.split(",") for seed in parse_seeds(part)]
        first, _, last = text.partition(":")
        seeds = range(int(first), int(last) if last else int(first) + 1)
    except ValueError:
        seeds = range(0)
    if not seeds or seeds[0] < 0:
        raise argparse.ArgumentTypeError(f"expected a seed or FIRST:LAST, got '{text}'")
    return seeds


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("seed", nargs="?", type=parse_seeds)
    parser.add_argument("--json", action="store_true", help="what it is, in place of the program")
    parser.add_argument("--list", type=parse_seeds, metavar="FIRST:LAST")
    parser.add_argument("--half", choices=("fit", "held-out"))
    o = parser.parse_args()
    if o.list:
        for program in map(Program, o.list):
            if o.half in (None, half(program.name)):
                print(json.dumps(program.describe()))
    elif o.seed and len(o.seed) == 1:
        program = Program(o.seed[0])
        sys.stdout.write(json.dumps(program.describe()) + "\n" if o.json else program.mlir())
    else:
        parser.error("expected a seed, or --list")


if __name__ == "__main__":
    main()
