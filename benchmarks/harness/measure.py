"""One kernel, measured: stencil-run, and what is made of its numbers."""

import json
import math
import os
import pathlib
import statistics
import tempfile
import types

from harness import catalog, counters, seismic
from harness.handwritten import spread
from harness.tools import Failed, call

# Seconds of kernels that an energy is measured over, and steps under the profiler.
ENERGY_SECONDS, PROFILED_STEPS = 2.5, 4


class Case:
    """A kernel with sizes, a variant and a schedule."""

    def __init__(self, kernel, size, extents, variant, schedule):
        self.kernel, self.size, self.extents = kernel, size, extents
        self.variant, self.schedule = variant, schedule
        self.flags, self.form = catalog.VARIANTS[variant]


class Measurement:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, pathlib.Path(scratch)
        self.handwritten = self.nvml = self.profiler = None
        # Of the processor: operations per second, by type.
        self.peaks, self.costs = {}, {}

    def write_program(self, case, extents):
        made = case.kernel.program(extents, case.form, self.options.target != "cpu")
        if isinstance(made, pathlib.Path):
            return made
        path = self.scratch / f"{case.kernel.name}.mlir"
        path.write_text(made)
        return path

    def command(self, case, extents, steps, inputs=None, wild=False):
        """What runs a case. `wild`: on values of all magnitudes and both signs, among which a small weight or a point of
        a boundary cannot hide; for what is not timed. Fields that have a range keep it."""
        o, kernel = self.options, case.kernel
        command = [o.bin / "stencil-run", self.write_program(case, extents), "--target", o.target]
        if kernel.takes_extents:
            command += ["--extents", ",".join(map(str, extents))]
        for i in range(kernel.fields):
            if wild and i not in kernel.ranges:
                made = f"wild:{i + 1}:finite"
            else:
                made = ":".join(["random", str(i + 1), *filter(None, [kernel.ranges.get(i)])])
            command += ["--arg", f"{i}={inputs[i] if inputs else made}"]
        for i, value in enumerate(kernel.scalars, kernel.fields):
            command += ["--arg", f"{i}={steps if value is None else value}"]
        command += case.flags
        if o.target == "emulator" or o.chip:
            command += ["--chip", o.chip or "sm_90"]
        if case.schedule:
            command += ["--schedule", case.schedule]
        if o.tuning_db:
            command += ["--tuning-db", o.tuning_db]
        if o.threads:
            command += ["--threads", o.threads]
        return command

    def measure(self, case, extents, steps, *flags, wild=False):
        """stencil-run's report of the kernel on `extents`."""
        if case.kernel.form:
            return seismic.report(self, case, extents, steps, flags)
        return self.report([*self.command(case, extents, steps, wild=wild), *flags])

    def report(self, command):
        file = self.scratch / "report.json"
        call([*command, "--json", file])
        result = json.loads(file.read_text())
        # Records are compared across machines.
        result["file"] = pathlib.Path(result.get("file", "")).name
        return result

    def check_wild(self, case, extents, steps):
        """The check on values of all magnitudes, None if there is none. Where fields are multiplied it is one step to the
        bit: of products of large numbers that cancel no bound is known."""
        kernel = case.kernel
        if kernel.form or kernel.of_fields == "functions":
            return None
        if kernel.of_fields == "products":
            case, steps = Case(kernel, case.size, case.extents, "strict", case.schedule), 1
        return self.measure(case, extents, steps, "--verify", wild=True)["verify"]

    def check_small(self, case, steps, record, stands_in):
        """The same program on fewer points, against the interpreter, on wild values: beside a full check, or what stands
        in for it. Where wild values do not check the variant itself, uniform ones stand in."""
        limit = self.options.small
        count = math.prod(case.extents)
        factor = min(1.0, limit / count) ** (1 / len(case.extents))
        # A multiple of 4 along the last axis: unrolled forms have to fit.
        extents = [max(1, round(n * factor)) for n in case.extents]
        extents[-1] = max(4, extents[-1] // 4 * 4)
        result = self.check_wild(case, extents, steps)
        if result:
            record["wild_extents"] = extents
        if stands_in:
            if not result or case.kernel.of_fields != "sums":
                result = self.measure(case, extents, steps, "--verify")["verify"]
            record.update(checked=stands_in, checked_extents=extents)
        return result

    def run(self, case):
        """The record of a case. Raises Failed."""
        o, kernel = self.options, case.kernel
        steps = o.steps or (kernel.cpu_steps if o.target == "cpu" else 0) or kernel.steps
        if case.form == "elementwise" and case.extents[-1] % 4:
            raise Failed(f"elementwise: expected a multiple of 4 along the last axis, got {case.extents[-1]}")
        record, small, flags = {"checked": "no"}, None, []
        if kernel.exact and case.variant != "strict" and o.verify != "none":
            # Cannot be compared as it is timed.
            strict = Case(kernel, case.size, case.extents, "strict", case.schedule)
            small = self.check_small(strict, steps, record, "strict")
        elif o.verify == "small":
            small = self.check_small(case, steps, record, "small")
        elif o.verify == "full":
            flags = ["--verify"]
        if o.target == "emulator":
            # Nothing is timed: the values can be wild where the steps are.
            are_sums = not kernel.form and kernel.of_fields == "sums"
            if flags and not are_sums:
                self.check_wild(case, case.extents, steps)
            result = self.measure(case, case.extents, steps, *flags, wild=are_sums)
        elif self.handwritten and kernel.handwritten and case.form == "plain":
            result = self.run_beside(case, steps, flags)
        else:
            result = self.measure(case, case.extents, steps, f"--bench={o.repeats}", *flags)
        if flags and o.target != "emulator":
            self.check_small(case, steps, record, "")
        if small:
            result["verify"] = small
        if flags:
            record["checked"] = "full"
        record.update(result)
        # Where the compiler chose, what it chose is in device.schedule, kernels.
        record.update(kernel=kernel.name, suite=kernel.suite, type=kernel.type, variant=case.variant, sizes=case.size)
        record.update(extents=list(case.extents), steps=steps, schedule=case.schedule)
        if "bench" in record and "gstencil_per_s" in record["bench"]:
            record["roofline"] = self.roofline(case, record)
            self.count(case, record)
        return record

    def run_beside(self, case, steps, flags):
        """Ours and the hand-written loops in turns, on the same fields, which are compared."""
        o, kernel, hand = self.options, case.kernel, self.handwritten
        inputs = hand.make_inputs(kernel, case.extents)
        left = [self.scratch / f"out-{i}.npy" for i in range(kernel.fields)]
        command = [*self.command(case, case.extents, steps, inputs), f"--bench={o.repeats}"]
        keep = [word for i, file in enumerate(left) for word in ("--out", f"{i}={file}")]
        ours = self.report([*command, *flags, *keep])
        seconds = list(ours["bench"]["seconds"])
        # The faster way to store counts, as far as the first round knows.
        first = {stores: hand.run(kernel, steps, o.repeats, stores, inputs, left) for stores in hand.variants(kernel)}
        stores = min(first, key=lambda name: statistics.median(first[name]))
        theirs = first[stores]
        for turn in range(1, o.rounds):
            # The order within a round alternates.
            if turn % 2:
                theirs += hand.run(kernel, steps, o.repeats, stores, inputs, [])
            seconds += self.report(command)["bench"]["seconds"]
            if not turn % 2:
                theirs += hand.run(kernel, steps, o.repeats, stores, inputs, [])
        for file in [*inputs, *left]:
            file.unlink()
        bench, median = ours["bench"], statistics.median(seconds)
        bench.update(seconds=seconds, repeats=len(seconds), median=median, min=min(seconds), max=max(seconds))
        bench["gstencil_per_s"] = bench["point_updates"] / median * 1e-9
        bench["gb_per_s"] = bench["bytes"] / median * 1e-9
        if bench.get("triad_gb_per_s"):
            bench["share_of_triad"] = bench["gb_per_s"] / bench["triad_gb_per_s"]
        rate = bench["point_updates"] / statistics.median(theirs) * 1e-9
        ours["handwritten"] = {
            "gstencil_per_s": rate,
            "ratio": bench["gstencil_per_s"] / rate,
            "stores": stores,
            "seconds": theirs,
            "spread": spread(theirs),
            "spread_ours": spread(seconds),
        }
        return ours

    def cost(self, case, chip):
        """What stencil-report-cost says of the program behind the passes on its mathematics; None without it."""
        if case.kernel.form:
            return None
        key = case.kernel.name, case.variant, chip
        if key not in self.costs:
            tool = self.options.bin / "stencil-opt"
            simplify = "" if case.variant == "written" else "--stencil-simplify"
            if simplify and case.flags:
                simplify += f"=math={case.flags[1]}"
            target = f"--stencil-attach-target=chip={chip}" if chip else ""
            passes = [*filter(None, [simplify, target]), "--stencil-report-cost=format=json"]
            command = [tool, self.write_program(case, case.extents), *passes, "-o", os.devnull]
            try:
                self.costs[key] = json.loads(call(command))["applies"]
            except (Failed, ValueError, KeyError):
                self.costs[key] = None
        return self.costs[key]

    def roofline(self, case, record):
        """Bytes, operations and flops per update, and the bound: the slower of a copy (triad) and the FMA pipe."""
        bench, chip = record["bench"], record.get("device", {}).get("chip")
        applies = self.cost(case, chip) or []
        updates = sum(a["fields_written"] for a in applies)
        # Not known of a program that is run by another script: 0.
        each = {
            k: sum(a["shared"][k] / a["points"] for a in applies) / max(1, updates) for k in ("operations", "flops")
        }
        bandwidth = bench.get("copy_gb_per_s", bench.get("triad_gb_per_s", 0)) * 1e9
        lines = [a["roofline"] for a in applies if a.get("roofline")]
        peak = lines[0]["peak"] if lines else self.peaks.get(case.kernel.type, 0)
        line = {
            "bytes_per_update": bench["bytes"] / bench["point_updates"],
            "operations_per_update": each["operations"],
            "flops_per_update": each["flops"],
            "bandwidth": bandwidth,
            "peak": peak,
        }
        line["intensity"] = line["flops_per_update"] / line["bytes_per_update"]
        rate = bench["gstencil_per_s"] * 1e9
        if peak and applies:
            # Of the pipe: an addition takes the time of an FMA, which is two flops of the peak.
            line["share_of_fma"] = rate * line["operations_per_update"] * 2 / peak
        bounds = [bandwidth / line["bytes_per_update"]] if bandwidth else []
        if peak and line["operations_per_update"]:
            bounds.append(peak / 2 / line["operations_per_update"])
        if bounds:
            line["bound_gstencil_per_s"] = min(bounds) * 1e-9
            line["share"] = rate / min(bounds)
        return line

    def count(self, case, record):
        """Energy and profiler counters, each in a run of its own. What is not there is said once, at the start."""
        bench, kernel = record["bench"], case.kernel
        loops = None in kernel.scalars
        if kernel.form:
            return
        if self.nvml and loops:
            steps = max(1, math.ceil(ENERGY_SECONDS / bench["median"] * record["steps"]))
            try:
                watts = counters.measure_power(self.nvml, self.command(case, case.extents, steps))
                joules = watts / (bench["gstencil_per_s"] * 1e9)
                record["energy"] = {"watts": watts, "nj_per_update": joules * 1e9, "steps": steps}
            except Failed as error:
                record["energy"] = {"error": str(error)}
        if self.profiler:
            steps = PROFILED_STEPS if loops else 1
            try:
                command = self.command(case, case.extents, steps)
                kernels = counters.profile(self.profiler, command, steps)
                moved = sum(read + written for read, written in kernels.values())
                compulsory = bench["bytes"] / (record["steps"] if loops else 1)
                record["profile"] = {
                    "dram_bytes": {n: {"read": r, "written": w} for n, (r, w) in kernels.items()},
                    "dram_bytes_per_step": moved,
                    "share_of_intensity": compulsory / moved if moved else None,
                }
            except Failed as error:
                record["profile"] = {"error": str(error)}


def complete(records, directory):
    """Fills in the rooflines of results from a machine that had stencil-run only, with stencil-opt in `directory`."""
    kernels = catalog.kernels()
    with tempfile.TemporaryDirectory() as scratch:
        # What is counted does not depend on how rows are padded.
        m = Measurement(types.SimpleNamespace(bin=directory, target="cpu"), scratch)
        for record in records:
            kernel = kernels.get(record["kernel"])
            if kernel:
                record.setdefault("suite", kernel.suite)
            record.setdefault("type", kernel.type if kernel else "f64")
            known = (record.get("roofline") or {}).get("flops_per_update")
            if not kernel or known or "bytes" not in record.get("bench", {}) or record.get("variant") not in catalog.VARIANTS:
                continue
            case = Case(kernel, "", tuple(record["extents"]), record["variant"], "")
            record["roofline"] = m.roofline(case, record)
