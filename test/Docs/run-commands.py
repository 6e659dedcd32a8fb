"""Runs the commands of Markdown files as a reader would.

usage: run-commands.py [--copy] [--from HEADING | --until HEADING] ROOT BUILD SCRATCH FILE...

Every block fenced as `sh` is run by bash, one after the other, in a directory
that looks like the root of the project: in it are links to everything that is
in ROOT, and `build`, a link to BUILD. With --copy it has copies instead, and a
build directory with the compiled sources of BUILD, so that the commands can change and
build them. SCRATCH is made anew for each file. With --from or --until, only the part
of the files that begins, or ends, with that heading counts.

A block with title="FILE" is written to that file. A block `text title="output"` behind one of
commands is what they print, both streams; `...` stands for any text. With title="output, exit code N"
the commands end with that code.

Exit 1 if a command fails, or prints something else, or if a block is indented, or
fenced as something that could hide a command from this test.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys

import reuse_objects
from fenced import blocks

# They run this test, or what has to be done before it, so this test does not run them.
LEFT_OUT = {
    "make",
    "make check",
    ".ci/run",
    "cmake --build build --target check-deps",
    "cmake --build build --target check-stencil",
}
# What is said on some machines only.
OF_THE_MACHINE = r"(?m)^remark: the system does not tell of this processor's caches: .*\n"
# What other blocks may be.
NO_COMMANDS = {"c", "cmake", "cpp", "diff", "json", "mlir", "python", "tablegen", "text"}


def indented_block(text):
    """The first line of a block of code that is indented, not fenced; or None."""
    text = re.sub(r"^( *)```.*?^\1```$", "", text, flags=re.MULTILINE | re.DOTALL)
    paragraphs = re.split(r"\n\s*\n", text)
    for before, paragraph in zip(paragraphs, paragraphs[1:]):
        in_list = re.match(r" |[-*] |\d+\. ", before.splitlines()[0] if before else "")
        if paragraph.startswith("    ") and not in_list:
            return paragraph.splitlines()[0]
    return None


def make_tree(root, build, scratch, copy):
    # A link to a build that stayed behind would be configured as if it were the copy's.
    if os.path.lexists(scratch):
        shutil.rmtree(scratch)
    os.makedirs(scratch)
    for name in sorted(os.listdir(root)):
        if name == ".git" or name.startswith(("build", "out")):
            continue
        source, target = os.path.join(root, name), os.path.join(scratch, name)
        if not copy:
            os.symlink(source, target)
        elif os.path.isdir(source):
            shutil.copytree(source, target)
        else:
            shutil.copy2(source, target)
    if not copy:
        os.symlink(build, os.path.join(scratch, "build"))
    else:
        configure(root, build, scratch)


def configure(root, build, copy):
    """Configures a copy; what it builds begins with the objects of the project's own build."""
    state = os.path.join(copy, "objects.json")
    reuse_objects.prepare(state, root, build, copy)
    launcher = ";".join([sys.executable, reuse_objects.__file__, state])
    launchers = [f"-DCMAKE_{language}_COMPILER_LAUNCHER={launcher}" for language in ("C", "CXX")]
    for command in (["cmake", "--preset", "dev", *launchers], ["cmake", "--build", "build", "--target", "stencil-opt"]):
        subprocess.run(command, cwd=copy, stdout=subprocess.DEVNULL, check=True)
    os.remove(state)


def part_of(text, begin, end):
    """What lies between two headings; None stands for the ends of the text."""
    if begin:
        text = text[text.index("\n" + begin + "\n") :]
    if end:
        text = text[: text.index("\n" + end + "\n") + 1]
    return text


def run_block(lines, scratch, expected, code):
    """Runs the commands of a block; returns what is wrong, or None."""
    script = "\n".join(line for line in lines if line.split("#")[0].strip() not in LEFT_OUT)
    print("\n".join("$ " + line for line in script.splitlines()), flush=True)
    command = ["bash", "-euo", "pipefail", "-c", script]
    kept = {} if expected is None else {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    done = subprocess.run(command, cwd=scratch, stdin=subprocess.DEVNULL, check=False, **kept)
    print(done.stdout or "", end="", flush=True)
    if done.returncode != code:
        return f"exit status {done.returncode}, expected {code}, of:\n{script}"
    if expected is not None:
        pattern = re.escape("\n".join(expected).strip()).replace(r"\.\.\.", ".*")
        if not re.fullmatch(pattern, re.sub(OF_THE_MACHINE, "", done.stdout).strip(), re.DOTALL):
            return "\n".join(["expected the output", *expected, "of:", script])
    return None


def run_file(path, scratch, begin, end):
    """Runs the commands of a file; returns what is wrong, or None."""
    with open(path, encoding="utf-8") as file:
        text = part_of(file.read(), begin, end)
    line = indented_block(text)
    if line:
        return f"expected blocks of code to be fenced, got '{line}'"
    found = list(blocks(text))
    for (language, title, lines), (_, after, output) in zip(found, [*found[1:], ("", "", [])]):
        if language == "sh":
            expected = output if after.startswith("output") else None
            wrong = run_block(lines, scratch, expected, int(after.partition("exit code ")[2] or 0))
        elif language in NO_COMMANDS:
            wrong = None
            if title and not title.startswith("output"):
                with open(os.path.join(scratch, title), "w", encoding="utf-8") as file:
                    file.write("\n".join([*lines, ""]))
        else:
            wrong = f"a block is fenced as '{language}', expected sh or {sorted(NO_COMMANDS)}"
        if wrong:
            return wrong
    return None


def main(arguments):
    parser = argparse.ArgumentParser(usage=argparse.SUPPRESS)
    parser.add_argument("--copy", action="store_true")
    parser.add_argument("--from", dest="begin")
    parser.add_argument("--until", dest="end")
    parser.add_argument("root")
    parser.add_argument("build")
    parser.add_argument("scratch")
    parser.add_argument("files", nargs="+")
    options = parser.parse_args(arguments)
    for path in options.files:
        print(f"=== {path}", flush=True)
        make_tree(options.root, options.build, options.scratch, options.copy)
        wrong = run_file(path, options.scratch, options.begin, options.end)
        if wrong:
            print(f"error: {path}: {wrong}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
