#!/usr/bin/env bash
# Looks for inputs that break the reader of programs (text), of IR (ir) or of
# .npy files (npy), under the address sanitizer. New inputs go into
# fuzz/corpus/TARGET; those that break it into build/fuzz.
#
#   utils/fuzz.sh [text|ir|npy] [SECONDS]
set -eu
cd "$(dirname "$0")/.."
target=${1:-text} seconds=${2:-60}
cmake --preset asan -B build/fuzz -DARRC_ENABLE_FUZZERS=ON \
  -DCMAKE_CXX_FLAGS="-Xclang -fno-pch-timestamp -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize=vptr,function" >build/fuzz-configure.log
ninja -C build/fuzz "fuzz-$target"
cd build/fuzz
ASAN_OPTIONS=detect_leaks=0 "bin/fuzz-$target" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=2048 "../../fuzz/corpus/$target"
