"""NumPy reference of examples/acoustic25."""

import numpy as np

WEIGHTS = [np.float32(w) for w in (-8.54166667, 1.6, -0.2, 2.53968254e-2, -1.78571429e-3)]


def boundary(u):
    """Axis 1: odd about the first interior point; all other ends: 0."""
    i = slice(4, -4)
    u[:4, i, i] = u[-4:, i, i] = 0
    for d in range(1, 5):
        u[:, 4 - d, i] = -u[:, 4 + d, i]
    u[:, -4:, i] = 0
    u[:, :, :4] = u[:, :, -4:] = 0


def shifted(u, axis, by):
    window = [slice(4, -4)] * 3
    window[axis] = slice(4 + by, u.shape[axis] - 4 + by)
    return u[tuple(window)]


def run(old, now, k, steps):
    p, u = old, now
    i = (slice(4, -4),) * 3
    for _ in range(steps):
        boundary(u)
        lap = WEIGHTS[0] * u[i]
        for r in range(1, 5):
            x, y, z = (shifted(u, axis, -r) + shifted(u, axis, r) for axis in range(3))
            lap = lap + WEIGHTS[r] * ((x + y) + z)
        p[i] = (np.float32(2) * u[i] - p[i]) + k * lap
        p, u = u, p
    return old, now, k
