"""An apply that adds up so many neighbours, as they are written.

usage: wide-body.py COUNT
"""

import sys

count = int(sys.argv[1])
field = f"!stencil.field<[0,{count + 8}]xf64>"
print(f"func.func @wide(%u: {field}, %v: {field}) {{")
print(f"  stencil.apply(%x = %u : {field}) outs (%v : {field}) {{")
print(f"    %a0 = stencil.access %x[0] : {field}")
for i in range(1, count):
    print(f"    %a{i} = stencil.access %x[{i}] : {field}")
    print(f"    %s{i} = arith.addf %{'s' if i > 1 else 'a'}{i - 1}, %a{i} : f64")
print(f"    stencil.return %s{count - 1} : f64")
print("  } to <[0], [8]>")
print("  return")
print("}")
