"""Other codes beside ours on a CPU: loops by hand, YASK, PLuTo. Each is compiled for a kernel and its extents, has forms of
which the fastest counts, and a command that measures some steps of a form, or compares what they leave with a file."""

import json
import os
import pathlib
import re
import shutil
import subprocess

from harness import catalog
from harness.tools import Failed

HAND = catalog.HERE / "handwritten"
SOURCES = {"yask": "https://github.com/intel/yask", "pluto": "https://github.com/bondhugula/pluto"}
ELEMENTS = {"f64": "double", "f32": "float"}
VECTORS = "-O3 -march=native -mprefer-vector-width=512 -fno-math-errno -ffp-contract=fast -fopenmp".split()


def terms_of(kernel):
    """The sum of a kernel as (weight, offsets) by the loops by hand, which have each weight once."""
    terms = []
    for weight, rest in re.findall(r"r \+?= T\(([0-9.e-]+)\) \* (.+?);", kernel.handwritten(), re.S):
        offsets = []
        for text in re.findall(r"p\[(.*?)\]", rest):
            steps = dict.fromkeys("xyz"[3 - kernel.rank :], 0)
            # "-2 * z + y - 1": what has no letter is along the row.
            for sign, number, letter in re.findall(r"([+-]?) *(\d*) *\*? *([yz]?)", text):
                if number or letter:
                    axis = {"": "z", "y": "y", "z": "x"}[letter]
                    steps[axis] += (-1 if sign == "-" else 1) * int(number or 1)
            offsets.append(tuple(steps.values()))
        terms.append((weight, offsets))
    return terms


def write_sum(terms, access, suffix=""):
    return " + ".join(f"{weight}{suffix} * ({' + '.join(map(access, offsets))})" for weight, offsets in terms)


def run(command, limit, **options):
    """Output of a command; Failed with the last line of what it said."""
    command = list(map(str, command))
    try:
        done = subprocess.run(command, timeout=limit, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)
    except subprocess.TimeoutExpired:
        raise Failed(f"'{command[0]}' took more than {limit} s") from None
    except OSError as error:
        raise Failed(f"'{command[0]}': {error.strerror}") from None
    if done.returncode:
        said = [line for line in done.stdout.splitlines() if line.strip()]
        raise Failed(f"'{' '.join(command[:3])}' failed: {said[-1] if said else 'without a word'}")
    return done.stdout


def fetch(name, given, work, source=None):
    """A copy of its sources in `work`, which is built there; of `source` without other repositories that it names."""
    copy = work / name
    if not copy.exists():
        others = [] if source else ["--recurse-submodules"]
        place = given.resolve() if given else source or SOURCES[name]
        run(["git", "clone", "--quiet", "--depth", "1", *others, place, copy], 600)
    return copy


def environment(threads):
    return dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="spread", GLIBC_TUNABLES="glibc.malloc.hugetlb=1")


def define(kernel, extents):
    """What the measuring programs are told."""
    planes, rows, columns = (1, *extents)[-3:]
    macros = {"PLANES": planes, "ROWS": rows, "COLUMNS": columns, "RADIUS": kernel.radius}
    return [f"-D{name}={value}" for name, value in macros.items()] + [f"-DELEMENT={ELEMENTS[kernel.type]}"]


def compilers():
    return [found for name in ("clang++-22", "g++") if (found := shutil.which(name))]


def c_compilers():
    return [found for name in ("clang-22", "gcc") if (found := shutil.which(name))]


class Peer:
    """`forms` are measured once, and the fastest one counts."""

    # Whether a call looks for sizes first: then one has all repeats.
    tunes = False

    def __init__(self, o):
        self.o = o

    def measure(self, kernel, extents, form, steps, inputs, check=(), repeats=1):
        """Seconds of each repeat; with `check`, ("check" or "out", file), and by how many epsilons the result differs."""
        command = [*self.command(kernel, extents, form, steps), steps, repeats, *inputs, *check]
        result = json.loads(run(command, 900, env=environment(self.o.threads)).splitlines()[-1])
        return result["seconds"], result.get("epsilons")


class Hand(Peer):
    """Loops over padded rows, by the compilers that there are."""

    def __init__(self, o, name, forms):
        super().__init__(o)
        self.name, self.shapes = name, forms

    def forms(self, kernel):
        return [(compiler, shape) for compiler in compilers() for shape in self.shapes(kernel)]

    def program(self, kernel, extents, compiler):
        name = f"{kernel.name}-{'x'.join(map(str, extents))}-{pathlib.Path(compiler).name}"
        folder = self.o.work / name
        folder.mkdir(exist_ok=True)
        program = folder / "padded"
        if not program.exists():
            (folder / "points.h").write_text("#pragma once\n" + kernel.handwritten())
            flags = ["-std=c++17", *VECTORS, f"-I{folder}", f"-DKERNEL={kernel.name}"]
            run([compiler, *flags, *define(kernel, extents), HAND / "padded.cpp", "-o", program], 300)
        return program

    def command(self, kernel, extents, form, steps):
        compiler, shape = form
        return [self.program(kernel, extents, compiler), shape]


def one_step(kernel):
    return ["plain", "streaming"]


def diamonds(kernel):
    """Heights and widths of diamonds: half of their steps, and what tiles of them have along the second axis."""
    if kernel.rank == 2:
        return ["32,256", "32,512", "48,256"]
    return ["1,16", "2,8", "2,16"] if kernel.radius > 1 else ["4,8", "6,8", "8,8", "4,16"]


class Yask(Peer):
    tunes = True
    DSL = """#include "yask_compiler_api.hpp"
using namespace std;
using namespace yask;
namespace {
"""

    def __init__(self, o, kernels, blocks):
        super().__init__(o)
        self.root, self.name, self.blocks = fetch("yask", o.yask, o.work), "blocks" if blocks else "yask", blocks
        text = self.DSL
        for kernel in kernels:
            axes = "xyz"[: kernel.rank]

            def access(offset, axes=axes):
                return "A(t, " + ", ".join(f"{axis}{step:+d}" if step else axis for axis, step in zip(axes, offset)) + ")"

            domain = " ".join(f"MAKE_DOMAIN_INDEX({axis});" for axis in axes)
            text += f"""struct {kernel.name} : yc_solution_base {{
  MAKE_STEP_INDEX(t); {domain} MAKE_VAR(A, t, {", ".join(axes)});
  {kernel.name}() : yc_solution_base("{kernel.name}") {{}}
  void define() override {{ A(t + 1, {", ".join(axes)}) EQUALS {write_sum(terms_of(kernel), access)}; }}
}};
REGISTER_SOLUTION({kernel.name});
"""
        # Written only if it is another one: what make has made of it is kept.
        file = self.root / "src" / "stencils" / "Peers.cpp"
        if not file.exists() or file.read_text() != text + "}\n":
            file.write_text(text + "}\n")

    def forms(self, kernel):
        return [str(steps) for steps in self.blocks(kernel)] if self.blocks else ["0"]

    def command(self, kernel, extents, form, steps):
        o, name = self.o, f"{kernel.name}.{self.o.arch}"
        library = self.root / "lib" / f"libyask_kernel.{name}.so"
        program = o.work / f"{kernel.name}-{'x'.join(map(str, extents))}-yask"
        if not program.exists():
            what = [f"stencil={kernel.name}", f"arch={o.arch}", f"real_bytes={catalog.BYTES[kernel.type]}", "mpi=0"]
            run(["make", f"-j{o.jobs}", *what, "CXX=g++", "YK_CXX=g++"], o.build_limit, cwd=self.root)
            flags = ["-std=c++17", "-O2", "-march=native", "-fopenmp", f"-I{self.root / 'include'}"]
            linked = [library, f"-Wl,-rpath,{library.parent}"]
            run(["g++", *flags, *define(kernel, extents), HAND / "yask.cpp", *linked, "-o", program], 300)
        return [program, form, o.tuner]


def yask_blocks(kernel):
    return [4, 8] if kernel.rank == 2 else [4]


class Pluto(Peer):
    name = "pluto"
    TILES = ((16, 16, 16, 512), (32, 32, 32, 1024), (64, 64, 64, 1024))
    PROGRAM = """static {element} A[2]{sizes} __attribute__((aligned(1 << 21)));
{element} *fields_of_pluto(void) {{ return ({element} *)A; }}
void steps_of_pluto(void) {{
  int t, i, j, k; (void)k;
#pragma scop
{loops}
#pragma endscop
}}
"""

    def __init__(self, o):
        super().__init__(o)
        self.polycc = (o.pluto or o.work / "pluto") / "polycc"
        if not self.polycc.exists():
            root = fetch("pluto", None, o.work)
            # Without its documentation, which needs TeX.
            tools = [f"{tool}=true" for tool in ("MAKEINFO", "TEXI2DVI", "TEXI2PDF")]
            configure = ["./configure", *([f"--with-clang-prefix={o.clang}"] if o.clang else [])]
            for command in (["./autogen.sh"], configure, ["make", f"-j{o.jobs}", *tools]):
                run(command, o.build_limit, cwd=root)

    def forms(self, kernel):
        return [(compiler, tile) for compiler in c_compilers() for tile in range(len(self.TILES))]

    def source(self, kernel, extents, steps):
        r, names, line = kernel.radius, "ijk"[: kernel.rank], 64 // catalog.BYTES[kernel.type]

        def access(offset):
            return "A[t % 2]" + "".join(f"[{name}{step:+d}]" if step else f"[{name}]" for name, step in zip(names, offset))

        # As PaddedField has them.
        lows = [r] * (kernel.rank - 1) + [line]
        sizes = [n + 2 * low for n, low in zip(extents, lows)]
        if kernel.rank == 3 and r == 4:
            sizes[1] += 1
        loops = f"  for (t = 0; t < {steps}; t++)\n"
        for name, extent, low in zip(names, extents, lows):
            loops += f"  for ({name} = {low}; {name} < {low + extent}; {name}++)\n"
        target = "A[(t + 1) % 2]" + "".join(f"[{name}]" for name in names)
        total = write_sum(terms_of(kernel), access, "f" if kernel.type == "f32" else "")
        loops += f"    {target} = {total};"
        return self.PROGRAM.format(element=ELEMENTS[kernel.type], sizes="".join(f"[{n}]" for n in sizes), loops=loops)

    def command(self, kernel, extents, form, steps):
        compiler, tile = form
        folder = self.o.work / f"{kernel.name}-{'x'.join(map(str, extents))}-{steps}-pluto-{tile}"
        program = folder / pathlib.Path(compiler).name
        if not program.exists():
            folder.mkdir(exist_ok=True)
            tiles = self.TILES[tile]
            (folder / "tile.sizes").write_text("\n".join(map(str, tiles[: kernel.rank] + tiles[-1:])))
            (folder / "steps.c").write_text(self.source(kernel, extents, steps))
            tiled, object = folder / "tiled.c", folder / f"{program.name}.o"
            if not tiled.exists():
                run([self.polycc, "--pet", "--tile", "--parallel", "steps.c", "-o", "tiled.c"], 300, cwd=folder)
            # Two fields may be more than 2 GiB.
            run([compiler, *VECTORS, "-mcmodel=medium", "-fno-pie", "-c", tiled, "-o", object], 300)
            driver = ["-std=c++17", "-O2", "-march=native", "-fopenmp", "-fno-pie", "-no-pie", *define(kernel, extents)]
            # Its runtime of OpenMP is that of the compiler.
            linker = compiler.replace("clang-22", "clang++-22").replace("gcc", "g++")
            run([linker, *driver, HAND / "pluto.cpp", object, "-o", program, "-lm"], 300)
        return [program]


class Ours:
    """As is chosen, or with one step per sweep."""

    tunes = False

    def __init__(self, o, name, options):
        self.o, self.name, self.options = o, name, options

    def forms(self, kernel):
        return [()]

    def measure(self, kernel, extents, form, steps, inputs, check=(), repeats=1):
        """One call in a process of its own, as of the others: no call before warms it up."""
        o, program = self.o, self.o.work / f"{kernel.name}.mlir"
        text = kernel.program(extents, "plain", False)
        program.write_text(text.read_text() if isinstance(text, pathlib.Path) else text)
        command = [o.bin / "stencil-run", program, "--extents", ",".join(map(str, extents)), "--threads", o.threads]
        command += [word for i, file in enumerate(inputs) for word in ("--arg", f"{i}={file}")]
        command += ["--arg", f"2={steps}", *self.options]
        if check:
            result = o.work / "result.npy"
            run([*command, "--out", f"{steps % 2}={result}"], 900)
            judge = Hand(o, "", None).program(kernel, extents, compilers()[0])
            epsilons = float(run([judge, "compare", result, check[1]], 300))
            result.unlink()
            return [], epsilons
        report = o.work / "report.json"
        run([*command, "--json", report], 900)
        return [json.loads(report.read_text())["phase_seconds"]["run"]], None
