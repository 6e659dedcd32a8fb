"""Code for the extents of each call: the same bits, compiled once for each, a few at most, and wrong calls fail as before."""

import os
import tempfile
import warnings

import numpy as np
import stencil
from stencil import compiled

OPTIONS = {"target": "emulator", "chip": "sm_90", "math": "strict", "cache": False}


@stencil.program
def heat(u: stencil.Field(2, boundary=stencil.neumann), v: stencil.Field(2), k: stencil.Field(2), steps: stencil.index):
    i, j = stencil.indices(2)
    for _ in stencil.time_loop(steps, rotate=(u, v)):
        v[i, j] = u[i, j] + k[i, j] * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - 4.0 * u[i, j])


def make_arrays(n, m):
    rng = np.random.default_rng(n)
    return [rng.random((n + 2, m + 2)), rng.random((n + 2, m + 2)), 0.2 * rng.random((n, m))]


def count_compilations(function):
    """Wraps what a function compiles with; the extents it was asked for."""
    asked, inner = [], function._compile_for

    def compile_for(on_device, extents=None):
        asked.append(extents)
        return inner(on_device, extents)

    function._compile_for = compile_for
    return asked


def get_error(call):
    try:
        call()
    except Exception as error:
        return type(error), str(error)
    raise AssertionError("expected an error")


def test_same_bits():
    any_extents, by_call = stencil.compile(heat, **OPTIONS, extents="any"), stencil.compile(heat, **OPTIONS, extents="call")
    asked = count_compilations(by_call)
    for n, m in ((5, 7), (12, 9), (5, 7), (12, 9)):
        ours, theirs = make_arrays(n, m), make_arrays(n, m)
        by_call(*ours, steps=5)
        any_extents(*theirs, 5)
        assert all((a == b).all() for a, b in zip(ours, theirs))
    assert asked == [(5, 7), (12, 9)], asked


def test_few_codes():
    function = stencil.compile(heat, **OPTIONS, extents="call")
    asked = count_compilations(function)
    for n in range(4, 4 + compiled.MOST_EXTENTS + 2):
        ours, theirs = make_arrays(n, 6), make_arrays(n, 6)
        function(*ours, 3)
        stencil.compile(heat, target="cpu", math="strict", threads=1)(*theirs, 3)
        assert all((a == b).all() for a, b in zip(ours, theirs))
    assert len(asked) == compiled.MOST_EXTENTS, asked


def test_wrong_calls():
    any_extents, by_call = stencil.compile(heat, **OPTIONS, extents="any"), stencil.compile(heat, **OPTIONS, extents="call")
    asked = count_compilations(by_call)
    u, v, k = make_arrays(5, 7)
    for arguments in ((u, v, k[:-1], 3), (u, v), (u[0], v, k, 3), (u[:, :2], v[:, :2], k[:, :0], 3), (u, v, 1.0, 3)):
        wrong = get_error(lambda: any_extents(*arguments))
        assert get_error(lambda: by_call(*arguments)) == wrong, wrong
    assert asked == [], asked


def test_what_fails_is_for_any_extents():
    function = stencil.compile(heat, **OPTIONS, extents="call")
    inner = function._compile_for

    def refuse(on_device, extents=None):
        raise stencil.Error("no such code\nmore")

    function._compile_for = refuse
    ours, theirs = make_arrays(5, 7), make_arrays(5, 7)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function(*ours, 2)
        function(*ours, 2)
    assert [str(w.message) for w in caught] == ["'heat' is compiled for any extents only, not for 5x7: no such code"], caught
    assert caught[0].filename == __file__
    function._compile_for = inner
    stencil.compile(heat, **OPTIONS, extents="any")(*theirs, 4)
    assert (ours[0] == theirs[0]).all()


def test_known_extents():
    """Nothing is left to a call."""
    function = stencil.compile(heat, **OPTIONS, extents=(5, 7))
    asked = count_compilations(function)
    function(*make_arrays(5, 7), 3)
    assert asked == []
    for wrong in ("each", ("a", 7), (5, -1)):
        kind, text = get_error(lambda: stencil.compile(heat, extents=wrong))
        assert kind is ValueError and text.startswith("expected numbers of interior points"), text


def test_files_are_read_once():
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "heat.mlir")
        with open(path, "w") as file:
            file.write(heat.text())
        function = stencil.compile(path, **OPTIONS, extents="call")
        with open(path, "w") as file:
            file.write("nothing")
        ours, theirs = make_arrays(5, 7), make_arrays(5, 7)
        function(*ours, 3)
        stencil.compile(heat, **OPTIONS, extents="any")(*theirs, 3)
        assert all((a == b).all() for a, b in zip(ours, theirs))


def test_release():
    with stencil.compile(heat, **OPTIONS, extents="call") as function:
        function(*make_arrays(5, 7), 3)
    for shape in ((5, 7), (6, 7)):
        assert get_error(lambda: function(*make_arrays(*shape), 3)) == (stencil.Error, "the function has been released")


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
