"""Writes a program with one sum: shape.py SHAPE NUMBER [POINTS].

    row, box, cube    NUMBER taps along each axis of one, two, three
    star, star3d      taps on the axes of two, three, to the radius NUMBER

POINTS is the extent of the domain along each axis.
"""

import itertools
import sys

shape, number = sys.argv[1], int(sys.argv[2])
rank = {"row": 1, "box": 2, "star": 2, "cube": 3, "star3d": 3}[shape]
points = int(sys.argv[3]) if len(sys.argv) > 3 else {1: 20000, 2: 256, 3: 64}[rank]
isStar = shape.startswith("star")
lower, upper = (-number, number) if isStar else (-(number // 2), number - number // 2 - 1)
offsets = [
    list(offset)
    for offset in itertools.product(range(lower, upper + 1), repeat=rank)
    if not isStar or sum(along != 0 for along in offset) <= 1
]
# No weights of a row are those of another one, times anything.
weights = ", ".join(f"{(7 * k * k + 3 * k) % 61 + 1}.0" for k in range(len(offsets)))
box = "x".join([f"[{lower},{points + upper}]"] * rank)
temp = "x".join(["?"] * rank)
print(f"""!field = !stencil.field<{box}xf64>
!temp = !stencil.temp<{temp}xf64>
func.func @shape(%u: !field, %v: !field) {{
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%a = %t : !temp) -> (!temp) {{
    %s = stencil.weighted_sum %a offsets {offsets} weights dense<[{weights}]> : tensor<{len(offsets)}xf64> : !temp
    stencil.return %s : f64
  }}
  stencil.store %r to %v(<{[0] * rank}, {[points] * rank}>) : !temp to !field
  return
}}""")
