"""What is wrong with a program is an exception at the line where it is written, and says what was expected."""

import traceback
import unittest

import stencil
from stencil import Field, Grid, Index, cast, f32, f64, index, indices, reduce, sweep, temp, time_loop, where

i, j = indices(2)


def traced(body, *names, **options):
    """Traces `body(u, v, n)` of 2D grids of f64 and an index."""

    def function(u: Field(2), v: Field(2), n: index):
        return body(u, v, n)

    return stencil.program(function, **options)


class Errors(unittest.TestCase):
    def expect(self, kind, text, function, *args, **options):
        try:
            function(*args, **options)
        except kind as exception:
            self.assertRegex(str(exception), text)
            return exception
        return self.fail(f"expected {kind.__name__}: {text}")

    def test_expressions(self):
        u, w = Grid("u", 2), Grid("w", 2, "f32")
        k = Grid("k", 2, "i32")
        cases = [
            (TypeError, r"one type for \+, got f64 and f32; cast\(x, TYPE\)", lambda: u[i, j] + w[i, j]),
            (TypeError, r"floats for /, got i32; // divides", lambda: k[i, j] / 2),
            (TypeError, r"an integer beside i32, got 0.5", lambda: k[i, j] * 0.5),
            (ValueError, r"fits i32, got 4294967296", lambda: k[i, j] + 2**32),
            (TypeError, r"integers for //, got f64", lambda: u[i, j] // 2),
            (TypeError, r"integers or conditions for &, got f64", lambda: u[i, j] & 1),
            (TypeError, r"known now, got an expression.*where\(condition", lambda: 1 if u[i, j] > 0 else 2),
            (TypeError, r"known now", lambda: 0 < u[i, j] < 1),
            (TypeError, r"a condition \(i1\), got i32; x != 0 makes one", lambda: where(k[i, j], 1, 2)),
            (TypeError, r"floats for sqrt, got i32", lambda: stencil.sqrt(k[i, j])),
            (TypeError, r"expected numbers for \+, got i1", lambda: (u[i, j] > 0) + (u[i, j] < 0)),
            (TypeError, r"a real number, got 1j", lambda: u[i, j] * 1j),
            (TypeError, r"an expression or a number, got str", lambda: u[i, j] + "1"),
            (TypeError, r"an expression or a number, got list", lambda: u[i, j] * [1.0]),
            (TypeError, r"an element type, one of f64, .*got 'f128'", lambda: cast(u[i, j], "f128")),
            (ValueError, r"2 indices for 'u', got 1", lambda: u[i]),
            (ValueError, r"an Index plus or minus an integer for 'u', got a slice", lambda: u[:, j]),
            (ValueError, r"an Index plus or minus an integer for 'u', got 0", lambda: u[0, j]),
            (ValueError, r"an Index plus .*got an expression", lambda: u[i * 2, j]),
            (ValueError, r"in the order of the axes, got axes \(1, 0\)", lambda: u[j, i]),
            (TypeError, r"iterate over, got the grid 'u'", lambda: list(u)),
            (ValueError, r"the number of an axis, got -1", lambda: Index(-1)),
            (ValueError, r"2 coordinates and entries of reach", lambda: u.at(i, reach=[(0, 0)])),
            (TypeError, r"coordinates of type index, got i32", lambda: u.at(k[i, j], j, reach=[(0, 0), (0, 0)])),
            (ValueError, r"the smaller first.*got \(1, 0\)", lambda: u.at(i, j, reach=[(1, 0), (0, 0)])),
        ]
        for kind, text, function in cases:
            exception = self.expect(kind, text, function)
            # The line is in the traceback: that of the expression in this file.
            frames = [frame.lineno for frame in traceback.extract_tb(exception.__traceback__) if frame.filename == __file__]
            self.assertEqual(frames[-1], function.__code__.co_firstlineno)

    def test_grids_and_conditions(self):
        cases = [
            (ValueError, r"the number of axes, at least 1, for a grid, got 0", lambda: Grid("u", 0)),
            (TypeError, r"an element type for a grid, got index", lambda: Grid("u", 1, "index")),
            (ValueError, r"a boundary condition per axis, 2, got 1", lambda: Grid("u", 2, boundary=[stencil.neumann])),
            (TypeError, r"a boundary condition or a pair", lambda: Grid("u", 1, boundary=["neumann"])),
            (ValueError, r"periodic at both ends", lambda: Grid("u", 1, boundary=[(stencil.periodic, stencil.keep)])),
            (ValueError, r"a halo of 0 or more points per axis, 2, got -1", lambda: Grid("u", 2, halo=-1)),
            (ValueError, r"an order from 0 to 8", lambda: stencil.extrapolate(9)),
            (ValueError, r"a finite number for dirichlet, got inf", lambda: stencil.dirichlet(float("inf"))),
            (ValueError, r"a time order of 1 or 2, got 3", lambda: stencil.TimeGrid("u", 2, time_order=3)),
        ]
        for kind, text, function in cases:
            self.expect(kind, text, function)

    def test_statements(self):
        def assign(u, v, n):
            v[i - 1, j] = u[i, j]

        def assign_type(u, v, n):
            v[i, j] = cast(u[i, j], f32)

        def foreign(u, v, n):
            v[i, j] = Grid("other", 2)[i, j]

        def foreign_scalar(u, v, n):
            v[i, j] = u[i, j] * stencil.Scalar("a")

        def too_deep(u, v, n):
            v[i, j] = cast(Index(2), f64)

        def leave(u, v, n):
            for _ in time_loop(n, rotate=(u, v)):
                break

        def late(u, v, n):
            for step in time_loop(n, rotate=(u, v)):
                v[i, j] = u[i, j]
            v[i, j] = cast(step, f64)

        def late_value(u, v, n):
            for _ in time_loop(n, rotate=(u, v)):
                kept = temp(u[i, j] * 2.0)
                v[i, j] = u[i, j]
            v[i, j] = kept[i, j]

        def box(u, v, n):
            v[i, j].assign(1.0, box=(slice(2, 1), slice(None)))

        cases = [
            (ValueError, r"the point itself, such as v\[i, j\]", assign), (TypeError, r"f64 for 'v', got f32", assign_type),
            (ValueError, r"grid 'other' to be a parameter .*errors.py:\d+", foreign),
            (ValueError, r"'a' to be a parameter", foreign_scalar), (ValueError, r"an axis below 2, got Index\(2\)", too_deep),
            (RuntimeError, r"without break or return", leave), (ValueError, r"in its body only \(.*errors.py:\d+", late),
            (ValueError, r"'temp' to be read in the time loop where", late_value), (ValueError, r"a box that is not empty", box),
            (ValueError, r"every grid once in rotate", lambda u, v, n: next(time_loop(n, rotate=(u, u)))),
            (TypeError, r"an integer or a scalar of type index", lambda u, v, n: next(time_loop(1.5))),
            (TypeError, r"return scalars", lambda u, v, n: u[i, j]),
            (ValueError, r"\"max\", \"min\", \"sum\" or \"rms\", got 'mean'", lambda u, v, n: reduce("mean", u[i, j])),
            (ValueError, r"conditions for 'u', which has none", lambda u, v, n: u.fill_boundary()),
        ]
        for kind, text, body in cases:
            with self.subTest(text):
                self.expect(kind, text, traced, body)
        # A function that failed leaves nothing behind.
        traced(lambda u, v, n: None)

    def test_programs(self):
        def unannotated(u):
            pass

        u, v = Grid("u", 2), Grid("v", 2)
        self.expect(TypeError, "an annotation of parameter 'u'", stencil.program, unannotated)
        self.expect(RuntimeError, "temp in a function that is being traced", temp, u[i, j])
        self.expect(ValueError, "grids that were assigned to, got Grid", sweep, [u])
        v(i, j).assign(u(i, j))
        self.expect(ValueError, "steps for a program with rotate", sweep, [v], rotate=(u, v))
        self.expect(ValueError, r"all parameters of the program, \['u'\] are missing", sweep, [v], parameters=[v])
        self.expect(ValueError, "an ASCII identifier", sweep, [v], name="7pt")
        self.expect(ValueError, "positive numbers of interior points", sweep, [v], extents=(0, 3))
        w = Grid("u", 2)
        w(i, j).assign(u(i, j))
        self.expect(ValueError, "different names, got 'u' twice", sweep, [w])

    def test_compiling(self):
        self.expect(ValueError, "a target, one of cpu, .* got 'gpu'", stencil.compile, "func.func @f() {}", target="gpu")
        self.expect(TypeError, "a program: a stencil.Program, text, bytes or a path, got int", stencil.compile, 3)
        self.expect(FileNotFoundError, "got 'missing.mlir'", stencil.compile, "missing.mlir")
        self.expect(stencil.Error, r"<text>:1:12: error: ", stencil.compile, "func.func @3() {}", cache=False)
        self.expect(ValueError, "no device_arrays with target 'cpu'", stencil.compile, "x{}", device_arrays=True)

        self.expect(ValueError, "a number of threads, .* got -1", stencil.compile, "x{}", threads=-1)
        self.expect(ValueError, "numbers of interior points, .* got", stencil.compile, "x{}", extents=(0.5, 3))

        # The compiler's messages have the lines of this file.
        @stencil.program(extents=(4, 4))
        def narrow(u: Field(2, boundary=stencil.symmetric), v: Field(2)):
            v[i, j] = u[i - 4, j]

        line = traceback.extract_stack()[-1].lineno - 2
        self.expect(stencil.Error, rf"errors.py:{line}:1: error: ", stencil.compile, narrow, cache=False)


if __name__ == "__main__":
    unittest.main()
