"""The exception of what the compiler or a compiled program refuses."""


class Error(RuntimeError):
    """What the compiler says about a program, or a run that failed; the text has `file:line:column: error: ...`.

    Wrong arguments of a call are TypeError (number, kind, element type) or ValueError (rank, extents, strides, place,
    read-only, overlapping).
    """
