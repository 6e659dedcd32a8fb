#!/usr/bin/python3
"""Velocity models of the seismic example.

usage: model.py FILE.npy [--size NZxNX]

Writes a layered section in m/s as FILE.npy: water, five layers of rock that dip and
fold, and a body of salt. Needs NumPy (python3-numpy).
"""

import argparse
import re
import sys

import numpy as np

import files
from program import Failure

# Of anything that waves are sent through, in m/s: water vapour to diamond.
SLOWEST, FASTEST = 100.0, 20000.0


def layered(nz, nx):
    """A section of nz x nx points, axis 0 is depth; velocities in m/s, FP32."""
    z = (np.arange(nz) + 0.5)[:, None] / nz
    x = (np.arange(nx) + 0.5)[None, :] / nx
    fold = 0.05 * np.sin(2 * np.pi * (x - 0.1)) + 0.06 * (x - 0.5)
    section = np.full((nz, nx), 1500.0, np.float32)
    for depth, velocity in ((0.22, 1800), (0.36, 2200), (0.5, 2700), (0.66, 3300), (0.82, 4000)):
        # Deeper layers are folded more.
        section[z > depth + fold * (1.5 * depth)] = velocity
    salt = ((z - 0.62) / 0.11) ** 2 + ((x - 0.7) / 0.14) ** 2 + 3 * (x - 0.7) * (z - 0.62) < 1
    section[salt] = 4500
    return section


def read(path, scale=1.0, is_transposed=False):
    """The section in a .npy file, [z, x], in m/s."""
    try:
        section = np.load(path, allow_pickle=False)
    except Exception as error:  # NumPy has one of its own for each way in which a header can be broken.
        raise Failure(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if not isinstance(section, np.ndarray) or section.ndim != 2 or section.size == 0:
        got = f"{section.ndim}D of shape {section.shape}" if isinstance(section, np.ndarray) else "an archive"
        raise Failure(f"{path}: expected a section, 2D with points, [z, x]; got {got}")
    if section.dtype.kind not in "fiu":
        raise Failure(f"{path}: expected numbers, got elements of type {section.dtype}")
    section = section.astype(np.float64) * scale
    if is_transposed:
        section = section.T
    wrong = np.argwhere(~((section >= SLOWEST) & (section <= FASTEST)))
    if wrong.size:
        z, x = wrong[0]
        raise Failure(
            f"{path}: expected velocities from {SLOWEST:g} to {FASTEST:g} m/s, got {section[z, x]:g} at z = {z}, x = {x}"
            " (--model-scale 1000 is for km/s)"
        )
    return section


def resample(section, nz, nx):
    """The section on a grid of nz x nx points, linear in between; FP32."""
    for axis, count in enumerate((nz, nx)):
        length = section.shape[axis]
        at = np.clip((np.arange(count) + 0.5) * length / count - 0.5, 0, length - 1)
        low = np.minimum(at.astype(int), max(0, length - 2))
        share = at - low
        share = share[:, None] if axis == 0 else share[None, :]
        high = np.minimum(low + 1, length - 1)
        section = (1 - share) * section.take(low, axis) + share * section.take(high, axis)
    return np.ascontiguousarray(section, np.float32)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, usage=argparse.SUPPRESS, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file")
    parser.add_argument("--size", default="200x300", help="points in depth and along x")
    arguments = parser.parse_args()
    if not re.fullmatch(r"[1-9]\d{0,4}x[1-9]\d{0,4}", arguments.size):
        parser.error(f"--size: expected two positive numbers joined by x, got '{arguments.size}'")
    try:
        files.save(arguments.file, layered(*map(int, arguments.size.split("x"))))
    except OSError as error:
        sys.exit(f"error: {arguments.file}: {error.strerror}")


if __name__ == "__main__":
    main()
