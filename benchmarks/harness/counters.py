"""Counters of GPUs: energy, from NVML; traffic of the memory, from the profiler ncu."""

import csv
import ctypes
import io
import re
import statistics
import subprocess
import threading
import time

from harness.tools import Failed, find_program

# A window of the plateau of a long run.
WINDOW = 1.0


class Nvml:
    """The first GPU's counter of energy, in joules. Failed where there is none."""

    def __init__(self):
        try:
            self.library = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            raise Failed("no NVML (libnvidia-ml.so.1)") from None
        self.device = ctypes.c_void_p()
        if self.library.nvmlInit_v2() or self.library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(self.device)):
            raise Failed("NVML has no device")
        self.joules()

    def joules(self):
        value = ctypes.c_ulonglong()
        if self.library.nvmlDeviceGetTotalEnergyConsumption(self.device, ctypes.byref(value)):
            raise Failed("this GPU has no counter of energy")
        return value.value * 1e-3


def plateau_power(samples, window=WINDOW):
    """The largest mean power, in watts, over `window` seconds of [(seconds, joules)]; None if they are too short."""
    best, first = None, 0
    for t, joules in samples:
        while first + 1 < len(samples) and t - samples[first + 1][0] >= window:
            first += 1
        elapsed = t - samples[first][0]
        if elapsed >= window:
            power = (joules - samples[first][1]) / elapsed
            best = power if best is None else max(best, power)
    return best


def measure_power(nvml, command):
    """Runs a program whose longest part is the work in question; watts in its most expensive second."""
    samples, done = [], threading.Event()

    def sample():
        while not done.is_set():
            samples.append((time.monotonic(), nvml.joules()))
            done.wait(0.02)

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        process = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    finally:
        done.set()
        thread.join()
    if process.returncode != 0:
        raise Failed(process.stderr.strip())
    power = plateau_power(samples)
    if power is None:
        raise Failed(f"the run took less than {WINDOW} s")
    return power


METRICS = ["dram__bytes_read.sum", "dram__bytes_write.sum"]
NCU_PLACES = ("/usr/local/cuda*/bin", "/opt/nvidia/nsight-compute/*")


def find_profiler():
    found = find_program("ncu", *NCU_PLACES)
    if not found:
        raise Failed("no profiler (ncu)")
    return found


def parse_profile(text, steps):
    """Bytes that each kernel reads from and writes to DRAM in a step, {name: [read, written]}: median launches."""
    start = re.search(r'^"ID"', text, re.MULTILINE)
    if not start:
        errors = [line for line in text.splitlines() if "==ERROR==" in line]
        raise Failed("the profiler counted nothing" + (": " + errors[0] if errors else ""))
    values = {}
    for row in csv.DictReader(io.StringIO(text[start.start() :])):
        name, metric = row["Kernel Name"], row["Metric Name"]
        if metric in METRICS:
            amount = float(row["Metric Value"].replace(",", ""))
            values.setdefault(name, [[], []])[METRICS.index(metric)].append(amount)
    return {name: [statistics.median(v) * len(v) / steps if v else 0 for v in both] for name, both in values.items()}


def profile(ncu, command, steps):
    """Runs a program of a few steps under the profiler: DRAM bytes per step of each of its kernels."""
    options = ["--csv", "--print-units", "base", "--metrics", ",".join(METRICS), "--cache-control", "none", "--clock-control", "none"]
    options += ["--target-processes", "all"]
    done = subprocess.run([ncu, *options, *map(str, command)], capture_output=True, text=True)
    return parse_profile(done.stdout + done.stderr, steps)
