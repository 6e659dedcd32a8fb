"""Pictures of wave fields and seismograms as PNG, with nothing but NumPy."""

import struct
import zlib

import numpy as np

import files

LEAST_PIXELS = 360


def write_png(path, pixels):
    """Writes an array [rows, columns, 3] of uint8; the file is there whole or not at all."""
    rows, columns, _ = pixels.shape
    lines = np.zeros((rows, 1 + 3 * columns), np.uint8)
    lines[:, 1:] = pixels.reshape(rows, -1)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    with files.replacing(path) as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header))
        file.write(chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)) + chunk(b"IEND", b""))


def enlarge(values):
    """Repeats points of small fields."""
    times = max(1, -(-LEAST_PIXELS // max(values.shape)))
    return values.repeat(times, 0).repeat(times, 1)


def colours(values, limit, background):
    """Red is positive, blue negative, over a grey background from 0 to 1; [rows, columns, 3]."""
    strength = np.clip(np.abs(values) / limit, 0, 1)[..., None] ** 0.6
    colour = np.where(values[..., None] > 0, (0.8, 0.1, 0.1), (0.1, 0.2, 0.8))
    mixed = (1 - strength) * background[..., None] + strength * colour
    return (255 * mixed + 0.5).astype(np.uint8)


def draw_snapshot(path, wave, velocity, pml):
    """A section of the wave over the velocities; where the layers begin there is a line. `pml`: widths along z and x."""
    span = float(np.ptp(velocity)) or 1.0
    background = 0.9 - 0.55 * (velocity - velocity.min()) / span
    (nz, nx), (wz, wx) = wave.shape, pml
    background[[wz, nz - 1 - wz], wx : nx - wx] = 1
    background[wz : nz - wz, [wx, nx - 1 - wx]] = 1
    # What is far from the source is weak.
    limit = max(float(np.percentile(np.abs(wave), 99.5)), 1e-30)
    write_png(path, colours(enlarge(wave), limit, enlarge(background)))


def draw_seismogram(path, traces, dt, spacing):
    """Traces [step, receiver]: time goes down. With axes, if there is matplotlib."""
    limit = max(float(np.percentile(np.abs(traces), 96)), 1e-30)
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        wanted = max(1, -(-LEAST_PIXELS // traces.shape[1]))
        values = traces.repeat(wanted, 1)
        times = max(1, -(-LEAST_PIXELS // traces.shape[0]))
        values = values[:: max(1, traces.shape[0] // 1200)].repeat(times, 0)
        write_png(path, colours(values, limit, np.ones(values.shape)))
        return
    steps, receivers = traces.shape
    figure, axes = pyplot.subplots(figsize=(6, 6), dpi=100)
    axes.imshow(
        traces, cmap="gray", vmin=-limit, vmax=limit, aspect="auto", extent=(0, receivers * spacing, steps * dt, 0)
    )
    axes.set(xlabel="x (m)", ylabel="time (s)")
    with files.replacing(path) as file:
        figure.savefig(file, format="png", bbox_inches="tight")
    pyplot.close(figure)
