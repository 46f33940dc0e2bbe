#!/usr/bin/env bash
# Sets up arrc on Debian 12: installs the packages, configures, builds, and runs
# the heat example on a real plate. A second run takes seconds.
#
#   utils/setup.sh [--preset NAME] [--packages-only] [--no-run | --run-only]
#
# PRESET is one of CMakePresets.json (default: dev). Every package is named
# below with what it is for.
set -u
cd "$(dirname "$0")/.." || exit 1

PRESET=dev RUN=1 BUILD=1 PACKAGES_ONLY=0
while [ $# -gt 0 ]; do
  case "$1" in
    --preset) PRESET=${2:?--preset needs a name}; shift ;;
    --packages-only) PACKAGES_ONLY=1 ;;
    --no-run) RUN=0 ;;
    --run-only) BUILD=0 ;; # what is built already
    *) echo "setup: unknown option '$1' (see the head of $0)" >&2; exit 2 ;;
  esac
  shift
done

PACKAGES=(
  cmake ninja-build         # configure and build
  clang-22 lld-22 ccache    # compiler, linker, compiler cache
  libclang-rt-22-dev        # sanitizers, fuzzing, lines that tests reach
  g++                       # the C++ library, and the peers in bench/
  libmlir-22-dev            # MLIR: headers and libMLIR.so
  llvm-22-dev               # LLVM: headers, libLLVM.so
  mlir-22-tools             # mlir-tblgen, mlir-runner
  llvm-22-tools             # lit, FileCheck, not, split-file
  libzstd-dev zlib1g-dev    # what LLVM's CMake files ask for
  libgtest-dev              # unit tests
  clang-format-22           # the format check
  python3 python3-numpy     # test drivers, reference results
  python3-venv              # where tests put Intel's OpenCL runtime
  python3-dev               # the package for Python
  pkg-config                # programs that use an installation
  ocl-icd-libopencl1        # the loader of OpenCL's implementations
  mesa-opencl-icd           # one that runs on the CPU
  spirv-tools               # spirv-val: are kernels valid?
  oclgrind llvm-spirv-14    # simulates a device: finds races in kernels
  openmpi-bin               # MPI and its mpirun: one program in several processes
)

step() { printf '\n== %s\n' "$*"; }
fail() { printf '\nsetup: %s\n' "$1" >&2; [ $# -gt 1 ] && printf 'setup: %s\n' "$2" >&2; exit 1; }
SUDO=; [ "$(id -u)" = 0 ] || SUDO=sudo

if [ $BUILD = 1 ]; then
step "packages"
missing=()
for p in "${PACKAGES[@]}"; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing+=("$p")
done
if [ ${#missing[@]} = 0 ]; then
  echo "all ${#PACKAGES[@]} packages are there"
else
  echo "installing: ${missing[*]}"
  command -v apt-get >/dev/null || fail "apt-get is not here: this script is for Debian 12" \
    "install the packages named in $0 by hand; a build against another MLIR 22.1: cmake --preset dev -DMLIR_DIR=..."
  $SUDO apt-get update -q || fail "'apt-get update' failed" "check the network and /etc/apt (LLVM 22 comes from bookworm-security)"
  DEBIAN_FRONTEND=noninteractive $SUDO apt-get install -y -q --no-install-recommends "${missing[@]}" ||
    fail "could not install: ${missing[*]}" "LLVM 22 comes from the 'bookworm-security' suite: is it in /etc/apt/sources.list?"
fi
[ $PACKAGES_ONLY = 1 ] && exit 0

step "configure (preset $PRESET)"
mkdir -p build
cmake --preset "$PRESET" -Wno-dev >build/configure.log 2>&1 || {
  tail -n 30 build/configure.log >&2
  fail "cmake failed; the whole log is build/configure.log" "a stale build folder is cured by: rm -rf build/$PRESET"
}
tail -n 2 build/configure.log

step "build (build/$PRESET)"
ninja -C "build/$PRESET" || fail "the build failed; the first error stands above" "run it again with: ninja -C build/$PRESET"
fi
[ $RUN = 0 ] && exit 0

step "run examples/heat.arr on a plate"
mkdir -p build/demo
/usr/bin/python3 examples/make_plate.py build/demo/plate.npy || fail "could not make the plate" "is python3-numpy installed?"
set -x
"build/$PRESET/bin/arrc" run examples/heat.arr t0=@build/demo/plate.npy tol=1e-4 max_iter=2000 \
  --output t=@build/demo/settled.npy
rc=$?
{ set +x; } 2>/dev/null
[ $rc = 0 ] || fail "the heat program ended with exit code $rc"
echo
echo "done: the settled plate is build/demo/settled.npy; run the tests with utils/test.sh"
