#!/usr/bin/env python3
"""usage: check_average.py IN.npy OUT.npy WEIGHT

Checks what Inputs/average.mlir made of IN, which is positive: three sums and a product are rounded, here and there.
"""

import sys

import numpy as np

a, b, w = np.load(sys.argv[1]), np.load(sys.argv[2]), float(sys.argv[3])
want = np.zeros_like(a)
want[1:-1, 1:-1] = w * ((a[:-2, 1:-1] + a[2:, 1:-1]) + (a[1:-1, 2:] + a[1:-1, :-2]))
np.testing.assert_allclose(b, want, rtol=8 * 2.0**-53, atol=0)
