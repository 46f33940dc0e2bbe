#!/usr/bin/env bash
# Runs every test: checks of the source tree, the unit tests and the lit suite.
# The last line is 'N passed, N failed'.
#
#   utils/test.sh [--preset NAME] [lit options]
#
# Without packages or a build it makes both (utils/setup.sh).
set -u
cd "$(dirname "$0")/.." || exit 1
PRESET=dev
if [ "${1:-}" = --preset ]; then PRESET=${2:?--preset needs a name}; shift 2; fi

utils/setup.sh --preset "$PRESET" --no-run || { echo "0 passed, 1 failed"; exit 1; }

passed=0 failed=0
check() { # NAME COMMAND...
  local name=$1; shift
  if "$@"; then passed=$((passed + 1)); echo "PASS: $name"; else failed=$((failed + 1)); echo "FAIL: $name"; fi
}
check "layers" /usr/bin/python3 utils/check_layers.py
check "layout" /usr/bin/python3 utils/check_layout.py
check "format" utils/check_format.sh
check "generated pages" utils/make_docs.sh --check

ninja -C "build/$PRESET" arrc-test-depends || { echo "0 passed, 1 failed"; exit 1; }
# Tests of the package for Python run where it can be built.
utils/python.sh build "build/$PRESET" || { echo "0 passed, 1 failed"; exit 1; }
# Tests on OpenCL take the implementations that are there.
utils/opencl.sh install
echo "OpenCL on: $(utils/opencl.sh list | tr '\n' ' ')"
xml=build/$PRESET/test/results.xml
rm -f "$xml"
# The unit tests are a suite of their own, which is not found from the other one.
/usr/lib/llvm-22/bin/lit -sv --xunit-xml-output="$xml" "$@" "build/$PRESET/test" "build/$PRESET/test/unit"
read -r p f units < <(/usr/bin/python3 - "$xml" <<'PY'
import sys
import xml.etree.ElementTree as ET

try:
    suites = ET.parse(sys.argv[1]).getroot().iter("testsuite")
except (OSError, ET.ParseError):
    print(0, 1, 0)
    raise SystemExit
total = bad = skipped = units = 0
for s in suites:
    units += s.get("name") == "arrc-unit"
    total += int(s.get("tests", 0))
    bad += int(s.get("failures", 0)) + int(s.get("errors", 0))
    skipped += int(s.get("skipped", 0))
print(total - bad - skipped, bad, units)
PY
)
# A suite that is not found fails nothing by itself.
[ $# -gt 0 ] || check "unit tests are found" [ "$units" = 1 ]
passed=$((passed + p)) failed=$((failed + f))
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
