"""Plots of results, with matplotlib (Debian: python3-matplotlib)."""

import math
import pathlib

from harness import table
from harness.tools import Failed

COLOURS = {"conv": "C0", "brick": "C1", "astaroth": "C2", "seismic": "C3", "weather": "C4"}


def load():
    """matplotlib's pyplot, for files only. Failed where it is not installed."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise Failed("drawing needs matplotlib: install python3-matplotlib (utils/setup does)") from None
    matplotlib.rcParams.update({"font.size": 8, "figure.dpi": 110, "axes.grid": True, "axes.axisbelow": True, "grid.alpha": 0.3})
    return pyplot


def measured(records):
    return [r for r in records if (r.get("bench") or {}).get("gstencil_per_s") and (r.get("roofline") or {}).get("bandwidth")]


def label(record):
    name = record["kernel"].removeprefix("conv_").removeprefix("brick_")
    variant = "" if record["variant"] == "contract" else f", {record['variant']}"
    return f"{name} {'x'.join(map(str, record['extents']))}{variant}"


def colour(record):
    return COLOURS.get(record.get("suite"), "C7")


def legend(axes, records):
    for suite in dict.fromkeys(r.get("suite") for r in records):
        axes.plot([], [], "o", color=COLOURS.get(suite, "C7"), label=suite)
    axes.legend(loc="lower right")


def best(records):
    """The fastest of each kernel and size."""
    chosen = {}
    for r in records:
        key = r["kernel"], tuple(r["extents"])
        if key not in chosen or r["bench"]["gstencil_per_s"] > chosen[key]["bench"]["gstencil_per_s"]:
            chosen[key] = r
    return list(chosen.values())


def annotate(axes, points):
    """Short names beside points, one for all that lie at about the same place."""
    done = []
    for x, y, text in points:
        if all(abs(math.log(x / a)) > 0.12 or abs(math.log(y / b)) > 0.1 for a, b in done):
            axes.annotate(text, (x, y), xytext=(3, -7), textcoords="offset points", fontsize=5)
            done.append((x, y))


def roofline(pyplot, records, where):
    """Gflop/s over flops per byte of compulsory traffic; a roof for each type of numbers."""
    records = [r for r in records if r["roofline"]["flops_per_update"]]
    if not records:
        return None
    figure, axes = pyplot.subplots(figsize=(7, 4.5))
    intensities = [max(r["roofline"]["intensity"], 1e-3) for r in records]
    low, high = min(intensities) / 2, max(intensities) * 2
    for type in sorted({r["type"] for r in records}):
        of_type = [r for r in records if r["type"] == type]
        bandwidth = max(r["roofline"]["bandwidth"] for r in of_type)
        peak = max(r["roofline"]["peak"] for r in of_type)
        xs = [low * (high / low) ** (i / 200) for i in range(201)]
        # A sum of terms is half FMAs at best: the pipe's peak counts two flops for each.
        roof = [min(bandwidth * x, peak) * 1e-9 if peak else bandwidth * x * 1e-9 for x in xs]
        axes.plot(xs, roof, lw=1, label=None, color="k", ls="-" if type == "f64" else "--")
        if peak:
            axes.annotate(f"{type}: FMA {peak * 1e-12:.3g} Tflop/s", (xs[-1], roof[-1]), ha="right", va="bottom", fontsize=6)
    points = []
    for r, x in zip(records, intensities):
        y = r["bench"]["gstencil_per_s"] * r["roofline"]["flops_per_update"]
        axes.plot(x, max(y, 1e-6), "o" if r["type"] == "f64" else "^", color=colour(r), ms=4)
        points.append((x, max(y, 1e-6), label(r).split()[0]))
    annotate(axes, points)
    axes.set(xscale="log", yscale="log", xlabel="flops per byte of compulsory traffic", ylabel="Gflop/s")
    axes.set_title(f"Roofline, {where} (circles f64, triangles f32; bandwidth measured)")
    legend(axes, records)
    return figure


def bars(pyplot, records, where):
    """Compulsory traffic against the copy, or triad, of the same run."""
    figure, axes = pyplot.subplots(figsize=(7, 1 + 0.16 * len(records)))
    names = [label(r) for r in records]
    shares = [100 * r["bench"]["gb_per_s"] * 1e9 / r["roofline"]["bandwidth"] for r in records]
    axes.barh(range(len(records)), shares, color=[colour(r) for r in records], height=0.7)
    axes.set_yticks(range(len(records)), names, fontsize=6)
    axes.invert_yaxis()
    axes.axvline(100, color="k", lw=1)
    for i, (share, r) in enumerate(zip(shares, records)):
        axes.annotate(f"{share:.0f} %, {r['bench']['gstencil_per_s']:.3g} GSt/s", (share, i), xytext=(2, -2), textcoords="offset points", fontsize=5)
        axes.plot(100 * r["roofline"].get("share", 0), i, "|", color="k", ms=7)
    limit = "STREAM triad" if records[0].get("target") == "cpu" else "copy"
    axes.set(xlabel=f"compulsory traffic, % of the {limit}; marks: % of the roofline", xlim=(0, max(115, *shares)))
    axes.set_title(where)
    axes.margins(y=0.01)
    figure.tight_layout()
    return figure


def potential(pyplot, records, where):
    """What is left to gain: share of the theoretical intensity over share of the roofline (BrickLib's paper).

    The iso-lines are the speed-up that is left if the product were 1: a kernel that moves no byte in vain, at the
    speed of the roof that its own traffic allows."""
    figure, axes = pyplot.subplots(figsize=(5, 4.5))
    xs = [i / 100 for i in range(5, 131)]
    for speedup in (1, 1.25, 1.5, 2, 3, 5):
        line = [(x, 1 / speedup / x) for x in xs if 1 / speedup / x <= 1.3]
        axes.plot([100 * x for x, _ in line], [100 * y for _, y in line], color="k", lw=0.6, ls=":")
        if line:
            axes.annotate(f"{speedup} x", (100 * line[-1][0], 100 * line[-1][1]), fontsize=6)
    points = []
    for r in records:
        share = r["profile"]["share_of_intensity"]
        # Of the roof at the intensity that it really had.
        y = r["bench"]["gb_per_s"] * 1e9 / share / r["roofline"]["bandwidth"]
        axes.plot(100 * share, 100 * y, "o" if r["type"] == "f64" else "^", color=colour(r), ms=4)
        points.append((100 * share, 100 * y, label(r).split()[0]))
    annotate(axes, points)
    axes.set(xlim=(0, 130), ylim=(0, 130), xlabel="share of the theoretical intensity, %", ylabel="share of the roofline at its own traffic, %")
    axes.set_title(f"Potential speed-up, {where}")
    legend(axes, records)
    return figure


def correlation(pyplot, shares, first, second):
    """The shares of the roofline on two targets."""
    figure, axes = pyplot.subplots(figsize=(5, 4.5))
    points = []
    for kernel, row in shares.items():
        if first in row and second in row:
            axes.plot(100 * row[first], 100 * row[second], "o", color="C0", ms=4)
            points.append((max(100 * row[first], 0.1), max(100 * row[second], 0.1), kernel))
    annotate(axes, points)
    axes.plot([0, 100], [0, 100], color="k", lw=0.6)
    axes.set(xlim=(0, 105), ylim=(0, 105), xlabel=f"{first}, share of the roofline, %", ylabel=f"{second}, %")
    return figure


def slug(text):
    return "".join(c if c.isalnum() else "-" for c in text.lower()).strip("-")


def draw(records, directory):
    """Draws what the records allow; the paths of the pictures."""
    pyplot = load()
    directory = pathlib.Path(directory)
    usable = measured(records)
    if not usable:
        raise Failed("nothing to draw: no result has a speed and a roofline")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        return list(filter(None, pictures(pyplot, records, usable, directory)))
    except OSError as error:
        raise Failed(f"{directory}: {error.strerror}") from None


def pictures(pyplot, records, usable, directory):
    def save(figure, name):
        if figure is None:
            return None
        path = directory / f"{name}.png"
        figure.savefig(path, bbox_inches="tight")
        pyplot.close(figure)
        return path

    for where in dict.fromkeys(map(table.place, usable)):
        chosen = best([r for r in usable if table.place(r) == where])
        yield save(roofline(pyplot, chosen, where), f"roofline-{slug(where)}")
        yield save(bars(pyplot, chosen, where), f"copy-{slug(where)}")
        profiled = [r for r in chosen if (r.get("profile") or {}).get("share_of_intensity")]
        if profiled:
            yield save(potential(pyplot, profiled, where), f"potential-{slug(where)}")
    shares = table.efficiencies(records)
    targets = sorted({t for row in shares.values() for t in row})
    for i, first in enumerate(targets):
        for second in targets[i + 1 :]:
            if any(first in row and second in row for row in shares.values()):
                yield save(correlation(pyplot, shares, first, second), f"correlation-{slug(first)}-{slug(second)}")
