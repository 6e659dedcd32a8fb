"""NumPy reference of examples/heat3d."""


def run(u, v, steps):
    a, b = u, v
    i = slice(1, -1)
    for _ in range(steps):
        a[0, i, i], a[-1, i, i] = a[-2, i, i], a[1, i, i]  # periodic
        a[:, 0, i], a[:, -1, i] = a[:, 1, i], a[:, -2, i]  # insulated
        a[:, :, 0], a[:, :, -1] = 1.0, 0.25  # held
        x = a[:-2, i, i] + a[2:, i, i]
        y = a[i, :-2, i] + a[i, 2:, i]
        z = a[i, i, :-2] + a[i, i, 2:]
        lap = ((x + y) + z) + -6.0 * a[i, i, i]
        b[i, i, i] = a[i, i, i] + 0.125 * lap
        a, b = b, a
    return u, v
