#!/usr/bin/env bash
# Builds with coverage, runs the tests, and prints the lines that they reach, by
# folder; the page by source line is build/coverage/html/index.html.
#
#   utils/coverage.sh [--readers] [lit options]
#
# --readers: only what reads and writes text, files and values (parser, checker,
# dialects' readers and printers, .npy, command lines), by what tests it and by
# the fuzz targets' inputs; fails where less than LEAST of its lines are reached.
set -eu
cd "$(dirname "$0")/.."
LEAST=85
readers=0
if [ "${1:-}" = --readers ]; then readers=1; shift; fi
llvm=/usr/lib/llvm-22/bin
flags="-fprofile-instr-generate -fcoverage-mapping" covered=""
# The readers alone are compiled for it; the rest comes from the compiler cache.
[ $readers = 0 ] || { flags="" covered="ArrcParse;ArrcSema;ArrcArray;ArrcKernel;arrt"; }
mkdir -p build
cmake --preset dev -B build/coverage -DCMAKE_CXX_FLAGS="-Xclang -fno-pch-timestamp $flags" \
  -DCMAKE_EXE_LINKER_FLAGS="-fuse-ld=lld-22 -fprofile-instr-generate" \
  -DARRC_COVERAGE_OF="$covered" >build/coverage-configure.log
ninja -C build/coverage arrc-test-depends
export LLVM_PROFILE_FILE=$PWD/build/coverage/profiles/%m-%p.profraw
rm -rf build/coverage/profiles
filter=()
if [ $readers = 1 ]; then
  filter=(--filter 'arrc-unit ::|arrc :: (Frontend/|Fuzz/|Docs/|Tools/|Dialect/[^/]*/ops)')
fi
# What fails is for utils/test.sh to say: here it counts as run.
"$llvm/lit" -s "${filter[@]}" "$@" build/coverage/test build/coverage/test/unit || true
"$llvm/llvm-profdata" merge -sparse build/coverage/profiles/*.profraw -o build/coverage/all.profdata
objects=(build/coverage/bin/arr-opt)
for x in build/coverage/bin/arrc build/coverage/bin/replay-* build/coverage/test/unit/*Tests; do
  [ -x "$x" ] && objects+=(-object "$x")
done
what=(-instr-profile=build/coverage/all.profdata "${objects[@]}")
if [ $readers = 0 ]; then
  what+=(-ignore-filename-regex='build/|/usr/|test/')
  "$llvm/llvm-cov" show -format=html -output-dir=build/coverage/html "${what[@]}" >/dev/null
  "$llvm/llvm-cov" report "${what[@]}" | tail -n 3
  exit
fi
sources=()
for source in lib/Frontend lib/Dialect/*/IR runtime/lib/IO runtime/lib/Run; do
  sources+=("$PWD/$source")
done
"$llvm/llvm-cov" export -summary-only "${what[@]}" "${sources[@]}" >build/coverage/readers.json
/usr/bin/python3 - build/coverage/readers.json "$PWD" $LEAST <<'PY'
import collections
import json
import sys

path, root, least = sys.argv[1], sys.argv[2] + "/", int(sys.argv[3])
folders = collections.defaultdict(lambda: [0, 0])
for file in json.load(open(path))["data"][0]["files"]:
    lines = file["summary"]["lines"]
    folder = file["filename"].removeprefix(root).rsplit("/", 1)[0]
    for name in (folder, "all"):
        folders[name][0] += lines["covered"]
        folders[name][1] += lines["count"]
low = False
for name, (covered, count) in sorted(folders.items()):
    part = 100 * covered / max(count, 1)
    low |= part < least
    print(f"{part:5.1f} % of {count:6} lines  {name}")
sys.exit(f"less than {least} % of the lines of a folder are reached" if low or not folders else 0)
PY
