"""Prints a program of many applies: a chain of Laplacians and updates in 3D."""

import sys

FIELD = "!stencil.field<[-1,65]x[-1,65]x[-1,65]xf64>"
TEMP = "!stencil.temp<?x?x?xf64>"
OFFSETS = ["-1, 0, 0", "1, 0, 0", "0, -1, 0", "0, 1, 0", "0, 0, -1", "0, 0, 1"]


def print_apply(index):
    """One seven-point apply, of what the one before it left in a field."""
    source, target = ("%a", "%b") if index % 2 == 0 else ("%b", "%a")
    print(f"  %t{index} = stencil.load {source} : {FIELD} -> {TEMP}")
    print(f"  %r{index} = stencil.apply(%x = %t{index} : {TEMP}) -> ({TEMP}) {{")
    print(f"    %c = arith.constant {index / 7.0} : f64")
    print(f"    %s0 = stencil.access %x[0, 0, 0] : {TEMP}")
    for number, offset in enumerate(OFFSETS):
        print(f"    %v{number} = stencil.access %x[{offset}] : {TEMP}")
        print(f"    %s{number + 1} = arith.addf %s{number}, %v{number} : f64")
    print(f"    %p = arith.mulf %c, %s{len(OFFSETS)} : f64")
    print("    stencil.return %p : f64")
    print("  }")
    box = "<[0, 0, 0], [64, 64, 64]>"
    print(f"  stencil.store %r{index} to {target}({box}) : {TEMP} to {FIELD}")


print(f"func.func @many(%a: {FIELD}, %b: {FIELD}) {{")
for number in range(int(sys.argv[1])):
    print_apply(number)
print("  return\n}")
