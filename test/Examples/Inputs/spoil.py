"""Writes the right result of two heat1d steps, and wrong ones: spoil.py IN.npy DIR."""

import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "reference"))
import heat1d

start, out = np.load(sys.argv[1]), pathlib.Path(sys.argv[2])
right, _ = heat1d.run(start, np.zeros_like(start), 2)


def save(name, at=None, value=None):
    a = right.copy()
    if at is not None:
        a[at] = value
    np.save(out / name, a)


save("right.npy")
bits = right.view(np.int64).copy()
bits[17] += 3
save("ulp3.npy", 17, bits.view(np.float64)[17])
save("nan.npy", 5, np.nan)
save("sign.npy", 20, -right[20])
np.save(out / "float.npy", right.astype(np.float32))
np.save(out / "short.npy", right[:-1])
