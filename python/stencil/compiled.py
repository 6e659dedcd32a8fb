"""Compiling programs, and calling what comes of it."""

import inspect
import keyword
import os
import pathlib
import threading
import warnings

from . import native
from .errors import Error
from .program import Program


# Codes of a function for extents of calls, and shapes of arrays that are remembered with them: a program that is called
# with ever new ones does not compile for ever.
MOST_EXTENTS, MOST_SHAPES = 8, 64


class Parameter:
    """What a function takes in one place. `dtype` is an MLIR type's name, `shape` has the extents, halo included, None where
    the call decides; of a scalar it is None."""

    def __init__(self, name, is_array, dtype, shape, is_read, is_written, halos=()):
        self.name, self.is_array, self.dtype = name, is_array, dtype
        # Points of the halo where the call decides how many interior points there are, else None.
        self._halos = halos if is_array else ()
        self.shape = shape if is_array else None
        self.is_read, self.is_written = is_read, is_written

    def __repr__(self):
        if not self.is_array:
            return f"{self.name}: {self.dtype}"
        extents = "".join("?x" if extent is None else f"{extent}x" for extent in self.shape)
        use = "/".join(word for word, used in (("read", self.is_read), ("written", self.is_written)) if used)
        return f"{self.name}: {extents}{self.dtype} ({use or 'unused'})"


class Function:
    """A compiled program: call it with arrays and numbers, by position or by name, and `stream=`.

    Arrays are changed in place and never copied. On the host they are NumPy's or have the buffer protocol or DLPack; with
    `device_arrays` they have __cuda_array_interface__ or DLPack, and a call returns when the work is in the stream. Python's
    lock is released while a function runs; threads may share it.
    """

    def __init__(self, compile_for, device_arrays, takes_extents=False):
        # Handles by whether arrays are in the memory of the device.
        self._compile_for, self._lock = compile_for, threading.Lock()
        self._host_or_device = device_arrays is None
        self._device_arrays = device_arrays is not False
        self._handles = {}
        self._handle = self._handles[self._device_arrays] = self._latest = compile_for(self._device_arrays)
        # Of the extents of calls: handles by these, and by the shapes of the arrays.
        self._takes_extents, self._by_extents, self._by_shapes = takes_extents, {}, {}
        self._released = False
        self.name = self._handle.name
        self.parameters = tuple(Parameter(*entry) for entry in self._handle.parameters)
        self.results = tuple(self._handle.results)
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        entries = [inspect.Parameter(p.name, kind, annotation=repr(p).split(": ", 1)[1]) for p in self.parameters
                   if p.name.isidentifier() and not keyword.iskeyword(p.name) and p.name != "stream"]
        entries.append(inspect.Parameter("stream", inspect.Parameter.KEYWORD_ONLY, default=None))
        self.__signature__ = inspect.Signature(entries)
        self.__name__ = self.__qualname__ = self.name
        self.__doc__ = f"{self.name}({', '.join(map(repr, self.parameters))})" + (
            f" -> {', '.join(self.results)}" if self.results else "")

    def __call__(self, *args, **kwargs):
        return self._choose(args, kwargs)(*args, **kwargs)

    def _choose(self, args, kwargs):
        handle = self._handle_for(args, kwargs) if self._host_or_device else self._handle
        return self._handle_of_extents(handle, args, kwargs) if self._takes_extents else handle

    def _handle_for(self, args, kwargs):
        """With arrays on the host, the variant that copies them to the device and back."""
        arrays = [value for value in (*args, *kwargs.values()) if hasattr(value, "__dlpack_device__") or
                  hasattr(value, "__cuda_array_interface__") or hasattr(value, "__array_interface__")]
        on_device = any(map(is_on_device, arrays))
        if on_device not in self._handles:
            with self._lock:
                self._check_released()
                if on_device not in self._handles:
                    self._handles[on_device] = self._compile_for(on_device)
        return self._handles[on_device]

    def _check_released(self):
        if self._released:
            raise Error("the function has been released")

    def _handle_of_extents(self, handle, args, kwargs):
        """The code for the extents of a call; `handle`, which is for any, where there is none."""
        values = [*args, *(kwargs.get(p.name) for p in self.parameters[len(args):])] if kwargs else args
        shapes = handle, *(getattr(value, "shape", None) for value in values)
        found = self._by_shapes.get(shapes)
        if found is not None:
            return found
        extents = find_extents(self.parameters, values)
        # What is wrong with other arrays, the code for any extents says.
        if extents is None:
            return handle
        with self._lock:
            self._check_released()
            key = handle, extents
            if key not in self._by_extents:
                if len(self._by_extents) >= MOST_EXTENTS:
                    return handle
                self._by_extents[key] = self._compile_extents(handle, extents)
            if len(self._by_shapes) < MOST_SHAPES:
                self._by_shapes[shapes] = self._by_extents[key]
            return self._by_extents[key]

    def _compile_extents(self, handle, extents):
        on_device = next(key for key, known in self._handles.items() if known is handle)
        try:
            self._latest = self._compile_for(on_device, extents)
        except Error as error:
            text = "x".join(map(str, extents))
            warnings.warn(f"'{self.name}' is compiled for any extents only, not for {text}: {str(error).splitlines()[0]}", stacklevel=5)
            return handle
        return self._latest

    def seconds_per_call(self, arguments, calls):
        """The time of a call of the C++ function on these arguments, without Python."""
        return self._choose(arguments, {}).seconds_per_call(arguments, calls)

    @property
    def remarks(self):
        """What the compiler remarked, as stencil-run prints it, on the code that was compiled last."""
        return self._latest.remarks

    @property
    def cached(self):
        """Whether the code that was compiled last was found in the cache."""
        return self._latest.cached

    @property
    def released(self):
        return self._released

    def release(self):
        """Gives the compiled program back; calls are errors from then on. Leaving a `with` block does the same."""
        with self._lock:
            self._released = True
            for handle in (*self._handles.values(), *self._by_extents.values()):
                handle.release()
            self._by_shapes.clear()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()

    def __repr__(self):
        return f"<stencil.Function {self.__doc__}{', released' if self._released else ''}>"


def find_extents(parameters, values):
    """The interior points per axis of a call with these values; None if the arrays do not say, or do not agree."""
    extents = {}
    if len(values) != len(parameters):
        return None
    for parameter, value in zip(parameters, values):
        if not parameter.is_array:
            continue
        shape = getattr(value, "shape", None)
        if shape is None or len(shape) != len(parameter.shape):
            return None
        for axis, (length, known, halo) in enumerate(zip(shape, parameter.shape, parameter._halos)):
            if known is not None and known != length:
                return None
            if halo is not None and (length <= halo or extents.setdefault(axis, length - halo) != length - halo):
                return None
    # Axes that a call does not decide may be anything.
    return tuple(extents.get(axis, 0) for axis in range(max(extents) + 1)) if extents else None


def is_on_device(array):
    if hasattr(array, "__cuda_array_interface__"):
        return True
    return hasattr(array, "__dlpack_device__") and array.__dlpack_device__()[0] in native.load().DLPACK_DEVICES


def default_cache_directory():
    """$STENCIL_CACHE_DIR, else a folder of the user's."""
    if os.environ.get("STENCIL_CACHE_DIR"):
        return os.environ["STENCIL_CACHE_DIR"]
    base = os.environ.get("XDG_CACHE_HOME")
    # As the XDG specification says, a relative one is none.
    base = base if base and os.path.isabs(base) else os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "stencil")


def cache_directory(cache):
    """The folder for compiled programs, or None. Where the default one cannot be made, there is none."""
    if cache is not True:
        return os.fspath(cache) if cache else None
    directory = default_cache_directory()
    try:
        os.makedirs(directory, mode=0o700, exist_ok=True)
    except OSError as error:
        warnings.warn(f"compiled programs are not kept: {error}", stacklevel=3)
        return None
    return directory


def looks_like_text(program):
    """Whether a string is a program and not the path of one."""
    return "\n" in program or "func.func" in program or "{" in program


def compile(program, *, target="cpu", entry=None, chip=None, math="contract", schedule=None, tuning_db=None, toolkit=None,
            threads=None, extents=None, device_arrays=None, cache=True):
    """Compiles a program: a Program, MLIR text, bytecode (bytes) or the path of a file of either. Returns a Function.

    `target`: "cpu", "cuda", "hip" or "emulator". `math`: "strict", "contract", "reassociate" or "tf32". `entry`: the function, if
    there are several. `chip`, `schedule`, `tuning_db`, `toolkit`: as the options of stencil-run. `threads`: 0 or None for all
    CPUs. `extents`: interior points per axis, for faster code for this size only; "any": one code for any size; "call": code for
    the extents that a call's arrays have, compiled at the first such call, for up to eight different ones, else the code for any;
    None: "call" on a GPU, "any" elsewhere. `device_arrays`: whether arrays are in the
    memory of the device; by default, on a GPU, what the first call of either kind brings. `cache`: a folder for compiled
    programs, True for `default_cache_directory()`, or False.

    Raises stencil.Error with the compiler's messages, of a Program with the lines of the Python source.
    """
    extension = native.load()
    targets = ("cpu", *extension.GPU_TARGETS)
    if target not in targets:
        raise ValueError(f"expected a target, one of {', '.join(targets)}, got {target!r}")
    if device_arrays and target == "cpu":
        raise ValueError("expected no device_arrays with target 'cpu', which has no memory of its own")
    if threads is not None and (not isinstance(threads, int) or threads < 0):
        raise ValueError(f"expected a number of threads, or 0 for all CPUs, got {threads!r}")
    takes_extents = extents == "call" or extents is None and target in extension.DEVICES
    if isinstance(extents, str) and extents not in ("any", "call") or not isinstance(extents, str) and extents is not None and not all(
            extent is None or isinstance(extent, int) and extent >= 0 for extent in extents):
        raise ValueError(f"expected numbers of interior points, or None, as extents, or 'any' or 'call', got {extents!r}")
    extents = None if isinstance(extents, str) else extents
    names = []
    if isinstance(program, Program):
        names = [parameter.name for parameter in program.parameters]
        source = program.text(locations=True), f"<{program.name}>", False
    elif isinstance(program, (bytes, bytearray)):
        source = bytes(program), "<bytecode>", False
    elif isinstance(program, str) and looks_like_text(program):
        source = program, "<text>", False
    elif isinstance(program, (str, os.PathLike)):
        path = os.fspath(program)
        if not pathlib.Path(path).is_file():
            raise FileNotFoundError(f"expected the path of a program, got {path!r}, which is no file")
        # What is compiled later is the program as it was.
        source = (pathlib.Path(path).read_bytes(), path, False) if takes_extents else (path, path, True)
    else:
        raise TypeError(f"expected a program: a stencil.Program, text, bytes or a path, got {type(program).__name__}")
    settings = {"target": target, "entry": entry, "chip": chip, "math": math, "schedule": schedule,
                "tuning_database": tuning_db and os.fspath(tuning_db), "toolkit": toolkit and os.fspath(toolkit),
                "threads": threads, "extents": extents and [extent or 0 for extent in extents],
                "cache_directory": cache_directory(cache)}

    def compile_for(on_device, extents=None):
        options = extension.Options()
        for name, value in settings.items():
            if value is not None:
                setattr(options, name, value)
        if extents:
            options.extents = list(extents)
        options.device_arrays = bool(on_device)
        text, name, is_file = source
        return extension.compile(text, name, is_file, options, names)

    if target not in extension.DEVICES:
        device_arrays = bool(device_arrays)
    return Function(compile_for, device_arrays, takes_extents)
