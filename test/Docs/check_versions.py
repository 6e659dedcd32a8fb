"""Checks that the files which name the project's version agree.

usage: check_versions.py ROOT BUILD
"""

import os
import re
import sys

root, build = sys.argv[1:]


def find(path, pattern):
    with open(os.path.join(root, path)) as file:
        found = re.search(pattern, file.read(), re.MULTILINE)
    if not found:
        sys.exit(f"{path}: nothing like {pattern}")
    return found[1]


version = find("CMakeLists.txt", r"project\(StencilDialect VERSION (\S+)")
for path, pattern in (("CHANGELOG.md", r"^## \[(\d\S*)\]"), ("CITATION.cff", r"^version: (\S+)$")):
    got = find(path, pattern)
    if got != version:
        sys.exit(f"{path}: expected version {version}, got {got}")

abi = find("include/StencilRuntime/ErrorCodes.h", r"^#define STENCIL_ABI_VERSION (\d+)$")
# Everything else has it from there: the library's name, the C API, generated headers.
library = os.path.join(build, "lib", f"libStencilRuntime.so.{abi}")
if not os.path.exists(library):
    sys.exit(f"expected {library}")
for path in ("CMakeLists.txt", "include/StencilRuntime/ABI.h", "include/StencilDialect-c/Version.h.in", "lib/Target/CHeader.cpp"):
    with open(os.path.join(root, path)) as file:
        if re.search(r"STENCIL_ABI_VERSION(?: !=)? \d", file.read()):
            sys.exit(f"{path}: expected the number of include/StencilRuntime/ErrorCodes.h, got one of its own")
if find("docs/stability.md", r"`STENCIL_ABI_VERSION`, (\d+), is") != abi:
    sys.exit(f"docs/stability.md: expected STENCIL_ABI_VERSION to be {abi}")
dialect = find("include/StencilDialect/IR/BytecodeVersion.h", r"kCurrent = (\d+);")
if find("docs/stability.md", r"dialect in bytecode, (\d+) ") != dialect:
    sys.exit(f"docs/stability.md: expected version {dialect} of the dialect")
if not os.path.isdir(os.path.join(root, "test", "Bytecode", version.rpartition(".")[0])):
    sys.exit(f"test/Bytecode: expected a directory for {version}")
