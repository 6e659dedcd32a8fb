"""Two copies of the library in one process, as two packages may bring them.

usage: two_copies.py LIBRARY COPY PROGRAM
"""

import ctypes
import sys


class Handle(ctypes.Structure):
    _fields_ = [("pointer", ctypes.c_void_p)]


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", ctypes.c_size_t)]


class Result(ctypes.Structure):
    _fields_ = [("value", ctypes.c_int8)]


PRINT = ctypes.CFUNCTYPE(None, Text, ctypes.c_void_p)
# A structure of one byte is returned as a byte.
HANDLE_ERROR = ctypes.CFUNCTYPE(ctypes.c_int8, Handle, ctypes.c_void_p)


def load(path):
    library = ctypes.CDLL(path)
    for name in ("stencilRegisterPasses", "stencilRegisterAllPasses"):
        getattr(library, name).restype = Result
    for name in (
        "mlirContextCreate",
        "mlirGetDialectHandle__stencil__",
        "mlirDialectHandleLoadDialect",
        "mlirDialectRegistryCreate",
        "stencilKeepAttrGet",
    ):
        getattr(library, name).restype = Handle
    return library


@HANDLE_ERROR
def show_error(diagnostic, _):
    first.mlirDiagnosticPrint(diagnostic, show, None)
    print()
    return 1


@PRINT
def show(text, _):
    print(ctypes.string_at(text.data, text.length).decode(), end="")


first, second = map(load, sys.argv[1:3])
print("passes:", [library.stencilRegisterAllPasses().value for library in (first, second, first)])

context = first.mlirContextCreate()
first.mlirContextAttachDiagnosticHandler(context, show_error, None, None)
for library in (first, second, first):
    dialect = library.mlirDialectHandleLoadDialect(library.mlirGetDialectHandle__stencil__(), context)
    attribute = library.stencilKeepAttrGet(context)
    print("dialect:", bool(dialect.pointer), "attribute:", bool(attribute.pointer))

registry = first.mlirDialectRegistryCreate()
for library in (first, second):
    library.mlirDialectHandleInsertDialect(library.mlirGetDialectHandle__stencil__(), registry)
    library.stencilRegisterAllDialects(registry)
print("registered")

# Executables have contexts of their own.
for library in (first, second):
    library.stencilExecutableCompileFile.argtypes = [ctypes.c_char_p, ctypes.c_uint64, ctypes.c_void_p]
    executable, count = ctypes.c_uint64(), ctypes.c_ssize_t()
    code = library.stencilExecutableCompileFile(sys.argv[3].encode(), 0, ctypes.byref(executable))
    library.stencilExecutableGetNumParameters(executable, ctypes.byref(count))
    print("compiled:", code == 0, "parameters:", count.value)
