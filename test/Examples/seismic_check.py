"""Looks at what examples/seismic/run wrote.

    seismic_check.py fields PROGRAM.mlir       fields that the applies of the sweep read and store to
    seismic_check.py decay DIR --below SHARE   the last energy is below this share of the largest one
    seismic_check.py decay DIR --above SHARE
    seismic_check.py arrival DIR --velocity V --peak F --dt T --spacing H --source Z,Y,X --receivers Z,Y --between A,B

`arrival` compares the traces of the receivers from A to B with what a point source sends into a homogeneous medium: the
wavelet, r / V later, r times weaker. Exit 1 if it is not so.
"""

import argparse
import pathlib
import re
import sys

import numpy as np


def fields(arguments):
    for line in pathlib.Path(arguments.path).read_text().splitlines():
        if 'stencil.name = "sweep"' not in line:
            continue
        inputs, outputs = re.search(r"apply\((.*)\) outs \((.*?)\) attributes", line).groups()
        box = re.search(r"stencil.region = #stencil.bounds<(.*?)>", line)
        ranks = [shape.count("]x") for shape in re.findall(r"field<(.*?)>", inputs)]
        reads = ", ".join(f"{ranks.count(rank)} in {rank}D" for rank in sorted(set(ranks), reverse=True))
        print(f"{box[1] if box else 'all'}: reads {reads}, stores to {outputs.count('field<')}")


def decay(arguments):
    energies = np.load(f"{arguments.path}/energy.npy").astype(np.float64)
    share = energies[-1] / energies.max()
    print(f"energy: {share:.3g} of the largest one is left")
    if arguments.below is not None and not share < arguments.below:
        sys.exit(f"error: expected less than {arguments.below}")
    if arguments.above is not None and not share > arguments.above:
        sys.exit(f"error: expected more than {arguments.above}")


def largest_at(trace):
    """Where the trace is largest, between samples: the top of a parabola; and how large."""
    i = int(np.argmax(trace))
    a, b, c = trace[i - 1 : i + 2]
    shift = 0.5 * (a - c) / (a - 2 * b + c)
    return i + shift, b - 0.25 * (a - c) * shift


def arrival(arguments):
    traces = np.load(f"{arguments.path}/seismogram.npy").astype(np.float64)
    source = np.array([float(n) for n in arguments.source.split(",")])
    z, y = (float(n) for n in arguments.receivers.split(","))
    first, end = (int(n) for n in arguments.between.split(","))
    strengths = []
    for x in range(first, end):
        distance = arguments.spacing * np.linalg.norm(source - (z, y, x))
        # The wavelet is largest after 1.5 periods; row n is at the time (n + 1) dt.
        expected = (1.5 / arguments.peak + distance / arguments.velocity) / arguments.dt - 1
        at, strength = largest_at(traces[:, x])
        strengths.append(strength * distance)
        print(f"receiver {x}: at {distance:.0f} m, step {at:.2f}, expected {expected:.2f}")
        if not abs(at - expected) < 1:
            sys.exit("error: expected a difference of less than a step")
    spread = (max(strengths) - min(strengths)) / max(strengths)
    print(f"strength times distance differs by {100 * spread:.1f} %")
    if not spread < 0.05:
        sys.exit("error: expected less than 5 %")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["fields", "decay", "arrival"])
    parser.add_argument("path")
    parser.add_argument("--below", type=float)
    parser.add_argument("--above", type=float)
    for name in ("velocity", "peak", "dt", "spacing"):
        parser.add_argument(f"--{name}", type=float)
    for name in ("source", "receivers", "between"):
        parser.add_argument(f"--{name}")
    arguments = parser.parse_args()
    {"fields": fields, "decay": decay, "arrival": arrival}[arguments.what](arguments)


if __name__ == "__main__":
    main()
