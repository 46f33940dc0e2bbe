#!/usr/bin/env bash
# Looks for inputs that break the reader of programs (text), of IR (ir), of .npy
# files (npy) or of values on a command line (values), under the address
# sanitizer. New inputs go into fuzz/corpus/TARGET; those that break it into
# build/fuzz.
#
#   utils/fuzz.sh [text|ir|npy|values|all] [SECONDS]
set -eu
cd "$(dirname "$0")/.."
target=${1:-text} seconds=${2:-60}
case "$target" in
  all) targets=(text ir npy values) ;;
  text | ir | npy | values) targets=("$target") ;;
  *) echo "fuzz: no target '$target' (see the head of $0)" >&2; exit 2 ;;
esac
mkdir -p build
cmake --preset asan -B build/fuzz -DARRC_ENABLE_FUZZERS=ON \
  -DCMAKE_CXX_FLAGS="-Xclang -fno-pch-timestamp -fsanitize=address,undefined,fuzzer-no-link -fno-sanitize=vptr,function" >build/fuzz-configure.log
ninja -C build/fuzz "${targets[@]/#/fuzz-}"
cd build/fuzz
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
for target in "${targets[@]}"; do
  mkdir -p "../../fuzz/corpus/$target"
  "bin/fuzz-$target" -max_total_time="$seconds" -timeout=2 -rss_limit_mb=2048 "../../fuzz/corpus/$target"
done
