#!/usr/bin/python3
"""Which sources clang-tidy has found clean, by content: utils/lint/clean.json.

usage: clean_state.py BUILD    add to the record what passed in BUILD/lint

A source counts as it was recorded while its text, the text of the project's headers
that it includes itself, and .clang-tidy are the same. What is said about a header
further away is said about the sources that include that one.
"""

import glob
import hashlib
import json
import os
import re
import sys

RECORD = os.path.join("utils", "lint", "clean.json")

# Like lit, which calls this, not like a module of a package.
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)


def digest(root, source):
    """What the result of clang-tidy on a source (relative to root) depends on."""
    path = os.path.join(root, source)
    with open(path, "rb") as file:
        text = file.read()
    state = hashlib.sha256(text)
    for name in sorted(set(INCLUDE.findall(text))):
        name = name.decode()
        # A library's own headers are included by the names of its folders; unit tests may do so, too.
        library = os.path.join(root, "lib", *source.split(os.sep)[1:2])
        for place in (os.path.dirname(path), library, os.path.join(root, "include"),
                      os.path.join(root, "runtime")):
            header = os.path.join(place, name)
            if os.path.exists(header):
                with open(header, "rb") as file:
                    state.update(file.read())
                break
    with open(os.path.join(root, ".clang-tidy"), "rb") as file:
        state.update(file.read())
    return state.hexdigest()[:16]


def recorded(root):
    """The digests of the record, by source."""
    try:
        with open(os.path.join(root, RECORD), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def stamp(build, source):
    """The file that says which state of a source has passed in a build directory."""
    return os.path.join(build, "lint", "passed", source)


def add_passed(root, build):
    """Adds what has passed to the record; drops what is not there any more."""
    state = recorded(root)
    passed = os.path.join(build, "lint", "passed")
    for path in glob.glob(os.path.join(passed, "**", "*"), recursive=True):
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                state[os.path.relpath(path, passed)] = file.read()
    state = {source: state[source] for source in sorted(state)
             if os.path.exists(os.path.join(root, source))}
    with open(os.path.join(root, RECORD), "w", encoding="utf-8") as file:
        json.dump(state, file, indent=0)
        file.write("\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    add_passed(os.path.join(os.path.dirname(__file__), "..", ".."), sys.argv[1])
