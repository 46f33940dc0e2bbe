#!/usr/bin/env bash
# Builds under sanitizers and runs every test; the first report ends its program,
# and so fails its test.
#
#   utils/sanitize.sh [lit options]
#       addresses and undefined behaviour, everything. What the compiler
#       generates checks itself in test/EndToEnd/sanitized.test.
#   utils/sanitize.sh --thread [ctest options]
#       races between threads, the runtime alone.
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

# LLVM's own allocations live as long as the process.
export ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
exec utils/test.sh --preset asan "$@"
