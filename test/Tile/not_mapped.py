"""Which kernels of the suites and examples stencil-map-stages leaves as they are, and why.

usage: not_mapped.py --bin DIR --list FILE [--only PATTERNS] [--chips NAMES] [--record]

Compares "CHIP PROGRAM: REASON" of every program with the lines of FILE: an error where one is not in it, and where one is
in it that holds no more. --record writes FILE.
"""

import argparse
import fnmatch
import os
import pathlib
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "benchmarks"))
from harness import gpus  # noqa: E402
from harness.tools import Failed  # noqa: E402

REMARK = re.compile(r"remark: \[Missed\] NotMapped.*?Remark=\"([^\"]*)\"")


def parse():
    p = argparse.ArgumentParser(prog="not_mapped.py", description=__doc__, usage=argparse.SUPPRESS)
    p.formatter_class = argparse.RawDescriptionHelpFormatter
    p.add_argument("--bin", type=pathlib.Path, required=True, help="where stencil-opt is")
    p.add_argument("--list", type=pathlib.Path, required=True)
    p.add_argument("--only", default="*", help="programs, or patterns such as 'brick_star*', joined by commas")
    p.add_argument("--chips", default="sm_90,gfx942")
    p.add_argument("--record", action="store_true")
    p.add_argument("--jobs", type=int, default=os.cpu_count())
    return p.parse_args()


def find_reasons(bin, case):
    """Why kernels of a program are not mapped, each reason once."""
    text = f"chip={case.chip} math={case.mode}"
    if case.program.is_open:
        text += f" extents={gpus.EXTENTS[case.program.rank]}"
    command = [bin / "stencil-opt", "-", f"--stencil-to-tiles={text}", "--remarks-filter=Tiles", "-o", os.devnull]
    done = subprocess.run([str(c) for c in command], input=case.program.text, capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{case}: {done.stderr.strip().splitlines()[0] if done.stderr else done.returncode}")
    return sorted(set(REMARK.findall(done.stderr)))


def main():
    options = parse()
    patterns = options.only.split(",")
    programs = {}
    for program in [*gpus.suites(options.bin), *gpus.committed()]:
        if any(fnmatch.fnmatch(program.name, pattern) for pattern in patterns):
            programs.setdefault(program.name, program)
    cases = list(gpus.cases(programs.values(), options.chips.split(","), ["contract"], ["known"]))
    found, tried, wrong = set(), {f"{case.chip} {case.program.name}" for case in cases}, []
    for case, result in gpus.for_each(lambda case: find_reasons(options.bin, case), cases, options.jobs):
        if isinstance(result, Failed):
            wrong.append(str(result))
        else:
            found |= {f"{case.chip} {case.program.name}: {reason}" for reason in result}
    known = set(options.list.read_text().splitlines()) if options.list.exists() else set()
    known = {line for line in known if line.partition(":")[0] in tried or options.record}
    if options.record:
        kept = {line for line in known if line.partition(":")[0] not in tried}
        options.list.write_text("".join(line + "\n" for line in sorted(found | kept)))
    else:
        wrong += [f"is not mapped, and not in {options.list.name}: {line}" for line in sorted(found - known)]
        wrong += [f"is mapped, and to be taken out of {options.list.name}: {line}" for line in sorted(known - found)]
    for text in wrong:
        print(f"error: {text}")
    print(f"{len(tried)} cases of {len(programs)} programs, {len({line.partition(':')[0] for line in found})} not mapped as a whole")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
