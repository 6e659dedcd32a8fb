"""Programs: of traced functions, or of grids that were assigned to."""

import inspect
import re

from .dtypes import DType, as_dtype, index
from .expressions import Expr, Scalar, as_expr
from .grids import Grid, Temporary, box_of, rank_of, walk
from .plan import loops_of
from .printer import Printer, written
from .tracing import Assignment, Block, Definition, Fold, Loop, Trace, check_loop, current, groups_of, require


class Program:
    """A program of the stencil dialect. `str(program)` is its text, `stencil.compile(program)` a function.

    Parameters are grids and scalars, in the order of the function's arguments. With `extents`, interior points per axis, the
    program is for arrays of this size only; an entry that is None, as all are by default, is known when it is called.
    """

    def __init__(self, name, parameters, body, results=(), extents=None, location=None):
        if not re.fullmatch(r"[A-Za-z_]\w*", name, flags=re.ASCII):
            raise ValueError(f"expected an ASCII identifier as the name of a program, got {name!r}")
        self.name, self.parameters, self.body, self.location = name, list(parameters), body, location
        self.results = list(results)
        names = [parameter.name for parameter in self.parameters]
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"expected parameters with different names, got '{name}' twice")
        self.grids = [parameter for parameter in self.parameters if isinstance(parameter, Grid)]
        rank = max((grid.rank for grid in self.grids), default=0)
        extents = list(extents or ()) + [None] * (rank - len(extents or ()))
        if any(extent is not None and (not isinstance(extent, int) or extent < 1) for extent in extents):
            raise ValueError(f"expected positive numbers of interior points or None as extents, got {extents}")
        self.extents = extents
        if not self.grids:
            raise ValueError(f"expected a grid among the parameters of '{self.name}'")

    def require(self, grid, location):
        """Refuses a grid that is no parameter."""
        if all(grid is not parameter for parameter in self.grids):
            raise ValueError(f"expected the grid '{grid.name}' to be a parameter of the program '{self.name}'" + written(location))

    def text(self, locations=False):
        """The program as text; with the places in the Python source that its ops come from, for messages."""
        return Printer(self, locations).print()

    def __str__(self):
        return self.text()

    def __repr__(self):
        return f"<stencil.Program {self.name}({', '.join(parameter.name for parameter in self.parameters)})>"


def program(function=None, *, name=None, extents=None):
    """Traces a function: `@stencil.program`. Its annotations say what the parameters are: `u: stencil.Field(2)`,
    `a: stencil.f64`, `steps: stencil.index`. What it returns, reductions or other scalars, the compiled function returns."""
    if function is None:
        return lambda function: program(function, name=name, extents=extents)
    parameters = []
    for parameter in inspect.signature(function, eval_str=True).parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise TypeError(f"expected plain parameters of '{function.__name__}', got {parameter}")
        parameters.append(parameter_of(parameter))
    code = function.__code__
    location = code.co_filename, code.co_firstlineno
    with Trace() as trace:
        returned = function(*parameters)
    body = trace.blocks[0]
    for loop in loops_of(body):
        if not getattr(loop, "finished", False):
            raise RuntimeError(f"expected the body of a time loop to run to its end, without break or return ({loop.location[0]}:"
                               f"{loop.location[1]})")
    results = [] if returned is None else list(returned) if isinstance(returned, (tuple, list)) else [returned]
    results = [as_expr(result) for result in results]
    for result in results:
        if not result.uniform:
            raise TypeError(f"expected '{function.__name__}' to return scalars, such as reduce(\"max\", ...), got values of points")
    return checked(Program(name or function.__name__, parameters, body, results, extents, location))


def checked(result):
    """A program that can be printed: mistakes are errors where the program is made."""
    result.text()
    return result


def parameter_of(parameter):
    annotation = parameter.annotation
    if isinstance(annotation, Grid):
        grid = Grid(parameter.name, annotation.rank, annotation.dtype, boundary=annotation.boundary, halo=annotation.halo)
        grid.location = annotation.location
        return grid
    if annotation is parameter.empty:
        raise TypeError(f"expected an annotation of parameter '{parameter.name}', such as stencil.Field(2) or stencil.f64")
    return Scalar(parameter.name, annotation if isinstance(annotation, DType) else as_dtype(annotation))


def reduce(kind, *values, box=None):
    """A scalar of the values at all points, or in a box: "max", "min", "sum" or "rms", the root of the mean of squares; of
    several values, of the length of the vector that they are."""
    if kind not in ("max", "min", "sum", "rms"):
        raise ValueError(f"expected a reduction \"max\", \"min\", \"sum\" or \"rms\", got {kind!r}")
    trace = require("reduce")
    expressions = [as_expr(value) for value in values]
    if not expressions:
        raise ValueError("expected at least one value to reduce")
    first = expressions[0]
    for expression in expressions:
        if expression.dtype.name != first.dtype.name or expression.dtype.is_bool or expression.dtype is index:
            raise TypeError(f"expected floats or integers of one type to reduce, got {[e.dtype.name for e in expressions]}")
    if not first.dtype.is_float and (kind == "rms" or len(expressions) > 1):
        raise TypeError(f"expected floats for rms or of several values, got {first.dtype.name}")
    if first.dtype.kind == "u" and kind != "sum":
        raise TypeError(f"expected signed integers or floats for {kind}, got {first.dtype.name}: reductions compare as signed")
    rank = rank_of(expressions)
    if not rank:
        raise ValueError("expected an expression that reads a grid or an Index to reduce")
    temporaries = []
    for expression in expressions:
        temporary = Temporary(expression, rank, "reduced")
        trace.add(Definition(temporary))
        temporaries.append(temporary)
    result = Expr(first.dtype)
    result.uniform = True
    trace.add(Fold(kind, temporaries, box_of(box, rank), result))
    return result


def sweep(outputs, *, name="sweep", steps=None, rotate=(), parameters=None, extents=None):
    """A program of grids that were assigned to, as BrickLib's STENCIL is: `v(i, j).assign(...)`, then `sweep([v])`.

    Its parameters: the grids that are read, in the order in which they are, the outputs, then scalars; or those given, all
    of them. With `steps`, the name of a parameter or a number, it is repeated, and the grids of `rotate` change places as in
    `time_loop`. A grid that was assigned to, is read and is not among the outputs is a temporary value.
    """
    outputs = [outputs] if isinstance(outputs, Grid) else list(outputs)
    if current() is not None:
        raise RuntimeError("expected sweep outside of a function that is being traced")
    if not outputs:
        raise ValueError("expected at least one grid that was assigned to")
    for grid in outputs:
        if not isinstance(grid, Grid) or grid.assigned is None:
            raise ValueError(f"expected grids that were assigned to, got {grid!r}")
    grids, scalars, temporaries = collect([grid.assigned.value for grid in outputs])
    body = Block(None)
    for temporary in sorted(temporaries, key=lambda temporary: temporary.number):
        body.statements.append(located(Definition(temporary), temporary.location))
    for grid in outputs:
        assignment = Assignment(grid, grid.assigned.value.as_expr(), None)
        body.statements.append(located(assignment, grid.assigned.location))
    found = list(dict.fromkeys([*grids, *outputs])) + scalars
    if steps is not None:
        count = Scalar(steps, index) if isinstance(steps, str) else as_expr(steps, index)
        found += [count] if isinstance(count, Scalar) else []
        groups = groups_of(rotate)
        check_loop(count, groups)
        loop = Loop(count, groups)
        loop.body = body
        body = Block(None)
        body.statements.append(loop)
        found += [grid for group in groups for grid in group if all(grid is not other for other in found)]
    elif rotate:
        raise ValueError("expected steps for a program with rotate")
    if parameters is not None:
        check_parameters(parameters, found)
        found = list(parameters)
    return checked(Program(name, found, body, (), extents, outputs[0].assigned.location))


def located(statement, location):
    statement.location = location
    return statement


def collect(temporaries):
    """The grids and scalars that temporary values need, in the order in which they are read, and all such values."""
    grids, scalars, seen, pending = {}, {}, {}, list(temporaries)
    while pending:
        temporary = pending.pop(0)
        if temporary in seen:
            continue
        seen[temporary] = None
        for node in walk(temporary.value):
            source = getattr(node, "source", None)
            if isinstance(source, Temporary):
                pending.append(source)
            elif isinstance(source, Grid):
                grids[source] = None
            elif isinstance(node, Scalar):
                known = scalars.setdefault(node.name, node)
                if known.dtype.name != node.dtype.name:
                    raise TypeError(f"expected one type for '{node.name}', got {known.dtype.name} and {node.dtype.name}")
    return list(grids), list(scalars.values()), list(seen)


def check_parameters(given, found):
    names = [parameter.name for parameter in given]
    missing = [parameter.name for parameter in found if parameter.name not in names]
    if missing:
        raise ValueError(f"expected all parameters of the program, {missing} are missing")


def rotated(arrays, steps):
    """The arrays of a group of `rotate` in the roles that they have after `steps` steps: `u, v = rotated((u, v), steps)`."""
    arrays = tuple(arrays)
    first = steps % len(arrays)
    return arrays[first:] + arrays[:first]

