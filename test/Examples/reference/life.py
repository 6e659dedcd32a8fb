"""NumPy reference of examples/life."""

import numpy as np


def run(u, v, steps):
    a, b = u, v
    for _ in range(steps):
        a[:] = np.pad(a[1:-1, 1:-1], 1, "wrap")
        cells = a[1:-1, 1:-1]
        alive = sum(
            np.roll(cells, (dy, dx), (0, 1))
            for dy in (-1, 0, 1)
            for dx in (-1, 0, 1)
            if (dy, dx) != (0, 0)
        )
        b[1:-1, 1:-1] = (alive == 3) | ((alive == 2) & (cells == 1))
        a, b = b, a
    return u, v
