"""Calling programs, and writing files so that nobody sees half of one."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile


class Failed(Exception):
    """A program or a measurement that did not work; its text is for the user."""


def call(command, env=None):
    """The standard output of a program."""
    command = [str(c) for c in command]
    try:
        done = subprocess.run(command, capture_output=True, text=True, env=env)
    except OSError as error:
        raise Failed(f"{command[0]}: {error.strerror}") from None
    if done.returncode != 0:
        what = done.stderr.strip() or f"exit status {done.returncode}"
        raise Failed(f"{' '.join(command)}\n{what}")
    return done.stdout


def write_json(path, value):
    """All of it or nothing, whatever happens on the way."""
    path, scratch = pathlib.Path(path), None
    try:
        handle, scratch = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "w") as file:
            json.dump(value, file, indent=1)
            file.write("\n")
        os.chmod(scratch, 0o644)
        os.replace(scratch, path)
        scratch = None
    except OSError as error:
        raise Failed(f"{path}: {error.strerror}") from None
    finally:
        if scratch:
            pathlib.Path(scratch).unlink(missing_ok=True)


def read_results(path):
    """The records in a file that benchmarks/suite wrote; Failed for any other file."""
    try:
        records = json.loads(pathlib.Path(path).read_text())
    except OSError as error:
        raise Failed(f"{path}: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise Failed(f"{path}: not JSON: {error}") from None
    if not isinstance(records, list) or not all(isinstance(r, dict) and isinstance(r.get("kernel"), str) for r in records):
        raise Failed(f"{path}: expected a list of results of benchmarks/suite")
    for record in records:
        bench = record.get("bench")
        if bench is not None and not (isinstance(bench, dict) and isinstance(bench.get("gstencil_per_s"), (int, float))):
            raise Failed(f"{path}: expected a list of results of benchmarks/suite, got a 'bench' without its rate")
    return records


def find_program(name, *places):
    """A program on the PATH, or in the first of the directories (patterns) that has it."""
    found = shutil.which(name)
    for place in places:
        for directory in sorted(pathlib.Path("/").glob(place.lstrip("/")), reverse=True):
            if not found and os.access(directory / name, os.X_OK):
                found = str(directory / name)
    return found
