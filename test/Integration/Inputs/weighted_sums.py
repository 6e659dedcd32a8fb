"""usage: weighted_sums.py DIR, then with `check`: judges weighted-sums.mlir, in
which sums read sums at other points, by evaluating it point by point."""

import sys

import numpy as np

directory = sys.argv[1]
if sys.argv[2:] != ["check"]:
    np.save(f"{directory}/in.npy", np.random.default_rng(1).random((24, 34)))
    sys.exit()

x = np.load(f"{directory}/in.npy")
out = np.load(f"{directory}/out.npy")
c = 0.3


# Coordinates begin four points before the interior.
def a(i, j):
    return x[i + 3, j + 4] + -2.5 * x[i + 4, j + 4]


def p(i, j):
    return a(i, j) * float(j)


def b(i, j):
    return (c * p(i, j - 1) + c * p(i, j)) + c * p(i + 1, j + 1)


def d(i, j):
    return (b(i, j - 1) - b(i, j)) + 3.0 * b(i + 1, j + 1)


expected = np.array([[d(i, j) for j in range(26)] for i in range(16)])
wrong = np.argwhere(out[4:20, 4:30] != expected)
assert len(wrong) == 0, f"{len(wrong)} points differ, the first is {wrong[0]}"
assert (out[:4] == 0).all() and (out[:, 30:] == 0).all()
print("equal")
