"""Schedules with rolling windows: what can be asked for, and what may be refused."""

import random

WINDOWS = ["cache", "shared", "registers", "shuffle"]
ACCUMULATIONS = ["gather", "shift", "scatter", "semi"]
PREFETCHES = {
    "sm_90": ["none", "registers", "async", "tma"],
    "sm_80": ["none", "registers", "async"],
    "gfx942": ["none", "registers"],
}

# Errors with which the compiler refuses a schedule that cannot be obeyed. Whatever else it says is a failure.
REFUSALS = [
    # What windows can be for.
    r"expected 'window = cache' for input \d+, ",
    r"expected no 'unroll' for a schedule with windows",
    r"expected 'stages' of at least \d+: planes -?\d+ to -?\d+ of input \d+ are read",
    r"expected reads of one plane of input \d+ for 'groups' with 'stream = \d+'",
    r"expected 'stages = 1': the windows are all in groups",
    r"expected no sum over a value that is not linear in what is read of several planes for an 'accumulate'",
    r"expected 'boundary = kernel', got 'window': ",
    r"expected 'chain = shared': with 'chain = registers' a thread has what it computes at its own points only",
    # Equal inputs are one.
    r"the schedule is for (?:at least )?\d+ axes and \d+ inputs, which no stencil.apply has",
    # What a GPU has.
    r"expected windows of at most \d+ bytes, the shared memory of a block",
    r"expected a block of at most \d+ threads",
    r"expected windows and sums of at most \d+ registers, which a thread of \w+ has",
    r"expected a multiple or a part of \d+ threads, a warp of \w+, along axis \d+ for a window that is shuffled",
    r"expected segments of at least \d+ planes, the halo along axis \d+, got",
    r"expected rows of a multiple of 16 bytes for (?:prefetch|'fill) = tma",
    r"expected tiles and halos that begin at multiples of 16 bytes of a row for 'fill = tma'",
    r"no tensor map has elements of type 'i1'",
    r"expected rows that are aligned to at least 4 bytes for (?:prefetch|'fill) = async",
    r"expected at most \d+ points of a tile and its halo along axis \d+ for prefetch = tma",
    r"expected tiles of a multiple of \d+ points along axis \d+ for prefetch = tma of a field that is stored to",
    r"expected an input .*for 'eviction = last', got none",
    r"expected an NVIDIA GPU of sm_80 or later for 'eviction = last', got gfx942",
    # What the threads of a row can have from each other.
    r"expected 'chain = shared': with 'chain = shuffle' a thread has what the threads of its row compute only",
    r"expected another axis of 'stream' than \d+, that of rows, for 'chain = shuffle'",
    r"expected rows of threads that are in one warp, \d+ or a part of that along axis \d+",
    r"expected tiles of more than \d+ points along axis \d+, by which they overlap",
    r"has no lowering: a field that the pipeline stores to, in tiles that overlap",
    # Where tiles begin.
    r"expected one skew of all that is stored, where the tiles of blocks begin",
]


def choose_inner(seed, shape):
    """A box for a pipeline that walks, at times: what it computes does not depend on that."""
    rng = random.Random(f"inner {seed}")
    if rng.random() < 0.7:
        return ""
    lower = [rng.choice([-1, 0, 1, 1, 2]) for _ in shape]
    upper = [max(low + 1, n - rng.choice([-1, 0, 1, 1, 2])) for low, n in zip(lower, shape)]
    return f"stencil.inner = #stencil.bounds<{lower}, {upper}>, "


def block_and_points(rng, rank, stream=None):
    """Entries for `block` and `points`, odd ones among them; one along the axis of the walk."""
    block, points = [1] * rank, [1] * rank
    for axis in range(rank):
        if axis == stream:
            continue
        if axis >= rank - 3:
            block[axis] = rng.choice([1, 2, 3, 4, 8] if axis < rank - 1 else [4, 7, 8, 16, 32, 64])
        points[axis] = rng.choice([1, 1, 2, 3, 4] if axis < rank - 1 else [1, 1, 2, 4])
    return block, points


def random_schedule(rng, rank, chip, inputs=1, planes=2, is_narrow=False):
    """The keys of a schedule that walks along an axis, or has a tile in shared memory; for sums over so many planes,
    perhaps of elements of less than 4 bytes."""
    keys = []
    stream = rng.choice([None, 0, 0, 0, rng.randrange(rank)])
    windows = [w for w in WINDOWS if stream is not None or w in ("cache", "shared")]
    if inputs > 1 and rng.random() < 0.3:
        window = [rng.choice(windows) for _ in range(inputs)]
    else:
        window = [rng.choice(windows)]
    if rng.random() < 0.8:
        block, points = block_and_points(rng, rank, stream)
        keys += [f"block = {block}", f"points = {points}"]
    if stream is not None:
        keys.append(f"stream = {stream}")
        if rng.random() < 0.5:
            # More than there are planes, too, where only the run knows how many there are.
            keys.append(f"segments = {rng.choice([1, 1, 2, 2, 3, 3, 4, 50])}")
    keys.append(f"window = {window[0] if len(window) == 1 else '[' + ', '.join(window) + ']'}")
    chain = None
    if (stream is not None or set(window) != {"cache"}) and rng.random() < 0.3:
        chain = rng.choice(["shared", "shared", "registers"] if stream is not None else ["shared"])
        if rank < 3 and stream != rank - 1 and rng.random() < 0.5:
            chain = "shuffle"
        keys.append(f"chain = {chain}")
    accumulation = rng.choice(ACCUMULATIONS) if stream is not None and rng.random() < 0.8 else None
    if accumulation:
        keys.append(f"accumulate = {accumulation}")
    if "shared" in window:
        # In a walk, groups have one plane.
        adds = accumulation in ("scatter", "semi")
        grouped = rng.random() < (0.5 if stream is None or adds else 0.05)
        # What copies by itself takes 4 bytes or more.
        kinds = PREFETCHES[chip][:2] if is_narrow and rng.random() < 0.9 else PREFETCHES[chip]
        prefetch = rng.choice([p for p in kinds if (stream is not None and not grouped) or p != "registers"])
        if rng.random() < 0.8:
            keys.append(f"prefetch = {prefetch}")
            if rng.random() < 0.3:
                keys.append(f"eviction = {rng.choice(['last', 'normal']) if chip.startswith('sm_') else 'normal'}")
        elif rng.random() < (0.1 if chip.startswith("sm_") else 0.02):
            keys.append("eviction = last")
        if stream is not None and rng.random() < (0.1 if grouped else 0.3):
            # Often as many as are needed, and one that is on its way.
            least = 2 if rng.random() < 0.1 else min(planes + 1, 8)
            keys.append(f"stages = {rng.randint(least, 8)}")
        if rng.random() < 0.2:
            keys.append("boundary = window")
        if grouped:
            keys.append(f"groups = {[rng.randint(1, 3) for _ in range(rng.randint(1, 2))]}")
    if rng.random() < 0.2:
        keys.append(f"order = {rng.sample(range(rank), rank)}")
    if rng.random() < 0.1:
        keys.append("launch_bounds = 2")
    # With numbers of its own, so that a seed has the schedule that it always had.
    own = random.Random(f"step {keys}")
    if stream is not None and own.random() < 0.2 and not any(key.startswith("groups") for key in keys):
        keys.append(f"step = {own.randint(2, 4)}")
    own = random.Random(f"skew {keys}")
    if chain and stream != rank - 1 and own.random() < 0.4:
        keys.append(f"skew = {own.choice([-3, -1, -1, 1, 2])}")
    return f"#stencil.schedule<{', '.join(keys)}>"


def choose_cpu(seed, rank):
    """Options of stencil-run: threads, and often tiles that a small box has several of."""
    own = random.Random(f"cpu {seed}")
    tile = [own.choice([0, 1, 3, 4]) for _ in range(rank - 1)] + [own.choice([0, 5, 8])]
    words = ["--target", "cpu", "--threads", own.choice(["1", "2", "3", "16"])]
    return words if own.random() < 0.3 else [*words, "--cpu-options", f"tile={','.join(map(str, tile))}"]
