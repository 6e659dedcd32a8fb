"""Installs the build tree once for all tests of one run of lit.

usage: install.py CMAKE BUILD PREFIX RUN

RUN names the run of lit: another one installs again.
"""

import fcntl
import pathlib
import shutil
import subprocess
import sys

cmake, build, prefix, run = sys.argv[1:]
stamp = pathlib.Path(prefix + ".run")
stamp.parent.mkdir(parents=True, exist_ok=True)
with open(prefix + ".lock", "w") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    if stamp.exists() and stamp.read_text() == run:
        sys.exit()
    shutil.rmtree(prefix, ignore_errors=True)
    subprocess.run([cmake, "--install", build, "--prefix", prefix], check=True)
    stamp.write_text(run)
