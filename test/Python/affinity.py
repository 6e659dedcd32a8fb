"""The caller's thread may run where it might before, also when the threads of a program are bound to CPUs."""

import os

import numpy as np
import stencil


@stencil.program
def shift(u: stencil.Field(1), v: stencil.Field(1)):
    (i,) = stencil.indices(1)
    v[i] = u[i + 1]


before = os.sched_getaffinity(0)
f = stencil.compile(shift, cache=False, threads=2)
u, v = np.arange(100001.0), np.zeros(100000)
for _ in range(2):
    f(u, v)
    assert (v == u[1:]).all()
    assert os.sched_getaffinity(0) == before, (os.sched_getaffinity(0), before)
print("CPUs:", len(before))
