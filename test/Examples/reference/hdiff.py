"""NumPy reference of examples/hdiff."""

import numpy as np


def run(u, v, k, steps):
    a, b = u, v
    for _ in range(steps):
        # One ring more than the interior on every side.
        n, s = a[:, 2:, 1:-1], a[:, :-2, 1:-1]
        e, w = a[:, 1:-1, 2:], a[:, 1:-1, :-2]
        c = a[:, 1:-1, 1:-1]
        lap = 4.0 * c - ((s + n) + (w + e))
        fx = np.diff(lap, axis=2)
        fx[fx * np.diff(c, axis=2) > 0.0] = 0.0
        fy = np.diff(lap, axis=1)
        fy[fy * np.diff(c, axis=1) > 0.0] = 0.0
        div = np.diff(fx, axis=2)[:, 1:-1, :] + np.diff(fy, axis=1)[:, :, 1:-1]
        b[:, 2:-2, 2:-2] = a[:, 2:-2, 2:-2] - k * div
        a, b = b, a
    return u, v, k
