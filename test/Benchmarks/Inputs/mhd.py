"""One substep of benchmarks/kernels/mhd_substep.mlir against NumPy.

    mhd.py DIR SIZE BOUND COMMAND...

runs a stencil-run command with arrays in DIR for arguments, for example of SIZE 9x10x11, and compares what it leaves.
Exit 1 if a field differs by more than BOUND times eps times the largest magnitude of the field.

Written from the equations of the thesis (chapter 3), not from the generator: in index notation, and in 80 bits, so
that the errors are those of the program alone.
"""

import pathlib
import subprocess
import sys

import numpy as np

HALO = 3
SCALARS = {"dt": 1e-3, "alpha": -5 / 3, "beta": 15 / 16, "inv_dx": 8.0, "inv_dy": 7.5, "inv_dz": 7.0}
F = np.longdouble
# x, y, z are axes 2, 1, 0.
AXIS = (2, 1, 0)


def make(size):
    """The state now and a substep ago: smooth periodic functions, disturbed."""
    rng = np.random.default_rng(11)
    states = []
    points = np.meshgrid(*(2 * np.pi * np.arange(n) / n for n in size), indexing="ij")
    for _ in range(16):
        phase = rng.random(3) * 2 * np.pi
        wave = sum(np.sin(p * rng.integers(1, 3) + s) for p, s in zip(points, phase))
        interior = 0.2 * wave + 0.01 * rng.standard_normal(size)
        states.append(np.pad(interior, HALO, constant_values=np.nan))
    for last in states[8:]:
        # Never read there, and never written.
        last[np.isnan(last)] = 12345.0
    return states[:8], states[8:]


def substep(now, last, dt, alpha, beta, spacing):
    f = [F(a) for a in now]
    weights = {1: [F(3) / 4, F(-3) / 20, F(1) / 60], 2: [F(3) / 2, F(-3) / 20, F(1) / 90]}

    def shift(a, *steps):
        for axis, step in steps:
            a = np.roll(a, -step, AXIS[axis])
        return a

    def first(a, i):
        return sum(w * (shift(a, (i, n)) - shift(a, (i, -n))) for n, w in enumerate(weights[1], 1)) * spacing[i]

    def second(a, i, j):
        if i == j:
            pairs = sum(w * (shift(a, (i, n)) + shift(a, (i, -n)) - 2 * a) for n, w in enumerate(weights[2], 1))
            return pairs * spacing[i] ** 2
        # A quarter of the difference of the second derivatives along the diagonals.
        total = 0
        for n, w in enumerate(weights[2], 1):
            up = shift(a, (i, n), (j, n)) + shift(a, (i, -n), (j, -n))
            down = shift(a, (i, n), (j, -n)) + shift(a, (i, -n), (j, n))
            total = total + w / 4 * (up - down)
        return total * spacing[i] * spacing[j]

    lnrho, u, a, s = f[0], f[1:4], f[4:7], f[7]
    cs2_sound, nu, zeta, eta, mu0 = F(1.21), F(0.005), F(0.002), F(0.003), F(1.4)
    cp, gamma, lnrho0, lnt0, conductivity = F(0.9), F(1.6), F(0.05), F(0.1), F(0.001)
    heating = F(0.0005) - F(0.0002)
    x = range(3)
    levi = {(0, 1, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1, (2, 1, 0): -1, (1, 0, 2): -1, (0, 2, 1): -1}

    def cross(p, q):
        return [sum(e * p[j] * q[k] for (i, j, k), e in levi.items() if i == n) for n in x]

    def convective(q):
        return sum(u[i] * first(q, i) for i in x)

    rho = np.exp(lnrho)
    div = sum(first(u[i], i) for i in x)
    b = [sum(e * first(a[k], j) for (i, j, k), e in levi.items() if i == n) for n in x]
    # mu0 j = grad div A - laplace A
    mu_j = [sum(second(a[i], i, n) - second(a[n], i, i) for i in x) for n in x]
    j = [c / mu0 for c in mu_j]
    grad_div = [sum(second(u[i], i, n) for i in x) for n in x]
    strain = [
        [(first(u[p], q) + first(u[q], p)) / 2 - (div / 3 if p == q else 0) for q in x] for p in x
    ]
    exponent = gamma * s / cp + (gamma - 1) * (lnrho - lnrho0)
    cs2 = cs2_sound * np.exp(exponent)
    rates = [-convective(lnrho) - div]
    lorentz = cross(j, b)
    for n in x:
        laplace = sum(second(u[n], i, i) for i in x)
        friction = laplace + grad_div[n] / 3 + 2 * sum(strain[n][i] * first(lnrho, i) for i in x)
        pressure = cs2 * (first(s, n) / cp + first(lnrho, n))
        rates.append(-convective(u[n]) - pressure + lorentz[n] / rho + nu * friction + zeta * grad_div[n])
    rates += [v - eta * m for v, m in zip(cross(u, b), mu_j)]
    chi = conductivity / (rho * cp)
    heat = gamma * sum(second(s, i, i) for i in x) / cp + (gamma - 1) * sum(second(lnrho, i, i) for i in x)
    for i in x:
        inner = gamma * first(s, i) / cp + (gamma - 1) * first(lnrho, i)
        heat = heat + inner * (gamma * (first(s, i) / cp + first(lnrho, i)) - first(lnrho, i))
    work = heating + eta * mu0 * sum(c * c for c in j)
    work = work + 2 * rho * nu * sum(strain[p][q] ** 2 for p in x for q in x) + zeta * rho * div * div
    rates.append(-convective(s) + work / (rho * np.exp(lnt0 + exponent)) + cp * chi * heat)
    return [v + beta * (alpha * (v - w) + dt * r) for v, w, r in zip(f, last, rates)]


def call(command, directory, now, last):
    """What the program leaves in the second eight fields."""
    directory.mkdir(parents=True, exist_ok=True)
    for i, array in enumerate([*now, *last]):
        np.save(directory / f"{i}.npy", array)
        command += ["--arg", f"{i}={directory / f'{i}.npy'}"]
        if i >= 8:
            command += ["--out", f"{i}={directory / f'got-{i}.npy'}"]
    for i, value in enumerate(SCALARS.values(), 16):
        command += ["--arg", f"{i}={value!r}"]
    command += ["--arg", f"{16 + len(SCALARS)}=1"]
    subprocess.run(command, check=True)
    return [np.load(directory / f"got-{i}.npy") for i in range(8, 16)]


def main():
    directory, size, bound, *command = sys.argv[1:]
    now, last = make(tuple(map(int, size.split("x"))))
    got = call(command, pathlib.Path(directory), now, last)
    inside = (slice(HALO, -HALO),) * 3
    dt, alpha, beta, *spacing = (F(v) for v in SCALARS.values())
    want = substep([a[inside] for a in now], [a[inside].astype(F) for a in last], dt, alpha, beta, spacing)
    eps = np.finfo(np.float64).eps
    failed = False
    for i, (w, g) in enumerate(zip(want, got)):
        outside = np.ones(g.shape, bool)
        outside[inside] = False
        if not np.isfinite(w).all() or (g[outside] != 12345.0).any():
            sys.exit(f"error: field {i}: no number, or the halo was written")
        error = float(np.abs(w - g[inside]).max() / (eps * np.abs(w).max()))
        print(f"field {i}: {error:.3g} eps of the largest")
        failed |= not error <= float(bound)
    sys.exit(failed)


if __name__ == "__main__":
    main()
