"""The extension module, from where it is.

It lies beside this file. STENCIL_EXTENSION names another one, such as one that is linked statically, for machines without
LLVM.
"""

import importlib
import importlib.machinery
import importlib.util
import os
import sys
import threading

from .errors import Error

_lock = threading.Lock()
_module = None


def load():
    """The module, loaded when it is first needed: programs can be written and printed without it."""
    global _module
    with _lock:
        if _module is None:
            _module = _load(os.environ.get("STENCIL_EXTENSION"))
    return _module


def _load(path):
    try:
        if not path:
            return importlib.import_module("._stencil", __package__)
        # The name is that of the function which initialises it.
        name = __package__ + "._stencil"
        loader = importlib.machinery.ExtensionFileLoader(name, path)
        module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
        loader.exec_module(module)
        sys.modules[name] = module
        return module
    except ImportError as error:
        suffixes = ", ".join(importlib.machinery.EXTENSION_SUFFIXES[:1])
        raise Error(f"the extension module of the package (_stencil{suffixes}) cannot be loaded: {error}; build the target "
                    "StencilPython, or name one with STENCIL_EXTENSION") from error
