"""Time loops that no suite has, in Python: what users bring to `benchmarks/loops`.

Coefficients, sources, several states, several applies in a step, chains of temporary values, divisions, conditions of
all kinds. Each is stable for fields in [0.02, 0.12). The package `stencil` has to be on the path.
"""

import stencil
from stencil import Field, dirichlet, extrapolate, index, indices, neumann, periodic, temp, time_loop, where

PROGRAMS = {}


def known(program):
    PROGRAMS[program.name] = program
    return program


def neighbours(u, x, distance=1):
    """The sum of the points that far away along each axis."""
    terms = []
    for axis in range(len(x)):
        for offset in (-distance, distance):
            terms.append(u[tuple(i + offset if a == axis else i for a, i in enumerate(x))])
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def laplacian(u, x):
    return neighbours(u, x) - 2.0 * len(x) * u[x]


def named(name, loop):
    loop.__name__ = name
    known(stencil.program(loop))


def add_diffusion(name, rank, boundary=None):
    """A coefficient for each point."""

    def loop(u: Field(rank, boundary=boundary), v: Field(rank), k: Field(rank), steps: index):
        x = indices(rank)
        for _ in time_loop(steps, rotate=(u, v)):
            v[x] = u[x] + k[x] * laplacian(u, x)

    named(name, loop)


add_diffusion("diffusion2d", 2, neumann)
# Halos that are extrapolated.
add_diffusion("outflow2d", 2, extrapolate(1))
add_diffusion("diffusion3d", 3)


@known
@stencil.program
def faces2d(u: Field(2), v: Field(2), k: Field(2), steps: index):
    """div(k grad u), with the means of k at the faces."""
    i, j = indices(2)
    for _ in time_loop(steps, rotate=(u, v)):
        down = (k[i, j] + k[i + 1, j]) * (u[i + 1, j] - u[i, j])
        up = (k[i, j] + k[i - 1, j]) * (u[i, j] - u[i - 1, j])
        right = (k[i, j] + k[i, j + 1]) * (u[i, j + 1] - u[i, j])
        left = (k[i, j] + k[i, j - 1]) * (u[i, j] - u[i, j - 1])
        v[i, j] = u[i, j] + 0.1 * (down - up + right - left)


@known
@stencil.program
def upwind2d(u: Field(2, boundary=periodic), v: Field(2), a: Field(2), b: Field(2), steps: index):
    """Advection by a wind (a, b), differences against it."""
    i, j = indices(2)
    for _ in time_loop(steps, rotate=(u, v)):
        down = where(a[i, j] > 0.07, u[i, j] - u[i - 1, j], u[i + 1, j] - u[i, j])
        right = where(b[i, j] > 0.07, u[i, j] - u[i, j - 1], u[i, j + 1] - u[i, j])
        v[i, j] = u[i, j] - (a[i, j] * down + b[i, j] * right)


@known
@stencil.program
def edges2d(u: Field(2), v: Field(2), steps: index):
    """Perona and Malik's diffusion, which stops at edges: four divisions."""
    i, j = indices(2)

    def flow(d):
        return d / (1.0 + 4.0 * d * d)

    for _ in time_loop(steps, rotate=(u, v)):
        along = flow(u[i + 1, j] - u[i, j]) + flow(u[i - 1, j] - u[i, j])
        v[i, j] = u[i, j] + 0.2 * (along + flow(u[i, j + 1] - u[i, j]) + flow(u[i, j - 1] - u[i, j]))


@known
@stencil.program
def burgers2d(u: Field(2), v: Field(2), un: Field(2), vn: Field(2), steps: index):
    i, j = indices(2)

    def advance(q):
        carried = u[i, j] * (q[i, j] - q[i - 1, j]) + v[i, j] * (q[i, j] - q[i, j - 1])
        return q[i, j] - 0.01 * carried + 0.05 * laplacian(q, (i, j))

    for _ in time_loop(steps, rotate=[(u, un), (v, vn)]):
        un[i, j] = advance(u)
        vn[i, j] = advance(v)


@known
@stencil.program
def shallow2d(h: Field(2), p: Field(2), q: Field(2), hn: Field(2), pn: Field(2), qn: Field(2), steps: index):
    """Shallow water by Lax and Friedrichs, in conservative form."""
    i, j = indices(2)

    def flows(di, dj):
        depth, x, y = h[i + di, j + dj] + 10.0, p[i + di, j + dj], q[i + di, j + dj]
        pressure = 4.9 * depth * depth
        return (x, x * x / depth + pressure, x * y / depth), (y, x * y / depth, y * y / depth + pressure)

    for _ in time_loop(steps, rotate=[(h, hn), (p, pn), (q, qn)]):
        (south, _), (north, _), (_, east), (_, west) = flows(1, 0), flows(-1, 0), flows(0, 1), flows(0, -1)
        for n, (old, new) in enumerate(((h, hn), (p, pn), (q, qn))):
            new[i, j] = 0.25 * neighbours(old, (i, j)) - 0.01 * (south[n] - north[n]) - 0.01 * (east[n] - west[n])


@known
@stencil.program
def fdtd2d(ez: Field(2), hx: Field(2), hy: Field(2), steps: index):
    """Electromagnetic waves on Yee's grid: three updates in place."""
    i, j = indices(2)
    for _ in time_loop(steps):
        hx[i, j] = hx[i, j] - 0.5 * (ez[i, j + 1] - ez[i, j])
        hy[i, j] = hy[i, j] + 0.5 * (ez[i + 1, j] - ez[i, j])
        ez[i, j] = ez[i, j] + 0.5 * (hy[i, j] - hy[i - 1, j] - hx[i, j] + hx[i, j - 1])


@known
@stencil.program
def poisson3d(u: Field(3, boundary=dirichlet(0)), v: Field(3), f: Field(3), steps: index):
    """Jacobi's iteration."""
    x = indices(3)
    for _ in time_loop(steps, rotate=(u, v)):
        v[x] = (1.0 / 6.0) * (neighbours(u, x) - f[x])


@known
@stencil.program
def coefficients3d(
    u: Field(3), v: Field(3), a: Field(3), b: Field(3), c: Field(3), d: Field(3), e: Field(3), f: Field(3), g: Field(3), steps: index
):
    """A weight of its own for each of seven points."""
    i, j, k = x = indices(3)
    for _ in time_loop(steps, rotate=(u, v)):
        far = a[x] * u[i - 1, j, k] + b[x] * u[i + 1, j, k] + c[x] * u[i, j - 1, k] + d[x] * u[i, j + 1, k]
        v[x] = far + e[x] * u[i, j, k - 1] + f[x] * u[i, j, k + 1] + g[x] * u[x]


@known
@stencil.program
def maxwell3d(ex: Field(3), ey: Field(3), ez: Field(3), hx: Field(3), hy: Field(3), hz: Field(3), steps: index):
    """Yee's grid: six updates in place."""
    i, j, k = x = indices(3)
    for _ in time_loop(steps):
        hx[x] = hx[x] - 0.4 * (ez[i, j + 1, k] - ez[x] - ey[i, j, k + 1] + ey[x])
        hy[x] = hy[x] - 0.4 * (ex[i, j, k + 1] - ex[x] - ez[i + 1, j, k] + ez[x])
        hz[x] = hz[x] - 0.4 * (ey[i + 1, j, k] - ey[x] - ex[i, j + 1, k] + ex[x])
        ex[x] = ex[x] + 0.4 * (hz[x] - hz[i, j - 1, k] - hy[x] + hy[i, j, k - 1])
        ey[x] = ey[x] + 0.4 * (hx[x] - hx[i, j, k - 1] - hz[x] + hz[i - 1, j, k])
        ez[x] = ez[x] + 0.4 * (hy[x] - hy[i - 1, j, k] - hx[x] + hx[i, j - 1, k])


@known
@stencil.program
def fluxes3d(u: Field(3), v: Field(3), k: Field(3), steps: index):
    """Horizontal diffusion of a weather model, as examples/hdiff.mlir: three applies, of which one is stored."""
    n, i, j = indices(3)
    for _ in time_loop(steps, rotate=(u, v)):
        curve = temp(4.0 * u[n, i, j] - (u[n, i - 1, j] + u[n, i + 1, j] + u[n, i, j - 1] + u[n, i, j + 1]))
        east = temp(curve[n, i, j + 1] - curve[n, i, j])
        south = temp(curve[n, i + 1, j] - curve[n, i, j])
        fx = temp(where(east[n, i, j] * (u[n, i, j + 1] - u[n, i, j]) > 0.0, 0.0, east[n, i, j]))
        fy = temp(where(south[n, i, j] * (u[n, i + 1, j] - u[n, i, j]) > 0.0, 0.0, south[n, i, j]))
        v[n, i, j] = u[n, i, j] - k[n, i, j] * (fx[n, i, j] - fx[n, i, j - 1] + fy[n, i, j] - fy[n, i - 1, j])


def add_gray_scott(name, rank, rates, boundary=None):
    """Two substances that react; `rates` are those at which they spread."""

    def loop(u: Field(rank, boundary=boundary), v: Field(rank, boundary=boundary), un: Field(rank), vn: Field(rank), steps: index):
        x = indices(rank)
        for _ in time_loop(steps, rotate=[(u, un), (v, vn)]):
            react = temp(u[x] * v[x] * v[x])
            un[x] = u[x] + rates[0] * laplacian(u, x) - react + 0.035 * (1.0 - u[x])
            vn[x] = v[x] + rates[1] * laplacian(v, x) + react - 0.1 * v[x]

    named(name, loop)


add_gray_scott("gray_scott2d", 2, (0.16, 0.08), periodic)
add_gray_scott("gray_scott3d", 3, (0.1, 0.05))


# The second derivative's weights by order, from the point itself on.
DERIVATIVES = {
    1: (-2.0, 1.0),
    2: (-5 / 2, 4 / 3, -1 / 12),
    4: (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560),
}


def add_wave(rank, radius):
    """Leapfrog in three fields, with a velocity for each point."""
    weights = DERIVATIVES[radius]

    def loop(old: Field(rank), now: Field(rank), new: Field(rank), c: Field(rank), steps: index):
        x = indices(rank)
        for _ in time_loop(steps, rotate=(old, now, new)):
            curve = rank * weights[0] * now[x]
            for distance, weight in enumerate(weights[1:], 1):
                curve = curve + weight * neighbours(now, x, distance)
            new[x] = 2.0 * now[x] - old[x] + c[x] * curve

    named(f"wave{rank}d_r{radius}", loop)


for shape in ((2, 1), (2, 4), (3, 1), (3, 2), (3, 4)):
    add_wave(*shape)


def count_fields(program):
    return sum(hasattr(parameter, "rank") for parameter in program.parameters)


def choose_extents(program, size):
    """A cube of about `size` bytes in all fields of FP64; rows are whole vectors."""
    rank = program.parameters[0].rank
    length = round((size / 8 / count_fields(program)) ** (1 / rank))
    multiple = 64 if length >= 256 else 8
    return (max(multiple, length // multiple * multiple),) * rank
