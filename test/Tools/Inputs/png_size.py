#!/usr/bin/env python3
"""usage: png_size.py FILE.png...: prints the names and sizes of pictures."""

import pathlib
import struct
import sys

for path in map(pathlib.Path, sys.argv[1:]):
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n" and data[-8:-4] == b"IEND", path
    width, height = struct.unpack(">II", data[16:24])
    print(path.name, width, "x", height)
