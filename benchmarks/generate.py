#!/usr/bin/env python3
"""Generates the benchmark kernels: kernels/*.mlir.

usage: generate.py [--check]              --check: exit 1 if a committed file is not current
       generate.py NAME [--type f32|f64] [--pad | --handwritten]
                                          prints one, or its value at a point in C++ for handwritten/
                                          --pad: rows of multiples of 16 bytes, for GPUs

The eight kernels of the ConvStencil suite and the six of the BrickLib suite.
A kernel is a list of classes of points that share a weight:
- heat and BrickLib: symmetric, as in the papers: points at the same distances
  from the axes form a class (7-point star: 2, 27-point cube: 4, 125-point cube: 10);
- ConvStencil's others: every point has a weight of its own, since it takes any
  weights.
Weights are no round numbers, differ from class to class and add up to just
under 1, so that sweeping over and over neither blows up nor dies out. Both
languages evaluate w0 * (sum of class 0) + w1 * (sum of class 1) + ... in the
same order. Python's standard library is enough.
"""

import argparse
import itertools
import pathlib
import sys

HERE = pathlib.Path(__file__).parent


def box(rank, radius):
    return list(itertools.product(range(-radius, radius + 1), repeat=rank))


def star(rank, radius):
    return [o for o in box(rank, radius) if sum(map(bool, o)) <= 1]


def symmetric(points):
    classes = {}
    for o in points:
        classes.setdefault(tuple(sorted(map(abs, o))), []).append(o)
    return [classes[key] for key in sorted(classes)]


def general(points):
    return [[o] for o in points]


BYTES = {"f64": 8, "f32": 4}
CXX_TYPES = {"f64": "double", "f32": "float"}
KERNELS = {
    "conv_heat1d": symmetric(star(1, 1)),
    "conv_1d5p": general(star(1, 2)),
    "conv_heat2d": symmetric(star(2, 1)),
    "conv_box2d9p": general(box(2, 1)),
    "conv_star2d13p": general(star(2, 3)),
    "conv_box2d49p": general(box(2, 3)),
    "conv_heat3d": symmetric(star(3, 1)),
    "conv_box3d27p": general(box(3, 1)),
    "brick_star7p": symmetric(star(3, 1)),
    "brick_star13p": symmetric(star(3, 2)),
    "brick_star19p": symmetric(star(3, 3)),
    "brick_star25p": symmetric(star(3, 4)),
    "brick_cube27p": symmetric(box(3, 1)),
    "brick_cube125p": symmetric(box(3, 2)),
}


def weights(classes):
    raw = [1 + (0.6180339887 * i + 0.37) % 1 for i in range(1, len(classes) + 1)]
    total = sum(w * len(c) for w, c in zip(raw, classes))
    return [int(0.99999 * w / total * 1e8) / 1e8 for w in raw]


def radius(classes):
    return max(abs(x) for c in classes for o in c for x in o)


def bounds(rank, radius, type, extents=None, pad=False):
    """The fields of a kernel, as in their type. `pad` widens rows to multiples of 16 bytes, if the extents are some:
    GPUs copy boxes of such rows in bulk."""
    last = radius
    if pad and rank > 1:
        unit = 16 // BYTES[type]
        last = -(-radius // unit) * unit
    halos = [radius] * (rank - 1) + [last]
    return "x".join(f"[-{h},{n + h if extents else f'?+{h}'}]" for h, n in zip(halos, extents or halos)) + f"x{type}"


def mlir(name, classes, type="f64", pad=False, numbers=None):
    """The program of a kernel; `numbers` are other weights of its classes."""
    rank, r = len(classes[0][0]), radius(classes)
    points = sum(map(len, classes))
    field = bounds(rank, r, type, pad=pad)
    body, total = [], ""
    for k, (w, members) in enumerate(zip(numbers or weights(classes), classes)):
        acc = ""
        for i, o in enumerate(members):
            body.append(f"%x{k}_{i} = stencil.access %x[{', '.join(map(str, o))}] : !temp")
            if acc:
                body.append(f"%s{k}_{i} = arith.addf {acc}, %x{k}_{i} : {type}")
            acc = f"%s{k}_{i}" if acc else f"%x{k}_{i}"
        body.append(f"%w{k} = arith.constant {w!r} : {type}")
        body.append(f"%m{k} = arith.mulf %w{k}, {acc} : {type}")
        if total:
            body.append(f"%a{k} = arith.addf {total}, %m{k} : {type}")
        total = f"%a{k}" if total else f"%m{k}"
    body.append(f"stencil.return {total} : {type}")
    what = f"{points} points, {len(classes)} weights. Made by benchmarks/generate.py."
    return sweeps(name, what, field, rank, type, body)


def sweeps(name, what, field, rank, type, body, upper=None):
    """A program that sweeps between two fields: arguments u, v, steps. `body` has the lines of the apply's body, `field`
    the bounds of the fields and their type; `upper` are the extents, which are open without it."""
    open_type = "!stencil.field<" + "?x" * rank + f"{type}>"
    lower, upper = ", ".join(["0"] * rank), ", ".join(map(str, upper or ["?"] * rank))
    lines = "\n".join("      " + line for line in body)
    return f"""// {name}: {what}

!field = !stencil.field<{field}>
!temp = !stencil.temp<{"?x" * rank}{type}>

func.func @{name}(%arg0: {open_type}, %arg1: {open_type}, %steps: index) {{
  %u0 = stencil.cast %arg0 : {open_type} -> !field
  %v0 = stencil.cast %arg1 : {open_type} -> !field
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %step = %zero to %steps step %one iter_args(%u = %u0, %v = %v0) -> (!field, !field) {{
    %old = stencil.load %u : !field -> !temp
    %new = stencil.apply(%x = %old : !temp) -> (!temp) {{
{lines}
    }}
    stencil.store %new to %v(<[{lower}], [{upper}]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }}
  return
}}
"""


def at(offset):
    """The C++ spelling of a point; y and z are the strides of a row and a plane."""
    text = ""
    for d, stride in zip(offset, ["z", "y", ""][-len(offset) :]):
        if d:
            sign = " - " if d < 0 else " + "
            factor = "" if abs(d) == 1 and stride else f"{abs(d)}"
            text += (sign if text else sign.strip(" +")) + " * ".join(filter(None, (factor, stride)))
    return f"p[{text or 0}]"


def wrap(words, indent):
    lines = [indent + words[0]]
    for word in words[1:]:
        if len(lines[-1] + word) > 78:
            lines.append(indent + "   ")
        lines[-1] += " " + word
    return "\n".join(lines)


def cxx(name, classes, type="f64"):
    """The value at a point in C++: a class as handwritten/sweeps.h wants it."""
    rank = len(classes[0][0])
    lines = []
    for k, (w, members) in enumerate(zip(weights(classes), classes)):
        spelled = [at(o) for o in members]
        value = " + ".join(spelled) if len(spelled) == 1 else "(" + " + ".join(spelled) + ")"
        start = f"T r = T({w!r}) *" if k == 0 else f"r += T({w!r}) *"
        words = f"{start} {value};".replace(" + p", "\0+ p").split("\0")
        lines.append(wrap(words, "    "))
    return cxx_struct(name, rank, radius(classes), type, "\n".join(lines))


def cxx_struct(name, rank, radius, type, body):
    unused = {1: ("Stride", "Stride"), 2: ("Stride y", "Stride"), 3: ("Stride y", "Stride z")}[rank]
    return f"""struct {name} {{
  using T = {CXX_TYPES[type]};
  static constexpr int rank = {rank}, radius = {radius}, fields = 2;
  static constexpr bool isLong = false;
  [[gnu::always_inline]] static T at(const T *p, {unused[0]}, {unused[1]}) {{
{body}
    return r;
  }}
}};
"""


def files():
    return {HERE / "kernels" / f"{name}.mlir": mlir(name, c) for name, c in KERNELS.items()}


def show(args):
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=KERNELS)
    parser.add_argument("--type", choices=CXX_TYPES, default="f64")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--pad", action="store_true")
    form.add_argument("--handwritten", action="store_true")
    args = parser.parse_args(args)
    classes = KERNELS[args.name]
    if args.handwritten:
        sys.stdout.write(cxx(args.name, classes, args.type))
    else:
        sys.stdout.write(mlir(args.name, classes, args.type, args.pad))


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        return show(sys.argv[1:])
    stale = False
    for path, text in files().items():
        if sys.argv[1:]:
            if not path.exists() or path.read_text() != text:
                print(f"error: {path.relative_to(HERE)} is not current: run generate.py")
                stale = True
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
    sys.exit(stale)


if __name__ == "__main__":
    main()
