#!/usr/bin/env python3
"""Compares the arrays that an example left with its NumPy reference.

usage: check.py EXAMPLE --arg VALUE... --got I=FILE.npy... [--ulp U] [--eps-of-max K]

The --arg are what stencil-run was given: files, `zeros` (an array like the
first one) or integers. A point is right when it is within U units in the last
place of the reference, or when its error is at most K * eps * max|reference|.
Both bounds are 0 by default: every bit has to agree. Exit 1 names the worst point.
"""

import argparse
import importlib
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent / "reference"))


def ulps(got, want):
    """Distance in units in the last place."""
    bits = np.dtype(f"i{got.dtype.itemsize}")

    def ordered(a):
        # Adding 0 makes -0 a 0; negative numbers count downwards from it.
        i = (a + a.dtype.type(0)).view(bits)
        return np.where(i < 0, np.iinfo(bits).min - i, i).astype(np.int64)

    g, w = ordered(got), ordered(want)
    # Modulo 2^64, which is exact where the signed difference would overflow.
    return np.maximum(g, w).view(np.uint64) - np.minimum(g, w).view(np.uint64)


def differ(got, want, ulp, eps_of_max):
    """None if `got` is right, else a sentence about the worst point."""
    if got.dtype != want.dtype or got.shape != want.shape:
        return f"expected {want.dtype}{list(want.shape)}, got {got.dtype}{list(got.shape)}"
    if got.dtype.kind != "f":
        distance = np.abs(got.astype(float) - want)
        wrong = got != want
    else:
        if not np.isfinite(want).all() or np.abs(want).max() == 0:
            return "the reference is not a number, infinite or zero: the test tests nothing"
        distance = ulps(got, want)
        error = np.abs(got.astype(np.float64) - want)
        bound = eps_of_max * np.finfo(want.dtype).eps * np.abs(want).max()
        wrong = ~((distance <= ulp) | (error <= bound))
        wrong |= ~np.isfinite(got)
        eps = error.max() / (np.finfo(want.dtype).eps * np.abs(want).max())
        print(f"max {distance.max():g} ulp, {eps:g} eps of max")
    if wrong.any():
        at = np.unravel_index(np.argmax(np.where(wrong, distance, -1.0)), want.shape)
        point = list(map(int, at))
        return f"{wrong.sum()} points differ, worst at {point}: expected {want[at]!r}, got {got[at]!r}"
    return None


def main():
    p = argparse.ArgumentParser()
    p.add_argument("example")
    p.add_argument("--arg", action="append", default=[])
    p.add_argument("--got", action="append", default=[])
    p.add_argument("--ulp", type=float, default=0.0)
    p.add_argument("--eps-of-max", type=float, default=0.0)
    args = p.parse_args()
    values = []
    for a in args.arg:
        if a == "zeros":
            values.append(np.zeros_like(values[0]))
        else:
            values.append(np.load(a) if a.endswith(".npy") else int(a))
    if not args.got:
        p.error("expected at least one --got")
    want = importlib.import_module(args.example).run(*values)
    failed = False
    for got in args.got:
        index, file = got.split("=", 1)
        problem = differ(np.load(file), want[int(index)], args.ulp, args.eps_of_max)
        if problem:
            print(f"error: argument {index} of {args.example}: {problem}", file=sys.stderr)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
