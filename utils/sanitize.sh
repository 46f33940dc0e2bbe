#!/usr/bin/env bash
# Builds with the address and undefined-behaviour sanitizers and runs every test;
# the first report of either ends its program, and so fails its test. What the
# compiler generates checks itself in test/EndToEnd/sanitized.test.
#
#   utils/sanitize.sh [lit options]
set -u
cd "$(dirname "$0")/.." || exit 1
# LLVM's own allocations live as long as the process.
export ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0
export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
exec utils/test.sh --preset asan "$@"
