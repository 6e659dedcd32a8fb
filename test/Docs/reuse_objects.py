"""Lets a copy of the project begin with the objects of the project's own build.

A compiler launcher: reuse_objects.py STATE COMPILER ARGUMENTS... copies an object that STATE knows, and writes what
it depends on; others are compiled. ninja then knows the whole build of the copy, and once STATE is gone compiles what a
change concerns. `prepare` writes STATE for a copy of the project.
"""

import json
import os
import shutil
import subprocess
import sys


def prepare(state, root, build, copy):
    """What the objects in `build` depend on, in terms of the copy of `root`."""
    text = subprocess.run(["ninja", "-C", build, "-t", "deps"], stdout=subprocess.PIPE, text=True, check=True).stdout
    known = {}
    for entry in text.split("\n\n"):
        head, *lines = entry.strip().split("\n")
        name = head.rsplit(": #deps", 1)[0]
        if os.path.exists(os.path.join(build, name)):
            files = [line.strip().replace(root + "/", copy + "/") for line in lines]
            known[name] = [file.replace(copy + "/build/", "") for file in files]
    with open(state, "w", encoding="utf-8") as file:
        json.dump({"build": build, "known": known}, file)


def main(state, *command):
    if os.path.exists(state):
        with open(state, encoding="utf-8") as file:
            content = json.load(file)
        output = command[command.index("-o") + 1]
        if output in content["known"] and "-MF" in command:
            shutil.copyfile(os.path.join(content["build"], output), output)
            with open(command[command.index("-MF") + 1], "w", encoding="utf-8") as file:
                file.write(f"{output}: " + " \\\n  ".join(content["known"][output]) + "\n")
            return
    os.execvp(command[0], command)


if __name__ == "__main__":
    main(*sys.argv[1:])
