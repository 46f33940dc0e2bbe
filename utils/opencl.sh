#!/usr/bin/env bash
# OpenCL on the CPU: runs a command on one of the implementations that are here.
#
#   utils/opencl.sh install            Intel's runtime, from PyPI
#   utils/opencl.sh list               the implementations that are here
#   utils/opencl.sh run NAME COMMAND   NAME: intel, mesa or oclgrind
#
# Intel's runtime stands under a licence of its own: it is installed for tests,
# into ARRC_OPENCL_FOLDER (default: arrc/opencl in the user's cache), and never
# shipped. Without a network it is left out with a note. Mesa's and Oclgrind are
# Debian's packages, which utils/setup.sh installs. Oclgrind simulates a device
# and reports races and accesses out of bounds; without a build it is not here.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${ARRC_OPENCL_FOLDER:-${XDG_CACHE_HOME:-$HOME/.cache}/arrc/opencl}
packages=(intel-opencl-rt==2026.2.0 intel-cmplr-lib-rt==2026.2.0)
intel=$folder/lib/libintelocl.so
mesa=/etc/OpenCL/vendors/rusticl.icd
oclgrind=${ARRC_OCLGRIND:-$root/build/dev/lib/liboclgrind-il.so}

is_here() {
  case "$1" in
    intel) [ -e "$intel" ] ;;
    mesa) [ -e "$mesa" ] ;;
    oclgrind) [ -e "$oclgrind" ] ;;
    *) return 1 ;;
  esac
}

install() {
  is_here intel && return 0
  mkdir -p "$(dirname "$folder")" && rm -rf "$folder" "$folder.new"
  # A folder of another name first: half an installation is none.
  if python3 -m venv "$folder.new" >/dev/null 2>&1 &&
    timeout 300 "$folder.new/bin/pip" install -q --disable-pip-version-check "${packages[@]}" 2>"$folder.log" &&
    [ -e "$folder.new/lib/libintelocl.so" ]; then
    mv "$folder.new" "$folder"
    return 0
  fi
  rm -rf "$folder.new"
  echo "opencl: Intel's runtime could not be installed (no network?); its tests are left out; see $folder.log"
}

run() {
  local name=$1; shift
  is_here "$name" || { echo "opencl: '$name' is not here (see: utils/opencl.sh list)" >&2; exit 2; }
  case "$name" in
    oclgrind)
      export ARRC_OPENCL_LIBRARY=$oclgrind OCLGRIND_DATA_RACES=1 OCLGRIND_UNIFORM_WRITES=1
      exec "$@" ;;
    intel) set -- "$intel" "$@" ;;
    mesa) set -- "$(cat "$mesa")" "$@"; export RUSTICL_ENABLE=llvmpipe ;;
  esac
  # The loader's folder of this implementation alone.
  local vendors=$folder.icd/$name
  mkdir -p "$vendors"
  echo "$1" >"$vendors/$name.icd.$$" && mv "$vendors/$name.icd.$$" "$vendors/$name.icd"
  shift
  export OCL_ICD_VENDORS=$vendors
  exec "$@"
}

case "${1:-}" in
  install) install ;;
  list) for name in intel mesa oclgrind; do is_here $name && echo $name; done; true ;;
  run) [ $# -ge 3 ] || { sed -n '2,7p' "$0" >&2; exit 2; }; shift; run "$@" ;;
  *) sed -n '2,7p' "$0" >&2; exit 2 ;;
esac
