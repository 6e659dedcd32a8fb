"""Programs that nest deep."""

import json


def write(name, text):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)


def function(body):
    return "func.func @deep(%u: !stencil.field<[0,8]xf64>, %c: i1) {\n" + body + "return\n}\n"


def attribute(text):
    return f"module attributes {{test.deep = {text}}} {{\n{function('')}}}\n"


def branches(levels):
    """A body of so many branches, one in the other."""
    lines = ["%t = stencil.load %u : !stencil.field<[0,8]xf64> -> !stencil.temp<?xf64>"]
    lines.append("%r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {")
    lines += ["%v = stencil.access %x[0] : !stencil.temp<?xf64>", "%z = arith.constant 0.0 : f64"]
    for level in range(levels):
        lines.append(f"%c{level} = arith.cmpf ogt, %v, %z : f64")
        lines.append(f"%r{level} = scf.if %c{level} -> (f64) {{")
    lines.append("scf.yield %v : f64")
    for level in reversed(range(levels)):
        lines.append("} else { scf.yield %z : f64 }")
        if level:
            lines.append(f"scf.yield %r{level} : f64")
    lines += ["stencil.return %r0 : f64", "}"]
    lines.append("stencil.store %r to %u(<[0], [8]>) : !stencil.temp<?xf64> to !stencil.field<[0,8]xf64>")
    text = function("\n".join(lines) + "\n")
    return text.replace(", %c: i1", "")


DEEP = 4000
write("regions.mlir", function("scf.if %c {\n" * DEEP + "}\n" * DEEP))
write("types.mlir", attribute("tuple<" * DEEP + "f32" + ">" * DEEP))
write("attributes.mlir", attribute("[" * DEEP + "]" * DEEP))
write("expressions.mlir", attribute("affine_map<(d0) -> (" + "-" * DEEP + "d0)>"))
write("sum.mlir", attribute("affine_map<(d0) -> (" + "d0 + " * DEEP + "d0)>"))
index = "%i + " * DEEP + "%i"
write("access.mlir", f"func.func @f(%m: memref<9xf64>, %i: index) {{\n%0 = affine.load %m[{index}] : memref<9xf64>\nreturn\n}}\n")
aliases = "".join(f"#a{i + 1} = [#a{i}]\n" for i in range(DEEP))
write("aliases.mlir", f"#a0 = [1]\n{aliases}{attribute(f'#a{DEEP}')}")
# The function, the body, and what the innermost branch opens.
write("limit.mlir", branches(253))
half = "scf.if %c {\n" * 200
write(
    "halves.mlir",
    f"func.func private @inner(%c: i1) {{\n{half}{'}' * 200}\nreturn\n}}\n"
    f"func.func @outer(%c: i1) {{\n{half}func.call @inner(%c) : (i1) -> ()\n{'}' * 200}\nreturn\n}}\n",
)

document = {"uri": "test:///deep.mlir", "languageId": "mlir", "version": 1, "text": open("regions.mlir").read()}
messages = [
    {"id": 0, "method": "initialize", "params": {"processId": 1, "rootPath": "x", "capabilities": {}, "trace": "off"}},
    {"method": "textDocument/didOpen", "params": {"textDocument": document}},
    {"id": 1, "method": "shutdown"},
    {"method": "exit"},
]
write("session.txt", "// -----\n".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages))
