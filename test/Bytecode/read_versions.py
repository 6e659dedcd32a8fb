"""Reads what each version has written, as bytecode and as text.

usage: read_versions.py STENCIL_OPT ROOT

Bytecode and text beside it must be the same program to this version. The newest
version has every op, type, attribute and case of an enumeration.
"""

import glob
import os
import re
import subprocess
import sys

opt, root = sys.argv[1:3]
base = os.path.join(root, "test", "Bytecode")
versions = sorted(
    (name for name in os.listdir(base) if re.fullmatch(r"\d+\.\d+", name)),
    key=lambda name: [int(part) for part in name.split(".")],
)
assert versions, "no version"


def read(path):
    result = subprocess.run([opt, path], capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr)
    return result.stdout


for version in versions:
    binaries = sorted(glob.glob(os.path.join(base, version, "*.mlirbc")))
    assert len(binaries) > 5, f"{version} lacks files"
    for binary in binaries:
        with open(binary, "rb") as file:
            assert file.read(4) == b"ML\xefR", f"{binary} is not bytecode"
        if read(binary) != read(binary.removesuffix("bc")):
            sys.exit(f"{binary} differs from the text beside it")

text = ""
for path in glob.glob(os.path.join(base, versions[-1], "*.mlir")):
    with open(path) as file:
        text += file.read()
dialect = os.path.join(root, "include", "StencilDialect", "IR")
words = set()
for path in glob.glob(os.path.join(dialect, "*.td")):
    with open(path) as file:
        definitions = file.read()
    words |= {f"stencil.{name}" for name in re.findall(r': Stencil_Op<"(\w+)"', definitions)}
    words |= {f"#stencil.{name}" for name in re.findall(r': Stencil_Attr<"\w+", "(\w+)"', definitions)}
    words |= {f"!stencil.{name}" for name in re.findall(r': Stencil_GridType<"\w+", "(\w+)"', definitions)}
    words |= set(re.findall(r'I32EnumAttrCase<"\w+", \d+, "(\w+)">', definitions))
for path in glob.glob(os.path.join(root, "include", "StencilDialect", "Tile", "*.td")):
    with open(path) as file:
        definitions = file.read()
    words |= {f"tile.{name}" for name in re.findall(r': Tile_Op<"(\w+)"', definitions)}
    words |= {f"#tile.{name}" for name in re.findall(r': Tile_Attr<"\w+", "(\w+)"', definitions)}
    words |= {f"!tile.{name}" for name in re.findall(r': Tile_Type<"\w+", "(\w+)"', definitions)}
    words |= set(re.findall(r'I32EnumAttrCase<"\w+", \d+, "(\w+)">', definitions))
with open(os.path.join(dialect, "DiscardableAttrs.h")) as file:
    words |= set(re.findall(r'"(stencil\.\w+)"', file.read()))
assert len(words) > 50, words
# #stencil.index is within others, without its name.
missing = sorted(word for word in words if not re.search(re.escape(word) + r"\b", text))
if missing:
    sys.exit(f"{versions[-1]} lacks {' '.join(missing)}: see utils/write-bytecode")
print(f"read {len(versions)} versions")
