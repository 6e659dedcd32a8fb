"""The stencil files of BrickLib (https://bricks.run): Python that imports `st.expr`, `st.grid` and `st.func`."""

import builtins
import pathlib
import re
import types

from . import functions
from .expressions import Expr, Index, Scalar, as_expr, fmod, literal, truth, where
from .dtypes import as_dtype, f64
from .grids import Grid, Reference, index_and_offset
from .program import sweep

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*([eE][+-]?\d+)?|\.\d+([eE][+-]?\d+)?)[fF]?")


def ConstRef(name, dtype=f64):
    """A scalar parameter, `ConstRef("alpha")`; or, of the text of a number, `ConstRef("0.25")`, that number."""
    if _NUMBER.fullmatch(name):
        return literal(float(name.rstrip("fF")), as_dtype(dtype))
    return Scalar(re.sub(r"\W+", "_", name).strip("_"), dtype)


class _BrickGrid(Grid):
    """A grid whose axis 0 is the contiguous one, as in BrickLib: arrays are indexed [k, j, i]."""

    def read(self, key):
        if len(key) != self.rank:
            raise ValueError(f"expected {self.rank} indices for '{self.name}', got {len(key)}")
        offsets = []
        for position, entry in enumerate(key):
            found = index_and_offset(entry) if isinstance(entry, Expr) else None
            if found is None or found[0] != position:
                raise ValueError(f"expected Index({position}) plus or minus an integer as index {position} of '{self.name}'")
            offsets.append(found[1])
        source = self.source()
        if source is not self and any(offsets):
            raise ValueError(f"expected '{self.name}', which has been assigned to, to be read at the point itself: BrickLib "
                             "would leave out the offsets")
        return Reference(self, source, tuple(reversed(offsets)), tuple(range(self.rank)))


def _select(condition, then, otherwise):
    return where(truth(condition), then, otherwise)


# The C functions that a Func may name. std::min and std::max return the first one of values that are not ordered.
_FUNCTIONS = {
    "max": lambda a, b: where(as_expr(a) < b, b, a), "min": lambda a, b: where(b < as_expr(a), b, a),
    "fmax": functions.fmax, "fmin": functions.fmin, "fabs": functions.absolute, "abs": functions.absolute,
    "pow": lambda a, b: as_expr(a) ** b, "fma": functions.fma,
    "fmod": fmod,
}
_FUNCTIONS.update({name: getattr(functions, name) for name in (
    "sqrt", "cbrt", "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan",
    "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", "floor", "ceil", "trunc", "rint", "round",
    "copysign")})


def _func(name, arity):
    plain = name.removeprefix("std::")
    plain = plain[:-1] if plain.endswith("f") and plain[:-1] in _FUNCTIONS else plain
    if plain not in _FUNCTIONS:
        raise ValueError(f"expected one of the functions {', '.join(sorted(_FUNCTIONS))}, got '{name}'")

    def call(*arguments):
        if len(arguments) != arity:
            raise ValueError(f"expected {arity} arguments for {name}, got {len(arguments)}")
        return _FUNCTIONS[plain](*arguments)

    return call


def _constants(constants, dtype):
    """ConstRef of a file, with the numbers that the caller has for some: by name, or, of `coeff[2]`, in a sequence."""
    constants = dict(constants or {})

    def make(name):
        entry = re.fullmatch(r"\s*(\w+)\s*\[\s*(\d+)\s*\]\s*", name)
        if name in constants:
            return literal(constants[name], dtype)
        if entry and entry[1] in constants:
            return literal(constants[entry[1]][int(entry[2])], dtype)
        return ConstRef(name, dtype)

    return make


def _modules(dtype, constants):
    def module(name, **members):
        result = types.ModuleType(name)
        vars(result).update(members)
        return result

    def convert(value):
        return make_constant(value) if isinstance(value, str) else as_expr(value)

    make_constant = _constants(constants, dtype)
    expr = module("st.expr", Index=Index, ConstRef=make_constant, If=_select, Expr=Expr, conv_expr=convert,
                  IntLiteral=lambda value: literal(value, dtype), FloatLiteral=lambda value: literal(value, dtype))
    grid = module("st.grid", Grid=lambda name, dims: _BrickGrid(name, dims, dtype))
    func = module("st.func", Func=_func)
    st = module("st", expr=expr, grid=grid, func=func)
    return {"st": st, "st.expr": expr, "st.grid": grid, "st.func": func}


def import_bricklib(path, *, dtype="f64", constants=None, name=None, steps=None, rotate=(), extents=None):
    """The program of a stencil file of BrickLib, which is run, as BrickLib does.

    Parameters of the program: the grids that are read, the outputs (STENCIL), and a scalar per ConstRef without a number,
    `coeff[0]` as `coeff_0`. `constants` has numbers for some of them: `{"MPI_ALPHA": 0.5, "coeff": [...]}`. Axis 0 of BrickLib
    is the contiguous one: arrays are indexed [k, j, i]. With `steps` and `rotate` (names of grids) it becomes a time loop.
    """
    path = pathlib.Path(path)
    dtype = as_dtype(dtype)
    modules = _modules(dtype, constants)

    def import_module(module_name, globals=None, locals=None, fromlist=(), level=0):
        if module_name == "st" or module_name.startswith("st."):
            if module_name not in modules:
                raise ImportError(f"expected st.expr, st.grid or st.func of BrickLib, got '{module_name}'")
            missing = [entry for entry in fromlist or () if not hasattr(modules[module_name], entry)]
            if missing:
                raise ImportError(f"expected what stencil files use of '{module_name}', got {missing}")
            return modules[module_name] if fromlist else modules["st"]
        return __import__(module_name, globals, locals, fromlist, level)

    scope = {"__builtins__": {**vars(builtins), "__import__": import_module}, "__name__": path.stem, "__file__": str(path)}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), scope)
    outputs = scope.get("STENCIL")
    if not isinstance(outputs, (list, tuple)) or not outputs:
        raise ValueError(f"{path}: expected a list STENCIL of grids, got {outputs!r}")
    for output in outputs:
        if not isinstance(output, Grid):
            raise ValueError(f"{path}: expected grids in STENCIL, got {type(output).__name__}")
    name = name or re.sub(r"\W", "_", path.stem)
    name = "stencil_" + name if name[0].isdigit() else name
    grids = {grid.name: grid for grid in scope.values() if isinstance(grid, Grid)}
    unknown = [entry for entry in rotate if entry not in grids]
    if unknown:
        raise ValueError(f"expected names of grids in rotate, {', '.join(grids)}, got {unknown}")
    return sweep(outputs, name=name, steps=steps, rotate=tuple(grids[entry] for entry in rotate), extents=extents)

