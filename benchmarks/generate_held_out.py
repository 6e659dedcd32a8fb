#!/usr/bin/env python3
"""Generates kernels that nothing of the compiler was fitted to: the suite `held-out`.

usage: generate_held_out.py --list
       generate_held_out.py NAME [--type f32|f64] [--pad]      prints one

What users bring and the other suites do not have: large radii, boxes that are lopsided or lack their corners, several
inputs, several outputs. Sweeps between two states, as in generate.py; coefficient fields are read only. Terms are
added in the order in which they are written. All are stable for fields in [1/64, 1). No schedule, threshold or
constant of the cost model may be fitted to these kernels: they say what the choice is worth elsewhere. It happened on
2026-11-27: star_r5, star_r8, coupled_r2, plane_star_r4, plane_star_r6 and plane_box81p showed what rules were missing
(docs/notebook.md, "Blocks for all multiprocessors"), and are no judges of these any more.
Python's standard library is enough.
"""

import argparse
import sys

import generate
from generate import box, general, star, symmetric


def lopsided(rank, back, ahead):
    """A box that reaches further on one side."""
    return [o for o in box(rank, max(back, ahead)) if all(-back <= x <= ahead for x in o)]


def without_corners(rank, radius):
    """A box without the points that are off along every axis: 19 of 27 in three dimensions."""
    return [o for o in box(rank, radius) if not all(o)]


# One state, as generate.py's.
LINEAR = {
    "row_r8": general(star(1, 8)),
    "row_lopsided11p": general(lopsided(1, 2, 8)),
    "plane_star_r4": symmetric(star(2, 4)),
    "plane_star_r6": symmetric(star(2, 6)),
    "plane_box81p": general(box(2, 4)),
    "plane_lopsided20p": general([o for o in lopsided(2, 1, 3) if o[0] < 3]),
    "star_r5": symmetric(star(3, 5)),
    "star_r6": symmetric(star(3, 6)),
    "star_r8": symmetric(star(3, 8)),
    "star_r2_general": general(star(3, 2)),
    "box19p": symmetric(without_corners(3, 1)),
    "box64p_lopsided": general(lopsided(3, 1, 2)),
}
# Others of that kind, which are in no suite: wide stars whose weights all differ, to which forms and rules were fitted.
WIDE_STARS = {f"star_r{radius}_general": general(star(3, radius)) for radius in range(3, 9)}


class Body:
    """The lines of an apply's body."""

    def __init__(self, type):
        self.type, self.lines = type, []

    def emit(self, text):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = {text}")
        return name

    def read(self, input, offset):
        return self.emit(f"stencil.access %x{input}[{', '.join(map(str, offset))}] : !temp")

    def constant(self, value):
        return self.emit(f"arith.constant {value!r} : {self.type}")

    def op(self, name, *operands):
        return self.emit(f"arith.{name} {', '.join(operands)} : {self.type}")

    def sum(self, terms):
        total = terms[0]
        for term in terms[1:]:
            total = self.op("addf", total, term)
        return total

    def laplacian(self, input, rank):
        neighbours = [o for o in star(rank, 1) if any(o)]
        middle = self.read(input, (0,) * rank)
        scaled = self.op("mulf", self.constant(float(-2 * rank)), middle)
        return middle, self.sum([self.read(input, o) for o in neighbours] + [scaled])


def unit(rank, axis, distance):
    return tuple(distance if a == axis else 0 for a in range(rank))


def variable(rank):
    """u + 0.1 c lap u, with a field of coefficients."""

    def body(b):
        u, laplacian = b.laplacian(0, rank)
        rate = b.op("mulf", b.constant(0.1), b.read(1, (0,) * rank))
        return [b.op("addf", u, b.op("mulf", rate, laplacian))]

    return body


def conservative(rank):
    """Diffusion whose coefficients are averaged onto the faces: the second input is read at neighbours, too."""

    def body(b):
        u, c = (b.read(i, (0,) * rank) for i in (0, 1))
        fluxes = []
        for axis in range(rank):
            for side in (-1, 1):
                o = unit(rank, axis, side)
                face = b.op("addf", c, b.read(1, o))
                fluxes.append(b.op("mulf", face, b.op("subf", b.read(0, o), u)))
        return [b.op("addf", u, b.op("mulf", b.constant(0.05), b.sum(fluxes)))]

    return body


def upwind(rank):
    """First-order upwind with a field of velocities per axis."""

    def body(b):
        u = b.read(0, (0,) * rank)
        terms = [b.op("mulf", b.read(1 + a, (0,) * rank), b.op("subf", u, b.read(0, unit(rank, a, -1)))) for a in range(rank)]
        return [b.op("subf", u, b.op("mulf", b.constant(0.3), b.sum(terms)))]

    return body


def gray_scott(rank):
    """Two fields that react and diffuse; two results."""

    def body(b):
        u, lap_u = b.laplacian(0, rank)
        v, lap_v = b.laplacian(1, rank)
        reaction = b.op("mulf", u, b.op("mulf", v, v))
        feed = b.op("mulf", b.constant(0.04), b.op("subf", b.constant(1.0), u))
        new_u = b.op("addf", u, b.op("addf", b.op("subf", b.op("mulf", b.constant(0.08), lap_u), reaction), feed))
        loss = b.op("mulf", b.constant(0.1), v)
        new_v = b.op("addf", v, b.op("subf", b.op("addf", b.op("mulf", b.constant(0.04), lap_v), reaction), loss))
        return [new_u, new_v]

    return body


def coupled(rank, radius):
    """Two fields, each of a star of both: two inputs read far away, two results."""

    def body(b):
        results = []
        points = star(rank, radius)
        for own, other in ((0, 1), (1, 0)):
            terms = []
            for i, o in enumerate(points):
                w = 0.9 / len(points) * (1 + 0.1 * ((7 * i + own) % 5 - 2) / 2)
                terms.append(b.op("mulf", b.constant(round(0.7 * w, 8)), b.read(own, o)))
            for i, o in enumerate(points):
                w = 0.9 / len(points) * (1 + 0.1 * ((3 * i + own) % 5 - 2) / 2)
                terms.append(b.op("mulf", b.constant(round(0.3 * w, 8)), b.read(other, o)))
            results.append(b.sum(terms))
        return results

    return body


# Rank, radius, states, coefficients, body.
SEVERAL = {
    "row_upwind": (1, 1, 1, 1, upwind(1)),
    "plane_variable": (2, 1, 1, 1, variable(2)),
    "plane_gray_scott": (2, 1, 2, 0, gray_scott(2)),
    "variable7p": (3, 1, 1, 1, variable(3)),
    "conservative7p": (3, 1, 1, 1, conservative(3)),
    "upwind3v": (3, 1, 1, 3, upwind(3)),
    "gray_scott": (3, 1, 2, 0, gray_scott(3)),
    "coupled_r2": (3, 2, 2, 0, coupled(3, 2)),
}

NAMES = [*LINEAR, *SEVERAL]


def rank_and_radius(name):
    if name in LINEAR:
        return len(LINEAR[name][0][0]), generate.radius(LINEAR[name])
    return SEVERAL[name][:2]


def fields(name):
    """How many fields the program takes: states twice, then coefficients."""
    return 2 if name in LINEAR else 2 * SEVERAL[name][2] + SEVERAL[name][3]


def mlir(name, type="f64", pad=False):
    terms = LINEAR.get(name) or WIDE_STARS.get(name)
    if terms:
        text = generate.mlir(name, terms, type, pad)
        return text.replace("generate.py", "generate_held_out.py")
    rank, radius, states, coefficients, make = SEVERAL[name]
    body = Body(type)
    results = make(body)
    open_type = "!stencil.field<" + "?x" * rank + f"{type}>"
    new, old = ([f"%{letter}{i}" for i in range(states)] for letter in "vu")
    given = [f"%arg{i}" for i in range(2 * states + coefficients)]
    fixed = [f"%c{i}" for i in range(coefficients)]
    begin = [n + "0" for n in old + new] + fixed
    box_text = f"<[{', '.join('0' * rank)}], [{', '.join('?' * rank)}]>"
    loaded = [f"%t{i}" for i in range(states + coefficients)]
    types = ", ".join(["!field"] * (2 * states))
    values = ", ".join(f"%new#{i}" if states > 1 else "%new" for i in range(states)).split(", ")
    lines = [
        f"// {name}: {states + coefficients} inputs, {states} results. Made by benchmarks/generate_held_out.py.",
        "",
        f"!field = !stencil.field<{generate.bounds(rank, radius, type, pad=pad)}>",
        f"!temp = !stencil.temp<{'?x' * rank}{type}>",
        "",
        f"func.func @{name}({', '.join(f'{a}: {open_type}' for a in given)}, %steps: index) {{",
        *(f"  {b} = stencil.cast {a} : {open_type} -> !field" for a, b in zip(given, begin)),
        "  %zero = arith.constant 0 : index",
        "  %one = arith.constant 1 : index",
        f"  %r:{2 * states} = scf.for %step = %zero to %steps step %one"
        f" iter_args({', '.join(f'{n} = {n}0' for n in old + new)}) -> ({types}) {{",
        *(f"    {t} = stencil.load {f} : !field -> !temp" for t, f in zip(loaded, old + fixed)),
        f"    %new{f':{states}' if states > 1 else ''} = stencil.apply("
        + ", ".join(f"%x{i} = {t} : !temp" for i, t in enumerate(loaded))
        + f") -> ({', '.join(['!temp'] * states)}) {{",
        *(f"      {line}" for line in body.lines),
        f"      stencil.return {', '.join(results)} : {', '.join([type] * states)}",
        "    }",
        *(f"    stencil.store {value} to {f}({box_text}) : !temp to !field" for value, f in zip(values, new)),
        f"    scf.yield {', '.join(new + old)} : {types}",
        "  }",
        "  return",
        "}",
    ]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", nargs="?", choices=[*NAMES, *WIDE_STARS])
    parser.add_argument("--type", choices=generate.CXX_TYPES, default="f64")
    parser.add_argument("--pad", action="store_true", help="rows of multiples of 16 bytes, for GPUs")
    parser.add_argument("--list", action="store_true")
    o = parser.parse_args()
    if o.list:
        print("\n".join(NAMES))
    elif o.name:
        sys.stdout.write(mlir(o.name, o.type, o.pad))
    else:
        parser.error("expected a name, or --list")


if __name__ == "__main__":
    main()
