"""Runs the first programs of benchmarks/generate_random.py in the interpreter, on few points.

usage: random_kernels.py BENCHMARKS STENCIL_RUN COUNT     prints the hash of their texts, and how many are of each half
"""

import collections
import hashlib
import subprocess
import sys

sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import generate_random  # noqa: E402

TINY = {1: "37", 2: "19,20", 3: "9,10,12"}
text, halves = "", collections.Counter()
for seed in range(int(sys.argv[3])):
    program = generate_random.Program(seed)
    text += program.mlir()
    halves[generate_random.half(program.name)] += 1
    assert program.count_bytes(program.extents) <= generate_random.MOST_BYTES, seed
    command = [sys.argv[2], "-", "--target", "interpreter", "--extents", TINY[program.rank], *program.arguments(2)]
    done = subprocess.run(command, input=program.mlir(), capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"seed {seed}: {done.stderr}")
print(hashlib.sha256(text.encode()).hexdigest()[:16], dict(sorted(halves.items())))
