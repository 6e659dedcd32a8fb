#!/usr/bin/env python3
"""usage: check_random.py DIR [LOW:HIGH LOW:HIGH]

Compares arrays that stencil-run made with an implementation of its own of the
generator that include/StencilDialect/Execution/Arguments.h describes: all of
them, or those in f64 and f16, which are in these ranges.
"""

import pathlib
import sys

import numpy as np

MASK = 2**64 - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z):
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def bits(seed, index):
    return mix((mix((seed + GAMMA) & MASK) + (index + 1) * GAMMA) & MASK)


def real(b, low=1 / 64, high=1.0):
    return low + (high - low) * ((b >> 12) * 2.0**-52)


def check(name, dtype, seed, value):
    got = np.load(pathlib.Path(sys.argv[1]) / f"{name}.npy")
    want = np.array([value(bits(seed, i)) for i in range(1000)]).astype(dtype)
    assert got.dtype == want.dtype, (name, got.dtype)
    np.testing.assert_array_equal(got, want, err_msg=name)


if len(sys.argv) > 2:
    for name, dtype, seed, text in (("f64", "f8", 1, sys.argv[2]), ("f16", "f2", 2, sys.argv[3])):
        low, high = map(float, text.split(":"))
        check(name, dtype, seed, lambda b: real(b, low, high))
else:
    check("f64", "f8", 1, real)
    check("f32", "f4", 1, real)
    check("f16", "f2", 2, real)
    check("i8", "i1", 1, lambda b: 1 + ((b >> 32) * 100 >> 32))
    check("i1", "?", 2**64 - 1, lambda b: b >> 63)
