#!/bin/sh
# Compiles heat2d.mlir to an object file and a header, and links main.c with it.
#
#   BUILD=build CC=clang-22 OUT=out examples/c-embedding/build.sh
#   out/embedding 300 400 1000 out/before.raw out/after.raw
#
# The object needs libomp, LLVM's OpenMP runtime, besides libc and libm; with
# `stencil-translate --sequential` it needs neither libomp nor threads.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
translate=${BUILD:-$here/../../build}/bin/stencil-translate
out=${OUT:-out}
libomp=${LIBOMP:-libomp.so.5}
mkdir -p "$out"
"$translate" "$here/../heat2d.mlir" --to-c-header -o "$out/heat2d.h"
"$translate" "$here/../heat2d.mlir" --to-object -o "$out/heat2d.o"
${CC:-cc} -O2 -Wall -Wextra -I "$out" "$here/main.c" "$out/heat2d.o" -l:"$libomp" -lm -o "$out/embedding"
