"""Writes a program that sums a box of N x N taps whose weights are a sum of RANK products of a column and a
row: low_rank.py N RANK."""

import sys

width, rank = map(int, sys.argv[1:])
lower, upper = -(width // 2), width - width // 2 - 1
column = [[(5 * i * i + 3 * i * q + q) % 17 + 1 for i in range(width)] for q in range(rank)]
row = [[(7 * i * i + i * q + 2 * q) % 19 + 1 for i in range(width)] for q in range(rank)]
offsets = [[i, j] for i in range(lower, upper + 1) for j in range(lower, upper + 1)]
products = [[sum(a[i] * b[j] for a, b in zip(column, row)) for j in range(width)] for i in range(width)]
total = sum(map(sum, products))
weights = ", ".join(repr(value / total) for line in products for value in line)
print(f"""!open = !stencil.field<?x?xf64>
!field = !stencil.field<[{lower},?+{upper}]x[{lower},?+{upper}]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @box(%arg0: !open, %arg1: !open) {{
  %u = stencil.cast %arg0 : !open -> !field
  %v = stencil.cast %arg1 : !open -> !field
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) {{
    %s = stencil.weighted_sum %a offsets {offsets} weights dense<[{weights}]> : tensor<{len(offsets)}xf64> : !temp
    stencil.return %s : f64
  }}
  stencil.store %r to %v(<[0, 0], [?, ?]>) : !temp to !field
  return
}}""")
