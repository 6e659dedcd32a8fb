"""Composes hundreds of steps along one axis with a tolerance, and compares with the program as it is.

    cut_sums.py --bin build/bin --work DIR

For every boundary condition: 600 steps of a sum of three or five points, 300 at once, the ends of the composed sum dropped. What
is dropped is below rounding, so that all points, of the rim as of the interior, are those of the interpreter but for
roundings.
"""

import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "random"))

from harness import Failure, make_parser, run_seeds  # noqa: E402

CONDITIONS = ["", "dirichlet<1.5>", "neumann", "symmetric", "antisymmetric", "symmetric_about_face", "antisymmetric_about_face", "extrapolate<1>", "periodic", "keep"]
# Diffusion with a drift, and of a different reach at both ends.
STEPS = [([-1, 0, 1], [0.3, 0.45, 0.25]), ([-1, 0, 1, 2], [0.2, 0.5, 0.2, 0.1])]
EXTENT, COUNT, AT_ONCE = 900, 602, 300


def make(condition, offsets, weights):
    boundary = f"stencil.boundary %u(<[0], [{EXTENT}]>) [#stencil.{condition}] : !field" if condition else ""
    return f"""!field = !stencil.field<[-2,{EXTENT + 2}]xf64>
!temp = !stencil.temp<?xf64>
func.func @f(%a: !field, %b: !field) {{
  %zero = arith.constant 0 : index
  %n = arith.constant {COUNT} : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {{
    {boundary}
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {{
      %w = stencil.weighted_sum %x offsets {[[o] for o in offsets]} weights dense<{weights}> : tensor<{len(weights)}xf64> : !temp
      %c = arith.constant 0.001 : f64
      %d = arith.addf %w, %c : f64
      stencil.return %d : f64
    }}
    stencil.store %s to %v(<[0], [{EXTENT}]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }}
  return
}}
"""


def run(trial, path, fields, target):
    results = [trial.path(f"result-{i}.npy") for i in range(2)]
    words = [word for i in range(2) for word in ["--arg", f"{i}={fields[i]}", "--out", f"{i}={results[i]}"]]
    trial.run("stencil-run", path, "--target", target, *words)
    return [np.load(result) for result in results]


def check(trial):
    condition, step = CONDITIONS[trial.seed % len(CONDITIONS)], STEPS[trial.seed // len(CONDITIONS)]
    path, composed = trial.write("program.mlir", make(condition, *step)), trial.path("composed.mlir")
    fields = [trial.path(f"{i}.npy") for i in range(2)]
    for i, name in enumerate(fields):
        np.save(name, np.random.RandomState(trial.seed + 100 * i).rand(EXTENT + 4))
    options = f"--stencil-compose-steps=steps={AT_ONCE} tolerance=1e-17 math=reassociate"
    trial.run("stencil-opt", path, options, "-o", composed)
    with open(composed, encoding="utf-8") as file:
        text = file.read()
    taps = max(int(size) for size in re.findall(r": tensor<(\d+)xf64>", text))
    whole = AT_ONCE * (step[0][-1] - step[0][0]) + 1
    if not 150 < taps < whole / 2:
        raise Failure(f"{composed}: {taps} of {whole} taps are left")
    for want, got in zip(run(trial, path, fields, "interpreter"), run(trial, composed, fields, "cpu")):
        error = np.abs(want - got).max()
        if not error < 1e-12:
            raise Failure(f"{composed}: differs by {error}")


if __name__ == "__main__":
    sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
