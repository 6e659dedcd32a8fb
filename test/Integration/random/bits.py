"""Arrays of .npy files, to be compared bit by bit."""

import numpy


def read_bits(path):
    """The bits of an array; which NaN a sum of two is, is up to its order."""
    array = numpy.load(path)
    if array.dtype.kind == "f":
        array[numpy.isnan(array)] = numpy.nan
    return array.tobytes()
