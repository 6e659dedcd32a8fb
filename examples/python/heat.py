#!/usr/bin/env python3
"""Heat spreads in an insulated plate of any size: a program written in Python, compiled, called on NumPy arrays.

usage: heat.py [--size 300x400] [--steps 500] [--target cpu] [--picture heat.png] [--print]

With --print, the program as text of the stencil dialect, which stencil-run takes, too.
"""

import argparse

import numpy as np
import stencil
from stencil import Field, f64, index, indices, neumann, time_loop


@stencil.program
def heat(u: Field(2, boundary=neumann), v: Field(2), a: f64, steps: index):
    i, j = indices(2)
    for _ in time_loop(steps, rotate=(u, v)):
        laplacian = u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j]
        v[i, j] = u[i, j] + a * laplacian


def hot_square(rows, columns):
    """A cold plate with a hot square, and a cell of halo around it."""
    plate = np.full((rows + 2, columns + 2), 20.0)
    plate[rows // 3 : rows // 2, columns // 4 : columns // 2] = 95.0
    return plate


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="300x400")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--picture")
    parser.add_argument("--print", action="store_true")
    options = parser.parse_args()
    if options.print:
        print(heat, end="")
        return

    run = stencil.compile(heat, target=options.target)
    u = hot_square(*map(int, options.size.split("x")))
    v = np.zeros_like(u)
    before = u[1:-1, 1:-1].mean()
    run(u, v, 0.2, options.steps)
    # After each step the arrays have changed places.
    u, v = stencil.rotated((u, v), options.steps)
    after = u[1:-1, 1:-1]
    print(f"{options.steps} steps: {after.min():.2f} to {after.max():.2f} degrees, mean {after.mean():.6f}, before {before:.6f}")
    if options.picture:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        pyplot.imsave(options.picture, after, cmap="inferno")


if __name__ == "__main__":
    main()
