"""Writes a program that sums a box of N x N taps: box.py N."""

import sys

width = int(sys.argv[1])
lower, upper = -(width // 2), width - width // 2 - 1
offsets = [[i, j] for i in range(lower, upper + 1) for j in range(lower, upper + 1)]
# No weights of a row are those of another one, times anything.
weights = ", ".join(f"{(7 * k * k + 3 * k) % 61 + 1}.0" for k in range(len(offsets)))
print(f"""!field = !stencil.field<[{lower},{256 + upper}]x[{lower},{256 + upper}]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @box(%u: !field, %v: !field) {{
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) {{
    %s = stencil.weighted_sum %a offsets {offsets} weights dense<[{weights}]> : tensor<{len(offsets)}xf64> : !temp
    stencil.return %s : f64
  }}
  stencil.store %r to %v(<[0, 0], [256, 256]>) : !temp to !field
  return
}}""")
