# Every test of every GoogleTest executable in the build's test/unit folder.
import os

import lit.formats

config.name = "arrc-unit"
config.suffixes = []
config.test_source_root = os.path.join(config.arrc_obj_root, "test", "unit")
config.test_exec_root = config.test_source_root
config.test_format = lit.formats.GoogleTest(".", "Tests")
