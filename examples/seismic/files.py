"""Files that are there whole or not at all."""

import contextlib
import os

import numpy as np


@contextlib.contextmanager
def replacing(path, mode="wb", **options):
    """A file to write to, which becomes `path` when the block ends; if that fails, what `path` was before stays.
    A device or a pipe stays what it is. Raises OSError with `path`."""
    temporary = f"{path}.tmp" if not os.path.exists(path) or os.path.isfile(path) else None
    try:
        with open(temporary or path, mode, **options) as file:
            yield file
        if temporary:
            os.replace(temporary, path)
    except BaseException as error:
        if temporary:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        if isinstance(error, OSError):
            # A full disk has no name, and NumPy's message about one no number.
            raise OSError(error.errno or 0, error.strerror or str(error), str(path)) from error
        raise


def once(pairs):
    """For json.loads: an object; ValueError if a name is in it twice, of which one would be forgotten."""
    found = dict(pairs)
    for name in found:
        if sum(other == name for other, _ in pairs) > 1:
            raise ValueError(f"'{name}' is there more than once")
    return found


def save(path, array):
    """Writes an array as .npy."""
    with replacing(path) as file:
        np.save(file, array)
