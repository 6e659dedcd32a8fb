"""Runs the source of a program on the host, by the stubs, and compares its
fields with the interpreter's, which must be the same.

run_source.py [--failures] STENCIL_RUN PROGRAM SOURCE CXX DIRECTORY ARGUMENT...
An argument is the type and shape of an array (f8:66x82) or an integer.

With --failures, each call of the runtime fails once: the function returns a code,
one message goes to the handler, and nothing is left behind."""

import ctypes
import pathlib
import re
import subprocess
import sys

import numpy

failures = sys.argv[1] == "--failures"
if failures:
    del sys.argv[1]
run, program, source, compiler, directory, *arguments = sys.argv[1:]
directory = pathlib.Path(directory)
directory.mkdir(parents=True, exist_ok=True)
stubs = pathlib.Path(__file__).parent / "stubs"

# Launches are the one thing that is not C++.
text = pathlib.Path(source).read_text()
text = re.sub(r"(\w+)<<<(.*)>>>\(", r"stub::launch(\1, \2)(", text)
host = directory / "source.cpp"
host.write_text(text)
library = directory / "source.so"
subprocess.run(
    [compiler, "-std=c++17", "-O1", "-ffp-contract=off", "-Wall", "-Wextra",
     "-Werror", "-Wno-unknown-pragmas", "-shared", "-fPIC", f"-I{stubs}",
     str(host), "-o", str(library)],
    check=True)

name, parameters = re.search(r'extern "C" int32_t (\w+)\(([^)]*)\)', text).groups()
sized = set(re.findall(r"int64_t (\w+)_n0", parameters))
pointers = iter(re.findall(r"\*(\w+)", parameters))
random = numpy.random.default_rng(1)
passed, arrays, command = [], {}, [run, program, "--target", "interpreter"]
for index, argument in enumerate(arguments):
    if ":" not in argument:
        passed.append(ctypes.c_int64(int(argument)))
        command += ["--arg", f"{index}={argument}"]
        continue
    element, shape = argument.split(":")
    shape = [int(extent) for extent in shape.split("x")]
    if element.startswith("f"):
        array = (random.random(shape) / 4 + 0.5).astype(element)
    else:
        array = random.integers(0, 2, shape).astype(element)
    numpy.save(directory / f"in{index}.npy", array)
    command += ["--arg", f"{index}={directory}/in{index}.npy",
                "--out", f"{index}={directory}/out{index}.npy"]
    arrays[index] = array
    passed.append(ctypes.c_void_p(array.ctypes.data))
    if next(pointers) in sized:
        passed += [ctypes.c_int64(extent) for extent in shape]

subprocess.run(command, check=True)
loaded = ctypes.CDLL(str(library.resolve()))
function = getattr(loaded, name)
assert function(*passed) == 0
assert loaded.stubCountLive() == 0
for index, array in arrays.items():
    expected = numpy.load(directory / f"out{index}.npy")
    worst = numpy.abs(array.astype("f8") - expected.astype("f8")).max()
    assert numpy.array_equal(array, expected), f"argument {index}: off by {worst}"
print("equal")

if failures:
    messages = []
    report = ctypes.CFUNCTYPE(None, ctypes.c_int32, ctypes.c_char_p)(
        lambda code, text: messages.append((code, text.decode())))
    loaded.stencilSetErrorHandler(report)
    call, code = 0, None
    while code != 0:
        call += 1
        messages.clear()
        loaded.stubFailAt(call)
        code = function(*passed)
        assert loaded.stubCountLive() == 0, (call, messages)
        assert [reported for reported, _ in messages] == ([code] if code else []), (call, code, messages)
        assert code in (0, 2), (call, code)
    assert call > 20, call
    loaded.stubFailAt(0)
    # A check of the program: the first extents of two fields differ.
    passed[1] = ctypes.c_int64(passed[1].value - 1)
    assert function(*passed) == 1
    assert len(messages) == 1 and "extent of axis 0 differs" in messages[0][1], messages
    assert loaded.stubCountLive() == 0
    print("failures:", call - 1)
