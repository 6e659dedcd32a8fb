"""Stencils from Python: written as expressions, or read from MLIR, compiled for CPUs and GPUs, and called on arrays.

    import numpy as np
    import stencil
    from stencil import Field, f64, index, indices, neumann, time_loop

    @stencil.program
    def heat(u: Field(2, boundary=neumann), v: Field(2), a: f64, steps: index):
        i, j = indices(2)
        for step in time_loop(steps, rotate=(u, v)):
            v[i, j] = u[i, j] + a * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])

    run = stencil.compile(heat, target="cpu")
    run(u, v, 0.2, 100)

docs/python.md has the rest.
"""

from . import boundaries, native
from .boundaries import *
from .bricklib import ConstRef, import_bricklib
from .compiled import Function, compile, default_cache_directory
from .dtypes import bf16, f16, f32, f64, i1, i8, i16, i32, i64, index, u8, u16, u32, u64
from .errors import Error
from .expressions import Index, Scalar, cast, fmod, indices, where
from .functions import FUNCTIONS, absolute, fma, maximum, minimum
from .grids import Field, Grid, temp
from .program import Program, program, reduce, rotated, sweep
from .timegrid import TimeGrid
from .tracing import time_loop

globals().update(FUNCTIONS)


def __getattr__(name):
    if name == "__version__":
        return native.load().__version__
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = ["Error", "Field", "Function", "Grid", "ConstRef", "Index", "Program", "Scalar", "TimeGrid", "absolute",
           "bf16", "cast", "compile", "default_cache_directory", "f16", "f32", "f64", "fma", "fmod", "i1", "i8", "i16", "i32", "i64",
           "import_bricklib", "index", "indices", "maximum", "minimum", "program", "reduce", "rotated", "sweep", "temp", "time_loop", "u8",
           "u16", "u32", "u64", "where", *boundaries.__all__, *FUNCTIONS]
