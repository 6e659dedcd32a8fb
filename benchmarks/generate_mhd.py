#!/usr/bin/env python3
"""Generates kernels/mhd_substep.mlir.

usage: generate_mhd.py [--check]        --check: exit 1 if the committed file is not current
       generate_mhd.py --handwritten    prints the same in C++, for handwritten/

One Runge-Kutta substep of the full system of magnetohydrodynamics as in chapter 3
and listings C.1 and C.2 of Pekkila's thesis (Astaroth: A Library for Stencil
Computations on Graphics Processing Units, Aalto University 2019), in the form
phi(A B): first every one of the ten operators (the value, three first and three
second derivatives, three mixed ones) of every one of the eight fields, 80 pairs;
then the pointwise equations, which need 65 of them.
Python's standard library is enough.
"""

import pathlib
import sys
from fractions import Fraction

sys.dont_write_bytecode = True
import generate  # noqa: E402
from harness.expressions import Body, CxxBody, Value, Vector, cross, dot  # noqa: E402

HERE = pathlib.Path(__file__).parent
FIELDS = ["lnrho", "ux", "uy", "uz", "ax", "ay", "az", "ss"]
# The last axis is contiguous: it is x.
AXES = {"x": 2, "y": 1, "z": 0}
# Thesis, eqs 3.17 to 3.19: weights at distances 0, 1, 2, 3.
FIRST = [0, Fraction(3, 4), Fraction(-3, 20), Fraction(1, 60)]
SECOND = [Fraction(-49, 18), Fraction(3, 2), Fraction(-3, 20), Fraction(1, 90)]
MIXED = [0, Fraction(3, 8), Fraction(-3, 80), Fraction(1, 360)]
CONSTANTS = {  # of the fluid, with no meaning but that none is 0 or 1
    "cs2_sound": 1.21,
    "nu_visc": 0.005,
    "zeta": 0.002,
    "eta": 0.003,
    "mu0": 1.4,
    "cp_sound": 0.9,
    "gamma": 1.6,
    "lnrho0": 0.05,
    "lnT0": 0.1,
    "conductivity": 0.001,
    "heating": 0.0005,
    "cooling": 0.0002,
}


class Field:
    """The ten operators of one field."""

    def __init__(self, body, name):
        self.body, self.field = body, name
        self.value = self.at(name)
        self.d = {}
        for axis in "xyz":
            self.d[axis] = self.first(axis)
        for axis in "xyz":
            self.d[axis + axis] = self.second(axis)
        for axes in ("xy", "xz", "yz"):
            self.d[axes] = self.mixed(*axes)
        self.gradient = Vector(self.d[axis] for axis in "xyz")

    def laplace(self):
        return self.d["xx"] + self.d["yy"] + self.d["zz"]

    def second_derivative(self, a, b):
        return self.d["".join(sorted(a + b))]

    @staticmethod
    def offset(steps):
        offset = [0, 0, 0]
        for axis, step in steps.items():
            offset[AXES[axis]] = step
        return offset

    def at(self, name=None, **steps):
        return self.body.access(f"{self.field}_", self.offset(steps), name)

    def weighted(self, weights, points, scale, name):
        """The sum of weights[i] times the points(i), each with a sign and steps; times the scale."""
        self.body.comment(name)
        groups = [(float(w), points(i)) for i, w in enumerate(weights) if w]
        total = self.sum_op(groups) if self.body.sums else self.arithmetic(groups)
        return self.body.scaled(total, scale, name)

    def arithmetic(self, groups):
        total = None
        for weight, points in groups:
            weight, value = self.body.constant(weight), None
            for sign, steps in points:
                tap = self.at(**steps)
                value = tap if value is None else value + tap if sign > 0 else value - tap
            total = total + weight * value if total else weight * value
        return total

    def sum_op(self, groups):
        taps = [(self.offset(steps), sign * weight) for weight, points in groups for sign, steps in points]
        offsets = ", ".join(str(offset) for offset, _ in taps)
        weights = ", ".join(repr(weight) for _, weight in taps)
        text = f"stencil.weighted_sum %{self.field}_ offsets [{offsets}] weights dense<[{weights}]>"
        return self.body.op(f"{text} : tensor<{len(taps)}xf64> : !temp")

    def first(self, a):
        return self.weighted(FIRST, lambda i: [(1, {a: i}), (-1, {a: -i})], f"d{a}", f"{self.field}_{a}")

    def second(self, a):
        def points(i):
            return [(1, {a: i}), (1, {a: -i})] if i else [(1, {})]

        return self.weighted(SECOND, points, f"d{a}{a}", f"{self.field}_{a}{a}")

    def mixed(self, a, b):
        def points(i):
            return [(1, {a: i, b: i}), (1, {a: -i, b: -i}), (-1, {a: i, b: -i}), (-1, {a: -i, b: i})]

        return self.weighted(MIXED, points, f"d{a}{b}", f"{self.field}_{a}{b}")


def gradient_of_divergence(v):
    return Vector(
        v[0].second_derivative("x", a) + v[1].second_derivative("y", a) + v[2].second_derivative("z", a) for a in "xyz"
    )


def equations(b):
    """The rates of change (listing C.2), in the order of FIELDS."""
    k = {name: b.constant(value, name) for name, value in CONSTANTS.items()}
    f = {name: Field(b, name) for name in FIELDS}
    lnrho, ss = f["lnrho"], f["ss"]
    uu, aa = [f[n] for n in ("ux", "uy", "uz")], [f[n] for n in ("ax", "ay", "az")]
    u = Vector(c.value for c in uu)
    half, third, two = b.constant(0.5), b.constant(1 / 3), b.constant(2.0)

    b.comment("Continuity (eq. 3.1).")
    divergence = uu[0].d["x"] + uu[1].d["y"] + uu[2].d["z"]
    continuity = -dot(u, lnrho.gradient) - divergence

    b.comment("Induction (eqs 3.2 to 3.4).")
    magnetic = Vector(
        [
            aa[2].d["y"] - aa[1].d["z"],
            aa[0].d["z"] - aa[2].d["x"],
            aa[1].d["x"] - aa[0].d["y"],
        ]
    )
    curl_curl = gradient_of_divergence(aa) - Vector(a.laplace() for a in aa)
    induction = cross(u, magnetic) - curl_curl.scaled(k["eta"])

    b.comment("Momentum (eqs 3.5 to 3.7).")
    current = curl_curl.scaled(1.0 / k["mu0"])
    shear = {}
    for i, p in enumerate("xyz"):
        shear[p + p] = uu[i].d[p] - third * divergence
        for j, q in enumerate("xyz"):
            if i < j:
                shear[p + q] = shear[q + p] = half * (uu[i].d[q] + uu[j].d[p])
    rows = [Vector(shear[p + q] for q in "xyz") for p in "xyz"]
    gamma1 = k["gamma"] - 1.0
    inv_cp = 1.0 / k["cp_sound"]
    heat = k["gamma"] * ss.value * inv_cp + gamma1 * (lnrho.value - k["lnrho0"])
    cs2 = k["cs2_sound"] * b.exp(heat)
    rho = b.exp(lnrho.value)
    inv_rho = 1.0 / rho
    grad_div = gradient_of_divergence(uu)
    advection = Vector(dot(c.gradient, u) for c in uu)
    pressure = (ss.gradient.scaled(inv_cp) + lnrho.gradient).scaled(cs2)
    lorentz = cross(current, magnetic).scaled(inv_rho)
    viscous = Vector(c.laplace() for c in uu) + grad_div.scaled(third)
    viscous = viscous + Vector(dot(row, lnrho.gradient) for row in rows).scaled(two)
    momentum = -advection - pressure + lorentz + viscous.scaled(k["nu_visc"]) + grad_div.scaled(k["zeta"])

    b.comment("Entropy (eqs 3.8 to 3.12).")
    contracted = dot(rows[0], rows[0]) + dot(rows[1], rows[1]) + dot(rows[2], rows[2])
    temperature = b.exp(k["lnT0"] + heat)
    sources = k["heating"] - k["cooling"] + k["eta"] * k["mu0"] * dot(current, current)
    sources = sources + two * rho * k["nu_visc"] * contracted + k["zeta"] * rho * divergence * divergence
    grad_s = ss.gradient.scaled(inv_cp)
    first_term = k["gamma"] * inv_cp * ss.laplace() + gamma1 * lnrho.laplace()
    second_term = grad_s.scaled(k["gamma"]) + lnrho.gradient.scaled(gamma1)
    third_term = (grad_s + lnrho.gradient).scaled(k["gamma"]) - lnrho.gradient
    conduction = k["conductivity"] / rho * (first_term + dot(second_term, third_term))
    entropy = -dot(u, ss.gradient) + 1.0 / (rho * temperature) * sources + conduction

    return f, [continuity, *momentum, *induction, entropy]


def substep(b, scalar):
    """The new values of the fields, in the order of FIELDS."""
    f, rates = equations(b)
    b.comment("Williamson's scheme with two buffers (eq. 3.25).")
    new = []
    for name, rate in zip(FIELDS, rates):
        value, last = f[name].value, b.access(f"{name}_last", [0, 0, 0])
        alpha, beta, dt = (Value(b, scalar.format(s)) for s in ("alpha", "beta", "dt"))
        new.append(value + beta * (alpha * (value - last) + dt * rate))
    return new


def mlir(sums=False):
    """The program; with `sums`, its operators are weighted sums from the start, for benchmarks/costs."""
    b = Body(sums)
    new = substep(b, "%{}_")
    b.lines.append(f"stencil.return {', '.join(v.name for v in new)} : {', '.join(['f64'] * len(new))}")

    scales = [("dx", "%inv_dx"), ("dy", "%inv_dy"), ("dz", "%inv_dz")]
    squares = [f"d{p}{q}" for p, q in ("xx", "yy", "zz", "xy", "xz", "yz")]
    scales += [(s, f"%{s}") for s in squares]
    scalars = ["dt", "alpha", "beta"]
    arguments = [f"%{n}0: !open" for n in FIELDS] + [f"%{n}1: !open" for n in FIELDS]
    arguments += [f"%{n}: f64" for n in (*scalars, "inv_dx", "inv_dy", "inv_dz")] + ["%steps: index"]
    operands = [f"%{n}_ = %{n}_t : !temp" for n in FIELDS] + [f"%{n}_last = %{n}_l : !temp" for n in FIELDS]
    operands += [f"%{n}_ = %{n} : f64" for n in scalars] + [f"%{n}_ = {v} : f64" for n, v in scales]
    head = []
    for name in FIELDS:
        head.append(f"%{name}_a = stencil.cast %{name}0 : !open -> !field")
        head.append(f"%{name}_b = stencil.cast %{name}1 : !open -> !field")
    for s in squares:
        head.append(f"%{s} = arith.mulf %inv_d{s[1]}, %inv_d{s[2]} : f64")
    head += ["%zero = arith.constant 0 : index", "%one = arith.constant 1 : index"]
    before = []
    for name in FIELDS:
        before.append(
            f"stencil.boundary %{name}_f(<[0, 0, 0], [?, ?, ?]>) "
            "[#stencil.periodic, #stencil.periodic, #stencil.periodic] : !field"
        )
    for name in FIELDS:
        before.append(f"%{name}_t = stencil.load %{name}_f : !field -> !temp")
        before.append(f"%{name}_l = stencil.load %{name}_g : !field -> !temp")
    stores = [f"stencil.store %{n}_n to %{n}_g(<[0, 0, 0], [?, ?, ?]>) : !temp to !field" for n in FIELDS]
    now, last = [f"%{n}_f" for n in FIELDS], [f"%{n}_g" for n in FIELDS]
    carried = [f"{f} = {f[:-1]}a" for f in now] + [f"{g} = {g[:-1]}b" for g in last]
    types = ", ".join(["!field"] * len(carried))
    join = lambda indent, lines: "\n".join(indent + line for line in lines)
    return f"""// mhd_substep: magnetohydrodynamics, one substep of a Runge-Kutta step of third order. Made by
// benchmarks/generate_mhd.py, which says where it is from. Axes: z, y, x; sixth order; periodic.
//
// Arguments 0 to 7: {', '.join(FIELDS)}, now. Arguments 8 to 15: the same one substep
// before, which are overwritten with those one substep later; in the first substep any numbers.
// Then dt; alpha(s) / beta(s-1) and beta(s) of substep s; 1 / spacing along x, y and z; and how often the
// substep is done, each time from the other fields. With scheme and step as they should be it is once.
//   alpha = 0, -5/9, -153/128, beta = 1/3, 15/16, 8/15: the arguments are
//   alpha = 0, -5/3, -51/40, beta = 1/3, 15/16, 8/15.

!open = !stencil.field<?x?x?xf64>
!field = !stencil.field<[-3,?+3]x[-3,?+3]x[-3,?+3]xf64>
!temp = !stencil.temp<?x?x?xf64>

func.func @mhd_substep(
{wrap(arguments, "    ")}) {{
{join("  ", head)}
  %r:{len(carried)} = scf.for %step = %zero to %steps step %one iter_args(
{wrap(carried, "      ")})
      -> ({types}) {{
{join("    ", before)}
    %{", %".join(n + "_n" for n in FIELDS)} = stencil.apply(
{wrap(operands, "        ")})
        -> ({", ".join(["!temp"] * len(FIELDS))}) {{
{b.text("      ")}
    }}
{join("    ", stores)}
    scf.yield
{wrap(last + now, "        ")}
        : {types}
  }}
  return
}}
"""


SCALARS = {"dt": 0.001, "alpha": 0.3, "beta": 0.9, "inv_dx": 1.0, "inv_dy": 1.0, "inv_dz": 1.0}


def cxx(name="mhd_substep"):
    """The same by hand, as handwritten/sweeps.h wants it; the scalars are SCALARS."""
    b = CxxBody(sums=False)
    new = substep(b, "{}_")
    stores = [f"    q[{i}][at] = {v.name};" for i, v in enumerate(new)]
    pointers = [f"const double *__restrict {n}_ = p[{i}] + at;" for i, n in enumerate(FIELDS)]
    pointers += [f"const double *__restrict {n}_last = q[{i}] + at;" for i, n in enumerate(FIELDS)]
    scalars = [f"const double {n}_ = {SCALARS[n]!r};" for n in ("dt", "alpha", "beta")]
    scale = {a: SCALARS[f"inv_d{a}"] for a in "xyz"}
    scalars += [f"const double d{a}_ = {scale[a]!r};" for a in "xyz"]
    scalars += [f"const double d{p}{q}_ = {scale[p] * scale[q]!r};" for p, q in ("xx", "yy", "zz", "xy", "xz", "yz")]
    head = "\n".join("    " + line for line in scalars + pointers)
    return f"""struct {name} {{
  using T = double;
  static constexpr int rank = 3, radius = 3, fields = 16;
  static constexpr bool isLong = false;
  [[gnu::always_inline]] static void point(double *const *p, double *const *q, Stride at, Stride y, Stride z) {{
{head}
{b.text("    ")}
{chr(10).join(stores)}
  }}
  static void step(double *const *now, double *const *last, const long *n) {{
    for (int i = 0; i < {len(FIELDS)}; ++i)
      fillPeriodic3d<radius>(now[i], n);
    const Stride y = n[2] + 2 * radius, z = y * (n[1] + 2 * radius);
#pragma omp parallel for collapse(2) schedule(static)
    for (long k = 0; k < n[0]; ++k)
      for (long j = 0; j < n[1]; ++j)
#pragma omp simd
        for (long i = 0; i < n[2]; ++i)
          point(now, last, (k + radius) * z + (j + radius) * y + i + radius, y, z);
  }}
}};
"""


def wrap(words, indent, width=112):
    lines = [indent + words[0]]
    for word in words[1:]:
        if len(lines[-1]) + len(word) + 2 > width:
            lines[-1] += ","
            lines.append(indent + word)
        else:
            lines[-1] += ", " + word
    return "\n".join(lines)


def main():
    if sys.argv[1:] == ["--handwritten"]:
        sys.stdout.write(cxx())
        return
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    path, text = HERE / "kernels" / "mhd_substep.mlir", mlir()
    if not sys.argv[1:]:
        path.write_text(text)
    elif not path.exists() or path.read_text() != text:
        sys.exit(f"error: {path.relative_to(HERE)} is not current: run generate_mhd.py")


if __name__ == "__main__":
    main()
