#!/usr/bin/env bash
# Fails if clang-format would change a source file. '--fix' changes it.
set -u
cd "$(dirname "$0")/.." || exit 1
mode=(--dry-run -Werror)
[ "${1:-}" = --fix ] && mode=(-i)
# New files as well: they are part of what will be checked.
git ls-files -z --cached --others --exclude-standard '*.cpp' '*.h' | xargs -0 -r clang-format-22 "${mode[@]}"
