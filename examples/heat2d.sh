#!/bin/sh
# Runs heat2d: an initial state, STEPS steps on SIZE points, verified against
# the interpreter and timed; pictures of before and after. `make run` calls it.
#
#   BUILD=build SIZE=1024x1024 STEPS=1000 OUT=out examples/heat2d.sh [FILE.npy]
#
# FILE.npy: any 2D array to start from instead.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${BUILD:-$here/../build}
out=${OUT:-out}
run="$build/bin/stencil-run $here/heat2d.mlir --target cpu"
if [ $# -gt 0 ]; then
  set -- --from "$1"
else
  set -- --size "${SIZE:-1024x1024}"
fi
${PYTHON:-/usr/bin/python3} "$here/inputs.py" heat2d "$out" "$@"

$run --arg 0="$out/heat2d-u.npy" --arg 1=zeros --arg 2=0 --png 0="$out/heat2d-before.png"
$run --arg 0="$out/heat2d-u.npy" --arg 1=zeros --arg 2="${STEPS:-1000}" \
  --out 0="$out/heat2d.npy" --png 0="$out/heat2d.png" --verify --bench
echo "pictures: $out/heat2d-before.png, $out/heat2d.png"
