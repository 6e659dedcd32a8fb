"""The program of the acoustic wave, acoustic_pml.mlir, for a grid: unified, or in two, five or seven regions."""

import dataclasses
import math
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
# Of the second derivative, 8th order, at distances 0 to 4.
WEIGHTS = (-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560)
# How the regions are called, by the axis along which a layer is thin.
REGIONS = ("interior", "z", "y", "x")
# Into how many regions the sweep is split, and what its apply then says.
SPLITS = {
    "one": "",
    "two": ', stencil.regions = "two"',
    "five": ', stencil.regions = "all", stencil.region_axes = array<i64: 0, 1>',
    "seven": ', stencil.regions = "all"',
}


class Failure(Exception):
    """What ends the program: one line, exit code 1."""


class WrongUsage(Exception):
    """The command line is wrong: one line, exit code 2."""


@dataclasses.dataclass
class Grid:
    """What the program is for. Points are (z, y, x), from 0; lengths in m, times in s."""

    extents: tuple
    pml: tuple  # points by axis
    steps: int
    source: tuple
    receivers: tuple  # z and y of the line
    interval: int  # steps from snapshot to snapshot
    spacing: float
    pad: int = 1  # points to whose multiples rows are lengthened
    has_final: bool = False  # whether the wave after the last step is wanted, all of it

    @property
    def num_snapshots(self):
        return self.steps // self.interval

    @property
    def num_points(self):
        return math.prod(self.extents)

    def check(self):
        if not 1 <= self.pad <= 1024:
            raise WrongUsage(f"--pad: expected from 1 to 1024 points, got {self.pad}")
        if not 1 <= self.steps <= 10**9:
            raise WrongUsage(f"--steps: expected from 1 to {10**9}, got {self.steps}")
        if self.interval < 1:
            raise WrongUsage(f"--snapshots: expected at least 1 step between snapshots, got {self.interval}")
        # Before what is chosen by these.
        for name, extent, width in zip("zyx", self.extents, self.pml):
            if width < 1 or 2 * width >= extent:
                raise WrongUsage(
                    f"--pml: expected layers along {name} of 1 to {(extent - 1) // 2} points, less than half of the"
                    f" extent, {extent}; got {width}"
                )
        for name, extent, at in zip("zyx", self.extents, self.source):
            if not 0 <= at < extent:
                raise WrongUsage(f"--source: expected {name} from 0 to {extent - 1}, got {at}")
        for name, extent, at in zip("zy", self.extents, self.receivers):
            if not 0 <= at < extent:
                raise WrongUsage(f"--receivers: expected {name} from 0 to {extent - 1}, got {at}")

    def largest_step(self, velocity):
        """The largest stable time step (CFL): 2 / (v sqrt(sum of |weights| of all axes) / h)."""
        total = abs(WEIGHTS[0]) + 2 * sum(map(abs, WEIGHTS[1:]))
        return 2 * self.spacing / (velocity * math.sqrt(3 * total))

    def check_damping(self, damping, share):
        """Whether the layers are stable with an eta (times the time step) of `damping` where each ends, and a time step
        that is this share of the largest."""
        # eta is the sum of all axes'. By von Neumann's condition |2 + 2 eta - eta^2 - 4 share^2| <= 2 + 2 eta, where
        # 4 share^2 is what -k lap comes to for the shortest wave.
        corner, largest = 3 * damping, 2 + math.sqrt(8 - 4 * min(share, 1) ** 2)
        if corner > largest:
            raise WrongUsage(
                f"--pml: layers of {min(self.pml)} points damp too much to be stable: eta times the time step is"
                f" {corner:.3g} in their corners, expected at most {largest:.3g}; wider layers, or a smaller --damping or --dt, have less"
            )

    def aliases(self):
        """The lines at the head of acoustic_pml.mlir that depend on the grid."""
        nz, ny, nx = self.extents
        (sz, sy, sx), (rz, ry) = self.source, self.receivers

        def shaped(*axes):
            return f"<{''.join(f'[{low},{high}]x' for low, high in axes)}f32>"

        def field(*axes):
            return f"!stencil.field{shaped(*axes)}"

        def temp(*axes):
            return f"!stencil.temp{shaped(*axes)}"

        def box(*axes):
            return f"#stencil.bounds<{[low for low, _ in axes]}, {[high for _, high in axes]}>"

        def widened(rim):
            return [(-rim, extent + rim) for extent in self.extents]

        def padded(rim):
            *outer, (low, high) = widened(rim)
            return (*outer, (low // self.pad * self.pad, -(-high // self.pad) * self.pad))

        receivers = ((0, self.steps), (rz, rz + 1), (ry, ry + 1), (0, nx))
        final = widened(0) if self.has_final else [(n // 2, n // 2 + 1) for n in self.extents]
        sections = ((0, max(1, self.num_snapshots)), (0, nz), (sy, sy + 1), (0, nx))
        lines = {
            "!wave": field(*padded(4)),
            "!coeff": field(*padded(0)),
            "!damping": temp(*padded(1)),
            "!model": field((0, nz), (0, nx)),
            "#grid": box(*widened(0)),
            "#source": box((sz, sz + 1), (sy, sy + 1), (sx, sx + 1)),
            "!seismogram": field(*receivers),
            "#receivers": box(*receivers),
            "!snapshots": field(*sections),
            "#sections": box(*sections),
            "!energies": field(sections[0]),
            "#moments": box(sections[0]),
            "#interval": f"{self.interval} : index",
            "!final": field(*final),
            "#final": box(*final),
        }
        for axis, extent, width in zip("zyx", self.extents, self.pml):
            lines[f"#{axis}_begin"] = f"{width} : index"
            lines[f"#{axis}_end"] = f"{extent - width} : index"
        return lines

    def region(self, low, high):
        """What the region that is this box is called. Of two, the one around the interior is 'layers'; of five, the
        interior has all of its rows."""
        sides = list(zip(low, high, self.extents, self.pml))
        if any(a > 0 for a in low) and all((a, b) in ((0, n), (width, n - width)) for a, b, n, width in sides):
            return "interior"
        for name, axis_low, axis_high, extent in zip("zyx", low, high, self.extents):
            if (axis_low == 0) != (axis_high == extent):
                return name
        return "layers"


def write_unified(grid):
    """The text of the unified program for a grid."""
    text = (HERE / "acoustic_pml.mlir").read_text(encoding="utf-8")
    for name, value in grid.aliases().items():
        text, count = re.subn(rf"^{re.escape(name)} = .*$", f"{name} = {value}", text, flags=re.MULTILINE)
        if count != 1:
            raise Failure(f"acoustic_pml.mlir: expected one line '{name} = ...', got {count}")
    return text


def split(text, regions, opt, chip=None, named=None, eta="field"):
    """Two, five or seven regions of the unified program, by stencil-opt; with the schedule that a name stands for; eta
    stored as a field, or added up of its profiles by the sweep."""
    # Nothing else is fused: the profiles as well are computed once.
    passes = ["stencil-fuse-applies{automatic=false force=eta}"] if eta == "profiles" else []
    passes += ["stencil-infer-shapes", "stencil-bufferize"]
    if regions != "one":
        text = text.replace('{stencil.name = "sweep"}', f'{{stencil.name = "sweep"{SPLITS[regions]}}}')
        passes.append("stencil-split-regions{regions=keep}")
    if named:
        passes += [f"stencil-attach-target{{chip={chip}}}", f"stencil-select-schedule{{schedule={named}}}"]
    command = [opt, "-", f"--pass-pipeline=builtin.module({','.join(passes)})"]
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True)
    except OSError as error:
        raise Failure(f"{opt}: {error.strerror}") from error
    if done.returncode != 0:
        raise Failure(first_error(done.stderr))
    return done.stdout


def first_error(text):
    """The first error line of a tool, without 'error: '."""
    found = re.search(r"error: (.*)", text)
    return found[1] if found else text.strip() or "a tool failed without a message"


def schedule_regions(text, grid, schedules, launch=None):
    """Writes schedules to the applies of the sweep: `schedules` has one by name of a region, 'layers' for all but the
    interior, 'all' for all of them; `launch` is how regions are launched."""

    def place(match):
        attributes = match[0]
        box = re.search(r"stencil.region = #stencil.bounds<\[(.*?)\], \[(.*?)\]>", attributes)
        name = grid.region(*([int(n) for n in part.split(",")] for part in box.groups())) if box else "all"
        names = [name, "all"] if name in ("interior", "all") else [name, "layers", "all"]
        schedule = next((schedules[n] for n in names if n in schedules), None)
        own = re.search(r", stencil.schedule = (#stencil.schedule<.*?>)(?=[,}])", attributes)
        if own:
            attributes = attributes.replace(own[0], "")
            schedule = schedule or own[1]
        if launch and "regions = " not in (schedule or ""):
            keys = schedule[len("#stencil.schedule<") : -1] if schedule else ""
            schedule = f"#stencil.schedule<{keys}{', ' if keys else ''}regions = {launch}>"
        return attributes[:-1] + (f", stencil.schedule = {schedule}" if schedule else "") + "}"

    return re.sub(r'attributes \{stencil\.name = "sweep"[^}]*\}', place, text)
