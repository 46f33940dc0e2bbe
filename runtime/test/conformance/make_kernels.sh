#!/usr/bin/env bash
# Compiles Kernels.c to Kernels.ptx.inc and Kernels.spv.inc. Needed only when it
# changes; wants clang-22.
set -eu
cd "$(dirname "$0")"
clang=${CLANG:-clang-22}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# An old version of PTX, which every driver takes.
"$clang" -x c --target=nvptx64-nvidia-cuda -march=sm_75 -O2 -S Kernels.c -o "$work/ptx"
sed -i -e 's/^\.version.*/.version 6.4/' -e '/^\/\//d' -e '/^$/d' "$work/ptx"
"$clang" -x cl -cl-std=CL1.2 --target=spirv64v1.2 -O2 -c Kernels.c -o "$work/spv"
{
  echo "// Made by make_kernels.sh from Kernels.c."
  echo 'R"ptx('
  cat "$work/ptx"
  echo ')ptx"'
} >Kernels.ptx.inc
{
  echo "// Made by make_kernels.sh from Kernels.c."
  od -An -v -tx4 -w32 "$work/spv" | sed -E 's/ ([0-9a-f]{8})/0x\1, /g; s/, $/,/'
} >Kernels.spv.inc
