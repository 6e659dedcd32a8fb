"""Programs written as Python expressions give what NumPy gives, bit for bit where nothing but + - * / is computed."""

import unittest

import numpy as np
import stencil
from stencil import Field, Grid, TimeGrid, cast, f32, f64, i32, index, indices, reduce, rotated, sweep, temp, time_loop, where

RANDOM = np.random.default_rng(1)
# On the CPU and as code for a GPU, in the emulator.
TARGETS = ("cpu", "emulator")


def compiled(program, target="cpu"):
    return stencil.compile(program, target=target, math="strict", cache=False)


def random(*shape, dtype="f8"):
    if np.dtype(dtype).kind in "iu":
        return RANDOM.integers(0, 100, shape).astype(dtype)
    return RANDOM.uniform(0.5, 1.5, shape).astype(dtype)


def same(test, got, want):
    test.assertEqual(got.dtype, want.dtype)
    np.testing.assert_array_equal(got, want)


def fill(a, conditions):
    """The halo of 1 of `a`, axis by axis, by NumPy."""
    for axis, (low, high) in enumerate(conditions):
        b = np.moveaxis(a, axis, 0)
        inside = tuple(slice(1, -1) if other > axis else slice(None) for other in range(a.ndim) if other != axis)
        rows = {"neumann": (b[1], b[-2]), "periodic": (b[-2], b[1]), "symmetric": (b[2], b[-3]),
                "antisymmetric": (-b[2], -b[-3]), "symmetric_about_face": (b[1], b[-2]),
                "antisymmetric_about_face": (-b[1], -b[-2]), "keep": (b[0], b[-1]), "dirichlet": (3.5, 3.5),
                "extrapolate": (2 * b[1] - b[2], 2 * b[-2] - b[-3])}
        for end, name, side in ((0, low, 0), (-1, high, 1)):
            row = np.broadcast_to(rows[name][side], b[end].shape).copy()
            b[(end, *inside)] = row[inside]


CONDITIONS = {"neumann": stencil.neumann, "periodic": stencil.periodic, "symmetric": stencil.symmetric,
              "antisymmetric": stencil.antisymmetric, "symmetric_about_face": stencil.symmetric_about_face,
              "antisymmetric_about_face": stencil.antisymmetric_about_face, "keep": stencil.keep, "dirichlet": stencil.dirichlet(3.5),
              "extrapolate": stencil.extrapolate(1)}

# What NumPy calls them.
PADS = {"neumann": ("edge", 1), "periodic": ("wrap", 1), "symmetric": ("reflect", 1), "symmetric_about_face": ("symmetric", 1),
        "antisymmetric_about_face": ("symmetric", -1)}


class Programs(unittest.TestCase):
    def test_wide_halos_are_what_numpy_pads(self):
        for name, (mode, sign) in PADS.items():
            @stencil.program
            def shift(u: Field(1, boundary=CONDITIONS[name]), v: Field(1)):
                i, = indices(1)
                v[i] = u[i - 3] + 8.0 * u[i + 2]

            inside = random(7)
            u, v = np.pad(inside, (3, 2)), np.zeros(7)
            stencil.compile(shift)(u, v)
            padded = np.pad(inside, (3, 2), mode)
            padded[:3] *= sign
            padded[-2:] *= sign
            same(self, v, padded[:7] + 8.0 * padded[5:])

    def test_conditions_types_and_swaps(self):
        cases = [("f64", ["neumann", "periodic"]), ("f32", [("dirichlet", "keep"), "symmetric"]),
                 ("f64", ["antisymmetric", ("extrapolate", "neumann")]), ("f32", ["extrapolate"] * 3), ("f64", ["periodic"]),
                 ("f64", [("symmetric_about_face", "antisymmetric_about_face"), "antisymmetric_about_face"])]
        for number, (dtype, names) in enumerate(cases):
            rank = len(names)
            pairs = [name if isinstance(name, tuple) else (name, name) for name in names]
            boundary = [tuple(CONDITIONS[name] for name in pair) for pair in pairs]

            @stencil.program
            def heat(u: Field(rank, dtype, boundary=boundary), v: Field(rank, dtype), a: stencil.dtypes.as_dtype(dtype),
                     steps: index):
                x = indices(rank)
                for _ in time_loop(steps, rotate=(u, v)):
                    total = sum(u[tuple(i + d * (i is axis) for i in x)] for axis in x for d in (-1, 1))
                    v[x] = u[x] + a * (total - 2.0 * rank * u[x])

            shape = (9, 7, 6)[:rank]
            u, v = random(*shape, dtype=dtype.replace("f", "float")), np.zeros(shape, dtype.replace("f", "float"))
            a, b = u.copy(), v.copy()
            real = u.dtype.type
            middle = (slice(1, -1),) * rank
            for _ in range(5):
                fill(a, pairs)
                total = None
                for axis in range(rank):
                    for d in (-1, 1):
                        moved = np.roll(a, -d, axis)[middle]
                        total = moved if total is None else total + moved
                b[middle] = a[middle] + real(0.1) * (total - real(2 * rank) * a[middle])
                a, b = b, a
            f = compiled(heat, TARGETS[number % 2])
            self.assertIsNone(f(u, v, 0.1, steps=5))
            newest, oldest = rotated((u, v), 5)
            same(self, newest, a)
            same(self, oldest, b)

    def test_three_levels(self):
        u = TimeGrid("u", 1, "f64", time_order=2, boundary=stencil.dirichlet(0))
        (i,) = indices(1)
        u.forward[i] = 2.0 * u[i] - u.backward[i] + 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1])
        program = sweep([u.forward], name="wave", steps="steps", rotate=u, parameters=[*u, stencil.Scalar("steps", index)])
        arrays = [random(20) for _ in range(3)]
        old, now, new = (array.copy() for array in arrays)
        for _ in range(7):
            now[0] = now[-1] = 0.0
            c = now[1:-1]
            new[1:-1] = 2.0 * c - old[1:-1] + 0.25 * (now[:-2] - 2.0 * c + now[2:])
            old, now, new = now, new, old
        f = compiled(program)
        f(*arrays, 7)
        for got, want in zip(rotated(arrays, 7), (old, now, new)):
            same(self, got, want)

    def test_temporary_values_in_place_and_several_grids(self):
        @stencil.program
        def fluxes(u: Field(2), w: Field(2, "f64", halo=1), k: Field(2)):
            i, j = indices(2)
            lap = temp(4.0 * u[i, j] - (u[i - 1, j] + u[i + 1, j] + (u[i, j - 1] + u[i, j + 1])), name="lap")
            flux = temp(where((lap[i, j + 1] - lap[i, j]) * (u[i, j + 1] - u[i, j]) > 0, 0.0, lap[i, j + 1] - lap[i, j]))
            w[i, j] = flux - flux[i, j - 1]
            # A load is a snapshot: in place.
            u[i, j] = u[i, j] - k[i, j] * w[i, j] + u[i + 1, j]

        self.assertIn("[-1,?+1]x[-2,?+2]", str(fluxes))
        u, w, k = random(7, 12), random(7, 10), random(5, 8)
        for target in TARGETS:
            a, b = u.copy(), w.copy()
            compiled(fluxes, target)(u=a, w=b, k=k)
            lap = 4.0 * u[1:-1, 1:-1] - (u[:-2, 1:-1] + u[2:, 1:-1] + (u[1:-1, :-2] + u[1:-1, 2:]))
            d = lap[:, 1:] - lap[:, :-1]
            flux = np.where(d * (u[1:-1, 2:-1] - u[1:-1, 1:-2]) > 0, 0.0, d)
            want = flux[:, 1:] - flux[:, :-1]
            same(self, b[1:-1, 1:-1], want)
            same(self, a[1:-1, 2:-2], u[1:-1, 2:-2] - k * want + u[2:, 2:-2])

    def test_integers(self):
        for dtype in ("i8", "i64", "u16", "u64"):
            @stencil.program
            def arithmetic(a: Field(1, dtype), b: Field(1, dtype), c: Field(1, dtype)):
                (i,) = indices(1)
                quotient, rest = a[i] // b[i], a[i] % b[i]
                small = stencil.minimum(a[i], b[i]) ^ stencil.maximum(a[i], 3)
                c[i] = quotient + (rest << 1) - where(a[i] < b[i], a[i] >> 1, ~b[i]) * (small & 7 | abs(a[i]))

            kind = np.dtype(dtype[0] + str(int(dtype[1:]) // 8))
            low, high = np.iinfo(kind).min + 1, np.iinfo(kind).max
            a = RANDOM.integers(low, high, 200, dtype=kind, endpoint=True)
            b = RANDOM.integers(low, high, 200, dtype=kind, endpoint=True)
            b[b == 0] = 1
            c = np.zeros_like(a)
            compiled(arithmetic)(a, b, c)
            small = np.minimum(a, b) ^ np.maximum(a, kind.type(3))
            one = kind.type(1)
            want = a // b + ((a % b) << one) - np.where(a < b, a >> one, ~b) * (small & kind.type(7) | np.abs(a))
            same(self, c, want.astype(kind))

    def test_conversions(self):
        names = ("f64", "f32", "f16", "i8", "i64", "u8", "u32", "i1")
        kinds = {"f": "float", "i": "int", "u": "uint"}
        values = np.array([0, 1, 2, 3.75, 100.5])
        types = [bool if name == "i1" else np.dtype(kinds[name[0]] + name[1:]) for name in names]
        (i,) = indices(1)
        for source, kind in zip(names, types):
            a, results = Grid("a", 1, source), [Grid("to_" + name, 1, name) for name in names]
            for name, result in zip(names, results):
                result[i] = cast(a[i], name)
            given = values.astype(kind)
            got = [np.zeros(len(values), to) for to in types]
            compiled(sweep(results))(given, *got)
            for array, to in zip(got, types):
                same(self, array, given.astype(to))

    def test_functions(self):
        names = ("sqrt exp log sin cos tan tanh floor ceil trunc rint expm1 log1p exp2 cbrt".split())
        (i,) = indices(1)
        u, results = Grid("u", 1), [Grid(name, 1) for name in names]
        for name, result in zip(names, results):
            result[i] = getattr(stencil, name)(u[i])
        a = random(50) * 3
        got = [np.zeros_like(a) for _ in names]
        compiled(sweep(results))(a, *got)
        for name, array in zip(names, got):
            np.testing.assert_array_max_ulp(array, getattr(np, name)(a), 2)

    def test_powers_minimum_and_nan(self):
        @stencil.program
        def evaluate(a: Field(1), b: Field(1), c: Field(1)):
            (i,) = indices(1)
            b[i] = a[i] ** 2 + stencil.maximum(a[i], 1.0, 0.5)
            c[i] = where(stencil.isnan(a[i]), -1.0, a[i] % 0.3) + stencil.fma(a[i], 2.0, 1.0) * 0.0

        a = random(9)
        a[4] = np.nan
        b, c = np.zeros_like(a), np.zeros_like(a)
        compiled(evaluate)(a, b, c)
        same(self, b, a**2 + np.maximum(np.maximum(a, 1.0), 0.5))
        same(self, c[[0, 8]], a[[0, 8]] % 0.3)
        self.assertTrue(np.isnan(c[4]))

    def test_positions_boxes_and_lower_rank(self):
        @stencil.program(extents=(6, 9))
        def place(u: Field(2), v: Field(2), row: Field(1), n: i32):
            i, j = indices(2)
            v[i, j] = cast(i * 10 + j, "f64") + row[j] * cast(n, "f64")
            v[i, j].assign(u[i, j + 1], box=np.s_[1:-1, 2:5])
            v[i, j].assign(-1.0, box=np.s_[-1, :])

        u, v, row = random(6, 9), np.zeros((6, 9)), random(9)
        compiled(place)(u, v, row, 3)
        i, j = np.mgrid[:6, :9]
        want = i * 10.0 + j + row * 3.0
        want[1:-1, 2:5] = u[1:-1, 3:6]
        want[-1] = -1.0
        same(self, v, want)

    def test_computed_coordinates(self):
        @stencil.program
        def gather(u: Field(1), shift: Field(1, "i32"), v: Field(1)):
            (i,) = indices(1)
            v[i] = u.at(i + cast(shift[i], "index"), reach=[(-2, 1)])

        u, shift, v = random(23), RANDOM.integers(-2, 2, 20).astype("i4"), np.zeros(20)
        for target in TARGETS:
            compiled(gather, target)(u, shift, v)
            same(self, v, u[2 + np.arange(20) + shift])

    def test_reductions(self):
        @stencil.program
        def norms(u: Field(2), v: Field(2), n: Field(2, "i32"), steps: index):
            i, j = indices(2)
            for step in time_loop(steps):
                largest = reduce("max", abs(u[i, j]))
                u[i, j] = u[i, j] / largest + cast(step, "f64")
            return (reduce("max", u[i, j] - v[i, j]), reduce("min", u[i, j], box=np.s_[1:-1, :]), reduce("sum", n[i, j]),
                    reduce("rms", u[i, j], v[i, j]))

        u, v, n = random(8, 9) - 1, random(8, 9), random(8, 9, dtype="i4")
        for target in TARGETS:
            a = u.copy()
            got = compiled(norms, target)(a, v, n, 3)
            b = u.copy()
            for step in range(3):
                b = b / np.abs(b).max() + float(step)
            same(self, a, b)
            self.assertEqual(got[:3], ((b - v).max(), b[1:-1].min(), n.sum()))
            # Squares, their sum, n numbers on both sides, mean and root: each rounded by half an epsilon of a sum of positive numbers.
            want = np.sqrt((b**2 + v**2).mean())
            self.assertAlmostEqual(got[3], want, delta=2 * (2 * b.size + 3) * 2.0**-53 * want)

    def test_half_precision(self):
        for name in ("f16", "bf16"):
            @stencil.program
            def scale(u: Field(1, name), v: Field(1, name)):
                (i,) = indices(1)
                v[i] = cast(cast(u[i], f32) * 3.0, name)

            # bfloat16 as NumPy shows it: two opaque bytes, the upper ones of a float32.
            values = np.float32([1.0, 1.5, -2.0, 100.0])
            u = values.astype("f2") if name == "f16" else (values.view("u4") >> 16).astype("u2").view("V2")
            v = np.zeros_like(u)
            compiled(scale)(u, v)
            got = v.astype("f4") if name == "f16" else (v.view("u2").astype("u4") << 16).view("f4")
            same(self, got, values * np.float32(3))

    def test_explicit_boundary_and_number_of_steps(self):
        @stencil.program
        def average(u: Field(1), v: Field(1)):
            (i,) = indices(1)
            u.fill_boundary(stencil.periodic)
            for _ in time_loop(2):
                v[i] = 0.5 * (u[i - 1] + u[i + 1])
                u[i] = v[i]

        u, v = random(8), random(6)
        a = u.copy()
        a[0], a[-1] = a[-2], a[1]
        for _ in range(2):
            a[1:-1] = 0.5 * (a[:-2] + a[2:])
        compiled(average)(u, v)
        same(self, u, a)

    def test_loops_in_loops(self):
        @stencil.program
        def nested(u: Field(1, boundary=stencil.periodic), v: Field(1), n: index):
            (i,) = indices(1)
            for a in time_loop(3):
                for b in time_loop(n, rotate=(u, v)):
                    v[i] = 0.5 * (u[i - 1] + u[i + 1]) + cast(a * 2 + b, f64)
                u[i] = u[i] * 2.0
            v[i] = u[i]

        for n in (1, 2):
            u, v = random(9), random(9)
            a, b = u.copy(), v.copy()
            for outer in range(3):
                for inner in range(n):
                    a[0], a[-1] = a[-2], a[1]
                    b[1:-1] = 0.5 * (a[:-2] + a[2:]) + float(outer * 2 + inner)
                    a, b = b, a
                a[1:-1] *= 2.0
            b[1:-1] = a[1:-1]
            compiled(nested)(u, v, n)
            for got, want in zip(rotated((u, v), 3 * n), (a, b)):
                same(self, got, want)

    def test_grids_that_were_assigned_to(self):
        i, j = indices(2)
        u, mid, v, w = (Grid(name, 2) for name in ("u", "mid", "v", "w"))
        a = stencil.ConstRef("a")
        mid(i, j).assign(a * u(i, j) + stencil.ConstRef("0.5"))
        v(i, j).assign(mid(i - 1, j) + mid(i, j))
        w(i, j).assign(v(i, j) * 2.0)
        program = sweep([v, w])
        self.assertEqual([p.name for p in program.parameters], ["u", "v", "w", "a"])
        x, y, z = random(6, 5), np.zeros((5, 5)), np.zeros((5, 5))
        compiled(program)(x, y, z, 1.5)
        m = 1.5 * x + 0.5
        same(self, y, m[:-1] + m[1:])
        same(self, z, y * 2.0)

    def test_long_sums(self):
        @stencil.program
        def long(u: Field(1), v: Field(1), a: f64):
            (i,) = indices(1)
            value = u[i]
            for _ in range(1100):
                value = value * 0.5 + a
            v[i] = value

        u, v = random(4), np.zeros(4)
        compiled(long)(u, v, 0.25)
        want = u.copy()
        for _ in range(1100):
            want = want * 0.5 + 0.25
        same(self, v, want)


if __name__ == "__main__":
    unittest.main()
