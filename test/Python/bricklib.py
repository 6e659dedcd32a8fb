"""Stencil files of BrickLib are read, and give what their loops give: its axis 0 is the contiguous one."""

import pathlib
import tempfile
import unittest

import numpy as np
import stencil

INPUTS = pathlib.Path(__file__).parent / "Inputs"
RANDOM = np.random.default_rng(2)


def compiled(program):
    return stencil.compile(program, math="strict", cache=False)


class BrickLib(unittest.TestCase):
    def test_star(self):
        program = stencil.import_bricklib(INPUTS / "star.py")
        self.assertEqual([p.name for p in program.parameters], ["bIn", "bOut", "MPI_ALPHA", "coeff_0", "coeff_1", "coeff_2"])
        # Axes k, j, i: i reaches from -2 to 1, j to 1, k to -1.
        u, v = RANDOM.random((5, 7, 9)), np.zeros((4, 6, 6))
        compiled(program)(u, v, 0.5, 0.25, 3.0, -1.0)
        c = u[1:, :-1, 2:-1]
        want = 0.5 * c + 0.25 * (u[1:, :-1, 3:] - u[1:, :-1, :-3]) + 3.0 * u[1:, 1:, 2:-1] + -1.0 * u[:-1, :-1, 2:-1]
        np.testing.assert_array_equal(v, want)

        known = stencil.import_bricklib(INPUTS / "star.py", dtype="f32", constants={"MPI_ALPHA": 0.5, "coeff": [0.25, 3, -1]})
        a, b = u.astype("f4"), np.zeros(v.shape, "f4")
        compiled(known)(a, b)
        # Inputs, products and sums, ten in all, are rounded by half an epsilon of at most the sum of all magnitudes.
        np.testing.assert_allclose(b, v, rtol=0, atol=10 * 2.0**-24 * (0.5 + 2 * 0.25 + 3 + 1))

    def test_time_loop(self):
        program = stencil.import_bricklib(INPUTS / "star.py", name="steps", steps="n", rotate=("bIn", "bOut"))
        u, v = RANDOM.random((2, 5, 6, 7))
        once = [u.copy(), v.copy()]
        sweep = compiled(program)
        for step in range(3):
            sweep(*once[:: 1 if step % 2 == 0 else -1], 0.5, 0.25, 0.25, 0.125, 1)
        sweep(u, v, 0.5, 0.25, 0.25, 0.125, 3)
        np.testing.assert_array_equal((u, v), once)

    def test_choice(self):
        program = stencil.import_bricklib(INPUTS / "choice.py")
        u, v, w = RANDOM.normal(size=(6, 8)), np.zeros((5, 7)), np.zeros((5, 7))
        # `w` reads the point itself, and all halos are those of `u`.
        compiled(program)(u, v, w)
        mid = np.maximum(u[1:, 1:], 0) + 2
        calc = mid * u[:-1, :-1]
        np.testing.assert_array_equal(v, np.where(calc > 0, np.sqrt(np.abs(calc)), -calc))
        c = u[1:, :-1]
        np.testing.assert_array_equal(w, np.where((c > 0) & (c < 1), 1.0, mid))

    def test_four_axes(self):
        u, v = RANDOM.random((4, 5, 6, 7)), np.zeros((3, 5, 6, 6))
        compiled(stencil.import_bricklib(INPUTS / "four.py"))(u, v)
        np.testing.assert_array_equal(v, 0.125 * u[1:, :, :, 1:] + u[:-1, :, :, :-1])

    def test_errors(self):
        head = "from st.expr import Index, ConstRef\nfrom st.grid import Grid\nfrom st.func import Func\n" \
               "i, j = Index(0), Index(1)\nu, v, w = Grid('u', 2), Grid('v', 2), Grid('w', 2)\n"
        cases = [
            ("", ValueError, "a list STENCIL of grids, got None"), ("STENCIL = [3]", ValueError, "grids in STENCIL, got int"),
            ("STENCIL = [u]", ValueError, "grids that were assigned to"),
            ("u(j, i)", ValueError, r"Index\(0\) plus or minus an integer as index 0 of 'u'"),
            ("u(2 * i, j)", ValueError, r"Index\(0\) plus or minus"), ("u(i)", ValueError, "2 indices for 'u', got 1"),
            ("Func('blend', 2)", ValueError, "one of the functions .*, got 'blend'"),
            ("Func('max', 2)(u(i, j))", ValueError, "2 arguments for max, got 1"),
            ("v(i, j).assign(u(i, j))\nw(i, j).assign(v(i + 1, j))", ValueError, "BrickLib would leave out the offsets"),
            ("import st.codegen", ImportError, "st.expr, st.grid or st.func of BrickLib, got 'st.codegen'"),
            ("from st.expr import Reduction", ImportError, r"got \['Reduction'\]"),
            ("v(i, j).assign(u(i, j) * )", SyntaxError, "invalid syntax"),
        ]
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch, "file.py")
            for text, kind, message in cases:
                with self.subTest(text):
                    path.write_text(head + text, encoding="utf-8")
                    with self.assertRaisesRegex(kind, message):
                        stencil.import_bricklib(path)


if __name__ == "__main__":
    unittest.main()
