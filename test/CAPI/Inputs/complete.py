"""Compares the C headers with the library's exports and with the dialect.

usage: complete.py HEADERS GENERATED-HEADERS REFERENCE.md < output of llvm-nm -D
"""

import glob
import os
import re
import sys

headers, generated, reference = sys.argv[1:]
text = ""
for path in glob.glob(os.path.join(headers, "*.h")) + glob.glob(os.path.join(generated, "*")):
    if path.endswith((".h", ".h.inc")):
        with open(path, encoding="utf-8") as file:
            text += file.read()
# What a macro declares of each name of a list, as the preprocessor would.
define = r"#define (\w+)\(%s\)((?:.*\\\n)*.*\n)"
lists = {name: re.findall(r"X\((\w+)\)", body) for name, body in re.findall(define % "X", text)}
declarations = dict(re.findall(define % "name", text))
uses = re.findall(r"^(\w+)\((\w+)\)$", text, re.MULTILINE)
text = re.sub(define % "(?:X|name)", "", text)
for names, macro in uses:
    text += "".join(re.sub("##name(##)?", name, declarations[macro]) for name in lists[names])
text = re.sub(r"^static inline .*?^}", "", text, flags=re.MULTILINE | re.DOTALL)
declared = set(re.findall(r"\b((?:stencil|mlirCreateStencil|mlirRegisterStencil)\w+)\s*\(", text))
exported = {line.split()[-1].split("@")[0] for line in sys.stdin}
other = {name for name in exported if not name.startswith(("stencil", "mlir", "StencilDialect_"))}
ours = {name for name in exported if re.match(r"stencil|mlir(Create|Register)Stencil", name)}
print("declared, not exported:", sorted(declared - exported))
print("exported, not declared:", sorted(ours - declared))
print("neither ours nor MLIR's:", sorted(other))

with open(reference, encoding="utf-8") as file:
    documented = file.read()
lower = {name.lower() for name in declared}
ops = set(re.findall(r"^### `stencil\.(\w+)`", documented, re.MULTILINE))
missing = {op for op in ops if f"stencil{op.replace('_', '')}create" not in lower}
parts = set(re.findall(r"^### (\w+?)(?:Attr|Type)$", documented, re.MULTILINE))
for part in parts:
    if not {f"stencilattributeisa{part.lower()}", f"stenciltypeisa{part.lower()}"} & lower:
        missing.add(part)
print(f"{len(ops) > 20} {len(parts) > 10} without a function:", sorted(missing))
