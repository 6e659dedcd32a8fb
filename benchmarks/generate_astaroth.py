#!/usr/bin/env python3
"""Generates Astaroth's linear benchmarks: cross-correlation and diffusion.

usage: generate_astaroth.py correlation --radius R [--type f32|f64] [--taps ops|sum]
                            [--unroll N --extents N0] [-o FILE]
       generate_astaroth.py diffusion --rank D --radius R [--type f32|f64] [--taps ops|sum]
                            [--unroll N --extents N0,N1,..] [--pad] [-o FILE]

Pekkilae et al., Stencil computations on AMD and Nvidia graphics processors: performance and tuning strategies:
- correlation, section 3.1, equation 3: f'(i) = sum of g(j) f(i + j), j = -R..R, in one dimension;
- diffusion, section 3.2, equations 5 and 7: the same with the merged coefficients g = sum of c1 + dt alpha c2 over the
  axes, where c1 is the value itself and c2 the second derivative by central differences of order 2 R. (c1 counts once.)
The program sweeps between two fields, as the other kernels here. The weights of a correlation are random, all
different, not symmetric, no zero, and add up to just under 1.

Unrolling (section 4.1): "element-wise", several neighbouring outputs per thread, is --unroll N: the body computes N
outputs along the last axis, whatever the schedule; the extents, a multiple of N along that axis, are then part of the
program. `points` of a schedule does the same from outside. "Point-wise", over the points of the stencil, is --taps ops:
an operation for each of them; with --taps sum, the default, they are one stencil.weighted_sum, and the compiler decides.
--pad: rows of multiples of 16 bytes, which GPUs can copy in bulk. Python's standard library is enough.
"""

import argparse
import itertools
import math
import pathlib
import random
import struct
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
import generate  # noqa: E402

# Radius up to which the hand-written correlations name each tap.
LONGEST_WRITTEN_OUT = 4
MAX_RADIUS = 4096
# dt alpha / spacing^2. Forward Euler is stable up to 0.102 in three dimensions at R = 4.
DIFFUSION_NUMBER = 0.0731


def rounded(value, type):
    """The value in the precision of the program, so that every language reads the same number."""
    return struct.unpack("f", struct.pack("f", value))[0] if type == "f32" else float(value)


def correlation(radius, type="f64"):
    """[(offset, weight)]: 2 R + 1 taps."""
    source = random.Random(radius)
    taken, raw = set(), []
    while len(raw) < 2 * radius + 1:
        # Multiples of 2^-16 in [1, 2): different ones stay different in single precision.
        value = 1 + source.randrange(1 << 16) / (1 << 16)
        if value not in taken:
            taken.add(value)
            raw.append(value)
    scale = 0.9999 / sum(raw)
    return [((j,), rounded(scale * w, type)) for j, w in zip(range(-radius, radius + 1), raw)]


def second_derivative(radius):
    """Weights at the distances 0..R; order 2 R."""
    f = math.factorial
    outer = [
        Fraction(2 * (-1) ** (k + 1) * f(radius) ** 2, k * k * f(radius - k) * f(radius + k))
        for k in range(1, radius + 1)
    ]
    return [-2 * sum(outer), *outer]


def diffusion(rank, radius, type="f64"):
    """[(offset, weight)] of a star, the first axis slowest."""
    c2 = second_derivative(radius)
    taps = []
    for offset in itertools.product(range(-radius, radius + 1), repeat=rank):
        off_axis = [abs(x) for x in offset if x]
        if len(off_axis) <= 1:
            weight = DIFFUSION_NUMBER * float(c2[off_axis[0]]) if off_axis else 1 + DIFFUSION_NUMBER * rank * float(c2[0])
            taps.append((offset, rounded(weight, type)))
    return taps


def number(value):
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e") if "e" in text else text + ".0"


def body(taps, type, unroll, form):
    rank, lines, results = len(taps[0][0]), [], []
    for n in range(unroll):
        moved = [((*o[:-1], o[-1] + n), w) for o, w in taps]
        if form == "sum":
            offsets = ", ".join(str(list(o)) for o, _ in moved)
            weights = ", ".join(number(w) for _, w in moved)
            lines.append(f"%s{n} = stencil.weighted_sum %x offsets [{offsets}]")
            lines.append(f"    weights dense<[{weights}]> : tensor<{len(moved)}x{type}> : !temp")
            results.append(f"%s{n}")
            continue
        total = ""
        for i, (o, w) in enumerate(moved):
            lines.append(f"%x{n}_{i} = stencil.access %x[{', '.join(map(str, o))}] : !temp")
            lines.append(f"%w{n}_{i} = arith.constant {number(w)} : {type}")
            lines.append(f"%m{n}_{i} = arith.mulf %w{n}_{i}, %x{n}_{i} : {type}")
            if total:
                lines.append(f"%a{n}_{i} = arith.addf {total}, %m{n}_{i} : {type}")
            total = f"%a{n}_{i}" if total else f"%m{n}_{i}"
        results.append(total)
    tail = f" unroll <[{', '.join(['1'] * (rank - 1) + [str(unroll)])}]>" if unroll > 1 else ""
    lines.append(f"stencil.return {', '.join(results)}{tail} : {', '.join([type] * unroll)}")
    return lines


def mlir(name, taps, type="f64", unroll=1, form="sum", extents=None, pad=False):
    """A program that sweeps between two fields: arguments u, v, steps. Without extents, they are open."""
    rank = len(taps[0][0])
    radius = max(abs(x) for o, _ in taps for x in o)
    field = generate.bounds(rank, radius, type, extents, pad)
    what = f"{len(taps)} taps. Made by benchmarks/generate_astaroth.py."
    return generate.sweeps(name, what, field, rank, type, body(taps, type, unroll, form), extents)


def cxx(name, taps, type="f64"):
    """The same by hand, as handwritten/sweeps.h wants it."""
    rank, radius = len(taps[0][0]), max(abs(x) for o, _ in taps for x in o)
    if rank == 1 and radius > LONGEST_WRITTEN_OUT:
        weights = ", ".join(f"T({w!r})" for _, w in taps)
        return f"""struct {name} {{
  using T = {generate.CXX_TYPES[type]};
  static constexpr int rank = 1, radius = {radius}, fields = 2, taps = {len(taps)};
  static constexpr bool isLong = true;
  static constexpr T weights[taps] = {{{weights}}};
}};
"""
    terms = [f"T({w!r}) * {generate.at(o)}" for o, w in taps]
    return generate.cxx_struct(name, rank, radius, type, "    T r = " + " +\n          ".join(terms) + ";")


def positive(text):
    if not text.isdigit() or not 1 <= int(text) <= MAX_RADIUS:
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {MAX_RADIUS}, got '{text}'")
    return int(text)


def extents(text):
    parts = text.split(",")
    if not all(p.isdigit() and int(p) for p in parts):
        raise argparse.ArgumentTypeError(f"expected positive numbers, joined by commas, got '{text}'")
    return [int(p) for p in parts]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("kernel", choices=["correlation", "diffusion"])
    parser.add_argument("--radius", type=positive, required=True)
    parser.add_argument("--rank", type=int, choices=[1, 2, 3])
    parser.add_argument("--type", choices=["f32", "f64"], default="f64")
    parser.add_argument("--unroll", type=positive, default=1, help="outputs per body, along the last axis")
    parser.add_argument("--taps", choices=["ops", "sum"], default="sum")
    parser.add_argument("--extents", type=extents)
    parser.add_argument("--pad", action="store_true", help="widen rows to multiples of 16 bytes")
    parser.add_argument("--handwritten", action="store_true", help="print C++ for handwritten/")
    parser.add_argument("-o", type=pathlib.Path, dest="output", help="default: the standard output")
    args = parser.parse_args()
    if (args.kernel == "diffusion") != (args.rank is not None):
        parser.error("--rank is for diffusion, which needs it")
    rank = args.rank or 1
    if args.extents and len(args.extents) != rank:
        parser.error(f"--extents: expected {rank}, got {len(args.extents)}")
    if args.unroll > 1 and (not args.extents or args.extents[-1] % args.unroll):
        parser.error(f"--unroll needs --extents, the last one a multiple of {args.unroll}")
    if args.kernel == "correlation":
        name, taps = f"correlation_r{args.radius}", correlation(args.radius, args.type)
    else:
        name = f"diffusion{rank}d_r{args.radius}"
        taps = diffusion(rank, args.radius, args.type)
    if args.handwritten:
        text = cxx(name, taps, args.type)
    else:
        text = mlir(name, taps, args.type, args.unroll, args.taps, args.extents, args.pad)
    if not args.output:
        sys.stdout.write(text)
        return 0
    try:
        args.output.write_text(text)
    except OSError as error:
        sys.exit(f"error: {args.output}: {error.strerror}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
