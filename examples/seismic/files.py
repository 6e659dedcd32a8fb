"""Files that are there whole or not at all."""

import contextlib
import os

import numpy as np


@contextlib.contextmanager
def replacing(path, mode="wb", **options):
    """A file to write to, which becomes `path` when the block ends; if that fails, what `path` was before stays.
    Raises OSError with `path`."""
    temporary = f"{path}.tmp"
    try:
        with open(temporary, mode, **options) as file:
            yield file
        os.replace(temporary, path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError):
            # A full disk has no name, and NumPy's message about one no number.
            raise OSError(error.errno or 0, error.strerror or str(error), str(path)) from error
        raise


def save(path, array):
    """Writes an array as .npy."""
    with replacing(path) as file:
        np.save(file, array)
