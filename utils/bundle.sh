#!/usr/bin/env bash
# Makes an archive of the tools, linked statically, with the tests and benchmarks
# of devices: to be unpacked and run on a machine with a card that has neither
# LLVM nor a build of this project. It needs glibc 2.36 and, for the tests,
# python3 with NumPy.
#
#   utils/bundle.sh [--preset NAME] [--no-build] [-o FILE]
#
# The preset is `bundle` (optimised) unless another one is named; FILE is
# build/arrc-bundle.tar.xz. In the unpacked folder: utils/test_device.sh.
set -eu
cd "$(dirname "$0")/.."
PRESET=bundle BUILD=1 OUT=build/arrc-bundle.tar.xz
while [ $# -gt 0 ]; do
  case "$1" in
    --preset) PRESET=${2:?--preset needs a name}; shift ;;
    --no-build) BUILD=0 ;;
    -o) OUT=${2:?-o needs a file}; shift ;;
    *) echo "bundle: unknown option '$1' (see the head of $0)" >&2; exit 2 ;;
  esac
  shift
done

from=build/$PRESET
if [ $BUILD = 1 ]; then
  [ -f "$from/build.ninja" ] || cmake --preset "$PRESET" -Wno-dev
  ninja -C "$from" bundle
fi

stage=$(mktemp -d) && trap 'rm -rf "$stage"' EXIT
top=$stage/arrc-bundle
mkdir -p "$top"/{bin,lib,include,test,bench,utils}
cp "$from/bin/arrc-bundle" "$top/bin/arrc"
ln -s arrc "$top/bin/arr-opt"
strip -o "$top/bin/RuntimeConformanceCUDATests" "$from/test/unit/RuntimeConformanceCUDATests"
strip -o "$top/bin/bench-launch" "$from/test/unit/bench-launch"
cp "$from/lib/libarrt.a" "$from/lib/libarrt_main.a" "$top/lib"
strip -g "$top"/lib/*.a
cp -r runtime/include/arrt "$top/include"
cp -r examples "$top"
cp -r test/EndToEnd test/Examples "$top/test"
cp -r bench/. "$top/bench"
cp utils/test_device.sh utils/campaign.py utils/assemble_kernels.py utils/cuda_toolkit.py "$top/utils"
find "$top" -name __pycache__ -prune -exec rm -rf {} +

# What another machine would have to have: glibc and nothing else.
for program in "$top"/bin/*; do
  others=$(ldd "$program" | grep -vE 'linux-vdso|lib(c|m|dl|pthread|rt)\.so|ld-linux' || true)
  [ -z "$others" ] || { echo "bundle: $program needs" $others >&2; exit 1; }
done

mkdir -p "$(dirname "$OUT")"
tar -C "$stage" -c arrc-bundle | xz -6 -T0 >"$OUT.new"
mv "$OUT.new" "$OUT"
size=$(stat -c %s "$OUT")
echo "$OUT: $((size / 1000)) kB"
[ "$size" -lt 30000000 ] || { echo "bundle: more than 30 MB" >&2; exit 1; }
