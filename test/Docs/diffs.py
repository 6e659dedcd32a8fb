"""Applies the diffs that a Markdown file shows, as its reader would.

usage: diffs.py ROOT SCRATCH FILE

Each block fenced as `diff` with a title is applied to the project in ROOT; the files that it changes are copied to
SCRATCH, which is made anew. Exit 1 if there is none, or if one does not apply to the lines that it names.
"""

import os
import re
import shutil
import subprocess
import sys

from fenced import blocks


def main(root, scratch, path):
    with open(path, encoding="utf-8") as file:
        diffs = [(title, "\n".join([*lines, ""])) for language, title, lines in blocks(file.read()) if language == "diff" and title]
    if not diffs:
        print(f"error: {path}: expected blocks fenced as diff", file=sys.stderr)
        return 1
    shutil.rmtree(scratch, ignore_errors=True)
    failed = 0
    for title, diff in diffs:
        for name in re.findall(r"^--- a/(\S+)$", diff, re.MULTILINE):
            target = os.path.join(scratch, name)
            if not os.path.exists(target):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy2(os.path.join(root, name), target)
        print(f"=== {title}", flush=True)
        # Without fuzz: lines that are not what the diff says are found here, not by who follows the text.
        done = subprocess.run(["patch", "-p1", "--fuzz=0"], cwd=scratch, input=diff, text=True, check=False)
        failed |= done.returncode != 0
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
