# Every fuzz target is one test.

import os
import sys

sys.path.insert(0, os.path.join(config.stencil_src_root, "utils", "lit"))
import stencil_formats

config.name = "StencilDialect-Fuzz"
config.test_format = stencil_formats.Fuzz()
config.test_source_root = os.path.join(config.stencil_src_root, "fuzz")
config.test_exec_root = os.path.join(config.stencil_build_root, "fuzz")
