"""Writes .npy files without NumPy, and inputs for programs that are to be right to the bit."""

import math
import random
import struct

DESCRIPTIONS = {"f64": "<f8", "f32": "<f4", "f16": "<f2", "bf16": "<V2", "i64": "<i8", "i32": "<i4", "i16": "<i2", "i8": "|i1"}
CODES = {"f64": "d", "f32": "f", "f16": "e", "bf16": "H", "i64": "q", "i32": "i", "i16": "h", "i8": "b"}


def encode(ty, values):
    if ty == "bf16":
        values = [struct.unpack("<I", struct.pack("<f", v))[0] >> 16 for v in values]
    return struct.pack(f"<{len(values)}{CODES[ty]}", *values)


def decode(ty, data):
    values = struct.unpack(f"<{len(data) // struct.calcsize(CODES[ty])}{CODES[ty]}", data)
    if ty == "bf16":
        values = [struct.unpack("<f", struct.pack("<I", v << 16))[0] for v in values]
    return list(values)


def write_npy(path, ty, shape, values):
    text = f"{{'descr': '{DESCRIPTIONS[ty]}', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    text += " " * (-(len(text) + 11) % 64) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + encode(ty, values))


def read_npy(path):
    """The elements as bytes."""
    with open(path, "rb") as file:
        data = file.read()
    return data[10 + struct.unpack("<H", data[8:10])[0] :]


def write_integers(path, ty, shape, seed, most=8):
    """A field of small integers of either sign. Sums of them, times weights that are multiples of a power of two, round
    nowhere, so that their order makes no difference: every evaluation gives the same bits."""
    rng = random.Random(seed)
    # 0 is left out: one tap too many, or too few, always shows.
    values = [rng.choice((-1, 1)) * rng.randint(1, most) for _ in range(math.prod(shape))]
    write_npy(path, ty, shape, values)
    return path


def choose_input(rng, seed):
    """For --arg of a program of which no bit may differ, whatever it reads."""
    return rng.choice([f"random:{seed}", f"wild:{seed}", f"wild:{seed}", f"wild:{seed}:finite"])
