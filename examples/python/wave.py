#!/usr/bin/env python3
"""A wave in a tank with fixed walls, driven at one point by a Ricker wavelet: three levels in time, as Devito has them.

usage: wave.py [--size 300x400] [--steps 300] [--target cpu] [--picture wave.png]
"""

import argparse

import numpy as np
import stencil
from stencil import Field, cast, exp, f64, index, indices, reduce, time_loop, where

still = stencil.dirichlet(0.0)


@stencil.program
def wave(old: Field(2), now: Field(2, boundary=still), new: Field(2), k: f64, row: index, column: index, steps: index):
    i, j = indices(2)
    for step in time_loop(steps, rotate=(old, now, new)):
        # The same at all points: computed once per step.
        phase = 0.1 * (cast(step, f64) - 30.0)
        source = (1.0 - 2.0 * phase * phase) * exp(-phase * phase)
        laplacian = now[i - 1, j] + now[i + 1, j] + now[i, j - 1] + now[i, j + 1] - 4.0 * now[i, j]
        driven = where((i == row) & (j == column), source, 0.0)
        new[i, j] = 2.0 * now[i, j] - old[i, j] + k * laplacian + driven
    return reduce("max", abs(now[i, j]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", default="300x400")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--picture")
    options = parser.parse_args()
    rows, columns = map(int, options.size.split("x"))

    run = stencil.compile(wave, target=options.target)
    levels = [np.zeros((rows + 2, columns + 2)) for _ in range(3)]
    largest = run(*levels, k=0.25, row=rows // 3, column=columns // 3, steps=options.steps)
    _, now, _ = stencil.rotated(levels, options.steps)
    print(f"{options.steps} steps: the largest displacement is {largest:.6f}")
    assert largest == np.abs(now[1:-1, 1:-1]).max()
    if options.picture:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot

        pyplot.imsave(options.picture, now[1:-1, 1:-1], cmap="RdBu", vmin=-0.3, vmax=0.3)


if __name__ == "__main__":
    main()
