#!/usr/bin/env python3
"""usage: arrays.py DIR

Writes .npy files, good and bad, for a field of 6 x 7 doubles.
"""

import pathlib
import sys

import numpy as np

out = pathlib.Path(sys.argv[1])
out.mkdir(parents=True, exist_ok=True)
good = 1.0 + np.arange(42.0).reshape(6, 7) / 64
np.save(out / "good.npy", good)
np.save(out / "float.npy", good.astype("f4"))
np.save(out / "int.npy", good.astype("i8"))
np.save(out / "big-endian.npy", good.astype(">f8"))
np.save(out / "fortran.npy", np.asfortranarray(good))
np.save(out / "wide.npy", np.ones((6, 8)))
np.save(out / "flat.npy", np.ones(42))
np.save(out / "small.npy", np.ones((2, 2)))
np.save(out / "object.npy", np.array([{}, None]), allow_pickle=True)
data = (out / "good.npy").read_bytes()
(out / "truncated.npy").write_bytes(data[:-8])
(out / "long.npy").write_bytes(data + b"12345678")
(out / "header.npy").write_bytes(data[:20])
(out / "empty.npy").write_bytes(b"")
(out / "text.npy").write_text("1 2 3\n")
huge = data.replace(b"(6, 7)", b"(2147483648, 2147483648)")
(out / "huge.npy").write_bytes(huge)
