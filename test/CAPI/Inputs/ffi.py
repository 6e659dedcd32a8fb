"""Compiles and calls a program from a language that has nothing but C calls.

usage: ffi.py LIBRARY PROGRAM
"""

import array
import ctypes
import sys
import threading
from ctypes import POINTER, byref, c_bool, c_char_p, c_double, c_int32, c_int64, c_size_t, c_ssize_t
from ctypes import c_uint32, c_uint64, c_void_p


class Argument(ctypes.Structure):
    _fields_ = [
        ("kind", c_int32),
        ("element", c_int32),
        ("rank", c_int32),
        ("flags", c_uint32),
        ("data", c_void_p),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("integer", c_int64),
        ("floating", c_double),
    ]


class Scalar(ctypes.Structure):
    _fields_ = [("element", c_int32), ("reserved", c_int32), ("integer", c_int64), ("floating", c_double)]


class Parameter(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p),
        ("element", c_int32),
        ("rank", c_int32),
        ("shape", POINTER(c_int64)),
        ("isArray", c_bool),
        ("isRead", c_bool),
        ("isWritten", c_bool),
    ]


library = ctypes.CDLL(sys.argv[1])
library.stencilGetLastError.restype = c_char_p
library.stencilGetVersion.restype = c_char_p
library.stencilOptionsCreate.restype = c_uint64
library.stencilOptionsSetTarget.argtypes = [c_uint64, c_char_p]
library.stencilExecutableCompile.argtypes = [c_char_p, c_size_t, c_char_p, c_uint64, POINTER(c_uint64)]
library.stencilExecutableGetParameter.argtypes = [c_uint64, c_ssize_t, POINTER(Parameter)]
library.stencilExecutableRelease.argtypes = [c_uint64]
library.stencilExecutableCall.argtypes = [
    c_uint64,
    c_ssize_t,
    POINTER(Argument),
    c_ssize_t,
    POINTER(Scalar),
    c_void_p,
]


def check(code):
    if code:
        raise RuntimeError(f"{code}: {library.stencilGetLastError().decode()}")


def make_array(values):
    shape = (c_int64 * 1)(len(values))
    return Argument(0, 3, 1, 0, values.buffer_info()[0], shape)


def run(target, program, scale, name):
    """The second field and the largest value, after a compilation and a call."""
    options, executable = library.stencilOptionsCreate(), c_uint64()
    check(library.stencilOptionsSetTarget(options, target))
    check(library.stencilExecutableCompile(program, len(program), name, options, byref(executable)))
    parameter = Parameter()
    check(library.stencilExecutableGetParameter(executable, 1, byref(parameter)))
    assert (parameter.name, parameter.element, parameter.rank, parameter.shape[0]) == (b"v", 3, 1, -1)
    assert (parameter.isArray, parameter.isRead, parameter.isWritten) == (True, False, True)
    u, v = array.array("d", [0, 1, 4, 9]), array.array("d", [0] * 4)
    arguments = (Argument * 4)(
        make_array(u), make_array(v), Argument(kind=2, floating=scale), Argument(kind=1, integer=1)
    )
    results = (Scalar * 2)()
    check(library.stencilExecutableCall(executable, 4, arguments, 2, results, None))
    check(library.stencilExecutableRelease(executable))
    return list(v), results[0].floating, results[1].integer


with open(sys.argv[2], "rb") as file:
    text = file.read()
print("version", library.stencilGetVersion().decode())
print(run(b"cpu", text, 0.5, b"average"))
print(run(b"emulator", text, 0.5, b"average"))

# Threads compile and call at once, and each has its own errors.
outcomes = [None] * 4


def work(index):
    try:
        program = text if index % 2 == 0 else text.replace(b"%r(", b"%none(")
        outcomes[index] = run(b"cpu", program, float(index), b"thread-%d" % index)
    except RuntimeError as error:
        outcomes[index] = str(error).splitlines()[0]


threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(*outcomes, sep="\n")
print("error of this thread:", library.stencilGetLastError())
