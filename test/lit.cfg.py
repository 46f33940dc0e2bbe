# How lit runs the tests: the RUN lines of every file. The unit tests have a
# configuration of their own in unit/.
import os
import re
import shutil
import subprocess
import sys

import lit.formats
from lit.llvm import llvm_config

config.name = "arrc"
config.suffixes = [".mlir", ".arr", ".test"]
config.excludes = ["CMakeLists.txt", "Inputs", "unit"]
config.test_format = lit.formats.ShTest(not llvm_config.use_lit_shell)
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.arrc_obj_root, "test")
config.environment["NO_COLOR"] = "1"
# What a test runs was compiled by it, for the CPU unless it says otherwise.
config.environment["ARRC_CACHE"] = "off"
config.environment["ARRC_TARGET"] = "cpu"

config.substitutions.append(("%src", config.arrc_src_root))
config.substitutions.append(("%build", config.arrc_obj_root))
config.substitutions.append(("%examples", os.path.join(config.arrc_src_root, "examples")))

# NumPy checks results; Debian's interpreter is preferred because that is the
# one that the set-up gives NumPy to.
python = next((p for p in ("/usr/bin/python3", shutil.which("python3")) if p and os.path.exists(p)), None)
if python:
    config.substitutions.append(("%python", python))
    if subprocess.run([python, "-c", "import numpy"], capture_output=True).returncode == 0:
        config.available_features.add("numpy")

# Whether other programs can be linked with what was built.
with open(os.path.join(config.arrc_obj_root, "CMakeCache.txt")) as cache:
    if not re.search(r"^CMAKE_CXX_FLAGS:.*-fsanitize", cache.read(), re.M):
        config.available_features.add("no-sanitizer")

# The package for Python, of a build that has it (utils/python.sh build).
package = os.path.join(config.arrc_obj_root, "python")
if python and subprocess.run([python, "-c", "import arrc"], capture_output=True,
                             env={**os.environ, "PYTHONPATH": package}).returncode == 0:
    config.available_features.add("python-package")
    config.substitutions.append(("%pyarrc", f"env PYTHONPATH={package} {python}"))

# A driver of CUDA's interface without a card: the host's part of programs.
stub = os.path.join(config.arrc_obj_root, "lib", "libarrt_stub_cuda.so")
if os.path.exists(stub):
    config.available_features.add("cuda-stub")
config.substitutions.append(("%cuda_stub", f"env -u ARRC_TARGET ARRC_CUDA_LIBRARY={stub}"))

# A driver of CUDA's interface that runs PTX on the host.
emulator = os.path.join(config.arrc_obj_root, "lib", "libarrt_emulated_cuda.so")
if os.path.exists(emulator):
    config.available_features.add("cuda-emulator")
config.substitutions.append(("%emulate", f"env -u ARRC_TARGET ARRC_CUDA_LIBRARY={emulator}"))

# Several processes that run one program, more than there are cores.
if (mpirun := shutil.which("mpirun")) and "Open MPI" in subprocess.run(
        [mpirun, "--version"], capture_output=True, text=True).stdout:
    config.available_features.add("mpirun")
    config.substitutions.append(
        ("%mpirun", f"{mpirun} --oversubscribe --allow-run-as-root --bind-to none"))

# Tools for SPIR-V that tests take where they are: %spirv_images writes the
# images of a module to a folder.
if python:
    config.substitutions.append((
        "%spirv_images", f"{python} {config.test_source_root}/Target/SPIRV/Inputs/images.py"))
if shutil.which("spirv-val"):
    config.available_features.add("spirv-val")
oclgrind = os.path.join(config.arrc_obj_root, "lib", "liboclgrind-il.so")
if os.path.exists(oclgrind):
    config.available_features.add("oclgrind")
    config.substitutions.append((
        "%oclgrind", f"env ARRC_OCLGRIND={oclgrind} {config.arrc_src_root}/utils/opencl.sh run oclgrind"))

# OpenCL on the CPU: `%opencl NAME COMMAND`.
opencl = os.path.join(config.arrc_src_root, "utils", "opencl.sh")
config.substitutions.append(("%opencl", f"{opencl} run"))
for name in ("intel", "mesa"):
    if subprocess.run([opencl, "run", name, "true"], capture_output=True).returncode == 0:
        config.available_features.add(f"opencl-{name}")

# What there is of CUDA's tools and of functions for its cards.
sys.path.insert(0, os.path.join(config.arrc_src_root, "utils"))
import cuda_toolkit

for name, path in (("ptxas", cuda_toolkit.find_ptxas()),
                   ("libdevice", cuda_toolkit.find_libdevice()),
                   ("libclc", cuda_toolkit.find_libclc())):
    if path:
        config.available_features.add(name)
        config.substitutions.append((f"%{name}", path))

# Runs a module of upstream dialects whose @main prints: to LLVM, then the JIT.
config.substitutions.append((
    "%run_mlir",
    os.path.join(config.arrc_tools_dir, "arr-opt")
    + " --expand-strided-metadata --lower-affine --convert-math-to-libm"
    + " --convert-scf-to-cf --convert-complex-to-llvm --convert-to-llvm"
    + " --finalize-memref-to-llvm --reconcile-unrealized-casts | "
    + os.path.join(config.llvm_tools_dir, "mlir-runner")
    + " -O1 -e main --entry-point-result=void --shared-libs="
    + ",".join(os.path.join(config.llvm_tools_dir, "..", "lib", f"libmlir_{lib}.so")
               for lib in ("runner_utils", "c_runner_utils")),
))

llvm_config.add_tool_substitutions(
    ["arr-opt", "arrc", "FileCheck", "not", "split-file", "replay-text", "replay-npy", "replay-ir", "replay-values", "mlir-runner", "count"],
    [config.arrc_tools_dir, config.llvm_tools_dir],
)
