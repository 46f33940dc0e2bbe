# How lit runs the tests: every file is a shell script in its RUN lines; the
# unit tests run as one lit test each (see unit/lit.cfg.py).
import os

import lit.formats
from lit.llvm import llvm_config

config.name = "arrc"
config.suffixes = [".mlir", ".arr", ".test"]
config.excludes = ["CMakeLists.txt", "Inputs", "unit", "lit.cfg.py"]
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.arrc_obj_root, "test")
config.environment["NO_COLOR"] = "1"
config.substitutions.append(("%examples", os.path.join(config.arrc_src_root, "examples")))
config.substitutions.append(("%src", config.arrc_src_root))
llvm_config.add_tool_substitutions(
    ["arr-opt", "arrc", "FileCheck", "not", "split-file"],
    [config.arrc_tools_dir, config.llvm_tools_dir],
)
