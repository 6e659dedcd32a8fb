"""Ops as text, and names of values."""

import re
import struct

from .boundaries import float_text


class Names:
    """Names of values, each once."""

    def __init__(self):
        self.used = {}

    def new(self, base):
        base = re.sub(r"\W", "_", base, flags=re.ASCII)
        if not base or base[0].isdigit():
            base = "_" + base
        name = base
        while name in self.used:
            self.used[base] += 1
            name = f"{base}_{self.used[base]}"
        self.used[name] = 0
        return "%" + name


def constant(node):
    """The text of a constant."""
    value, dtype = node.value, node.dtype
    if dtype.is_bool:
        return f"arith.constant {'true' if value else 'false'}"
    if not dtype.is_float:
        if dtype.kind == "u" and value >= 2 ** (dtype.bits - 1):
            value -= 2**dtype.bits
        return f"arith.constant {value} : {dtype.text}"
    if value - value == 0:
        return f"arith.constant {float_text(value)} : {dtype.text}"
    # NaN and infinities, by their bits.
    (pattern,) = struct.unpack(">Q", struct.pack(">d", value))
    if dtype.name == "f64":
        return f"arith.constant 0x{pattern:016X} : f64"
    sign, nan = pattern >> 63, value != value
    exponent = {"f32": 8, "f16": 5, "bf16": 8}[dtype.name]
    fraction = dtype.bits - 1 - exponent
    number = sign << (dtype.bits - 1) | ((1 << exponent) - 1) << fraction | nan << (fraction - 1)
    return f"arith.constant 0x{number:0{dtype.bits // 4}X} : {dtype.text}"


def operation(node, operands):
    """The text of an op: `arith.cmpf olt, %a, %b : f64`."""
    arguments = ", ".join(operands)
    first = node.operands[0].dtype.text
    if node.op == "arith.select":
        return f"arith.select {arguments} : {node.dtype.text}"
    if node.op.startswith("arith.cmp"):
        return f"{node.op} {node.attribute}, {arguments} : {first}"
    if node.op in ("math.fpowi",):
        return f"{node.op} {arguments} : {first}, {node.operands[1].dtype.text}"
    if node.op in CONVERSIONS:
        return f"{node.op} {arguments} : {first} to {node.dtype.text}"
    return f"{node.op} {arguments} : {first}"


CONVERSIONS = {f"arith.{name}" for name in ("extf", "truncf", "extsi", "extui", "trunci", "sitofp", "uitofp", "fptosi",
                                            "fptoui", "index_cast", "index_castui")}
