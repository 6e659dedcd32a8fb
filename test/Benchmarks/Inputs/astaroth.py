"""Astaroth's linear kernels against NumPy, from their equations.

usage: astaroth.py GENERATOR STENCIL-RUN SCRATCH [ARGUMENT...]     the arguments are passed on to stencil-run

- Diffusion: one step of a polynomial whose degree central differences of that order are exact for is the
  polynomial plus dt alpha / spacing^2 times its second derivatives.
- Correlation: numpy.correlate with the weights that the generator has, for which what it promises holds.
"""

import importlib.util
import pathlib
import subprocess
import sys

import numpy as np

GENERATOR, RUN, SCRATCH, *REST = sys.argv[1:]
SCRATCH = pathlib.Path(SCRATCH)
SCRATCH.mkdir(parents=True, exist_ok=True)
sys.path.insert(0, str(pathlib.Path(GENERATOR).parent))
spec = importlib.util.spec_from_file_location("generator", GENERATOR)
generator = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generator)


def sweep(field, radius, type, arguments):
    """The interior after one step of the program that the command line makes."""
    program, u, out = SCRATCH / "program.mlir", SCRATCH / "u.npy", SCRATCH / "out.npy"
    np.save(u, field)
    arguments = [*arguments, "--radius", str(radius), "--type", type, "-o", program]
    subprocess.run([sys.executable, GENERATOR, *arguments], check=True)
    command = [RUN, program, "--arg", f"0={u}", "--arg", "1=zeros", "--arg", "2=1", "--out", f"1={out}", *REST]
    interior = [str(n - 2 * radius) for n in field.shape]
    subprocess.run([*command, "--extents", ",".join(interior)], check=True, stdout=subprocess.DEVNULL)
    return np.load(out)[(slice(radius, -radius),) * field.ndim].astype(float)


def check(what, got, want, type, terms, magnitude, powers=0):
    """Of a sum of `terms` products whose magnitudes add up to `magnitude` at most, weight, value, product and sum are each
    rounded by half an epsilon, and so they are, with `powers` products more, in what NumPy makes of it in double."""
    bound = magnitude * (4 * terms * 2.0 ** (-24 if type == "f32" else -53) + (4 * terms + powers) * 2.0**-53)
    if not (abs(got - want) <= bound).all():
        sys.exit(f"error: {what}: off by {abs(got - want).max()}, expected at most {bound}")
    print(f"{what}: right")


# x along the last axis is a multiple of 4 for the unrolled forms.
EXTENTS = {1: (40,), 2: (9, 24), 3: (7, 6, 20)}
for rank, extents in EXTENTS.items():
    for radius in 1, 2, 3, 4:
        for type in "f32", "f64":
            axes = [np.arange(-radius, n + radius) / n - 0.3 for n in extents]
            grids = np.meshgrid(*axes, indexing="ij")
            k = 2 * radius
            scale = generator.DIFFUSION_NUMBER
            field = sum((d + 1) * g**k for d, g in enumerate(grids))
            second = sum((d + 1) * k * (k - 1) * g ** (k - 2) / n**2 for d, (g, n) in enumerate(zip(grids, extents)))
            want = (field + scale * second)[(slice(radius, -radius),) * rank]
            forms = [[], ["--unroll", "4", "--extents", ",".join(map(str, extents)), "--taps", "ops"]]
            for form in forms if radius == 2 else forms[:1]:
                got = sweep(field.astype(type.replace("f", "float")), radius, type, ["diffusion", "--rank", str(rank), *form])
                # Magnitudes of the weights of a second derivative of order 8 add up to 6.51, those of lower ones to less.
                magnitude = (1 + 6.51 * rank * scale) * abs(field).max()
                what = f"diffusion{rank}d r={radius} {type} {' '.join(form[:2])}".rstrip()
                check(what, got, want, type, 2 * rank * radius + 1, magnitude, powers=2 * k * rank)

for radius in 1, 4, 64:
    for type in "f32", "f64":
        weights = np.array([w for _, w in generator.correlation(radius, type)])
        assert len(set(weights)) == 2 * radius + 1 and (weights > 0).all() and 0.99 < weights.sum() < 1
        field = np.random.default_rng(radius).random(100 + 2 * radius).astype(type.replace("f", "float"))
        want = np.correlate(field.astype(float), weights, "valid")
        got = sweep(field, radius, type, ["correlation"])
        # The weights, which are positive, add up to less than one.
        check(f"correlation r={radius} {type}", got, want, type, 2 * radius + 1, field.max())
