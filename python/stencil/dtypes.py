"""Element types, by the names that MLIR has for them, and unsigned integers."""


class DType:
    """A type of elements or scalars: `stencil.f64`, `stencil.i32`, `stencil.index`, ...

    Integers of programs are signless; an unsigned type chooses the operations that read them as unsigned, and prints as the
    signless one.
    """

    def __init__(self, name, kind, bits, numpy_name=None):
        # kind: f(loat), i(nteger), u(nsigned), b(oolean), x (index).
        self.name, self.kind, self.bits, self.numpy_name = name, kind, bits, numpy_name
        self.text = "i" + name[1:] if kind == "u" else name

    def __repr__(self):
        return "stencil." + self.name

    @property
    def is_float(self):
        return self.kind == "f"

    @property
    def is_integer(self):
        return self.kind in "iux"

    @property
    def is_bool(self):
        return self.kind == "b"

    def range(self):
        """The smallest and the largest integer."""
        if self.kind == "u":
            return 0, 2**self.bits - 1
        return -(2 ** (self.bits - 1)), 2 ** (self.bits - 1) - 1


f64 = DType("f64", "f", 64, "float64")
f32 = DType("f32", "f", 32, "float32")
f16 = DType("f16", "f", 16, "float16")
bf16 = DType("bf16", "f", 16, "bfloat16")
i64 = DType("i64", "i", 64, "int64")
i32 = DType("i32", "i", 32, "int32")
i16 = DType("i16", "i", 16, "int16")
i8 = DType("i8", "i", 8, "int8")
u64 = DType("u64", "u", 64, "uint64")
u32 = DType("u32", "u", 32, "uint32")
u16 = DType("u16", "u", 16, "uint16")
u8 = DType("u8", "u", 8, "uint8")
i1 = DType("i1", "b", 1, "bool")
index = DType("index", "x", 64)

ALL = (f64, f32, f16, bf16, i64, i32, i16, i8, u64, u32, u16, u8, i1, index)
_BY_NAME = {name: dtype for dtype in ALL for name in (dtype.name, dtype.numpy_name) if name}


def as_dtype(value):
    """A DType of one, of its name ("f64", "float64"), of a NumPy type, or of Python's float, int and bool."""
    if isinstance(value, DType):
        return value
    for python_type, dtype in ((float, f64), (int, i64), (bool, i1)):
        if value is python_type:
            return dtype
    # np.float64, np.dtype("float64"), ml_dtypes.bfloat16
    name = value if isinstance(value, str) else getattr(value, "name", None) or getattr(value, "__name__", None)
    if name in _BY_NAME:
        return _BY_NAME[name]
    raise TypeError(f"expected an element type, one of {', '.join(d.name for d in ALL)}, got {value!r}")
