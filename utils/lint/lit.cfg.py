# The checks of the source text as a lit suite.

import os
import sys

sys.path.insert(0, os.path.join(config.stencil_src_root, "utils", "lit"))
import stencil_formats

config.name = "StencilDialect-Lint"
config.test_format = stencil_formats.Lint()
config.test_source_root = os.path.join(config.stencil_src_root, "utils", "lint")
config.test_exec_root = os.path.join(config.stencil_build_root, "lint")
