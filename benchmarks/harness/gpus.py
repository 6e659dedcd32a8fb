"""Compiling programs for GPUs that need not be there: which GPUs, which programs, what a kernel needs."""

import concurrent.futures
import dataclasses
import os
import pathlib
import re
import subprocess
import sys

import generate
from harness import catalog
from harness.tools import Failed, call

HERE = pathlib.Path(__file__).resolve().parent.parent
SEISMIC = HERE.parent / "examples/seismic"
sys.path.insert(0, str(SEISMIC))
import program as wave  # noqa: E402

MODES = ("strict", "contract", "reassociate")
EXTENTS = {1: "134217728", 2: "10240,10240", 3: "512,512,512"}
# Whose rows are of all extents, and so say none that could be open.
FIELD = re.compile(r"!stencil\.field<((?:\[[^\]]*\]x|\?x|\d+x)+)")
STACK = re.compile(r'kernel_metadata<"([^"]*)".*?stack_bytes = (\d+)')


def find_chips(bin):
    """The GPUs that the compiler describes (lib/Target/TargetInfo.cpp), as its own message names them."""
    command = [bin / "stencil-translate", HERE.parent / "examples/heat1d.mlir", "--to-ptx", "--chip", "sm_0", "-o", os.devnull]
    done = subprocess.run(command, capture_output=True, text=True)
    found = re.search(r"such as (.*?), or a product", done.stderr)
    if not found:
        raise Failed(f"{command[0]}: expected the names of GPUs, got: {done.stderr.strip()}")
    return re.findall(r"\w+_?\w*", found[1].replace(" or ", ", "))


def is_nvidia(chip):
    return chip.startswith("sm_")


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    text: str

    @property
    def rank(self):
        return FIELD.search(self.text)[1].count("x")

    @property
    def is_open(self):
        return any("?" in field for field in FIELD.findall(self.text))


def committed():
    """The programs of benchmarks/kernels and examples, and boxes and stars that are larger than any of these."""
    for directory in (HERE / "kernels", HERE.parent / "examples"):
        for path in sorted(directory.glob("*.mlir")):
            yield Program(path.stem, path.read_text())
    made = {"box2d81p": generate.box(2, 4), "star3d31p": generate.star(3, 5)}
    for name, points in made.items():
        yield Program(name, generate.mlir(name, generate.symmetric(points)))


def suites(bin):
    """Every program of benchmarks/suite, in every element type, and of examples/seismic."""
    for kernel in catalog.kernels().values():
        if kernel.form:
            text = (SEISMIC / "acoustic_pml.mlir").read_text(encoding="utf-8")
            yield Program(kernel.name, wave.split(text, kernel.form, bin / "stencil-opt"))
            continue
        made = kernel.program(catalog.extents_of(kernel, "tiny"), "plain", True)
        yield Program(kernel.name, made.read_text() if isinstance(made, pathlib.Path) else made)


@dataclasses.dataclass(frozen=True)
class Case:
    program: Program
    chip: str
    mode: str
    extents: str  # "open" or "known"

    def __str__(self):
        return f"{self.program.name} for {self.chip}, {self.mode}, {self.extents} extents"


def cases(programs, chips, modes, extents):
    """Programs whose extents are part of their types have no other."""
    for program in programs:
        for chip in chips:
            for mode in modes:
                for kind in extents:
                    if program.is_open or kind == "known":
                        yield Case(program, chip, mode, kind)


def compile_case(bin, case, format):
    """The IR with the binaries in it; Failed with what the compiler says."""
    pipeline = "--stencil-to-nvvm" if is_nvidia(case.chip) else "--stencil-to-rocdl"
    options = f"chip={case.chip} math={case.mode} format={format}"
    if case.extents == "known" and case.program.is_open:
        options += f" extents={EXTENTS[case.program.rank]}"
    command = [bin / "stencil-opt", "-", f"{pipeline}={options}"]
    done = subprocess.run([str(c) for c in command], input=case.program.text, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{case}: {done.stderr.strip().splitlines()[0] if done.stderr else done.returncode}")
    return done.stdout


def local_bytes(bin, case):
    """Bytes of memory that a thread of a kernel has by itself, where registers are spilled to: of every kernel."""
    return {name: int(size) for name, size in STACK.findall(compile_case(bin, case, "bin"))}


def for_each(work, items, jobs):
    """(item, result or Failed) in the order of the items."""

    def attempt(item):
        try:
            return item, work(item)
        except Failed as failure:
            return item, failure

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(attempt, items)


def ptxas_version():
    """Such as 13.0; empty if there is no ptxas."""
    try:
        return re.search(r"release ([\d.]+)", call(["ptxas", "--version"]))[1]
    except (Failed, TypeError):
        return ""
