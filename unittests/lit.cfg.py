# Lets lit run the GoogleTest programs and count each of their tests.

import os

import lit.formats

config.name = "StencilDialect-Unit"
config.test_format = lit.formats.GoogleTest("", "Tests")
config.test_source_root = os.path.join(config.stencil_build_root, "unittests")
config.test_exec_root = config.test_source_root
config.environment["LC_ALL"] = "C.UTF-8"
