"""What is printed."""

import json
import math
import re

from harness import catalog

PEERS = catalog.HERE / "peers_h200.json"


def percent(share):
    return "-" if share is None else f"{100 * share:.1f} %"


def load_peers():
    """{(kernel, extents): [{"name", "gstencil_per_s", "steps_per_sweep"}]}"""
    peers = {}
    for entry in json.loads(PEERS.read_text())["peers"]:
        key = entry["kernel"], tuple(entry["extents"]) if entry.get("extents") else None
        peers.setdefault(key, []).append(entry)
    return peers


def add_peers(record, peers):
    """The other codes that were measured on the same GPU: with these extents, or with those of their own."""
    if "H200" not in record.get("device", {}).get("name", "") or "bench" not in record:
        return
    # The regions of the wave are its form, not another problem.
    name = re.sub("^acoustic_pml_.*", "acoustic_pml", record["kernel"])
    found = peers.get((name, tuple(record["extents"])), []) + peers.get((name, None), [])
    if found:
        record["peers"] = [dict(p, ratio=record["bench"]["gstencil_per_s"] / p["gstencil_per_s"]) for p in found]


def describe_peers(record):
    """The fastest that does one sweep per step, and the fastest that does several."""
    found = record.get("peers", [])
    parts = []
    for iterated in (False, True):
        group = [p for p in found if bool(p.get("time_blocked")) == iterated]
        if group:
            best = max(group, key=lambda p: p["gstencil_per_s"])
            name = best["name"] + (", steps in time" if iterated else "")
            parts.append(f"{best['ratio']:.2f} x {name} ({best['gstencil_per_s']:.0f})")
    return "; ".join(parts)


def describe_schedule(record):
    """The one that was asked for, or who chose it: the database, the model."""
    schedule = record["schedule"]
    if not schedule:
        sources = dict.fromkeys(s.get("from") for s in record.get("schedules", []))
        if record.get("tuned_options"):
            sources["database"] = None
        return ", ".join(f"by the {s}" for s in sources if s in ("database", "model"))
    return schedule if isinstance(schedule, str) else json.dumps(schedule)


def ulp(record):
    """The largest difference from the interpreter, or what was done instead."""
    comparisons = record.get("verify", {}).get("comparisons", [])
    if not comparisons:
        return "unchecked"
    text = f"{max(float(c['max_ulp']) for c in comparisons):.2g}"
    if unknown := sum(c["excused"] for c in comparisons):
        text += f", {unknown} not checked"
    if record["checked"] == "strict":
        text += ", strict"
    if record["checked"] != "full":
        text += " at " + "x".join(map(str, record["checked_extents"]))
    return text


def device_line(record):
    device = record.get("device")
    if not device:
        return f"{record['target']}, {record['threads']} threads"
    if not device["name"]:
        return f"{record['target']}, {device['chip']}"
    return f"{device['name']} ({device['chip']}), driver {device['driver']}, {device['clock_khz'] // 1000} MHz"


class Table:
    """Rows are printed as they come, so that columns follow from the options alone."""

    def __init__(self, options, handwritten, nvml, profiler):
        limit = "triad" if options.target == "cpu" else "copy"
        self.columns = [("kernel", 22), ("variant", 11), ("extents", 15)]
        if options.target != "emulator":
            self.columns += [("GSt/s", 8), ("GB/s", 7), (limit, 8), ("roof", 8), ("FMA", 8), ("model", 8)]
        if handwritten:
            self.columns += [("hand", 8), ("ratio", 6)]
        if profiler:
            self.columns += [("AI", 8)]
        if nvml:
            self.columns += [("nJ", 7)]
        self.columns += [("ulp", 7), ("", 0)]
        self.limit = limit

    def line(self, values):
        cells = []
        for name, width in self.columns:
            text = values.get(name, "-")
            cells.append(text.ljust(width) if name in ("kernel", "variant", "extents", "") else text.rjust(width))
        return " ".join(cells).rstrip()

    def header(self):
        return self.line({name: name for name, _ in self.columns} | {"": "peers, schedule"})

    def row(self, record):
        values = {
            "kernel": record["kernel"],
            "variant": record["variant"],
            "extents": "x".join(map(str, record["extents"])),
            "ulp": ulp(record),
        }
        bench, roofline = record.get("bench", {}), record.get("roofline") or {}
        place = "in cache" if bench.get("fits_last_level_cache") else ""
        values[""] = "; ".join(filter(None, [place, describe_peers(record), describe_schedule(record)]))
        if "gstencil_per_s" in bench:
            values["GSt/s"] = f"{bench['gstencil_per_s']:.{4 if bench['gstencil_per_s'] < 1 else 1}f}"
            values["GB/s"] = f"{bench['gb_per_s']:.{1 if bench['gb_per_s'] < 1000 else 0}f}"
            values[self.limit] = percent(bench.get(f"share_of_{self.limit}"))
            values["roof"] = percent(roofline.get("share"))
            values["FMA"] = percent(roofline.get("share_of_fma"))
        predicted = predicted_seconds(record)
        if predicted and bench:
            # How long the model says that it takes, over how long it took.
            values["model"] = percent(predicted / bench["median"])
        hand = record.get("handwritten")
        if hand:
            values["hand"], values["ratio"] = f"{hand['gstencil_per_s']:.4f}", f"{hand['ratio']:.2f}"
        if record.get("profile"):
            values["AI"] = percent(record["profile"].get("share_of_intensity"))
        if record.get("energy", {}).get("nj_per_update"):
            values["nJ"] = f"{record['energy']['nj_per_update']:.2f}"
        return self.line(values)


def predicted_seconds(record):
    """What the cost model says of the measured run: each kernel once per step. None where stencil-run's report has no
    predictions, and of the seismic programs, some of whose kernels run once in all."""
    kernels = record.get("predicted")
    if not kernels or record["kernel"].startswith("acoustic_pml"):
        return None
    return math.fsum(k["seconds"] for k in kernels) * record["steps"]


def place(record):
    """What a target is called in a comparison: the GPU, or the processor."""
    return record.get("device", {}).get("name") or record.get("target", "?")


def efficiencies(records):
    """{kernel: {target: share of its roofline}}, the best variant and size of each; 0 for a failure."""
    table = {}
    for record in records:
        share = (record.get("roofline") or {}).get("share")
        if share is None and "error" not in record:
            continue
        row = table.setdefault(record["kernel"], {})
        row[place(record)] = max(row.get(place(record), 0), min(1.0, share or 0))
    return table


def portability(shares, targets):
    """Pennycook's metric: the harmonic mean of the efficiencies, 0 if one target does not do it; None if one is missing."""
    if any(t not in shares for t in targets):
        return None
    values = [shares[t] for t in targets]
    return len(values) / math.fsum(1 / v for v in values) if all(values) else 0.0


def portability_lines(records):
    table = efficiencies(records)
    targets = sorted({target for row in table.values() for target in row})
    if len(targets) < 2:
        return []
    lines = [f"performance portability (harmonic mean of the shares of the roofline): {', '.join(targets)}"]
    for kernel, row in table.items():
        shares = (("not measured" if t not in row else f"{100 * row[t]:.0f} %" if row[t] else "failed") for t in targets)
        lines.append(f"{kernel:20} {percent(portability(row, targets)):>8}   {', '.join(shares)}")
    return lines
