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
import os
import re
import shlex
import shutil
import subprocess

TIMEOUT = 120


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
    try:
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        raise Failure(f"runs for more than {timeout} s: {shlex.join(command)}")
    if done.returncode > 0 and is_refusal(done.stderr, refusals):
        raise Refusal(re.search(r"error: (.*)", done.stderr).group(1))
    if done.returncode:
        what = "killed by signal" if done.returncode < 0 else "exit code"
        raise Failure(f"{what} {abs(done.returncode)}: {shlex.join(command)}\n{done.stderr.strip()[:2000]}")
    return done.stdout


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
        """The standard output of one of the tools."""
        return execute([os.path.join(self.options.bin, tool), *words], refusals, self.options.timeout)


def parse_seeds(text):
    first, _, end = text.partition(":")
    return range(int(first), int(end or int(first) + 1))


def make_parser(description):
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/bin", help="where the tools are")
    parser.add_argument("--work", default=".", help="directory for programs; those that fail are left there")
    parser.add_argument("--seeds", default="0:40", type=parse_seeds, help="A:B, without B; or one")
    parser.add_argument("--jobs", type=int, default=1, help="how many at once")
    parser.add_argument("--timeout", type=int, default=TIMEOUT, help="of a tool, in seconds")
    return parser


def run_seeds(options, check, noun="programs", refusable=False):
    """The exit code. With `refusable`, the last line says how many were refused."""
    failed, refusals = [], collections.Counter()

    def run(seed):
        trial = Trial(options, seed)
        try:
            check(trial)
        except Refusal as refusal:
            # Numbers aside, one reason.
            refusals[re.sub(r"-?\d+", "N", str(refusal))] += 1
        except Failure as failure:
            return failure
        shutil.rmtree(trial.directory)
        return None

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for seed, failure in zip(options.seeds, pool.map(run, options.seeds)):
            if failure:
                failed.append(seed)
                print(f"seed {seed}: {failure}", flush=True)
    for text, count in refusals.most_common():
        print(f"{count:4} {text[:150]}")
    counts = [f"{len(options.seeds)} {noun}", *[f"{refusals.total()} refused"] * refusable, f"{len(failed)} failed"]
    print(", ".join(counts), *failed)
    return 1 if failed else 0
