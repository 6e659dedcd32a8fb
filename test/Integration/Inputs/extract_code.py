"""Writes the code of a Markdown file to files.

usage: extract_code.py FILE.md DIRECTORY

A fenced block whose first line is a comment with a file's name, such as
`// main.cpp` or `# CMakeLists.txt`, becomes that file.
"""

import os
import re
import sys

text, directory = open(sys.argv[1]).read(), sys.argv[2]
os.makedirs(directory, exist_ok=True)
for name, code in re.findall(r"^```\w+\n(?://|#) ([\w.-]+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
    with open(os.path.join(directory, name), "w") as file:
        file.write(code)
