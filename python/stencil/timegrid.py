"""Grids with several levels in time, as Devito's TimeFunction."""

from .grids import Grid


class TimeGrid:
    """The levels in time of one quantity: `u.forward[i, j] = f(u[i, j], u.backward[i, j])`.

    With `time_order` 1 there are two arrays, now and forward; with 2 also backward. Give it to `rotate`, and its `grids` to
    `parameters`; in calls they are called `u_backward`, `u` and `u_forward`. The boundary condition is that of `u`.
    """

    def __init__(self, name, rank, dtype="f64", *, time_order=1, boundary=None, halo=None):
        if time_order not in (1, 2):
            raise ValueError(f"expected a time order of 1 or 2, got {time_order!r}")
        self.backward = Grid(name + "_backward", rank, dtype, halo=halo) if time_order == 2 else None
        self.now = Grid(name, rank, dtype, boundary=boundary, halo=halo)
        self.forward = Grid(name + "_forward", rank, dtype, halo=halo)
        self.grids = (*([self.backward] if time_order == 2 else []), self.now, self.forward)

    def __getitem__(self, key):
        return self.now[key]

    def __call__(self, *key):
        return self.now(*key)

    def __iter__(self):
        return iter(self.grids)

    def __len__(self):
        return len(self.grids)
