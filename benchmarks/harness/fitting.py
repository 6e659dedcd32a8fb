"""Fits constants of a formula to measurements: damped least squares (Levenberg 1944, Marquardt 1963) of the logarithms of
predicted over measured times, each reweighted so that what is far off does not decide (Huber 1964)."""

import math

# A constant is tried so much larger, and changes by this factor at most in a round.
STEP, MOST = 0.04, 0.35
# From here on an error counts by its size, not by its square.
HUBER = 0.15
# How strongly constants are held to what they were, as if so much of the weight of all rows said so: of what nothing
# was measured about, they stay.
HOLD = 0.002
DAMPING = (0.01, 0.1, 1, 10)


def solve(matrix, right):
    """The solution of a symmetric, positive definite system, by Gaussian elimination."""
    n, rows = len(right), [[*row, value] for row, value in zip(matrix, right)]
    for i in range(n):
        for j in range(i + 1, n):
            factor = rows[j][i] / rows[i][i]
            if factor:
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i])]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


def loss(residuals, weights, moved):
    """What is made least: Huber's loss, and what holds constants where they were."""
    total = sum(weights)
    sizes = map(abs, residuals)
    errors = sum(w * (r * r / 2 if r < HUBER else HUBER * (r - HUBER / 2)) for r, w in zip(sizes, weights))
    return errors / total + HOLD * sum(m * m for m in moved) / 2


class Fit:
    """`predict` gets a list of sets of constants and gives for each the residuals of all rows."""

    def __init__(self, predict, constants, weights):
        self.predict, self.weights = predict, weights
        self.names, self.start = list(constants), dict(constants)
        self.moved = [0.0] * len(self.names)
        (self.residuals,) = predict([self.constants(self.moved)])
        self.loss = loss(self.residuals, weights, self.moved)

    def constants(self, moved):
        """All of them."""
        return {n: self.start[n] * math.exp(m) for n, m in zip(self.names, moved)}

    def improve(self):
        """One round. False if nothing got better."""
        count = len(self.names)
        tried = [[m + (STEP if i == k else 0) for i, m in enumerate(self.moved)] for k in range(count)]
        changed = self.predict([self.constants(moved) for moved in tried])
        total = sum(self.weights)
        weights = [w / total * min(1, HUBER / max(1e-9, abs(r))) for w, r in zip(self.weights, self.residuals)]
        slopes = [[(b - a) / STEP for a, b in zip(self.residuals, column)] for column in changed]
        scaled = [[w * s for w, s in zip(weights, column)] for column in slopes]
        normal = [[sum(map(float.__mul__, a, b)) for b in slopes] for a in scaled]
        right = [-sum(map(float.__mul__, a, self.residuals)) - HOLD * m for a, m in zip(scaled, self.moved)]
        candidates = []
        for damping in DAMPING:
            matrix = [[v + (HOLD + damping * v if i == j else 0) for j, v in enumerate(row)] for i, row in enumerate(normal)]
            delta = solve(matrix, right)
            candidates.append([m + max(-MOST, min(MOST, d)) for m, d in zip(self.moved, delta)])
        outcomes = self.predict([self.constants(moved) for moved in candidates])
        losses = [loss(residuals, self.weights, moved) for residuals, moved in zip(outcomes, candidates)]
        best = min(range(len(losses)), key=losses.__getitem__)
        if not losses[best] < self.loss * (1 - 1e-4):
            return False
        self.moved, self.residuals, self.loss = candidates[best], outcomes[best], losses[best]
        return True
