"""Calling programs, and writing files so that nobody sees half of one."""

import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
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
    """All of it or nothing, whatever happens on the way; a device or a pipe stays what it is."""
    path, scratch = pathlib.Path(path), None
    try:
        if path.exists() and not path.is_file():
            path.write_text(json.dumps(value, indent=1) + "\n")
            return
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


def say_what_fails(main):
    """The exit code of main(), also where the standard output cannot be written: a full disk, a pipe that nobody reads."""
    try:
        code = main()
        sys.stdout.flush()
        return code
    except OSError as error:
        print(f"error: {error.filename or 'the standard output'}: {error.strerror}", file=sys.stderr)
        # Nothing more of what is still to be written.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def once(pairs):
    """A JSON object; ValueError if a name is in it twice, of which one would be forgotten."""
    found = dict(pairs)
    for name in found:
        if sum(other == name for other, _ in pairs) > 1:
            raise ValueError(f"'{name}' is there more than once")
    return found


def read_json(path):
    """What is in a JSON file; Failed if there is no such thing."""
    try:
        return json.loads(pathlib.Path(path).read_text(), object_pairs_hook=once)
    except OSError as error:
        raise Failed(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise Failed(f"{path}: not JSON: {error}") from None


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def find_fault(record):
    """What is wrong with a record of benchmarks/suite, as far as it is read again; empty if nothing is."""
    if not isinstance(record, dict) or not isinstance(record.get("kernel"), str):
        return "without a 'kernel'"
    for name in ("suite", "type", "variant", "target"):
        if not isinstance(record.get(name, ""), str):
            return f"whose '{name}' is no text"
    for name in ("device", "bench", "roofline", "profile", "energy"):
        if not isinstance(record.get(name) or {}, dict):
            return f"whose '{name}' is no object"
    if not isinstance((record.get("device") or {}).get("name", ""), str):
        return "whose 'name' of the device is no text"
    numbers = {"bench": ("gstencil_per_s", "gb_per_s"), "roofline": ("bandwidth", "peak", "intensity", "flops_per_update")}
    for name, wanted in numbers.items():
        part = record.get(name)
        for key in wanted if part else ():
            if not is_number(part.get(key)) or part[key] < 0:
                return f"whose '{name}' has no number '{key}'"
    for name, key in (("bench", "bytes"), ("bench", "point_updates"), ("roofline", "share")):
        if key in (record.get(name) or {}) and not is_number(record[name][key]):
            return f"whose '{key}' is no number"
    # There is none of a kernel that moves nothing.
    share = (record.get("profile") or {}).get("share_of_intensity")
    if share is not None and not is_number(share):
        return "whose 'share_of_intensity' is no number"
    if record.get("bench"):
        extents = record.get("extents")
        if not isinstance(extents, list) or not extents or not all(type(n) is int and n > 0 for n in extents):
            return "whose 'extents' are no list of numbers"
        if "variant" not in record:
            return "without a 'variant'"
    return ""


def read_results(path):
    """The records in a file that benchmarks/suite wrote; Failed for any other file."""
    records = read_json(path)
    if not isinstance(records, list):
        raise Failed(f"{path}: expected a list of results of benchmarks/suite")
    for number, record in enumerate(records, 1):
        if fault := find_fault(record):
            raise Failed(f"{path}: expected a list of results of benchmarks/suite, got one, number {number}, {fault}")
    return records


def find_program(name, *places):
    """A program on the PATH, or in the first of the directories (patterns) that has it."""
    found = shutil.which(name)
    for place in places:
        for directory in sorted(pathlib.Path("/").glob(place.lstrip("/")), reverse=True):
            if not found and os.access(directory / name, os.X_OK):
                found = str(directory / name)
    return found
