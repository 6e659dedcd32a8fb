"""Runs a check of a random program for each seed, and counts what fails and what is refused.

A script has a function check(trial) that makes a program, runs tools on it, and raises a Failure or, if the compiler may
say no, a Refusal:

    def check(trial):
        path = trial.write("program.mlir", Case(trial.seed).text)
        trial.run("stencil-run", path, "--verify", refusals=REFUSALS)

    if __name__ == "__main__":
        sys.exit(run_seeds(make_parser(__doc__).parse_args(), check))
"""

import argparse
import collections
import concurrent.futures
import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

# Seconds of processor time that a tool may take: on a machine with much else to do, as on an idle one. What waits for ever
# takes none: it ends after IDLE times as many by the clock.
TIMEOUT = 120
IDLE = 30
# A test of which more than one program in so many is refused tests too little, and fails.
MOST_REFUSED = 5
# A file system in memory, how directories are called there, and the bytes that are to be free.
MEMORY, PREFIX, ROOM = "/dev/shm", "stencil-test-", 64 << 20


class Failure(Exception):
    """What is wrong with a program."""


class Refusal(Exception):
    """The error with which the compiler refuses a program, for a reason that is known."""


def is_refusal(stderr, refusals):
    """True if all errors of a run match some of `refusals`."""
    errors = re.findall(r"^(?:.*?:\d+:\d+: |)error: (.*)$", stderr, re.MULTILINE)
    return bool(errors) and all(any(re.search(known, error) for known in refusals) for error in errors)


def execute(command, refusals=(), timeout=TIMEOUT, stdin=None):
    """The standard output of a command, which has to succeed."""
    limited = ["prlimit", f"--cpu={timeout}:{timeout + 5}", *command]
    try:
        done = subprocess.run(limited, input=stdin, capture_output=True, text=True, timeout=IDLE * timeout)
    except subprocess.TimeoutExpired:
        raise Failure(f"waits for more than {IDLE * timeout} s: {shlex.join(command)}")
    if done.returncode in (-signal.SIGXCPU, 128 + signal.SIGXCPU):
        raise Failure(f"runs for more than {timeout} s: {shlex.join(command)}")
    if done.returncode > 0 and is_refusal(done.stderr, refusals):
        raise Refusal(re.search(r"error: (.*)", done.stderr).group(1))
    if done.returncode:
        what = "killed by signal" if done.returncode < 0 else "exit code"
        raise Failure(f"{what} {abs(done.returncode)}: {shlex.join(command)}\n{done.stderr.strip()[:2000]}")
    return done.stdout


@contextlib.contextmanager
def work_directory(path):
    """Lets `path` lie in memory if it can: programs come and go by the thousand, and to find a new file its place takes
    ext4 longer than most of them run. In the end `path` is a directory as any other, with what was left there."""
    if os.path.islink(path) and os.path.realpath(path).startswith(os.path.join(MEMORY, PREFIX)):
        # Of a run that was killed.
        shutil.rmtree(os.path.realpath(path), ignore_errors=True)
        os.remove(path)
    has_room = os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    if not has_room or os.path.isdir(path) and (os.listdir(path) or os.path.samefile(path, ".")):
        os.makedirs(path, exist_ok=True)
        yield
        return
    os.makedirs(path, exist_ok=True)
    os.rmdir(path)
    memory = tempfile.mkdtemp(prefix=PREFIX, dir=MEMORY)
    os.symlink(memory, path)
    try:
        yield
    finally:
        os.remove(path)
        shutil.move(memory, path)


class Refusals:
    """Counts what is refused, by reason, of all that is tried."""

    def __init__(self):
        self.reasons, self.tried, self.lock = collections.Counter(), 0, threading.Lock()

    @contextlib.contextmanager
    def count(self):
        """One try."""
        with self.lock:
            self.tried += 1
        try:
            yield
        except Refusal as refusal:
            self.add(refusal)

    def add(self, refusal):
        with self.lock:
            # Numbers aside, one reason.
            self.reasons[re.sub(r"-?\d+", "N", str(refusal))] += 1

    @property
    def total(self):
        return self.reasons.total()

    def report(self):
        """Prints the reasons; returns whether there are too many, which is an error."""
        for text, count in self.reasons.most_common():
            print(f"{count:4} {text[:150]}")
        excess = MOST_REFUSED * self.total > self.tried
        if excess:
            text = "".join(f"\n{count:4} {text[:150]}" for text, count in self.reasons.most_common(5))
            print(f"error: expected at most a fifth to be refused, got {self.total} of {self.tried}, most of them:{text}", file=sys.stderr)
        return excess


class Trial:
    """A seed, and a directory of its own for what is made of it; that of a failure is left."""

    def __init__(self, options, seed):
        self.options, self.seed = options, seed
        self.directory = os.path.join(options.work, f"seed-{seed}")
        shutil.rmtree(self.directory, ignore_errors=True)
        os.makedirs(self.directory)

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        """The path of a new file."""
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def run(self, tool, *words, refusals=()):
        """The standard output of one of the tools. In the emulator, copies arrive late, early, or at random."""
        order = f"STENCIL_EMULATOR_SEED={1 + self.seed % 3}"
        command = ["env", order, os.path.join(self.options.bin, tool), *words]
        return execute(command, refusals, self.options.timeout)


def parse_seeds(text):
    first, _, end = text.partition(":")
    return range(int(first), int(end or int(first) + 1))


def make_parser(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin", help="where the tools are")
    parser.add_argument("--work", default=".", help="directory for programs; those that fail are left there")
    parser.add_argument("--seeds", default="0:40", type=parse_seeds, help="A:B, without B; or one")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once")
    parser.add_argument("--timeout", type=int, default=TIMEOUT, help="of a tool, in seconds of processor time")
    return parser


def run_seeds(options, check, noun="programs"):
    """The exit code. The last line says how many were refused."""
    failed, refusals = [], Refusals()

    def run(seed):
        trial = Trial(options, seed)
        try:
            with refusals.count():
                check(trial)
        except Failure as failure:
            return failure
        shutil.rmtree(trial.directory)
        return None

    with work_directory(options.work), concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, failure in zip(options.seeds, pool.map(run, options.seeds)):
            if failure:
                failed.append(seed)
                print(f"seed {seed}: {failure}", flush=True)
    excess = refusals.report()
    print(f"{len(options.seeds)} {noun}, {refusals.total} refused, {len(failed)} failed", *failed)
    return 1 if failed or excess else 0
