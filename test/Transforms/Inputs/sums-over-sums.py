"""Prints sums over sums: `wide` doubles the points at every level, `deep` goes
back and forth between two points."""

import sys

wide = sys.argv[1] == "wide"
levels = 21 if wide else 600
halo = 1 << 21 if wide else 2
field = f"!stencil.field<[-{halo},{halo + 8}]xf64>"
print(f"func.func @sums(%u: {field}, %v: {field}) {{")
print(f"  %t = stencil.load %u : {field} -> !stencil.temp<?xf64>")
print("  %r = stencil.apply(%x = %t : !stencil.temp<?xf64>) -> (!stencil.temp<?xf64>) {")
print("    %s0 = stencil.access %x[0] : !stencil.temp<?xf64>")
for level in range(levels):
    offsets = f"[0], [{1 << level}]" if wide else f"[{-1 if level % 2 else 1}]"
    taps = 2 if wide else 1
    print(f"    %s{level + 1} = stencil.weighted_sum %s{level} offsets [{offsets}] "
          f"weights dense<1.0> : tensor<{taps}xf64> : f64")
print(f"    stencil.return %s{levels} : f64")
print("  }")
print(f"  stencil.store %r to %v(<[0], [8]>) : !stencil.temp<?xf64> to {field}")
print("  return\n}")
