"""long_sum.py KIND TAPS: prints a program with a long sum in 1D.

left: ((w0 x0 + w1 x1) + w2 x2) ...; right: ... + (w1 x1 + w0 x0); balanced: a tree
of additions; horner: ((x0 w0 + x1) w1 + x2) w2 ...; scalar: the same, where all
weights are one scalar argument; shared: every partial sum has a second user.
"""

import sys

kind, taps = sys.argv[1], int(sys.argv[2])
radius = taps // 2
field, temp = f"!stencil.field<[{-radius},{radius + 65}]xf64>", "!stencil.temp<?xf64>"
lines = []


def op(name, text):
    lines.append(f"    {name} = {text}")
    return name


def weight(i):
    return "%s" if kind == "scalar" else op(f"%w{i}", f"arith.constant {1 / (i + 3)!r} : f64")


def nested(terms):
    total = terms[0]
    for i, term in enumerate(terms[1:]):
        pair = f"{term}, {total}" if kind == "right" else f"{total}, {term}"
        total = op(f"%s{i}", f"arith.addf {pair} : f64")
        if kind == "shared":
            op(f"%m{i}", f"arith.maximumf {total}, {f'%m{i - 1}' if i else total} : f64")
    return op("%both", f"arith.addf %m{taps - 2}, {total} : f64") if kind == "shared" else total


def balanced(terms):
    level = 0
    while len(terms) > 1:
        level += 1
        pairs = zip(terms[::2], terms[1::2])
        rest = terms[len(terms) // 2 * 2 :]
        terms = [op(f"%b{level}_{i}", f"arith.addf {a}, {b} : f64") for i, (a, b) in enumerate(pairs)] + rest
    return terms[0]


values = [op(f"%x{i}", f"stencil.access %x[{i - radius}] : {temp}") for i in range(taps)]
if kind in ("horner", "scalar"):
    total = values[0]
    for i, value in enumerate(values[1:]):
        product = op(f"%p{i}", f"arith.mulf {total}, {weight(i)} : f64")
        total = op(f"%h{i}", f"arith.addf {product}, {value} : f64")
else:
    products = [op(f"%p{i}", f"arith.mulf {weight(i)}, {value} : f64") for i, value in enumerate(values)]
    total = balanced(products) if kind == "balanced" else nested(products)

print(f"func.func @sum(%f: {field}, %g: {field}, %k: f64) {{")
print(f"  %t = stencil.load %f : {field} -> {temp}")
print(f"  %r = stencil.apply(%x = %t : {temp}, %s = %k : f64) -> ({temp}) {{")
print("\n".join(lines))
print(f"    stencil.return {total} : f64\n  }}")
print(f"  stencil.store %r to %g(<[0], [64]>) : {temp} to {field}\n  return\n}}")
