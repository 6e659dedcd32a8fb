"""Without any one of a program's barriers, walks are not expanded, and
stencil-place-barriers puts one back.

usage: remove_barriers.py STENCIL_OPT PROGRAM
"""

import subprocess
import sys


def run(tool, text, flag):
    return subprocess.run([tool, "-", flag], input=text, capture_output=True, text=True)


def main(tool, path):
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines(keepends=True)
    places = [number for number, line in enumerate(lines) if line.strip() == "tile.barrier"]
    for place in places:
        text = "".join(lines[:place] + lines[place + 1 :])
        around = next(line for line in reversed(lines[:place]) if "tile.walk" in line or "tile.kernel" in line)
        errors = run(tool, text, "--stencil-expand-walks").stderr
        if "tile.walk" in around and "expected a tile.barrier" not in errors:
            sys.exit(f"error: nobody misses the barrier of line {place + 1}")
        result = run(tool, text, "--stencil-place-barriers").stdout
        if result.count("tile.barrier") != len(places):
            sys.exit(f"error: the barrier of line {place + 1} is not put back")
    print(f"{len(places)} barriers, each of them needed")


main(*sys.argv[1:])
