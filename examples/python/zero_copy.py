#!/usr/bin/env python3
"""Arrays that stay on the GPU: PyTorch's and CuPy's are changed in place, in their streams and graphs; JAX's are read.

usage: zero_copy.py [--target cuda] [--size 4096x4096] [--steps 100] [--stencil-run build/bin/stencil-run] [--json FILE]

For each of the libraries that is installed: the result is compared with its own operations; no memory of the device is
allocated and no data copied by calls; calls are recorded as a graph and repeated with other values; the time per call is
measured by events in the library's stream. Arrays of NumPy are copied to the GPU and back, and compared with the CPU. With
--stencil-run, the same program is measured by `stencil-run --bench`, too. On a machine without LLVM, STENCIL_EXTENSION names the extension
module, linked statically. Exit 1 if something differs.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np
import stencil
from heat import heat

WEIGHT = 0.2


class Torch:
    name = "PyTorch"

    def __init__(self):
        import torch

        self.module = torch
        if not torch.cuda.is_available():
            raise ImportError("no device")
        self.stream = torch.cuda.Stream()

    def new(self, rows, columns):
        with self.module.cuda.stream(self.stream):
            return self.module.rand(rows + 2, columns + 2, dtype=self.module.float64, device="cuda")

    def free_memory(self):
        self.module.cuda.synchronize()
        return self.module.cuda.mem_get_info()[0]

    def within(self):
        return self.module.cuda.stream(self.stream)

    def handle(self):
        return self.stream.cuda_stream

    def time(self, function):
        """Milliseconds between events of the stream."""
        first, last = (self.module.cuda.Event(enable_timing=True) for _ in range(2))
        first.record(self.stream)
        function()
        last.record(self.stream)
        last.synchronize()
        return first.elapsed_time(last)

    def largest_difference(self, a, b):
        return float((a - b).abs().max())

    def copy(self, a):
        with self.module.cuda.stream(self.stream):
            return a.clone()

    def pointer(self, a):
        return a.data_ptr()

    def record(self, function):
        """The calls of `function` as a graph: a function that runs it."""
        graph = self.module.cuda.CUDAGraph()
        with self.module.cuda.graph(graph, stream=self.stream):
            function()
        return graph.replay


class CuPy(Torch):
    name = "CuPy"

    def __init__(self):
        import cupy

        self.module = cupy
        if not cupy.cuda.is_available():
            raise ImportError("no device")
        self.stream = cupy.cuda.Stream(non_blocking=True)

    def new(self, rows, columns):
        with self.stream:
            return self.module.random.rand(rows + 2, columns + 2)

    def free_memory(self):
        self.module.cuda.runtime.deviceSynchronize()
        return self.module.cuda.runtime.memGetInfo()[0]

    def within(self):
        return self.stream

    def handle(self):
        return self.stream.ptr

    def time(self, function):
        first, last = (self.module.cuda.Event() for _ in range(2))
        first.record(self.stream)
        function()
        last.record(self.stream)
        last.synchronize()
        return self.module.cuda.get_elapsed_time(first, last)

    def largest_difference(self, a, b):
        return float(self.module.abs(a - b).max())

    def copy(self, a):
        with self.stream:
            return a.copy()

    def pointer(self, a):
        return a.data.ptr

    def record(self, function):
        self.stream.begin_capture()
        function()
        graph = self.stream.end_capture()
        return lambda: graph.launch(self.stream)


def reference(u):
    """One step by the library's own operations."""
    u[0], u[-1] = u[1], u[-2]
    u[:, 0], u[:, -1] = u[:, 1], u[:, -2]
    c = u[1:-1, 1:-1]
    return c + WEIGHT * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:] - 4.0 * c)


class ByDLPack:
    """The same array, without its __cuda_array_interface__."""

    def __init__(self, array):
        self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__


def examine_graph(library, run, rows, columns):
    """What a graph of a call gives, for values that came behind the recording."""
    u, v = library.new(rows, columns), library.new(rows, columns)
    other = library.copy(library.new(rows, columns))
    with library.within():
        run(u, v, WEIGHT, 1, stream=library.handle())
        repeat = library.record(lambda: run(u, v, WEIGHT, 1, stream=library.handle()))
        u[...] = other
        expected = reference(library.copy(u))
        repeat()
        return library.largest_difference(v[1:-1, 1:-1], expected)


@stencil.program
def average(u: stencil.Field(1), v: stencil.Field(1)):
    (i,) = stencil.indices(1)
    v[i] = 0.5 * (u[i - 1] + u[i + 1])


def examine_jax(library, target):
    """An array of JAX is read, one of `library` written; None without JAX and its GPU."""
    try:
        import jax
    except ImportError:
        return None
    if jax.default_backend() != "gpu":
        return None
    jax.config.update("jax_enable_x64", True)
    u = jax.numpy.arange(1002, dtype="float64") ** 2
    v = library.new(1, 998)[1]
    run = stencil.compile(average, target=target, device_arrays=True)
    with library.within():
        run(u, v, stream=library.handle())
        return library.largest_difference(v, library.module.from_dlpack(0.5 * (u[:-2] + u[2:])))


def examine_numpy(target):
    """Arrays of the host are copied there and back."""
    numpy = np.random.default_rng(1).uniform(size=(2, 67, 130))
    there, here = numpy.copy(), numpy.copy()
    stencil.compile(heat, target=target, math="strict")(*there, WEIGHT, 7)
    stencil.compile(heat, target="cpu", math="strict")(*here, WEIGHT, 7)
    return bool(np.array_equal(there, here))


def examine(library, run, rows, columns, steps):
    u, v = library.new(rows, columns), library.new(rows, columns)
    with library.within():
        expected = reference(library.copy(u))
        run(u, v, WEIGHT, 1, stream=library.handle())
        difference = library.largest_difference(v[1:-1, 1:-1], expected)
        run(ByDLPack(u), ByDLPack(v), WEIGHT, 1, stream=library.handle())
        difference = max(difference, library.largest_difference(v[1:-1, 1:-1], expected))
        # The driver keeps what it needs for the graph of a time loop.
        run(u, v, WEIGHT, steps, stream=library.handle())
        before, pointers = library.free_memory(), [library.pointer(a) for a in (u, v)]
        times = [library.time(lambda: run(u, v, WEIGHT, steps, stream=library.handle())) for _ in range(10)]
        after = library.free_memory()
    result = {"library": library.name, "largest_difference": difference, "allocated_bytes": before - after,
              "same_memory": pointers == [library.pointer(a) for a in (u, v)],
              "graph_difference": examine_graph(library, run, rows, columns),
              "milliseconds_per_step": statistics.median(times[1:]) / steps}
    result["right"] = (max(difference, result["graph_difference"]) <= 1e-14 and result["allocated_bytes"] == 0
                       and result["same_memory"])
    return result


def measure_with_stencil_run(tool, target, rows, columns, steps):
    """The same by the command line: the device's time, without copies."""
    with tempfile.TemporaryDirectory() as scratch:
        program, report = pathlib.Path(scratch, "heat.mlir"), pathlib.Path(scratch, "report.json")
        program.write_text(str(heat), encoding="utf-8")
        subprocess.run([tool, program, "--target", target, "--arg", "0=random:1", "--arg", "1=zeros", "--arg", f"2={WEIGHT}",
                        "--arg", f"3={steps}", "--extents", f"{rows},{columns}", "--device-arrays", "--bench", "--json", report], check=True)
        return json.loads(report.read_text(encoding="utf-8"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="cuda")
    parser.add_argument("--size", default="4096x4096")
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--stencil-run")
    parser.add_argument("--json")
    options = parser.parse_args()
    rows, columns = map(int, options.size.split("x"))
    libraries = []
    for kind in (Torch, CuPy):
        try:
            libraries.append(kind())
        except ImportError as error:
            print(f"{kind.name}: not here ({error})")
    if not libraries:
        print("error: expected PyTorch or CuPy, and a GPU", file=sys.stderr)
        return 1

    # The extents become constants, as with stencil-run.
    run = stencil.compile(heat, target=options.target, device_arrays=True, extents=(rows, columns))
    results = [examine(library, run, rows, columns, options.steps) for library in libraries]
    for result in results:
        print(", ".join(f"{name} {value}" for name, value in result.items()))
    report = {"size": [rows, columns], "steps": options.steps, "results": results}
    report["jax_difference"], report["numpy_as_cpu"] = examine_jax(libraries[0], options.target), examine_numpy(options.target)
    print(f"array of JAX: difference {report['jax_difference']}; arrays of NumPy as on the CPU: {report['numpy_as_cpu']}")
    if options.stencil_run:
        report["stencil-run"] = measure_with_stencil_run(options.stencil_run, options.target, rows, columns, options.steps)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(report, indent=1), encoding="utf-8")
    right = all(result["right"] for result in results) and not report["jax_difference"] and report["numpy_as_cpu"]
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
