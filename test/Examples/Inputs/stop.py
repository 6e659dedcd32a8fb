"""Starts a command, sends it SIGTERM when stencil-run works for it, and expects exit code 130 and that stencil-run has
ended as well.

usage: stop.py DIRECTORY COMMAND...   (stencil-run is known by DIRECTORY/program.mlir, its argument)
"""

import pathlib
import subprocess
import sys
import time

# To notice one that hangs; however busy the machine is, it takes less.
SECONDS = 600


def find(program):
    """Whether a process has this file as an argument."""
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if program.encode() in path.read_bytes().split(b"\0"):
                return True
        except OSError:
            pass
    return False


def wait(condition, what):
    end = time.monotonic() + SECONDS
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"not within {SECONDS} s: {what}")
        time.sleep(0.1)


directory, *command = sys.argv[1:]
program = f"{directory}/program.mlir"
process = subprocess.Popen(command)
wait(lambda: find(program), "stencil-run starts")
process.terminate()
if process.wait(SECONDS) != 130:
    sys.exit(f"expected exit code 130, got {process.returncode}")
wait(lambda: not find(program), "stencil-run ends")
