#!/usr/bin/env bash
# The Python package: builds it beside a build of the project, makes its wheel.
#
#   utils/python.sh build [BUILD]        the extension module, into BUILD/python
#   utils/python.sh run [-b BUILD] ..    python3 with the package of BUILD
#   utils/python.sh wheel [BUILD]        a wheel, tried in a new environment
#   utils/python.sh api [BUILD]          arrc.numpy beside array-api-compat and array-api-strict
#   utils/python.sh tools                what the build of the package needs, alone
#
# BUILD is build/dev unless it is named. What the build of the package needs comes
# from PyPI into ARRC_PYTHON_FOLDER (default: arrc/python in the user's cache). Where
# that cannot be reached, `build` leaves the package out with a note.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${ARRC_PYTHON_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/arrc/python}
# Debian's interpreter has NumPy.
python=/usr/bin/python3
packages=(nanobind==3.1.0 scikit-build-core==1.1.2)
[ -x $python ] || python=$(command -v python3)

tools() {
  "$folder/bin/python" -c 'import nanobind, scikit_build_core' 2>/dev/null && return 0
  mkdir -p "$(dirname "$folder")" && rm -rf "$folder" "$folder.new"
  if "$python" -m venv --system-site-packages "$folder" >/dev/null 2>&1 &&
    timeout 300 "$folder/bin/pip" install -q --disable-pip-version-check "${packages[@]}" 2>"$folder.log"; then
    return 0
  fi
  rm -rf "$folder"
  echo "python: ${packages[*]} could not be installed (no network?); see $folder.log"
  return 1
}

build() {
  local into=$1/python
  if grep -q '^CMAKE_CXX_FLAGS:.*-fsanitize' "$1/CMakeCache.txt"; then
    echo "python: $1 has sanitizers, which an interpreter has not: no package"
    return 0
  fi
  tools || { echo "python: the package is not built; its tests are left out"; return 0; }
  ninja -C "$1" arrc-shared >/dev/null || return 1
  cmake -S "$root/python" -B "$into" -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=Release -DARRC_LIBRARY="$1/lib/libarrc.so" \
    -DPython_EXECUTABLE="$folder/bin/python" -DCMAKE_CXX_COMPILER=clang++-22 -DCMAKE_C_COMPILER=clang-22 \
    -DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_C_COMPILER_LAUNCHER=ccache >"$into.log" 2>&1 &&
    ninja -C "$into" >>"$into.log" 2>&1 || { tail -n 30 "$into.log" >&2; return 1; }
}

wheel() {
  tools || return 1
  local into=$1/wheel
  rm -rf "$into" && mkdir -p "$into"
  # The library that has LLVM inside, where the build can make it.
  local target=arrc-shared library=$1/lib/libarrc.so
  if ninja -C "$1" -t query arrc-portable >/dev/null 2>&1; then
    target=arrc-portable library=$1/lib/portable/libarrc.so
  fi
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  ninja -C "$1" $target >/dev/null &&
    "$folder/bin/pip" wheel -q --disable-pip-version-check --no-build-isolation --no-deps -w "$into" "$root/python" \
      --config-settings=cmake.define.ARRC_LIBRARY="$library" --config-settings=build-dir="$into/build" || return 1
  # A new environment, which knows of NumPy and of nothing else.
  "$python" -m venv --system-site-packages "$into/venv" &&
    "$into/venv/bin/pip" install -q --disable-pip-version-check --no-index --no-deps "$into"/*.whl || return 1
  # What another machine would have to have: glibc and nothing else.
  local others
  others=$(ldd "$into"/venv/lib/python3*/site-packages/arrc/*.so |
    grep -vE '^/|linux-vdso|lib(c|m|dl|pthread|rt|gcc_s|stdc\+\+)\.so|ld-linux|libarrc\.so')
  [ -z "$others" ] || echo "python: the wheel needs" $others
  (cd "$into" && "$into/venv/bin/python" - "$root/examples/heat.arr") <<'PY' || return 1
import sys
import arrc, numpy
heat = arrc.load(sys.argv[1]).heat
plate = numpy.random.default_rng(7).random((48, 64), dtype="float32")
settled, iterations = heat(plate, tol=1e-4, max_iter=1000)
print(f"heat took {iterations} iterations: from {plate.std():.3f} to {settled.std():.3f}")
PY
  ls "$into"/*.whl
}

api() {
  local beside=$folder-api
  if ! "$beside/bin/python" -c 'import array_api_compat, array_api_strict' 2>/dev/null; then
    rm -rf "$beside"
    "$python" -m venv "$beside" >/dev/null 2>&1 &&
      timeout 300 "$beside/bin/pip" install -q --disable-pip-version-check numpy==2.4.6 \
        array-api-compat==1.16.0 array-api-strict==2.6.1 2>"$beside.log" ||
      { rm -rf "$beside"; echo "python: no array-api packages (no network?); not run: OK"; return 0; }
  fi
  PYTHONPATH=$1/python "$beside/bin/python" "$root/test/Python/Inputs/array_api.py" 2>&1
}

verb=${1:-}; shift
from=$root/build/dev
case "$verb" in
  tools) tools ;;
  build | wheel | api) [ $# -gt 0 ] && from=$(cd "$1" && pwd); $verb "$from" ;;
  run)
    [ "${1:-}" = -b ] && { from=$(cd "$2" && pwd); shift 2; }
    PYTHONPATH=$from/python exec "$python" "$@" ;;
  *) sed -n '2,14p' "$0" >&2; exit 2 ;;
esac
