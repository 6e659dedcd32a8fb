#!/usr/bin/python3
"""What Python adds to a call of a compiled program.

usage: PYTHONPATH=build/python benchmarks/python_overhead.py [--calls 20000] [--at-most MICROSECONDS]

A program that does next to nothing is called with two arrays and two numbers: from Python, and as often by the extension
module itself, which has the arguments at hand. The same where every call brings 16 arrays, and with arrays that have DLPack
or __cuda_array_interface__ only (in the emulator, which counts as a device). Medians of 7 runs. Exit 1 if Python adds more
than --at-most to the call with NumPy's arrays.
"""

import argparse
import statistics
import sys
import time

import numpy as np
import stencil

INDEX = stencil.Index(0)


class CUDAArray:
    def __init__(self, values):
        self.values = values

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.values.shape, "typestr": self.values.dtype.str, "strides": None, "version": 3, "stream": None,
                "data": (self.values.__array_interface__["data"][0], False)}


class DLPackArray:
    def __init__(self, values):
        self.__dlpack__, self.__dlpack_device__ = values.__dlpack__, values.__dlpack_device__


def program(count):
    """The sum of all arrays but the last one, times a number, is written to that one."""
    names = [f"u{n}" for n in range(count)]
    grids = [stencil.Grid(name, 1) for name in names]
    output = grids[-1]
    output[INDEX] = sum(u[INDEX] for u in grids[:-1]) * stencil.Scalar("a")
    return stencil.sweep(output, steps="steps")


def median(function, calls):
    """Microseconds per call."""
    times = []
    for _ in range(7):
        begin = time.perf_counter()
        for _ in range(calls):
            function()
        times.append((time.perf_counter() - begin) / calls)
    return statistics.median(times) * 1e6


def measure(what, count, wrap, calls, **options):
    run = stencil.compile(program(count), threads=1, **options)
    arrays = [wrap(np.zeros(4)) for _ in range(count)]
    arguments = (*arrays, 0.5, 0)
    run(*arguments)
    python = median(lambda: run(*arguments), calls)
    plain = statistics.median(run.seconds_per_call(arguments, calls) for _ in range(7)) * 1e6
    print(f"{what}: {python:.2f} us from Python, {plain:.2f} us from C++, {python - plain:.2f} us more")
    return python - plain


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--at-most", type=float)
    options = parser.parse_args()
    calls = options.calls
    more = measure("2 arrays of NumPy", 2, lambda a: a, calls)
    measure("16 arrays of NumPy", 16, lambda a: a, calls)
    measure("2 arrays with DLPack", 2, DLPackArray, calls)
    on_device = {"target": "emulator", "device_arrays": True}
    try:
        measure("2 arrays with __cuda_array_interface__", 2, CUDAArray, calls, **on_device)
    except stencil.Error as error:
        print(f"2 arrays with __cuda_array_interface__: {error}")
    return int(options.at_most is not None and more > options.at_most)


if __name__ == "__main__":
    sys.exit(main())
