"""The second process finds what the first one compiled; a corrupt entry is compiled again.

usage: cache.py DIRECTORY    says "compiled" or "cached"
"""

import sys

import numpy as np
import stencil


@stencil.program
def shift(u: stencil.Field(1), v: stencil.Field(1)):
    (i,) = stencil.indices(1)
    v[i] = u[i + 1]


f = stencil.compile(shift, cache=sys.argv[1])
u, v = np.arange(5.0), np.zeros(4)
f(u, v)
assert (v == u[1:]).all()
print("cached" if f.cached else "compiled")
