"""Kills tuners, interrupts them, and runs two at once: nothing that was measured
may be lost, and the database is whole at any time."""

import json
import os
import re
import signal
import subprocess
import sys
import time

tune, program, directory = sys.argv[1:]
# What tuners leave there while they work.
scratch = os.path.join(directory, "scratch")
os.mkdir(scratch)


def start(database, extents="20,33"):
    command = [tune, program, "--arg", "0=random:1", "--arg", "1=zeros", "--arg", "2=1", "--extents", extents]
    command += ["--target", "emulator", "--chip", "sm_90", "--budget", "3600", "--timeout", "600", "--max-candidates", "12", "--jobs", "1", "--db", database]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, TMPDIR=scratch))


def read(database):
    with open(database) as file:
        return json.load(file)["entries"]


def wait_for_samples(tuner, database, count):
    while tuner.poll() is None:
        if os.path.exists(database) and sum(len(entry["samples"]) for entry in read(database)) >= count:
            return
        time.sleep(0.01)
    sys.exit("expected a tuner at work, got: " + tuner.communicate()[1])


def finish(tuner):
    output, errors = tuner.communicate()
    if tuner.returncode != 0:
        sys.exit("expected exit code 0, got %d: %s" % (tuner.returncode, errors))
    tried, measured = map(int, re.search(r"tried: (\d+) candidates, (\d+) measured now", output).groups())
    return tried, measured


def workers_of(database):
    listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout
    return [line for line in listed.splitlines() if database in line and "--worker" in line]


# Killed: what was measured is there, and is not measured again.
database = os.path.join(directory, "killed.json")
tuner = start(database)
wait_for_samples(tuner, database, 4)
tuner.send_signal(signal.SIGKILL)
tuner.communicate()
kept = len(read(database)[0]["samples"])
assert "best" not in read(database)[0]
for _ in range(3000):
    if not workers_of(database):
        break
    time.sleep(0.1)
assert not workers_of(database), "workers outlive their tuner"
left = os.listdir(scratch)
assert len(left) == 1, left
# Whose it is, nobody knows.
foreign = os.path.join(scratch, "stencil-tune-foreign")
os.mkdir(foreign)
tried, measured = finish(start(database))
print("killed: %d kept, %d tried, %d measured later" % (kept, tried, measured))
# Finalists are measured a second time.
assert kept >= 4 and measured <= tried - kept + 4, (kept, tried, measured)
assert "best" in read(database)[0]
# The next one has removed what the killed one left.
assert os.listdir(scratch) == [os.path.basename(foreign)], os.listdir(scratch)

# Interrupted: it says how to go on.
for number, name in ((signal.SIGINT, "int.json"), (signal.SIGTERM, "term.json")):
    database = os.path.join(directory, name)
    tuner = start(database)
    wait_for_samples(tuner, database, 2)
    tuner.send_signal(number)
    output, errors = tuner.communicate()
    assert tuner.returncode == 130, tuner.returncode
    assert re.search(r"^error: interrupted; \d+ candidates are in '.*', the same command goes on from there$", errors, re.M), errors
    assert len(read(database)[0]["samples"]) >= 2
print("interrupted: kept")

# Two at once, of one program and of two.
database = os.path.join(directory, "two.json")
tuners = [start(database), start(database), start(database, "24,33")]
tried = [finish(tuner)[0] for tuner in tuners]
entries = read(database)
assert len(entries) == 2 and all("best" in entry for entry in entries)
sizes = {tuple(entry["extents"][0]): len(entry["samples"]) for entry in entries}
assert sizes[20, 33] >= max(tried[:2]) and sizes[24, 33] == tried[2], (sizes, tried)
print("at once: %d entries" % len(entries))
assert os.listdir(scratch) == [os.path.basename(foreign)], os.listdir(scratch)
