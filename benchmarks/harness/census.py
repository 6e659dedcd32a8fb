"""What a kernel consists of: counted in its IR (gpu, memref, vector, arith) and in the assembly that LLVM makes of it."""

import collections
import dataclasses
import json
import re

OPS = re.compile(r'^\s*(?:(%[\w]+)(?::\d+)? = )?"([a-z_]\w*\.[\w.]+)"\((.*)$')
CONSTANT = re.compile(r"(%\w+) = .arith\.constant.*?value = (-?\d+) : (?:index|i32|i64)")
SPACES = {"workgroup": "shared", "3": "shared", "private": "local", "5": "local"}
BYTES = {"f64": 8, "i64": 8, "index": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "i16": 2, "i8": 1, "i1": 1}
FLOATS = ("addf", "subf", "mulf", "divf", "negf", "maximumf", "minimumf", "maxnumf", "minnumf", "cmpf", "remf")
SKIPPED = ("arith.constant", "vector.extract", "vector.from_elements", "vector.insert", "vector.shape_cast", "scf.yield")


@dataclasses.dataclass
class Op:
    name: str
    text: str
    type: str = ""
    result: str = ""
    body: list = dataclasses.field(default_factory=list)


def parse(text):
    """The ops of generic MLIR, as trees: every op has those of its regions."""
    root = Op("", "")
    open_ops = [root]
    for line in text.splitlines():
        found = OPS.match(line)
        if found:
            op = Op(found[2], line, result=found[1] or "")
            open_ops[-1].body.append(op)
            if line.rstrip().endswith("({"):
                open_ops.append(op)
            else:
                op.type = line.rsplit(" : ", 1)[-1]
        elif line.lstrip().startswith("})"):
            closed = open_ops.pop()
            closed.type = line.rsplit(" : ", 1)[-1]
            closed.text += line
        # `}, {` goes from one region of an op to its next.
    return root


def walk(op):
    for inner in op.body:
        yield inner
        yield from walk(inner)


def width_of(type):
    """Bytes of a value."""
    vector = re.match(r"vector<(?:(\d+)x)?(\w+)>", type)
    if vector:
        return int(vector[1] or 1) * BYTES.get(vector[2], 0)
    return BYTES.get(type, 0)


def space_of(type):
    """Of the memref that is named first in a type."""
    found = re.search(r"memref<[^<>]*(?:strided<[^>]*>[^<>]*)?(?:#gpu\.address_space<(\w+)>|, (\d+) : i\d+|, (\d+))?>", type)
    space = (found[1] or found[2] or found[3]) if found else None
    return SPACES.get(space, "global")


def name_access(kind, width, type):
    return f"{kind} {space_of(type)} {width}"


def classify(op):
    """What an op counts as; None for what costs nothing."""
    dialect, _, name = op.name.partition(".")
    if op.name in SKIPPED:
        return None
    operands, _, results = op.type.partition(" -> ")
    if name in ("load", "transfer_read"):
        return name_access("load", width_of(results.strip("() ")), operands)
    if name in ("store", "transfer_write"):
        return name_access("store", width_of(operands.strip("(").split(",")[0].strip()), operands)
    if op.name == "nvgpu.device_async_copy":
        return "copy async"
    if op.name == "nvgpu.tma.async.load":
        return "copy tma"
    if op.name == "gpu.barrier" or "mbarrier" in name or "fence" in name:
        return "barrier" if op.name == "gpu.barrier" else "synchronise"
    if op.name == "gpu.shuffle":
        return "shuffle"
    if op.name == "scf.if":
        return "branch"
    if op.name in ("scf.for", "scf.while"):
        return "loop"
    if dialect == "math" or (dialect == "arith" and name in FLOATS):
        return "float"
    if dialect == "arith":
        return "integer" if name not in ("extf", "truncf", "sitofp", "uitofp", "fptosi", "fptoui") else "convert"
    if dialect == "llvm" and "asm" in name:
        return "load asm"
    return None


def count(ops):
    result = collections.Counter()
    for op in ops:
        kind = classify(op)
        if kind:
            result[kind] += 1
    return dict(sorted(result.items()))


def count_kernels(text):
    """{kernel: {"planes", "loop", "kernel"}} of a module with gpu.func ops, in generic form. A loop is the one with most
    arithmetic; it does so many planes at once as its step says."""
    result = {}
    for function in walk(parse(text)):
        if function.name != "gpu.func":
            continue
        name = re.search(r'sym_name = "([^"]+)"', function.text)[1]
        constants = {found[1]: int(found[2]) for op in walk(function) if (found := CONSTANT.search(op.text))}
        loops = [op for op in walk(function) if op.name == "scf.for"]
        loops.sort(key=lambda loop: -count(walk(loop)).get("float", 0))
        entry = {"kernel": count(walk(function))}
        if loops and count(walk(loops[0])).get("float", 0):
            step = re.search(r'"scf\.for"\(%\w+(?:#\d+)?, %\w+(?:#\d+)?, (%\w+)', loops[0].text)
            entry["planes"] = constants.get(step[1], 1) if step else 1
            entry["loop"] = count(walk(loops[0]))
        result[name] = entry
    return result


# Assembly


def split_functions(assembly):
    """(name, lines) of every kernel."""
    name, lines = None, []
    for line in assembly.splitlines():
        start = re.match(r"\s*\.visible \.entry (\w+)", line) or re.match(r"\s*\.type\s+(\w+),@function", line)
        if start:
            if name:
                yield name, lines
            name, lines = start[1], []
        lines.append(line)
    if name:
        yield name, lines


def classify_ptx(opcode):
    parts = opcode.split(".")
    head = parts[0]
    if head in ("ld", "st"):
        space = next((p for p in parts if p in ("global", "shared", "local", "param", "const")), "generic")
        lanes = next((int(p[1:]) for p in parts if re.fullmatch(r"v\d", p)), 1)
        bits = re.search(r"\d+$", parts[-1])
        return None if space == "param" else f"{'load' if head == 'ld' else 'store'} {space} {lanes * int(bits[0]) // 8 if bits else 0}"
    if head in ("bar", "barrier"):
        return "barrier"
    if head in ("mbarrier", "fence", "membar"):
        return "synchronise"
    if head == "cp":
        return "copy " + ("tma" if "bulk" in parts else "async")
    if head == "shfl":
        return "shuffle"
    if head in ("bra", "@"):
        return "branch"
    if head == "mov" and parts[-1] in ("f64", "f32", "b64"):
        return "move " + parts[-1]
    if parts[-1] in ("f64", "f32", "f16", "bf16", "f16x2", "bf16x2") and head != "cvt":
        return "float"
    if head == "mul" and parts[-1] in ("u64", "s64") and "wide" not in parts:
        return "multiply 64"
    if head == "setp" or head in ("and", "or", "xor", "not") and parts[-1] == "pred":
        return "predicate"
    return "integer"


def classify_amd(opcode):
    if opcode.startswith(("global_", "flat_", "buffer_", "ds_", "scratch_")):
        space = {"ds": "shared", "sc": "local"}.get(opcode[:2], "global")
        kind = "load" if "load" in opcode or "read" in opcode else "store" if "store" in opcode or "write" in opcode else "shuffle"
        size = re.search(r"dwordx(\d)|(?:read|write)(2?)(?:st64)?_b(\d+)|(short|byte)", opcode)
        if not size:
            width = 4
        elif size[1]:
            width = 4 * int(size[1])
        elif size[3]:
            width = int(size[3]) // 8 * (2 if size[2] else 1)
        else:
            width = 2 if size[4] == "short" else 1
        return f"{kind} {space} {width}"
    if opcode == "s_barrier":
        return "barrier"
    if opcode.startswith(("s_waitcnt", "s_nop", "s_endpgm")):
        return "synchronise" if opcode.startswith("s_waitcnt") else None
    if opcode.startswith(("s_cbranch", "s_branch")):
        return "branch"
    if opcode.startswith("v_mov") or opcode.startswith("v_accvgpr"):
        return "move"
    if re.search(r"_f(64|32|16)(_|$)", opcode) and not opcode.startswith("v_cvt"):
        return "float"
    return "scalar" if opcode.startswith("s_") else "integer"


INSTRUCTION = {
    "ptx": re.compile(r"^\s+(?:@!?%\w+\s+)?([a-z]\w*(?:\.[\w:]+)*)\s*(.*);"),
    "amd": re.compile(r"^\s+([a-z]\w+)(?:\s+(.*))?$"),
}
LABEL = re.compile(r"^(\$?\.?L\w+):")


def count_assembly(lines, kind):
    """{"kernel", "loop"}: of all instructions, and of the loop with most arithmetic, the longest such: blocks behind it may jump back into it."""
    classify_one = classify_ptx if kind == "ptx" else classify_amd
    labels, entries, loops = {}, [], []
    for line in lines:
        label = LABEL.match(line)
        if label:
            labels[label[1]] = len(entries)
            continue
        found = INSTRUCTION[kind].match(line.split("//")[0].split(" ; ")[0].rstrip() if kind == "amd" else line.split("//")[0])
        if not found or line.lstrip().startswith("."):
            continue
        entries.append(classify_one(found[1]))
        if entries[-1] == "branch":
            target = re.search(r"\$?\.?L\w+", found[2] or "")
            if target and target[0] in labels:
                loops.append((labels[target[0]], len(entries)))

    def tally(begin, end):
        return dict(sorted(collections.Counter(e for e in entries[begin:end] if e).items()))

    result = {"kernel": tally(0, len(entries))}
    loops.sort(key=lambda loop: (-tally(*loop).get("float", 0), loop[0] - loop[1]))
    if loops and tally(*loops[0]).get("float", 0):
        result["loop"] = tally(*loops[0])
    return result


AMD_NUMBERS = {
    "vgprs": r"\.vgpr_count:\s+(\d+)",
    "agprs": r"\.agpr_count:\s+(\d+)",
    "sgprs": r"\.sgpr_count:\s+(\d+)",
    "local": r"\.private_segment_fixed_size:\s+(\d+)",
    "shared": r"\.group_segment_fixed_size:\s+(\d+)",
}


def amd_resources(assembly):
    """{kernel: what its metadata says}."""
    result = {}
    for block in re.split(r"^  - (?=\.\w+:)", assembly.partition("amdhsa.kernels:")[2], flags=re.MULTILINE)[1:]:
        name = re.search(r"\.name:\s+(\S+)", block)
        if name:
            result[name[1]] = {key: int(found[1]) for key, pattern in AMD_NUMBERS.items() if (found := re.search(pattern, block))}
    return result


PTXAS = re.compile(
    r"Compiling entry function '(\w+)'.*?(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads.*?"
    r"Used (\d+) registers(?:, used \d+ barriers)?(?:, (\d+) bytes cumulative stack size)?(?:, (\d+) bytes smem)?",
    re.DOTALL,
)


def ptxas_resources(log):
    """{kernel: what `ptxas -v` says}."""
    return {
        found[0]: {"registers": int(found[4]), "stack": int(found[1]), "spills": int(found[2]) + int(found[3]), "shared": int(found[6] or 0)}
        for found in PTXAS.findall(log)
    }


def count_threads(lines):
    """Of a block, as NVIDIA's assembly says it; else 0."""
    for line in lines:
        found = re.match(r"\.(?:max|req)ntid (\d+)(?:, (\d+))?(?:, (\d+))?", line.strip())
        if found:
            return int(found[1]) * int(found[2] or 1) * int(found[3] or 1)
    return 0


def count_blocks(needs, threads):
    """For how many blocks a multiprocessor of NVIDIA's, or for how many wavefronts a SIMD unit of AMD's has registers
    (CUDA C++ Programming Guide, "Compute Capabilities"; AMD Instinct MI300 ISA, "VGPRs"); 0 if that is not known."""
    if "vgprs" in needs:
        # Of both kinds together.
        used = -(-max(1, needs["vgprs"]) // 8) * 8
        return min(8, 512 // used)
    if "registers" not in needs or not threads:
        return 0
    warps = -(-threads // 32)
    return min(64 // warps, 65536 // (-(-needs["registers"] // 8) * 8 * 32 * warps))


def unescape(literal):
    """The text of a string attribute in MLIR."""
    return re.sub(r"\\([0-9A-F]{2}|\\|\")", lambda m: chr(int(m[1], 16)) if len(m[1]) == 2 else m[1], literal)


def dump(value):
    """One line."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


LAUNCH = re.compile(r'"gpu\.launch_func"\(([^)]*)\) <\{(.*)')


def find_launches(text):
    """{kernel: (blocks, bytes of shared memory that the launch asks for)} of launches whose grids are known."""
    launches = {}
    for function in walk(parse(text)):
        if function.name != "func.func":
            continue
        constants = {found[1]: int(found[2]) for op in walk(function) if (found := CONSTANT.search(op.text))}
        for op in walk(function):
            found = LAUNCH.search(op.text)
            if not found:
                continue
            operands, attributes = found.groups()
            name = re.search(r"kernel = @\w+::@(\w+)", attributes)[1]
            sizes = [int(n) for n in re.search(r"operandSegmentSizes = array<i32: ([^>]*)>", attributes)[1].split(",")]
            values = [constants.get(v) for v in operands.split(", ")]
            grid = values[sizes[0] : sizes[0] + 3]
            shared = values[sum(sizes[:10])] if sizes[10] else 0
            if None not in grid and shared is not None:
                launches[name] = (grid[0] * grid[1] * grid[2], shared)
    return launches
