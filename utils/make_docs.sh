#!/usr/bin/env bash
# Writes docs/generated, a page for each dialect and each group of passes, from
# TableGen, and the notebook of the tutorial. With --check, fails if the committed pages are not fresh.
set -eu
cd "$(dirname "$0")/.."
tblgen=/usr/lib/llvm-22/bin/mlir-tblgen
include=(-I include -I "$(dirname "$tblgen")/../include")
out=docs/generated
[ "${1:-}" = --check ] && out=$(mktemp -d)
mkdir -p "$out"
"$tblgen" -gen-dialect-doc -dialect=array "${include[@]}" include/arrc/Dialect/Array/IR/ArrayOps.td >"$out/array-dialect.md"
"$tblgen" -gen-dialect-doc -dialect=kernel "${include[@]}" include/arrc/Dialect/Kernel/IR/KernelOps.td >"$out/kernel-dialect.md"
"$tblgen" -gen-op-doc "${include[@]}" include/arrc/Dialect/Kernel/TransformOps/KernelTransformOps.td >"$out/kernel-transforms.md"
"$tblgen" -gen-pass-doc "${include[@]}" include/arrc/Dialect/Array/Transforms/Passes.td >"$out/array-passes.md"
"$tblgen" -gen-pass-doc "${include[@]}" include/arrc/Dialect/Kernel/Transforms/Passes.td >"$out/kernel-passes.md"
"$tblgen" -gen-pass-doc "${include[@]}" include/arrc/Conversion/Passes.td >"$out/conversion-passes.md"
# What messages mean, by the tool that tells it.
if [ -x build/dev/bin/arrc ]; then
  build/dev/bin/arrc explain --markdown >"$out/messages.md"
elif [ "${1:-}" = --check ]; then
  cp docs/generated/messages.md "$out"
fi
# The tutorial as a notebook.
python3 utils/make_notebook.py $([ "${1:-}" = --check ] && echo --check) docs/tutorial.md examples/tutorial.ipynb
if [ "${1:-}" = --check ]; then
  diff -ru docs/generated "$out" || { echo "docs/generated is stale: run utils/make_docs.sh"; exit 1; }
  rm -rf "$out"
fi
