#!/usr/bin/env bash
# clang-tidy (the list of .clang-tidy) on the sources that differ from a commit
# (default: HEAD~1), or on all with --all. Needs clang-tidy-22 and build/dev.
set -u
cd "$(dirname "$0")/.." || exit 1
if [ "${1:-}" = --all ]; then
  files=$(git ls-files 'lib/*.cpp' 'tools/*.cpp' 'runtime/lib/*.cpp')
else
  files=$(git diff --name-only --diff-filter=d "${1:-HEAD~1}" -- 'lib/*.cpp' 'tools/*.cpp' 'runtime/lib/*.cpp')
fi
[ -n "$files" ] || { echo "nothing to check"; exit 0; }
# shellcheck disable=SC2086
clang-tidy-22 -quiet -p build/dev --warnings-as-errors='*' $files
