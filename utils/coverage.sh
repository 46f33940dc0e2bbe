#!/usr/bin/env bash
# Builds with coverage, runs every test, and prints the lines covered by folder;
# the page by source line is build/coverage/html/index.html.
set -eu
cd "$(dirname "$0")/.."
flags="-Xclang -fno-pch-timestamp -fprofile-instr-generate -fcoverage-mapping"
cmake --preset dev -B build/coverage -DCMAKE_CXX_FLAGS="$flags" >build/coverage-configure.log
ninja -C build/coverage arrc-test-depends
export LLVM_PROFILE_FILE=$PWD/build/coverage/profiles/%m-%p.profraw
rm -rf build/coverage/profiles
/usr/lib/llvm-22/bin/lit -sv build/coverage/test || true
cd build/coverage
llvm=/usr/lib/llvm-22/bin
"$llvm/llvm-profdata" merge -sparse profiles/*.profraw -o all.profdata
objects=(bin/arr-opt)
for x in bin/arrc test/unit/*Tests; do [ -x "$x" ] && objects+=(-object "$x"); done
"$llvm/llvm-cov" show -format=html -output-dir=html -instr-profile=all.profdata "${objects[@]}" \
  -ignore-filename-regex='build/|/usr/|test/' >/dev/null
"$llvm/llvm-cov" report -instr-profile=all.profdata "${objects[@]}" -ignore-filename-regex='build/|/usr/|test/' | tail -n 3
