#!/usr/bin/env bash
# The conformance suite of the array API's standard, run on arrc.numpy.
#
#   utils/array_api.sh FOLDER [--covered] [ARGUMENT OF PYTEST ..]
#
# FOLDER is a checkout of data-apis/array-api-tests with its submodule; PYTHON (python3) has
# NumPy 2 and the suite's requirements. With --covered what NumPy would compute is an error.
# BUILD (build/dev) has the package (utils/python.sh build).
set -eu
[ $# -gt 0 ] || { sed -n '2,8p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${BUILD:-$root/build/dev}" && pwd)
folder=$1; shift
plugins=$(mktemp -d)
trap 'rm -rf "$plugins"' EXIT
mode=ignore
[ "${1:-}" = --covered ] && { mode=raise; shift; }
printf 'import arrc.numpy\narrc.numpy.errors("%s")\n' $mode >"$plugins/arrc_mode.py"
cd "$folder"
ARRAY_API_TESTS_MODULE=arrc.numpy PYTHONPATH=$build/python:$plugins "${PYTHON:-python3}" -W ignore -m pytest \
  -q --tb=line -p no:cacheprovider -p arrc_mode --max-examples "${EXAMPLES:-20}" --hypothesis-disable-deadline \
  array_api_tests "$@"
