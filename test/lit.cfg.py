# Configuration of lit, the test runner. Every tool of ours is named by its full
# path, so that no test can pick up another one by accident.

import ctypes
import glob
import os
import platform
import shlex
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(config.stencil_src_root, "utils", "lit"))
import stencil_formats

config.name = "StencilDialect"
config.test_format = stencil_formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".c"]
config.excludes = ["Inputs", "CMakeLists.txt"]
config.test_source_root = os.path.join(config.stencil_src_root, "test")
config.test_exec_root = os.path.join(config.stencil_build_root, "test")

# The environment: as little as possible of the user's.
KEPT = {"HOME", "TMPDIR", "OMP_NUM_THREADS", "CUDA_HOME", "CUDA_ROOT"}
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.environment["STENCIL_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
for variable in os.environ:
    if variable in KEPT or variable.startswith("CCACHE_"):
        config.environment[variable] = os.environ[variable]

# Our tools, then LLVM's.
PYTHON = "/usr/bin/python3"
bin_dir = os.path.join(config.stencil_build_root, "bin")
for tool in ("stencil-opt", "stencil-reduce", "stencil-run", "stencil-translate", "stencil-tune", "stencil-lsp-server"):
    # Not inside a longer word, and not in a file name such as stencil-run.test.
    config.substitutions.append(
        (r"(?<![\w./%-])" + tool + r"(?![\w./-])", os.path.join(bin_dir, tool))
    )
for tool in ("FileCheck", "not", "count", "split-file", "llvm-nm", "mlir-opt", "mlir-runner", "mlir-translate"):
    config.substitutions.append(
        (
            r"(?<![\w./%-])" + tool + r"(?![\w./-])",
            os.path.join(config.llvm_tools_dir, tool),
        )
    )
config.substitutions += [
    ("%python", PYTHON),
    ("%clangxx", config.clangxx),
    ("%clang", config.clang),
    ("%cmake", config.cmake),
    ("%llvm_lib", config.llvm_lib_dir),
    ("%stencil_runtime", os.path.join(config.stencil_build_root, "lib", "libStencilRuntime.so")),
    ("%src_root", config.stencil_src_root),
    ("%build_root", config.stencil_build_root),
    ("%examples", os.path.join(config.stencil_src_root, "examples")),
    ("%benchmarks", os.path.join(config.stencil_src_root, "benchmarks")),
]

# What a test can require. Those that take long run where time is given to them.
if lit_config.params.get("long"):
    config.available_features.add("long")
if platform.machine() in ("x86_64", "AMD64"):
    config.available_features.add("x86")
if "Address" in config.sanitizer:
    config.available_features.add("asan")
if config.plugin and not config.sanitizer:
    config.available_features.add("plugin")
    config.substitutions.append(("%stencil_plugin", config.plugin))
if config.ptxas and not config.ptxas.endswith("NOTFOUND"):
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", config.ptxas))
for root in (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_ROOT"), "/usr/local/cuda"):
    if root and os.path.exists(os.path.join(root, "include", "cuda.h")):
        config.available_features.add("cuda-headers")
        config.substitutions.append(("%cuda_include", os.path.join(root, "include")))
        break
def is_installed(library):
    """Whether the loader finds a shared library."""
    try:
        ctypes.CDLL(library)
    except OSError as error:
        return "No such file" not in str(error)
    return True


hip_versions = ("libamdhip64.so" + version for version in (".7", ".6", ".5", ""))
if not any(map(is_installed, ("libcuda.so.1", *hip_versions))):
    config.available_features.add("no-gpu-driver")
# Debian's package of HIP's headers brings its runtime, too: they may lie elsewhere.
for include in (os.environ.get("STENCIL_HIP_INCLUDE"), "/usr/include", "/opt/rocm/include"):
    if include and os.path.exists(os.path.join(include, "hip", "hip_runtime.h")):
        config.available_features.add("hip-headers")
        config.substitutions.append(("%hip_include", include))
        break
nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
if os.path.exists(nvcc):
    config.available_features.add("nvcc")
    config.substitutions.append(("%nvcc", nvcc))
if os.path.exists(os.path.join(config.stencil_build_root, "lib", "libStencilDialect-c.so")):
    config.available_features.add("capi")
if glob.glob(os.path.join(config.llvm_lib_dir, "libomp.so*")):
    config.available_features.add("openmp")
# ThreadSanitizer for code that uses OpenMP.
if os.path.exists(os.path.join(config.llvm_lib_dir, "libarcher.so")) and glob.glob(
    os.path.join(config.llvm_lib_dir, "clang", "*", "lib", "*", "libclang_rt.tsan*.a")
):
    config.available_features.add("archer")
if shutil.which("mkdocs") and os.path.exists("/usr/share/mkdocs/themes/material"):
    config.available_features.add("mkdocs")
    config.substitutions.append(("%mkdocs", shutil.which("mkdocs")))
# A name space of mounts of one's own, in which what the system tells of its processors is hidden.
HIDDEN = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
          'mount -t tmpfs none /sys/devices/system/cpu && exec "$@"', "sh"]
if shutil.which("unshare") and subprocess.run(HIDDEN + ["true"], capture_output=True).returncode == 0:
    config.available_features.add("hidden-caches")
    config.substitutions.append(("%hide_caches", shlex.join(HIDDEN)))
if shutil.which("zsh"):
    config.available_features.add("zsh")
if glob.glob(os.path.join(config.stencil_build_root, "python", "stencil", "_stencil*.so")):
    config.available_features.add("python-package")
if shutil.which(PYTHON):
    config.available_features.add("python")
    numpy = subprocess.run([PYTHON, "-c", "import numpy"], capture_output=True)
    if numpy.returncode == 0:
        config.available_features.add("python-numpy")
    if subprocess.run([PYTHON, "-c", "import matplotlib"], capture_output=True).returncode == 0:
        config.available_features.add("python-matplotlib")

# A hanging test is a failed test.
lit_config.maxIndividualTestTime = 1200
