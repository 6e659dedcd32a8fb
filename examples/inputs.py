#!/usr/bin/env python3
"""Writes the initial states of the examples as .npy files.

usage: inputs.py EXAMPLE DIR [--size 1024x1024] [--from FILE.npy]

Arrays are C-ordered and carry the halo of the example's fields. They are called
DIR/EXAMPLE-NAME.npy. Needs NumPy (python3-numpy).
"""

import argparse
import pathlib
import sys

import numpy as np

FONT = {  # 5 x 7 letters, one number per row
    "H": (17, 17, 17, 31, 17, 17, 17),
    "E": (31, 16, 16, 30, 16, 16, 31),
    "A": (14, 17, 17, 31, 17, 17, 17),
    "T": (31, 4, 4, 4, 4, 4, 4),
}


def letters(text):
    rows = [[c == "1" for ch in text for c in f"{FONT[ch][y]:05b}0"] for y in range(7)]
    return np.array(rows)


def snowflake(depth=4):
    """The corners of a Koch snowflake around 0, as complex numbers y + ix."""
    p = np.exp(2j * np.pi * np.arange(4) / 3 + 1j * np.pi)
    for _ in range(depth):
        d = np.diff(p) / 3
        tip = p[:-1] + d + d * np.exp(-1j * np.pi / 3)
        p = np.append(np.stack([p[:-1], p[:-1] + d, tip, p[:-1] + 2 * d], 1).ravel(), p[0])
    return p


def fill(mask, corners):
    """Sets the points of `mask` that lie inside a polygon (even-odd rule)."""
    crossings = np.zeros(mask.shape, np.int8)
    for a, b in zip(corners[:-1], corners[1:]):
        lo, hi = sorted((a, b), key=lambda z: z.real)
        y = np.arange(max(int(np.ceil(lo.real)), 0), min(int(np.ceil(hi.real)), mask.shape[0]))
        if y.size:
            x = lo.imag + (y - lo.real) * (hi.imag - lo.imag) / (hi.real - lo.real)
            x = np.clip(np.ceil(x), 0, mask.shape[1] - 1).astype(int)
            np.add.at(crossings, (y, x), 1)
    mask |= np.cumsum(crossings, axis=1) % 2 == 1


def hot_shapes(n, m):
    """Hot shapes on a cold plate: a snowflake, two rings, a bar, a word.

    The plate is at 20 degrees (with some unevenness) and not at 0, where the
    spreading tails would be denormal numbers.
    """
    y, x = np.mgrid[0:n, 0:m]
    s = min(n, m)
    hot = np.zeros((n, m), bool)
    fill(hot, 0.36 * n + 0.3 * m * 1j + 0.24 * s * snowflake())
    for cy, cx, r in ((0.28, 0.74, 0.16), (0.28, 0.74, 0.07)):
        d = np.hypot(y - cy * n, x - cx * m)
        hot |= np.abs(d - r * s) < 0.018 * s
    hot |= (np.abs(y - 0.54 * n) < 0.012 * n) & (np.abs(x - 0.72 * m) < 0.2 * m)
    word = letters("HEAT")
    h, w = int(0.26 * n), int(0.76 * m)
    i = np.arange(h) * word.shape[0] // max(h, 1)
    j = np.arange(w) * word.shape[1] // max(w, 1)
    top, left = int(0.68 * n), int(0.13 * m)
    hot[top : top + h, left : left + w] |= word[i][:, j]
    noise = np.random.default_rng(1).random((n, m))
    return 20.0 + 0.5 * noise + 75.0 * hot


def pad(a, halo, like="edge"):
    return np.ascontiguousarray(np.pad(a, halo, like))


def heat1d(size, source):
    x = np.linspace(0, 1, size[0])
    noise = np.random.default_rng(2).random(size[0])
    return {"u": pad(0.5 + 0.4 * np.sin(9 * np.pi * x) + 0.01 * noise, 1)}


def heat2d(size, source):
    if source is None:
        return {"u": pad(hot_shapes(*size), 1)}
    a = np.load(source)
    if a.ndim != 2:
        sys.exit(f"error: {source}: expected a 2D array, got {a.ndim}D")
    return {"u": pad(a.astype(np.float64), 1)}


def heat3d(size, source):
    z, y, x = np.meshgrid(*(np.linspace(-1, 1, n) for n in size), indexing="ij")
    ball = np.hypot(np.hypot(z - 0.6, y), x + 0.2) < 0.5
    noise = np.random.default_rng(3).random(size)
    return {"u": pad(0.25 + 0.05 * noise + 0.7 * ball, 1)}


def wave2d(size, source):
    y, x = np.mgrid[0 : size[0], 0 : size[1]]
    drop = np.exp(-((y - 0.7 * size[0]) ** 2 + (x - 0.7 * size[1]) ** 2) / (0.03 * min(size)) ** 2)
    u = pad(0.5 * drop, 1, "constant")
    return {"old": u, "now": u}


def hdiff(size, source):
    rng = np.random.default_rng(4)
    k, j, i = (np.linspace(0, 1, n) for n in (size[0], size[1] + 4, size[2] + 4))
    smooth = np.sin(5 * j)[None, :, None] * np.cos(7 * i)[None, None, :] + k[:, None, None]
    rough = rng.standard_normal(smooth.shape)
    coeff = 0.025 + 0.025 * rng.random(size)
    return {"u": smooth + 0.3 * rough, "coeff": coeff}


def life(size, source):
    cells = (np.random.default_rng(5).random(size) < 0.3).astype(np.int8)
    return {"cells": pad(cells, 1, "wrap")}


def acoustic25(size, source):
    y, z, x = np.meshgrid(*(np.arange(n) for n in size), indexing="ij")
    r2 = (y - size[0] // 2) ** 2 + (z - size[1] // 4) ** 2 + (x - size[2] // 2) ** 2
    u = pad((0.9 * np.exp(-r2 / 8.0)).astype(np.float32), 4, "constant")
    # Layers of 1.5 to 4 km/s that dip along the last axis; dt / dx = 0.1 s/km.
    velocity = 1.5 + 2.5 * np.floor(4.99 * np.clip(z / size[1] + 0.3 * x / size[2] - 0.2, 0, 0.999)) / 4
    return {"u": u, "k": ((0.1 * velocity) ** 2).astype(np.float32)}


EXAMPLES = {  # name: (maker, default size of the interior)
    "heat1d": (heat1d, (1000,)),
    "heat2d": (heat2d, (1024, 1024)),
    "heat3d": (heat3d, (48, 65, 81)),
    "wave2d": (wave2d, (401, 601)),
    "hdiff": (hdiff, (60, 63, 85)),
    "life": (life, (256, 384)),
    "acoustic25": (acoustic25, (96, 128, 160)),
}


def main():
    p = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("example", choices=EXAMPLES)
    p.add_argument("dir", type=pathlib.Path)
    p.add_argument("--size", help="interior points per axis, such as 300x400")
    p.add_argument("--from", dest="source", help="heat2d: a 2D .npy to start from")
    args = p.parse_args()
    make, size = EXAMPLES[args.example]
    if args.source and args.example != "heat2d":
        p.error("--from is for heat2d")
    if args.size:
        given = args.size.split("x")
        if len(given) != len(size) or not all(n.isdigit() and int(n) > 0 for n in given):
            p.error(f"--size: expected {len(size)} positive numbers joined by x, got '{args.size}'")
        size = tuple(map(int, given))
    args.dir.mkdir(parents=True, exist_ok=True)
    try:
        arrays = make(size, args.source)
    except (OSError, ValueError) as e:
        sys.exit(f"error: {e}")
    for name, a in arrays.items():
        np.save(args.dir / f"{args.example}-{name}.npy", a)


if __name__ == "__main__":
    main()
