# Prints a program whose one apply sums 3,000 inputs.

INPUTS = 3000
FIELD, TEMP = "!stencil.field<[-1,65]xf64>", "!stencil.temp<?xf64>"

arguments = "".join(f"%a{i}: {FIELD}, " for i in range(INPUTS))
print(f"func.func @wide({arguments}%out: {FIELD}) {{")
for i in range(INPUTS):
    print(f"  %t{i} = stencil.load %a{i} : {FIELD} -> {TEMP}")
inputs = ", ".join(f"%x{i} = %t{i} : {TEMP}" for i in range(INPUTS))
print(f"  %r = stencil.apply({inputs}) -> ({TEMP}) {{")
print(f"    %s0 = stencil.access %x0[0] : {TEMP}")
for i in range(1, INPUTS):
    print(f"    %v{i} = stencil.access %x{i}[{i % 3 - 1}] : {TEMP}")
    print(f"    %s{i} = arith.addf %s{i - 1}, %v{i} : f64")
print(f"    stencil.return %s{INPUTS - 1} : f64")
print("  }")
print(f"  stencil.store %r to %out(<[0], [64]>) : {TEMP} to {FIELD}")
print("  return")
print("}")
