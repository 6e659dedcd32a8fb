"""Builds the Python package by CMake, for `pip install .` and `pip wheel .`.

The extension module comes from a build tree of its own, or from an existing one, such as STENCIL_BUILD_DIR=build, where only
what has changed is compiled. LLVM and MLIR 22, pybind11 and dlpack.h have to be installed (utils/setup), which is why pip
needs --no-build-isolation, and an environment --system-site-packages.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.egg_info import egg_info

ROOT = pathlib.Path(__file__).resolve().parent
# setuptools' own choice, build/, is CMake's here.
SCRATCH = ROOT / "build-python"


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    return re.search(r"project\(StencilDialect VERSION ([\d.]+)", text)[1]


class Build(build):
    def initialize_options(self):
        super().initialize_options()
        self.build_base = str(SCRATCH)


class EggInfo(egg_info):
    def initialize_options(self):
        super().initialize_options()
        SCRATCH.mkdir(exist_ok=True)
        self.egg_base = str(SCRATCH)


class BuildByCMake(build_ext):
    def build_extension(self, ext):
        tree = os.environ.get("STENCIL_BUILD_DIR")
        if tree:
            tree = pathlib.Path(tree).resolve()
            if not (tree / "CMakeCache.txt").is_file():
                raise SystemExit(f"error: expected STENCIL_BUILD_DIR to be a build tree of CMake, got {tree}")
        else:
            tree = SCRATCH / "tree"
            run("cmake", "-S", ROOT, "-B", tree, "--preset", "release", "-DSTENCIL_PYTHON=ON", "-DSTENCIL_BUILD_TESTS=OFF",
                f"-DPython3_EXECUTABLE={sys.executable}")
        run("cmake", "--build", tree, "--target", "StencilPython")
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        with tempfile.TemporaryDirectory() as scratch:
            run("cmake", "--install", tree, "--component", "StencilPython", "--strip", "--prefix", scratch)
            built = list(pathlib.Path(scratch).rglob("_stencil*.so"))
            if len(built) != 1 or built[0].name != target.name:
                raise SystemExit(f"error: expected {target.name} in {tree}, got {[file.name for file in built]}: it was configured "
                                 "for another Python (-DPython3_EXECUTABLE)")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(built[0], target)


def run(*command):
    print("+", *command, flush=True)
    if subprocess.run([str(word) for word in command], cwd=ROOT, check=False).returncode:
        raise SystemExit(f"error: {command[0]} failed")


setup(
    version=version(),
    ext_modules=[Extension("stencil._stencil", sources=[])],
    cmdclass={"build": Build, "build_ext": BuildByCMake, "egg_info": EggInfo},
)
