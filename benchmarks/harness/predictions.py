"""Measured schedules, and what the cost model predicts for them."""

import collections
import concurrent.futures
import dataclasses
import json
import lzma
import os
import pathlib
import statistics
import subprocess
import tempfile

import generate_random
from harness import catalog
from harness.tools import Failed

HERE = pathlib.Path(__file__).resolve().parent.parent
# Programs without a time loop.
SINGLE = ("mhd_substep",)


@dataclasses.dataclass
class Row:
    """A schedule that was timed: seconds of a step, and what the record says of it."""

    schedule: str
    seconds: float
    rate: float
    record: dict


@dataclasses.dataclass
class Group:
    """What was measured of one kernel, size and variant."""

    name: str
    extents: tuple
    variant: str
    rows: list

    @property
    def title(self):
        return f"{self.name} {'x'.join(map(str, self.extents))} {self.variant}"

    @property
    def best(self):
        return min(row.seconds for row in self.rows)


def read_records(path):
    """The list in a JSON file, which may be compressed."""
    try:
        data = pathlib.Path(path).read_bytes()
        return json.loads(lzma.decompress(data) if pathlib.Path(path).suffix == ".xz" else data)
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise Failed(f"{path}: {error}") from None


def find_schedule(record):
    """What was asked for, or what was chosen where the record says it of the only apply; '' for no schedule."""
    asked = record.get("schedule") or ""
    chosen = record.get("schedules") or []
    return chosen[0]["schedule"] if not asked and len(chosen) == 1 else asked


def read_groups(paths):
    """What was measured, in the order of the files; what failed has no times, and several steps at once no schedule."""
    groups = collections.OrderedDict()
    for path in paths:
        records = read_records(path)
        try:
            for record in records:
                bench = record.get("bench", record)
                if not bench.get("seconds") or record.get("composed"):
                    continue
                name, extents, variant = record["kernel"], tuple(record["extents"]), record["variant"]
                steps = 1 if name in SINGLE else record.get("steps") or 1
                seconds = statistics.median(bench["seconds"]) / steps
                row = Row(find_schedule(record), seconds, bench["gstencil_per_s"], record)
                groups.setdefault((name, extents, variant), Group(name, extents, variant, [])).rows.append(row)
        except (AttributeError, KeyError, TypeError) as error:
            why = "expected a list of measurements with kernel, extents, variant and seconds"
            raise Failed(f"{path}: {why} ({error!r})") from None
    return list(groups.values())


def find_program(name, extents, scratch):
    """The path of the program, which is written to `scratch` if it is generated; None if there is none."""
    for path in (HERE / "kernels" / f"{name}.mlir", HERE.parent / "examples" / f"{name}.mlir"):
        if path.exists():
            return path
    seed, kernels = name.removeprefix("random_"), catalog.kernels()
    if seed != name and seed.isdecimal():
        made = generate_random.Program(int(seed)).mlir()
    elif name in kernels and kernels[name].program:
        made = kernels[name].program(extents, "plain", True)
    else:
        return None
    if isinstance(made, pathlib.Path):
        return made
    path = pathlib.Path(scratch) / "program.mlir"
    path.write_text(made)
    return path


class Predictor:
    """Asks stencil-opt for predictions."""

    def __init__(self, directory, chip):
        self.directory, self.chip, self.constants = directory, chip, {}

    def predict(self, group, sets=None):
        """For each row the predictions of the applies, which have `seconds_with` for each of the sets of constants;
        None if there is no such program."""
        math = "contract" if group.variant == "written" else group.variant
        sizes = ",".join(map(str, group.extents))
        with tempfile.TemporaryDirectory() as scratch:
            listed = pathlib.Path(scratch) / "schedules.json"
            listed.write_text(json.dumps([row.schedule for row in group.rows]))
            program = find_program(group.name, group.extents, scratch)
            if not program:
                return None
            report = f"math={math} schedules={listed} extents={sizes}"
            if sets is not None:
                given = pathlib.Path(scratch) / "constants.json"
                given.write_text(json.dumps(sets))
                report += f" constants={given}"
            command = [
                self.directory / "stencil-opt",
                program,
                "-o",
                "/dev/null",
                f"--stencil-specialize-extents=extents={sizes}",
                f"--stencil-simplify=math={math} algebra={'false' if group.variant == 'written' else 'true'}",
                "--stencil-hoist-boundaries",
                "--stencil-infer-shapes",
                "--stencil-bufferize",
                f"--stencil-attach-target=chip={self.chip}",
                f"--stencil-report-schedules={report}",
            ]
            done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise Failed(f"{' '.join(map(str, command))}\n{done.stderr.strip()}")
        document = json.loads(done.stdout)
        self.constants = document.get("constants", self.constants)
        return list(zip(*(apply["predictions"] for apply in document["applies"])))

    def predict_all(self, groups, sets=None):
        """The same of several, side by side."""
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            return list(pool.map(lambda group: self.predict(group, sets), groups))


def find_misfit(predictions):
    """Why a schedule has no prediction; '' if it has."""
    return next((p["misfit"] for p in predictions if "misfit" in p), "")


def add_seconds(predictions):
    return sum(p["seconds"] for p in predictions)
