"""interrupted_run.py DIRECTORY COMMAND...: runs stencil-run on the CPU and in the emulator until each shows a fraction, a time to go and a step, interrupts
it, and prints how it ended."""

import os
import re
import signal
import subprocess
import sys

directory, *command = sys.argv[1:]
SHOWN = re.compile(r"running \[[#-]{30}\] +\d+%(?:, [\d:]+ left)?, step (\d+) of \d+")


def start(target, *options):
    output = os.path.join(directory, target + ".npy")
    arguments = [*command, "--target", target, *options, "--progress", "--out", "0=" + output]
    return target, output, subprocess.Popen(arguments, stderr=subprocess.PIPE, text=True)


for target, output, process in [start("cpu", "--threads", "1"), start("emulator", "--chip", "sm_90")]:
    text, step = "", 0
    while not step:
        read = process.stderr.read(1)
        if not read:
            sys.exit(f"{target}: ended with {text!r}")
        text += read
        step = max((int(found) for found in SHOWN.findall(text)), default=0)
    process.send_signal(signal.SIGINT)
    rest = process.stderr.read()
    message = re.search(r"^error: (interrupted at step )(\d+)( of .*)$", rest, re.MULTILINE)
    if not message or int(message[2]) < step:
        sys.exit(f"{target}: shown step {step}, ended with {rest!r}")
    if os.path.exists(output):
        sys.exit(f"{target}: wrote {output}")
    print(f"{target}: exit code {process.wait()}: {message[1]}N{message[3]}")
