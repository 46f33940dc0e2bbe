#!/usr/bin/env bash
# Builds with the address and undefined-behaviour sanitizers and runs every test.
set -u
cd "$(dirname "$0")/.." || exit 1
# LLVM's own allocations live as long as the process.
export ASAN_OPTIONS=detect_leaks=0:detect_container_overflow=0
exec utils/test.sh --preset asan "$@"
