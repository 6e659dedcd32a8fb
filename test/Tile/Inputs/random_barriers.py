"""Random walks. With the barriers that stencil-place-barriers puts in no thread
reads what another one is writing, and with fewer one does; so it is from the
first iteration on if stencil-expand-walks has brought the first planes. Both are
seen by going through the iterations plane by plane, slot by slot.

usage: random_barriers.py STENCIL_OPT SEED COUNT
"""

import itertools
import random
import re
import subprocess
import sys

GRID = "<domain = <[0, 0], [64, 64]>, block = [1, 32], points = [1, 1], walk = 0>"
ITERATIONS, STEADY = 14, 6


class Race(Exception):
    pass


class Ring:
    def __init__(self, rnd, name):
        self.name = name
        self.fill = rnd.choice(["threads", "delayed", "async", "tma"])
        self.oldest = rnd.randint(-2, 0)
        self.newest = rnd.randint(0, 1)
        self.wait = rnd.randint(self.newest, self.newest + 1)
        self.copy = self.wait + (0 if self.fill == "threads" else rnd.randint(1, 2))
        last = self.wait if self.fill == "delayed" else self.copy
        self.slots = last - self.oldest + 1 + rnd.choice([0, 0, 0, 1])
        self.type = f"!tile.ring<{self.slots} x [0,1]x[0,32]xf64, fill = {self.fill}>"


class Walk:
    """Its body is a list of (what, ring, oldest plane, newest plane)."""

    def __init__(self, rnd):
        self.rings = [Ring(rnd, f"%w{number}") for number in range(rnd.randint(1, 3))]
        self.body = [("copy", ring, ring.copy, ring.copy) for ring in self.rings]
        self.body += [("wait", ring, ring.wait, ring.wait) for ring in self.rings if ring.fill != "threads"]
        for _ in range(rnd.randint(1, 4)):
            ring = rnd.choice(self.rings)
            oldest = rnd.choice([ring.oldest, ring.oldest, ring.newest])
            self.body.append(("stage", ring, oldest, ring.newest))
        rnd.shuffle(self.body)

    def is_valid(self):
        """Whether each plane that is read has come, and is not lost."""
        for place, (what, ring, oldest, newest) in enumerate(self.body):

            def known(made, plane):
                names = [(op[0], op[1]) for op in self.body]
                return plane - (0 if names.index((made, ring)) < place else 1)

            asked = known("copy", ring.copy)
            if what == "wait" and ring.wait > asked:
                return False
            there = asked if ring.fill == "threads" else known("wait", ring.wait)
            written = there if ring.fill == "delayed" else asked
            if what == "stage" and (newest > there or oldest <= written - ring.slots):
                return False
        return True

    def print(self, name):
        lines = [f"tile.kernel @{name}(%a = %u : !field, %b = %v : !field) grid {GRID} {{"]
        lines += [f"{ring.name} = tile.ring : {ring.type}" for ring in self.rings]
        cursors = ", ".join(f"%c{slots}: !tile.cursor<{slots}>" for slots in sorted({r.slots for r in self.rings}))
        lines.append(f"tile.walk lookback 2 plane %p cursors({cursors}) {{")
        for place, (what, ring, oldest, newest) in enumerate(self.body):
            memory = f"{ring.name}[%c{ring.slots}]"
            if what == "copy":
                lines.append(f"tile.copy %a[%p] to {memory} plane {newest} : !field, {ring.type}")
            elif what == "wait":
                lines.append(f"tile.wait {memory} plane {newest} : {ring.type}")
            else:
                planes = f"!stencil.temp<[{oldest},{newest + 1}]x[0,32]xf64>"
                lines.append(f"%x = tile.source {memory} : {ring.type} -> {planes}".replace("%x", f"%x{place}"))
                lines.append(f"%r{place} = stencil.apply(%t = %x{place} : {planes}) -> (!row) {{")
                lines.append(f"%y = stencil.access %t[{oldest}, 0] : {planes}")
                lines.append(f"%z = stencil.access %t[{newest}, 0] : {planes}")
                lines.append("%s = arith.addf %y, %z : f64\nstencil.return %s : f64\n}")
                result = place
        lines.append(f"tile.store %r{result} to %b[%p] : !row to !field\n}}\n}}")
        return "\n".join(lines)


class Memory:
    """What has happened to slots since the last barrier."""

    def __init__(self):
        self.read, self.written, self.there = set(), set(), {}

    def barrier(self):
        self.read.clear()
        self.written.clear()

    def write(self, ring, plane):
        if (ring, plane % ring.slots) in self.read:
            raise Race("a plane is replaced that is being read")
        if ring.fill in ("threads", "delayed"):
            self.written.add((ring, plane % ring.slots))

    def arrive(self, ring, plane):
        """Up to this plane all has come for the thread that has asked for it."""
        for one in range(self.there.get(ring, -1) + 1, plane + 1):
            if ring.fill == "delayed":
                self.write(ring, one)
            elif ring.fill == "async":
                self.written.add((ring, one % ring.slots))
        self.there[ring] = max(plane, self.there.get(ring, -1))

    def do(self, what, ring, oldest, newest):
        if what == "copy":
            if ring.fill != "delayed":
                self.write(ring, newest)
            if ring.fill == "threads":
                self.arrive(ring, newest)
        elif what == "wait":
            self.arrive(ring, newest)
        else:
            for plane in range(max(oldest, 0), newest + 1):
                if plane > self.there.get(ring, -1):
                    raise Race("a plane is read that nobody has waited for")
                if (ring, plane % ring.slots) in self.written:
                    raise Race("a plane is read that is being written")
                self.read.add((ring, plane % ring.slots))


def find_race(walk, gaps, before=()):
    """What goes wrong with barriers in these gaps. Without what comes before,
    only an iteration after many others counts."""
    memory = Memory()
    for what, *operands in before:
        if what == "barrier":
            memory.barrier()
        else:
            memory.do(what, *operands)
    for iteration in range(ITERATIONS):
        for place, (what, ring, oldest, newest) in enumerate(walk.body):
            if place in gaps:
                memory.barrier()
            try:
                memory.do(what, ring, iteration + oldest, iteration + newest)
            except Race as race:
                if before or iteration >= STEADY:
                    return str(race)
    return None


def parse_gaps(text):
    gaps, place = set(), 0
    for op in re.findall(r"tile\.(?:barrier|copy|wait)|stencil\.apply", text):
        if op == "tile.barrier":
            gaps.add(place)
        else:
            place += 1
    return gaps


def parse_before(walk, text):
    """The ops between tile.segment and the first loop."""
    ops = [("begin", None, 0, 0)]
    for line in text.partition("tile.segment")[2].partition("scf.for")[0].splitlines():
        match = re.match(r"\s*tile\.(barrier|copy|wait)(?:.*%(\d+)\[[^]]*\](?: plane (\d+))? :)?", line)
        if match and match[1] == "barrier":
            ops.append(("barrier",))
        elif match:
            plane = int(match[3] or 0)
            ops.append((match[1], walk.rings[int(match[2])], plane, plane))
    return ops[1:] or [("barrier",)]


def run(tool, flags, text):
    result = subprocess.run([tool, "-", *flags], input=text, capture_output=True, text=True)
    if result.returncode:
        sys.exit(result.stderr)
    return result.stdout


def main(tool, seed, count):
    rnd = random.Random(int(seed))
    walks = []
    while len(walks) < int(count):
        walk = Walk(rnd)
        if walk.is_valid():
            walks.append(walk)
    kernels = "\n".join(walk.print(f"k{number}") for number, walk in enumerate(walks))
    text = "!field = !stencil.field<[-1,65]x[-1,65]xf64>\n!row = !stencil.temp<[0,1]x[0,32]xf64>\n"
    text += f"func.func @f(%u: !field, %v: !field) {{\n{kernels}\nreturn\n}}\n"
    placed = run(tool, ["--stencil-place-barriers"], text)
    expanded = run(tool, ["--stencil-expand-walks"], placed)
    counts = {}
    for number, walk in enumerate(walks):
        own, loops = (t.split("tile.kernel ")[number + 1] for t in (placed, expanded))
        gaps = parse_gaps(own)
        for before in ((), parse_before(walk, loops)):
            if race := find_race(walk, gaps, before):
                sys.exit(f"error: {race}\n{own}\n{loops}")
        for fewer in itertools.combinations(range(len(walk.body)), len(gaps) - 1):
            if not find_race(walk, set(fewer)):
                sys.exit(f"error: barriers in gaps {fewer} are enough\n{own}")
        counts[len(gaps)] = counts.get(len(gaps), 0) + 1
    for barriers, number in sorted(counts.items()):
        print(f"{number} walks with {barriers} barriers")


main(*sys.argv[1:])
