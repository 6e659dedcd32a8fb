"""usage: local_memory.py STENCIL-OPT [OPTION=VALUE]... FILE.mlir...

Compiles programs for sm_90 (stencil-to-nvvm with the options) and prints what
ptxas says about each kernel. Exits with 1 if one has a stack frame or spills
registers: its state should be SSA values all the way down.
"""

import re
import subprocess
import sys

TABLE = re.compile(r'#gpu\.kernel_metadata<"([^"]+)".*?metadata = \{([^}]*)\}')


def get_kernels(tool, options, path):
    """Name and resources of each kernel, by the binary's kernel table."""
    pipeline = " ".join(["chip=sm_90", "format=bin"] + options)
    done = subprocess.run([tool, path, f"--stencil-to-nvvm={pipeline}"],
                          capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.decode())
    for name, text in TABLE.findall(done.stdout.decode(errors="replace")):
        yield name, {key: int(value) for key, value in re.findall(r"(\w+) = (\d+)", text)}


def main():
    tool, *rest = sys.argv[1:]
    options = [item for item in rest if not item.endswith(".mlir")]
    number = local = 0
    for path in rest:
        if not path.endswith(".mlir"):
            continue
        for name, has in get_kernels(tool, options, path):
            number += 1
            local += any(has[key] for key in ("stack_bytes", "spill_stores", "spill_loads"))
            print(f"{name}: {has['registers']} registers, {has['stack_bytes']} bytes stack, "
                  f"{has['spill_stores']} stored, {has['spill_loads']} loaded")
    print(f"{local} of {number} kernels use local memory")
    sys.exit(local > 0 or number == 0)


main()
