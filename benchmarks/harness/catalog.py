"""The suites: which kernels there are, their programs, sizes and arguments."""

import dataclasses
import math
import pathlib
import re
import typing

import generate
import generate_astaroth as astaroth
import generate_held_out as held_out
import generate_mhd

HERE = pathlib.Path(__file__).resolve().parent.parent
BYTES = generate.BYTES
# In both precisions.
HELD_OUT_F32 = ("row_r8", "plane_box81p", "star_r5", "variable7p", "gray_scott")


@dataclasses.dataclass
class Kernel:
    name: str
    suite: str
    rank: int
    type: str
    # The program for extents, in one of FORMS, and whether rows may be padded for a GPU: a path, or its text.
    program: typing.Callable
    # How many fields, random ones; the scalars behind them, None: the steps of the time loop.
    fields: int = 2
    scalars: tuple = (None,)
    # LOW:HIGH of fields that are not random in [1/64, 1).
    ranges: dict = dataclasses.field(default_factory=dict)
    # What is made of fields says how values of all magnitudes check it: of "sums", as it is timed; of "products", one
    # step to the bit; not of "functions", which overflow.
    of_fields: str = "sums"
    steps: int = 10
    # On the CPU, of what takes long there; 0: as many.
    cpu_steps: int = 0
    # By hand, in C++, and how it is compared: epsilons per step, of the "point" or of the "field".
    handwritten: typing.Callable = None
    hand_bound: tuple = (8, "point")
    radius: int = 0
    # Sets of sizes that are not those of the rank.
    sizes: dict = dataclasses.field(default_factory=dict)
    forms: tuple = ("plain",)
    # Right to the bit with --math strict, on fewer points; not to be compared otherwise.
    exact: bool = False
    # Of examples/seismic, which runs it: its form, one, two or seven regions.
    form: str = ""
    # Whether stencil-run is told the extents; else they are part of the program.
    takes_extents: bool = True


SIZES = {
    # A field of each rank that is beyond the last-level caches of processors, 128 MiB of FP64.
    "cache": {1: (1 << 24,), 2: (4096, 4096), 3: (256, 256, 256)},
    "large": {1: (1 << 27,), 2: (10240, 10240), 3: (512, 512, 512)},
    "wide": {3: (512, 1024, 1024)},
    # Not powers of two, and few blocks: what tiles do not divide, and the last wave of blocks half empty.
    "odd": {1: (100_000_007,), 2: (9001, 10007), 3: (700, 500, 300)},
    "middle": {1: (1 << 22,), 2: (2048, 2048), 3: (384, 384, 384)},
    # As in the papers; kernels that are not in here have their own.
    "paper": {1: (10_240_000,), 2: (10240, 10240), 3: (1024, 1024, 1024)},
    # To see that a program is right, where speed does not matter.
    "tiny": {1: (1000,), 2: (41, 72), 3: (14, 19, 44)},
}
# What the compiler may do, and how the program is written: name, flags, form.
VARIANTS = {
    "contract": ([], "plain"),
    "strict": (["--math", "strict"], "plain"),
    "reassociate": (["--math", "reassociate"], "plain"),
    "written": (["--no-algebra"], "plain"),
    # By default, where the program allows it: every addition and product has the flag reassoc.
    "flags": ([], "flags"),
    "elementwise": ([], "elementwise"),
    "pointwise": ([], "pointwise"),
    # Kernels by way of the tile dialect, where they can be.
}


def committed(path):
    """A program that is there; with the flags, its text."""
    return lambda extents, form, pad: with_flags((HERE / path).read_text()) if form == "flags" else HERE / path


def with_flags(text):
    """The program, whose sums may be added in any order, op by op, as LLVM's may."""
    return re.sub(r"(arith\.(?:addf|mulf) %[^:\n]*?) :", r"\1 fastmath<reassoc> :", text)


def two_fields(kernel_suite, names, sizes, types):
    """Kernels of generate.py. FP64 programs are committed, FP32 ones made on the way."""
    for name in names:
        classes = generate.KERNELS[name]
        rank = len(classes[0][0])
        for type in types:
            full = name if type == "f64" else f"{name}_{type}"
            if type == "f64":
                program = committed(f"kernels/{name}.mlir")
            else:
                program = lambda extents, form, pad, n=full, c=classes, t=type: (
                    with_flags if form == "flags" else str
                )(generate.mlir(n, c, t, pad))
            yield Kernel(
                full,
                kernel_suite,
                rank,
                type,
                program,
                radius=generate.radius(classes),
                handwritten=lambda n=full, c=classes, t=type: generate.cxx(n, c, t),
                forms=("plain", "flags"),
                sizes=sizes,
                cpu_steps=2 if sum(map(len, classes)) >= 49 else 10,
            )


def linear(name, taps_of, rank, radius, type, sizes, hand_bound):
    """Kernels of generate_astaroth.py."""
    full = name if type == "f64" else f"{name}_{type}"

    def program(extents, form, pad):
        if form == "elementwise":
            return astaroth.mlir(full, taps_of(type), type, unroll=4, extents=extents, pad=pad)
        return astaroth.mlir(full, taps_of(type), type, form="ops" if form == "pointwise" else "sum", pad=pad)

    return Kernel(
        full,
        "astaroth",
        rank,
        type,
        program,
        radius=radius,
        handwritten=lambda: astaroth.cxx(full, taps_of(type), type),
        sizes=sizes,
        hand_bound=hand_bound,
        forms=("plain", "elementwise", "pointwise"),
        steps=10 if radius <= 128 else 2,
        cpu_steps=10 if radius <= 16 else 2,
    )


def astaroth_kernels():
    # Section 5.1: 64 MiB in FP32, 128 MiB in FP64.
    field = {size: (1 << 24,) for size in ("cache", "large", "paper")}
    for type in BYTES:
        for k in range(11):
            radius = 1 << k
            # Rounding errors of a long sum grow with the root of its length.
            growth = max(5, round(0.5 * (2 * radius + 1) ** 0.5))
            yield linear(
                f"correlation_r{radius}",
                lambda t, r=radius: astaroth.correlation(r, t),
                1,
                radius,
                type,
                {**field, "tiny": (3000,)},
                (8 + 4 * growth, "point"),
            )
    paper = {1: (1 << 24,), 2: (4096, 4096), 3: (256, 256, 256)}
    for type in BYTES:
        for rank in (1, 2, 3):
            for radius in (1, 2, 3, 4):
                yield linear(
                    f"diffusion{rank}d_r{radius}",
                    lambda t, d=rank, r=radius: astaroth.diffusion(d, r, t),
                    rank,
                    radius,
                    type,
                    {"paper": paper[rank]},
                    # Differences of terms of either sign: judged by the field's largest magnitude.
                    (8, "field"),
                )
    yield Kernel(
        "mhd_substep",
        "astaroth",
        3,
        "f64",
        committed("kernels/mhd_substep.mlir"),
        fields=16,
        of_fields="functions",
        scalars=(*generate_mhd.SCALARS.values(), None),
        # Three steps of the scheme; enough for a graph of launches.
        steps=9,
        cpu_steps=1,
        radius=3,
        handwritten=generate_mhd.cxx,
        hand_bound=(60, "field"),
        sizes={"cache": (128,) * 3, "large": (256,) * 3, "paper": (128,) * 3, "tiny": (9, 10, 24)},
    )


def held_out_kernels():
    """Rows are as wide as extents and radius make them, not padded: so do users'."""
    for name in held_out.NAMES:
        for type in ("f64", "f32") if name in HELD_OUT_F32 else ("f64",):
            rank, radius = held_out.rank_and_radius(name)
            yield Kernel(
                name if type == "f64" else f"{name}_{type}",
                "held-out",
                rank,
                type,
                lambda extents, form, pad, n=name, t=type: held_out.mlir(n, t),
                fields=held_out.fields(name),
                radius=radius,
                of_fields="sums" if name in held_out.LINEAR else "products",
                cpu_steps=4,
            )


def hdiff(extents, form, pad):
    """The extents of the example are part of its types."""
    text = (HERE / "../examples/hdiff.mlir").read_text()
    a, b, c = extents
    for old, new in [
        ("[0,60]x[-2,65]x[-2,87]", f"[0,{a}]x[-2,{b + 2}]x[-2,{c + 2}]"),
        ("[0,60]x[0,63]x[0,85]", f"[0,{a}]x[0,{b}]x[0,{c}]"),
        ("[60, 63, 85]", f"[{a}, {b}, {c}]"),
    ]:
        assert old in text, old
        text = text.replace(old, new)
    return text


def kernels():
    """{name: Kernel}, in the order of the suites."""
    conv = [n for n in generate.KERNELS if n.startswith("conv_")]
    brick = [n for n in generate.KERNELS if n.startswith("brick_")]
    made = [
        *two_fields("conv", conv, {}, ["f64"]),
        *two_fields("brick", brick, {"paper": (512, 512, 512)}, ["f64", "f32"]),
        *astaroth_kernels(),
        # Leapfrog, stable up to (c dt / dx)^2 = 0.2: beyond, waves grow and hide what is wrong elsewhere.
        Kernel(
            "acoustic25",
            "seismic",
            3,
            "f32",
            committed("../examples/acoustic25.mlir"),
            fields=3,
            ranges={2: "0.02:0.15"},
                radius=4,
            sizes={"large": (640,) * 3, "wide": (1000,) * 3, "paper": (1000,) * 3},
        ),
        *(
            Kernel(
                f"acoustic_pml_{form}",
                "seismic",
                3,
                "f32",
                None,
                cpu_steps=4,
                        radius=4,
                form=form,
                sizes={"cache": (256,) * 3, "large": (640,) * 3, "wide": (1000,) * 3, "paper": (1000,) * 3, "tiny": (21, 22, 43)},
            )
            for form in ("one", "two", "seven")
        ),
        # A limiter jumps where rounding differs: to the bit, or not at all.
        Kernel("hdiff", "weather", 3, "f64", hdiff, fields=3, exact=True, takes_extents=False),
        *held_out_kernels(),
    ]
    return {k.name: k for k in made}


SUITES = ("conv", "brick", "astaroth", "seismic", "weather", "held-out")


def extents_of(kernel, size):
    """The extents of a set, or of a size such as 64x64x64; None if the kernel has none there."""
    if size in kernel.sizes:
        return kernel.sizes[size]
    if size in SIZES:
        return SIZES[size].get(kernel.rank)
    extents = tuple(int(n) for n in size.split("x"))
    return extents if len(extents) == kernel.rank else None


# Of loops of many steps, when they are compared, by rank: twice the most steps at once (256 of rows, 16 of planes, 4 of
# volumes), and a rest.
COMPARED_STEPS = {1: 549, 2: 37, 3: 13}


def scaled(extents, scale):
    """The same with `scale` times as many points."""
    return tuple(max(8, round(n * scale ** (1 / len(extents)))) for n in extents) if scale != 1 else extents


def odd(extents, points):
    """At most so many points, an odd number along each axis, and not the same."""
    few = scaled(extents, min(1.0, points / math.prod(extents)))
    return tuple(n + 2 * axis + 1 - n % 2 for axis, n in enumerate(few))
