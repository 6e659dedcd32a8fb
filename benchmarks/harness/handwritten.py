"""The hand-written C++/OpenMP loops, beside ours in one run."""

import contextlib
import json
import math
import os
import pathlib
import re
import shutil
import statistics

from harness import catalog
from harness.tools import Failed, call, find_program

COMPILER = "clang++-22"
# libmvec: vectors of exponentials, which the substep of MHD has.
FLAGS = "-std=c++17 -O3 -fopenmp -fveclib=libmvec -fno-math-errno".split()


def build(kernels, program, scratch, processor="native"):
    """Compiles the loops of the kernels; for another processor than this one, where that has no compiler."""
    structs = "\n".join(k.handwritten() for k in kernels if k.handwritten)
    names = " ".join(f"X({k.name})" for k in kernels if k.handwritten)
    header = f"#pragma once\n{structs}\n#define FOR_EACH_KERNEL(X) {names}\n"
    (scratch / "points.h").write_text(header)
    if not find_program(COMPILER):
        raise Failed(f"the hand-written loops need {COMPILER}, which is not installed")
    source = catalog.HERE / "handwritten" / "main.cpp"
    call([COMPILER, *FLAGS, f"-march={processor}", f"-I{scratch}", source, "-o", program])


class HandWritten:
    def __init__(self, kernels, scratch, threads, program=None):
        self.scratch, self.threads = scratch, threads
        self.program = program or scratch / "handwritten"
        if not program:
            build(kernels, self.program, scratch)

    def call(self, *command):
        env = dict(os.environ, OMP_NUM_THREADS=str(self.threads))
        return json.loads(call([self.program, *command], env) or "null")

    def rate(self, *command):
        """Work per second: bytes of a triad, operations of a peak. The best run counts, as of a copy on a GPU."""
        times = self.call(*command)
        return times["work"] / min(times["seconds"])

    def make_inputs(self, kernel, extents):
        """One file per field, halo included. Failed if there is not enough memory for them, or disk for them twice."""
        size = kernel.fields * math.prod(n + 2 * kernel.radius for n in extents) * catalog.BYTES[kernel.type]
        memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        # What caches of files occupy is to be had as well.
        with contextlib.suppress(OSError, TypeError):
            text = pathlib.Path("/proc/meminfo").read_text()
            memory = int(re.search(r"MemAvailable: *(\d+) kB", text)[1]) << 10
        for what, limit in (("memory", memory), ("disk", shutil.disk_usage(self.scratch).free // 2)):
            if size > limit:
                raise Failed(
                    f"the fields of '{kernel.name}': expected at most {limit / 2**30:.1f} GiB of {what}, got {size / 2**30:.1f} GiB"
                )
        shape = "x".join(str(n + 2 * kernel.radius) for n in extents)
        files = [self.scratch / f"in-{i}.npy" for i in range(kernel.fields)]
        self.call("inputs", kernel.type, shape, "1", *files)
        return files

    def variants(self, kernel):
        """How results may be stored: those that have rows of their own store plainly only."""
        has_rows = kernel.fields == 2 and "isLong = true" not in kernel.handwritten()
        return ("plain", "streaming") if has_rows else ("plain",)

    def run(self, kernel, steps, repeats, stores, files, check):
        """Seconds of each repeat. The fields that are left are compared with the files `check`, if any."""
        command = ["run", kernel.name, str(steps), str(repeats), stores, *files]
        if check:
            epsilons, scale = kernel.hand_bound
            command += ["--check", str(epsilons * steps), scale, *check]
        return self.call(*command)["seconds"]


def spread(seconds):
    return (max(seconds) - min(seconds)) / statistics.median(seconds)
