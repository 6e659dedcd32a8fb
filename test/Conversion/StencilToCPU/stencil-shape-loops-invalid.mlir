// Loops are unrolled by these numbers: with too large a one that would not end.
// RUN: not stencil-opt %s --stencil-shape-loops=columns=2147483648 2>&1 | FileCheck %s --check-prefix=COLUMNS
// RUN: not stencil-opt %s --stencil-to-cpu=rows=-1 2>&1 | FileCheck %s --check-prefix=ROWS
// RUN: not stencil-opt %s --stencil-shape-loops=vector-bits=4294967295 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not stencil-opt %s --stencil-shape-loops=wide-vector-bits=96 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: not stencil-opt %s --stencil-shape-loops=prefetch-bytes=18446744073709551615 2>&1 | FileCheck %s --check-prefix=PREFETCH
// RUN: not stencil-opt %s --stencil-shape-loops=tile=8,-1 2>&1 | FileCheck %s --check-prefix=TILE
// RUN: not stencil-opt %s --stencil-shape-loops=line-bytes=48 2>&1 | FileCheck %s --check-prefix=LINE
// RUN: not stencil-opt %s --stencil-shape-loops=line-bytes=0 2>&1 | FileCheck %s --check-prefix=NO-LINE
// RUN: not stencil-opt %s --stencil-shape-loops=stream-row-of-volume=18446744073709551615 2>&1 | FileCheck %s --check-prefix=VOLUME
// RUN: not stencil-opt %s --stencil-to-cpu=parallel-points=18446744073709551615 2>&1 | FileCheck %s --check-prefix=POINTS
// RUN: not stencil-opt %s --stencil-shape-loops=joint-planes=65 2>&1 | FileCheck %s --check-prefix=PLANES
// RUN: not stencil-opt %s --stencil-to-cpu=dealt-halos=-1 2>&1 | FileCheck %s --check-prefix=HALOS
// RUN: not stencil-opt %s --stencil-to-cpu=joint-rows-percent=1099511627777 2>&1 | FileCheck %s --check-prefix=PERCENT

// COLUMNS: error: expected columns from 0 to 64, got 2147483648
// ROWS: error: expected rows from 0 to 64, got -1
// BITS: error: expected vector-bits from 0 to 65536, got 4294967295
// POWER: error: expected wide-vector-bits to be a power of two, got 96
// PREFETCH: error: expected prefetch-bytes from 0 to 1048576, got 18446744073709551615
// TILE: error: expected tiles from 0 to 1099511627776, got -1
// LINE: error: expected line-bytes to be a power of two up to 65536, got 48
// NO-LINE: error: expected line-bytes to be a power of two up to 65536, got 0
// VOLUME: error: expected stream-row-of-volume from 0 to 1099511627776, got 18446744073709551615
// POINTS: error: expected parallel-points from 0 to 1099511627776, got 18446744073709551615
// PLANES: error: expected joint-planes from 0 to 64, got 65
// HALOS: error: expected dealt-halos from 0 to 1099511627776, got 18446744073709551615
// PERCENT: error: expected joint-rows-percent from 0 to 1099511627776, got 1099511627777

func.func @f(%u: !stencil.field<[0,8]x[0,64]xf64>, %v: !stencil.field<[0,8]x[0,64]xf64>) {
  stencil.apply(%x = %u : !stencil.field<[0,8]x[0,64]xf64>) outs (%v : !stencil.field<[0,8]x[0,64]xf64>) {
    %c = stencil.access %x[0, 0] : !stencil.field<[0,8]x[0,64]xf64>
    stencil.return %c : f64
  } to <[0, 0], [8, 64]>
  return
}
