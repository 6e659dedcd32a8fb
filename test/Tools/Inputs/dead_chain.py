"""dead_chain.py APPLIES: prints a chain of applies with two results each, of which
the last one turns out not to need the second one."""

import sys

applies = int(sys.argv[1])
FIELD, TEMP = "!stencil.field<[-2,66]xf64>", "!stencil.temp<?xf64>"

print(f"func.func @chain(%f: {FIELD}, %g: {FIELD}, %h: {FIELD}) {{")
print(f"  %t0 = stencil.load %f : {FIELD} -> {TEMP}")
print(f"  %d0 = stencil.load %g : {FIELD} -> {TEMP}")
for i in range(applies):
    weight = "0.0" if i == applies - 1 else "1.0"
    print(f"  %t{i + 1}, %d{i + 1} = stencil.apply(%x = %t{i} : {TEMP}, %y = %d{i} : {TEMP}) -> ({TEMP}, {TEMP}) {{")
    print(f"    %a = stencil.access %x[0] : {TEMP}")
    print(f"    %b = stencil.weighted_sum %y offsets [[0]] weights dense<{weight}> : tensor<1xf64> : {TEMP}")
    print("    %c = arith.addf %a, %b fastmath<nsz> : f64")
    print("    %d = arith.addf %b, %b : f64")
    result = "%c" if i == applies - 1 else "%a"
    print(f"    stencil.return {result}, %d : f64, f64\n  }}")
print(f"  stencil.store %t{applies} to %h(<[0], [64]>) : {TEMP} to {FIELD}\n  return\n}}")
