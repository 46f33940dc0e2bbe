#!/usr/bin/env bash
# Fails if clang-format would change a source file. '--fix' changes it.
set -u
cd "$(dirname "$0")/.." || exit 1
mode=(--dry-run -Werror)
[ "${1:-}" = --fix ] && mode=(-i)
git ls-files -z '*.cpp' '*.h' | xargs -0 -r clang-format-22 "${mode[@]}"
