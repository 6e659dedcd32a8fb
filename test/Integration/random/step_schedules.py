"""Schedules of several steps at once."""


def choose_cpu_keys(rng, rank, time, point_counts=()):
    """A walk along any axis, or none; tiles that a cache would hold, or small ones. Of `point_counts`, if there are
    any, tiles have some points along each axis."""
    keys = f"time = {time}"
    axis = rng.randrange(rank) if rank > 1 else 0
    if rank > 1 and rng.random() < 0.3:
        keys += f", stream = {axis}, chain = shared"
    else:
        axis = 0
    if rng.random() < 0.6:
        block = [rng.choice([1, 2, 5]) for _ in range(rank - 1)] + [rng.choice([1, 3, 8, 20])]
        points = [rng.choice(point_counts) if point_counts else 1 for _ in range(rank)]
        if rank > 1:
            block[axis] = points[axis] = 1
        keys += f", block = {block}, points = {points}"
    return keys
