"""Random loops over memrefs, as they are and raised to stencils: the results are equal, bit by bit.

usage: raised_loops.py STENCIL_OPT STENCIL_RUN DIRECTORY --seed N --count N

Loops are run by the interpreter; what stencil-raise-loops made of them by the interpreter and on the CPU, with
strict arithmetic. Nests store in place, to halos, in branches, to several arrays, read arrays of lower rank, and are
often no stencils at all: those stay loops. Some combine all points. At least a third of all nests is to be raised.
"""

import argparse
import os
import random
import subprocess
import sys

import numpy as np


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.rank = rng.randint(1, 3)
        self.dynamic = rng.random() < 0.5
        self.shape = [rng.randint(7, 11) for _ in range(self.rank)]
        self.halo = [rng.randint(1, 2) for _ in range(self.rank)]
        self.lines, self.next, self.indent, self.nests = [], 0, 1, 0

    def emit(self, text):
        self.lines.append("  " * self.indent + text)

    def value(self, text):
        self.next += 1
        self.emit(f"%v{self.next} = {text}")
        return f"%v{self.next}"

    def constant(self, number):
        return self.value(f"arith.constant {number} : index")

    def type(self, rank=None):
        shape = self.shape[-rank:] if rank else ["?" if self.dynamic else n for n in self.shape]
        return f"memref<{'x'.join(map(str, shape))}xf64>"

    def shifted(self, iv, offset):
        return iv if offset == 0 else self.value(f"arith.addi {iv}, {self.constant(offset)} : index")

    def index(self, offsets):
        return ", ".join([self.shifted(iv, o) for iv, o in zip(self.ivs, offsets)])

    def load(self, array):
        offsets = [self.rng.randint(-r, r) if self.rng.random() < 0.5 else 0 for r in self.reach]
        return self.value(f"memref.load {array}[{self.index(offsets)}] : {self.type()}")

    def expression(self, arrays):
        terms = [self.load(self.rng.choice(arrays)) for _ in range(self.rng.randint(1, 4))]
        if self.rank > 1 and self.rng.random() < 0.3:
            terms.append(self.value(f"memref.load %row[{self.ivs[-1]}] : {self.type(1)}"))
        if self.rng.random() < 0.3:
            number = self.value(f"arith.index_cast {self.rng.choice(self.ivs)} : index to i64")
            terms.append(self.value(f"arith.sitofp {number} : i64 to f64"))
        if self.rng.random() < 0.3:
            terms.append("%k")
        sum = terms[0]
        for term in terms[1:]:
            sum = self.value(f"arith.{self.rng.choice(['addf', 'subf', 'mulf'])} {sum}, {term} : f64")
        return sum

    def store(self, value, array):
        offsets = [self.rng.choice([0, 0, 0, self.rng.randint(-r, r)]) for r in self.reach]
        self.emit(f"memref.store {value}, {array}[{self.index(offsets)}] : {self.type()}")

    def nest(self, reads, writes):
        self.nests += 1
        if self.rng.random() < 0.6:  # What is read is not written to.
            writes = [self.rng.choice(writes)]
            reads = [array for array in reads if array not in writes] or reads
        # The interior, or less: a halo, or a part of the interior.
        lower = [h + self.rng.choice([0, 0, 0, 1]) for h in self.halo]
        upper = [-h - self.rng.choice([0, 0, 0, 1]) for h in self.halo]
        self.reach = [h if self.rng.random() < 0.8 else 0 for h in self.halo]
        for axis in range(self.rank):
            if self.rng.random() < 0.15:
                lower[axis], upper[axis], self.reach[axis] = 0, 0, 0
        order = list(range(self.rank))
        if self.rng.random() < 0.2:
            self.rng.shuffle(order)
        self.ivs = [None] * self.rank
        for axis in order:
            end = self.value(f"memref.dim %a, {self.constant(axis)} : {self.type()}")
            if self.rng.random() < 0.2 and not self.dynamic:
                end = self.constant(self.shape[axis])
            bounds = self.constant(lower[axis]), self.shifted(end, upper[axis])
            one, iv = self.constant(1), f"%i{self.next}"
            self.emit(f"scf.for {iv} = {bounds[0]} to {bounds[1]} step {one} {{")
            self.indent += 1
            self.ivs[axis] = iv
        for _ in range(self.rng.choice([1, 1, 2])):
            value = self.expression(reads)
            if self.rng.random() < 0.25:
                limit = self.constant(self.rng.randint(2, 8))
                holds = self.value(f"arith.cmpi slt, {self.rng.choice(self.ivs)}, {limit} : index")
                self.emit(f"scf.if {holds} {{")
                self.indent += 1
                self.store(value, self.rng.choice(writes))
                self.indent -= 1
                if self.rng.random() < 0.5:
                    self.emit("} else {")
                    self.indent += 1
                    self.store(self.expression(reads), self.rng.choice(writes))
                    self.indent -= 1
                self.emit("}")
            else:
                self.store(value, self.rng.choice(writes))
        for _ in order:
            self.indent -= 1
            self.emit("}")

    def reduction(self, arrays):
        """The largest, smallest or the sum of something at all points, to %most[0]; in numbers that round nowhere."""
        self.nests += 1
        op = self.rng.choice(["maximumf", "minimumf", "addf"])
        flags = "fastmath<reassoc> " if op == "addf" else ""
        zero, one, start = self.constant(0), self.constant(1), self.value("arith.constant -3.0 : f64")
        self.reach, self.ivs = self.halo, [f"%i{self.next + axis}" for axis in range(self.rank)]
        bounds = []
        for axis in range(self.rank):
            end = self.value(f"memref.dim %a, {self.constant(axis)} : {self.type()}")
            bounds.append((self.constant(self.halo[axis]), self.shifted(end, -self.halo[axis])))
        in_memory = self.rng.random() < 0.3
        carried = start
        for iv, (lower, upper) in zip(self.ivs, bounds):
            given = "" if in_memory else f" iter_args(%acc{iv[1:]} = {carried}) -> f64"
            self.emit(f"{'' if in_memory else f'%r{iv[1:]} = '}scf.for {iv} = {lower} to {upper} step {one}{given} {{")
            self.indent += 1
            carried = f"%acc{iv[1:]}"
        point = self.expression(arrays)
        if op == "addf":
            # Whole numbers whose sums stay below 2^53: no order of them rounds.
            limit = self.value("arith.constant 1.0e6 : f64")
            square = self.value(f"arith.mulf {point}, {point} : f64")
            point = self.value(f"math.floor {self.value(f'arith.minimumf {square}, {limit} : f64')} : f64")
        if in_memory:
            held = self.value(f"memref.load %most[{zero}] : memref<1xf64>")
            joined = self.value(f"arith.{op} {point}, {held} {flags}: f64")
            self.emit(f"memref.store {joined}, %most[{zero}] : memref<1xf64>")
            for _ in self.ivs:
                self.indent -= 1
                self.emit("}")
            return
        result = self.value(f"arith.{op} {carried}, {point} {flags}: f64")
        for iv in reversed(self.ivs):
            self.emit(f"scf.yield {result} : f64")
            self.indent -= 1
            self.emit("}")
            result = f"%r{iv[1:]}"
        self.emit(f"memref.store {result}, %most[{zero}] : memref<1xf64>")

    def text(self):
        arguments = ", ".join(f"%{name}: {self.type()}" for name in "abc")
        self.emit(f"func.func @main({arguments}, %row: {self.type(1)}, %k: f64, %most: memref<1xf64>) {{")
        for axis in range(self.rank if self.dynamic else 0):  # All have the extents of the first.
            at = self.constant(axis)
            first, *others = (self.value(f"memref.dim %{name}, {at} : {self.type()}") for name in "abc")
            for other in others:
                holds = self.value(f"arith.cmpi eq, {other}, {first} : index")
                self.emit(f'cf.assert {holds}, "extents differ"')
        arrays = ["%a", "%b", "%c"]
        steps = self.rng.random() < 0.6
        swaps = steps and self.rng.random() < 0.5
        if steps:
            zero, one, three = (self.constant(n) for n in (0, 1, 3))
            carried = f" iter_args(%x = %a, %y = %b) -> ({self.type()}, {self.type()})" if swaps else ""
            result = "%r:2 = " if swaps else ""
            self.emit(f"{result}scf.for %t = {zero} to {three} step {one}{carried} {{")
            self.indent += 1
        inner = ["%x", "%y", "%c"] if swaps else arrays
        for _ in range(self.rng.randint(1, 3)):
            self.nest(inner, inner)
        if steps:
            if swaps:
                self.emit(f"scf.yield %y, %x : {self.type()}, {self.type()}")
            self.indent -= 1
            self.emit("}")
        if self.rng.random() < 0.5:
            self.nest(arrays, arrays)
        if self.rng.random() < 0.5:
            self.reduction(arrays)
        self.emit("return")
        self.emit("}")
        return "\n".join(self.lines) + "\n"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"error: {' '.join(command)}\n{done.stderr}")
    return done


def check(tools, directory, seed):
    rng = random.Random(seed)
    program = Program(rng)
    os.makedirs(directory, exist_ok=True)
    path = os.path.join(directory, f"{seed}.mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(program.text())
    raised = os.path.join(directory, f"{seed}-raised.mlir")
    done = run([tools.opt, path, "--stencil-raise-loops", "--remarks-filter=Loops", "-o", raised])
    inputs = []
    values = np.random.default_rng(seed)
    for i in range(3):
        np.save(os.path.join(directory, f"{i}.npy"), values.uniform(-1, 1, program.shape))
        inputs += ["--arg", f"{i}={directory}/{i}.npy"]
    inputs += ["--arg", "3=random:3", "--arg", "4=0.75", "--arg", "5=zeros"]
    results = []
    for source, target in ((path, ["interpreter"]), (raised, ["interpreter"]), (raised, ["cpu", "--math", "strict"])):
        outputs = [os.path.join(directory, f"out{i}.npy") for i in (0, 1, 2, 5)]
        given = [word for i, output in zip((0, 1, 2, 5), outputs) for word in ("--out", f"{i}={output}")]
        run([tools.run, source, "--target", *target, *inputs, *given])
        results.append([np.load(output).tobytes() for output in outputs])
        if results[-1] != results[0]:
            sys.exit(f"error: seed {seed}: {source} differs on {target[0]} from {path}")
    return done.stderr.count("[Passed] Raised"), program.nests


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("opt")
    parser.add_argument("run")
    parser.add_argument("directory")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    tools = parser.parse_args()
    counts = [check(tools, tools.directory, tools.seed + i) for i in range(tools.count)]
    raised, nests = (sum(column) for column in zip(*counts))
    print(f"{tools.count} programs, {raised} of {nests} nests raised: equal")
    if 3 * raised < nests:
        sys.exit("error: expected more nests to be raised")


if __name__ == "__main__":
    main()
