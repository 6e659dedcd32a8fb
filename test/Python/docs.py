"""Runs the blocks of Python of Markdown files, one after the other, in an empty directory that has links to the sources.

usage: docs.py ROOT SCRATCH FILE...
"""

import os
import re
import sys

root, scratch, *files = sys.argv[1:]
os.makedirs(scratch)
os.symlink(os.path.join(root, "examples"), os.path.join(scratch, "examples"))
os.chdir(scratch)
for path in files:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))
    assert blocks, f"no blocks in {path}"
    scope = {"__name__": "__main__"}
    for block in blocks:
        # Lines of messages are those of the file.
        before = text[: block.start(1)].count("\n")
        exec(compile("\n" * before + block[1], path, "exec"), scope)
