#!/usr/bin/env bash
# The conformance suite of the array API's standard, run on arrc.numpy.
#
#   utils/array_api.sh FOLDER [--covered] [ARGUMENT OF PYTEST ..]
#
# FOLDER is a checkout of data-apis/array-api-tests with its submodule; PYTHON (python3) has
# NumPy 2 and the suite's requirements. All operations are programs, small ones too; with
# --covered what NumPy would compute is an error. utils/array_api_xfails.txt has the tests that
# are known to fail, with reasons; FOLDER is fetched if it is not there.
# BUILD (build/dev) has the package (utils/python.sh build).
set -eu
[ $# -gt 0 ] || { sed -n '2,10p' "$0" >&2; exit 2; }
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${BUILD:-$root/build/dev}" && pwd)
folder=$1; shift
plugins=$(mktemp -d)
trap 'rm -rf "$plugins"' EXIT
mode=ignore
[ "${1:-}" = --covered ] && { mode=raise; shift; }
printf 'import arrc.numpy\narrc.numpy.errors("%s")\narrc.numpy.eager(0)\n' $mode >"$plugins/arrc_mode.py"
[ -d "$folder/array_api_tests" ] ||
  git clone -q --recurse-submodules https://github.com/data-apis/array-api-tests "$folder"
cd "$folder"
ARRAY_API_TESTS_MODULE=arrc.numpy PYTHONPATH=$build/python:$plugins "${PYTHON:-python3}" -W ignore -m pytest \
  -q --tb=line -p no:cacheprovider -p arrc_mode --max-examples "${EXAMPLES:-20}" --hypothesis-disable-deadline \
  --xfails-file "$root/utils/array_api_xfails.txt" array_api_tests "$@"
