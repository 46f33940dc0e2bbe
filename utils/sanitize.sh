#!/usr/bin/env bash
# Builds under sanitizers and runs every test; the first report ends its program,
# and so fails its test.
#
#   utils/sanitize.sh [lit options]
#       addresses and undefined behaviour, everything. What the compiler
#       generates checks itself in test/EndToEnd/sanitized.test.
#   utils/sanitize.sh --thread [ctest options]
#       races between threads, the runtime alone.
#   utils/sanitize.sh --python [BUILD]
#       addresses in Python's extension module: wrong calls, right ones, arrays of the
#       emulated card, arrc.numpy. The compiler and the runtime are those of BUILD (build/dev);
#       of build/asan they are watched, too.
set -u
cd "$(dirname "$0")/.." || exit 1

if [ "${1:-}" = --thread ]; then
  shift
  # clang comes without the sanitizer's library in some packages; g++ has it.
  for cxx in clang++-22 g++; do
    echo 'int main() {}' | "$cxx" -fsanitize=thread -x c++ - -o /dev/null 2>/dev/null && break
  done
  case $cxx in clang++*) cc=${cxx/clang++/clang} ;; *) cc=gcc ;; esac
  flags="-fsanitize=thread -fno-omit-frame-pointer"
  cmake -S . -B build/tsan -G Ninja -DARRC_RUNTIME_ONLY=ON -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
    -DCMAKE_C_FLAGS="$flags" -DCMAKE_CXX_FLAGS="$flags" \
    -DCMAKE_C_FLAGS_RELEASE="-O1 -g" -DCMAKE_CXX_FLAGS_RELEASE="-O1 -g" \
    -DCMAKE_C_COMPILER_LAUNCHER="$(command -v ccache)" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache)" || exit 1
  ninja -C build/tsan || exit 1
  export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1
  # Implementations of OpenCL were built without it: their locks are not seen.
  exec ctest --test-dir build/tsan --output-on-failure -E '^RuntimeConformanceOpenCLTests$' "$@"
fi

if [ "${1:-}" = --python ]; then
  build=$(cd "${2:-build/dev}" && pwd) || exit 1
  utils/python.sh tools || exit 1
  tools=${ARRC_PYTHON_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/arrc/python}
  # An interpreter that is not built with it loads the sanitizer's library first.
  for cxx in clang++-22 g++; do
    library=$("$cxx" -print-file-name=$([ $cxx = g++ ] && echo libasan.so || echo libclang_rt.asan-x86_64.so))
    [ -e "$library" ] && break
  done
  [ -e "$library" ] || { echo "sanitize: no compiler here has the sanitizer's library"; exit 1; }
  [ "$cxx" = g++ ] || flags=-shared-libasan
  cmake -S python -B "$build/python-asan" -G Ninja -Wno-dev -DCMAKE_BUILD_TYPE=Release \
    -DARRC_LIBRARY="$build/lib/libarrc.so" -DPython_EXECUTABLE="$tools/bin/python" \
    -DCMAKE_CXX_COMPILER=$cxx -DCMAKE_CXX_FLAGS_RELEASE="-O1 -g -fno-omit-frame-pointer -fsanitize=address ${flags:-}" \
    -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache)" >"$build/python-asan.log" &&
    ninja -C "$build/python-asan" >>"$build/python-asan.log" || { tail -n 30 "$build/python-asan.log"; exit 1; }
  export LD_PRELOAD=$library ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0:allocator_may_return_null=1
  # Python's own allocator would hide what is freed.
  export PYTHONMALLOC=malloc PYTHONPATH=$build/python-asan ARRC_TARGET=cpu
  scripts=test/Python/Inputs
  run() { echo "== $*" && "$tools/bin/python" "$@"; }
  run $scripts/wrong.py && run $scripts/calls.py && run $scripts/numpy_calls.py &&
    run $scripts/numpy_random.py 1 200 at-once && run $scripts/numpy_random.py 1 100 mixed || exit 1
  if [ -e "$build/lib/libarrt_emulated_cuda.so" ]; then
    unset ARRC_TARGET
    ARRC_CUDA_LIBRARY=$build/lib/libarrt_emulated_cuda.so run $scripts/cuda.py || exit 1
  fi
  echo "no reports"
  exit 0
fi

# LLVM's own allocations live as long as the process.
export ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
exec utils/test.sh --preset asan "$@"
