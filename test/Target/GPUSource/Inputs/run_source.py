"""Runs the source of a program on the host, by the stubs, and compares its
fields with the interpreter's, which must be the same.

run_source.py STENCIL_RUN PROGRAM SOURCE CXX DIRECTORY ARGUMENT...
An argument is the type and shape of an array (f8:66x82) or an integer."""

import ctypes
import pathlib
import re
import subprocess
import sys

import numpy

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

name, parameters = re.search(r'extern "C" void (\w+)\(([^)]*)\)', text).groups()
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
getattr(ctypes.CDLL(str(library.resolve())), name)(*passed)
for index, array in arrays.items():
    expected = numpy.load(directory / f"out{index}.npy")
    worst = numpy.abs(array.astype("f8") - expected.astype("f8")).max()
    assert numpy.array_equal(array, expected), f"argument {index}: off by {worst}"
print("equal")
