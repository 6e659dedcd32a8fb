"""NumPy reference of examples/wave2d."""

import math


def run(old, now, steps, row, col):
    p, u = old, now
    for step in range(steps):
        b = (0.1 * (step - 30)) ** 2
        ricker = (1.0 - 2.0 * b) * math.exp(-b)
        u[0, :] = u[-1, :] = 0.0
        u[:, 0] = u[:, -1] = 0.0
        c = u[1:-1, 1:-1]
        lap = ((u[:-2, 1:-1] + u[2:, 1:-1]) + (u[1:-1, :-2] + u[1:-1, 2:])) + -4.0 * c
        new = (2.0 * c - p[1:-1, 1:-1]) + 0.25 * lap
        new[row, col] += ricker
        p[1:-1, 1:-1] = new
        p, u = u, p
    return old, now
