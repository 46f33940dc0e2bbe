#!/usr/bin/env bash
# Runs the end-to-end tests on a device, from a build or from an unpacked bundle
# (utils/bundle.sh); needs python3 with NumPy and, for programs, a C++ linker.
# Prints what failed, cut to what fits a screen, and ends with 'N passed, N failed'.
#
#   utils/test_device.sh [options]
#     --target T     cuda (default), opencl, cpu, with :N for the N-th
#     --emulated     on the CUDA driver that runs PTX on the host (build/dev)
#     --arrc FILE    the compiler (default: bin/arrc beside utils, else build/dev)
#     --logs FOLDER  for the full output (default: a temporary folder)
#     --jobs N       runs at a time (default: one a core)
#     --parts A,B    of conformance programs compare operations conversions files
#                    shapes random, or
#                      races     programs and compare, emulated: races, loads of
#                                what was never stored, three orders of blocks
#                      halves    the same with every launch in two halves
#                      parts     programs, compare and random in 1, 2, 3, 5 and 8 parts
#                                of several devices, emulated: races and loads of what was
#                                never stored; the share of bytes that are cut
#                      sanitize  under compute-sanitizer, sizes up to 10^5
#                      large     2^28 elements, and extents above 2^31
#                      ptxas     every kernel by ptxas, no device needed
#                    (default: all of the first row)
#     --seconds N    the most that one part may take (default 200)
set -u
cd "$(dirname "$0")/.." || exit 1
TARGET=cuda ARRC='' LOGS='' JOBS=$(nproc) SECONDS_EACH=200
PARTS=conformance,programs,compare,operations,conversions,files,shapes,random
while [ $# -gt 0 ]; do
  case "$1" in
    --target) TARGET=${2:?}; shift ;;
    --arrc) ARRC=${2:?}; shift ;;
    --emulated)
      export ARRC_CUDA_LIBRARY=$PWD/build/dev/lib/libarrt_emulated_cuda.so ARRC_CACHE=off
      [ -e "$ARRC_CUDA_LIBRARY" ] || { echo "test_device: build arrt_emulated_cuda first" >&2; exit 2; } ;;
    --logs) LOGS=${2:?}; shift ;;
    --jobs) JOBS=${2:?}; shift ;;
    --parts) PARTS=${2:?}; shift ;;
    --seconds) SECONDS_EACH=${2:?}; shift ;;
    *) echo "test_device: unknown option '$1' (see the head of $0)" >&2; exit 2 ;;
  esac
  shift
done
if [ -z "$ARRC" ]; then
  if [ -x bin/arrc ]; then ARRC=$PWD/bin/arrc; else ARRC=$PWD/build/dev/bin/arrc; fi
fi
[ -n "$LOGS" ] || LOGS=$(mktemp -d)
mkdir -p "$LOGS"
PYTHON=python3
"$PYTHON" -c 'import numpy' 2>/dev/null || PYTHON=/usr/bin/python3
export PYTHONUNBUFFERED=1 NO_COLOR=1 OPENBLAS_NUM_THREADS=1
# The evaluator and the host's part of programs: not all cores for each of many.
export ARRC_THREADS=2
E=test/EndToEnd
passed=0 failed=0

# part NAME COMMAND...: its last line is '..: N passed, M failed', or it is one test.
part() {
  local name=$1 start=$SECONDS; shift
  local log=$LOGS/$name.log
  timeout "$SECONDS_EACH" "$@" >"$log" 2>&1
  local rc=$? p=0 f=1 line
  line=$(grep -E '[0-9]+ passed, [0-9]+ failed' "$log" | tail -1)
  if [ -n "$line" ] && [ $rc -le 1 ]; then
    read -r p f < <(sed -E 's/.*\b([0-9]+) passed, ([0-9]+) failed.*/\1 \2/' <<<"$line")
  elif [ $rc = 0 ]; then
    p=1 f=0
  else
    echo "$name ended with exit code $rc after $((SECONDS - start)) s"
  fi
  [ "$f" = 0 ] || { grep -vE 'passed, [0-9]+ failed' "$log" | cut -c1-400 | head -c 1500; echo; }
  echo "$name: $p passed, $f failed, $((SECONDS - start)) s"
  passed=$((passed + p)) failed=$((failed + f))
}

conformance() { # gtest's words made ours
  local program=$1 out rc ok bad
  out=$("$program" --gtest_brief=1 2>&1); rc=$?
  echo "$out"
  ok=$(grep -oE '\[  PASSED  \] [0-9]+' <<<"$out" | grep -oE '[0-9]+$')
  bad=$(grep -oE '^ ?[0-9]+ FAILED' <<<"$out" | grep -oE '[0-9]+')
  [ $rc = 0 ] || bad=${bad:-1}
  echo "conformance: ${ok:-0} passed, ${bad:-0} failed"
}

common() { # PREFIX: the parts that run everything
  local prefix=$1 name
  for name in programs compare operations conversions files shapes random; do
    case ",$2," in *",$name,"*) ;; *) continue ;; esac
    case $name in
      programs) part "${prefix}programs" "$PYTHON" $E/programs.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" ;;
      compare) part "${prefix}compare" "$PYTHON" $E/compare.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" --runs 4 ;;
      operations) part "${prefix}operations" "$PYTHON" $E/operations.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" --sizes 1000 ;;
      conversions) part "${prefix}conversions" "$PYTHON" $E/conversions.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" --may-refuse ;;
      files) part "${prefix}files" "$PYTHON" $E/read_files.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" --may-refuse ;;
      shapes) part "${prefix}shapes" "$PYTHON" $E/shapes.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" ;;
      random) part "${prefix}random" "$PYTHON" $E/differential.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" --may-refuse --programs 48 --seed 5000 --keep "$LOGS/random" ;;
    esac
  done
}

sanitize() {
  local tool wrap
  for tool in memcheck racecheck initcheck synccheck; do
    wrap="compute-sanitizer --tool $tool --error-exitcode 99 --print-limit 3"
    export ARRC_POOL=off
    part "$tool-programs" "$PYTHON" $E/compare.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" --runs 1 --seed 3 --scale 3 --wrap "$wrap" \
      --only heat --only nbody --only softmax --only histogram --only matmul --only lbm --only misc
    part "$tool-shapes" "$PYTHON" $E/shapes.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" --small --quick --wrap "$wrap" \
      --only rows --only single- --only 'types-f32: sum' --only 'types-bool' --only 'types-i64: max' --only 'ranks: r5' --only 'ranks: r8'
    unset ARRC_POOL
  done
}

races() {
  local seed
  for seed in 0 1 2; do
    export ARRC_POOL=off ARRC_EMULATOR_SEED=$seed ARRC_EMULATOR_CHECK=races,init
    common "races-$seed-" programs
    [ $seed = 0 ] && common races- compare
    unset ARRC_POOL ARRC_EMULATOR_SEED ARRC_EMULATOR_CHECK
  done
}

parts() {
  local N=1,2,3,5,8
  export ARRC_POOL=off ARRC_EMULATOR_CHECK=races,init
  # In shares, each of which ends within its time.
  local K SHARES=16
  for ((K = 0; K < SHARES; K++)); do
    part parts-programs-$K "$PYTHON" $E/programs.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" \
      --may-refuse --parts $N --shares "$LOGS/shares" --slice $K/$SHARES
  done
  # All that was added to the folder of shares.
  grep -hE '^(cut:|  [0-9.]+ %)' "$LOGS/parts-programs-$((SHARES - 1)).log"
  part parts-random "$PYTHON" $E/differential.py --arrc "$ARRC" --target "$TARGET" --jobs "$JOBS" \
    --may-refuse --parts $N --programs 48 --seed 7000 --keep "$LOGS/random-parts"
  unset ARRC_POOL ARRC_EMULATOR_CHECK
}

for name in ${PARTS//,/ }; do
  case $name in
    parts) parts ;;
    conformance)
      program=bin/RuntimeConformanceCUDATests
      [ -x $program ] || program=build/dev/test/unit/RuntimeConformanceCUDATests
      [ "${TARGET%%:*}" = opencl ] && program=build/dev/test/unit/RuntimeConformanceOpenCLTests
      export -f conformance
      part conformance bash -c "conformance $program" ;;
    programs|compare|operations|conversions|files|shapes|random) common '' "$name" ;;
    halves) ARRC_HALVES=1 common halves- programs,compare,shapes ;;
    sanitize) sanitize ;;
    races) races ;;
    large) part large "$PYTHON" $E/large.py --arrc "$ARRC" --target "$TARGET" ;;
    ptxas) part ptxas "$PYTHON" utils/assemble_kernels.py --arrc "$ARRC" --arch sm_75,sm_80,sm_90,sm_100 --brief $E examples ;;
    *) echo "test_device: no part '$name'" >&2; exit 2 ;;
  esac
done
echo "logs: $LOGS"
echo "$passed passed, $failed failed"
[ $failed = 0 ] && [ $passed -gt 0 ]
