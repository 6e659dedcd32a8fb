"""Checks that a tool's man page and completions have every option of its --help.

usage: check_pages.py PAGES TOOL [--stencil]

With --stencil, only options with "stencil" in their names are in the man page.
"""

import os
import re
import subprocess
import sys

pages, tool = sys.argv[1:3]
name = os.path.basename(tool)
text = subprocess.run([tool, "--help"], check=True, capture_output=True, text=True).stdout
options = set(re.findall(r"^(?: {2}| {6})(--?[A-Za-z][\w-]*)", text, re.MULTILINE))
assert len(options) > 5, options


def check(path, pattern, wanted):
    content = open(os.path.join(pages, path)).read().replace("\\-", "-")
    missing = [option for option in sorted(wanted) if not re.search(pattern % re.escape(option), content)]
    if missing:
        sys.exit(f"{path} lacks {' '.join(missing)}")


described = {option for option in options if "stencil" in option or "--stencil" not in sys.argv[3:]}
check(f"man/man1/{name}.1", r"(?m)^\\fB%s\b", described)
check(f"bash-completion/completions/{name}", r"[ ']%s[ =']", options)
check(f"zsh/site-functions/_{name}", r"'\*%s[=\[]", options)
