// A body that computes several rows at once was written around the caches: only the first of its rows is aligned, and the
// program ended with a fault.
// RUN: stencil-run %s --arg 0=random:1 --arg 1=zeros --math strict --verify=0 --cpu-options "cache-bytes=1000 stream-row=16" | FileCheck %s
// RUN: not stencil-opt %s --stencil-infer-shapes --stencil-bufferize --convert-stencil-to-cpu 2>&1 | FileCheck %s --check-prefix=ASKED

// CHECK: argument 1: max 0 ulp

// ASKED: error: 'stencil.apply' op expected vectors, and one result that has a value at each point, of a body for one point, to write it around the caches
!u = !stencil.field<[0,65]x[0,4099]xf64>
!t = !stencil.temp<?x?xf64>
func.func @two_rows(%u: !u, %v: !u) {
  %t = stencil.load %u : !u -> !t
  %r = stencil.apply(%x = %t : !t) -> (!t) {
    %a = stencil.access %x[0, 0] : !t
    %b = stencil.access %x[1, 0] : !t
    stencil.return %a, %b unroll <[2, 1]> : f64, f64
  }
  stencil.store %r to %v(<[0, 0], [64, 4099]>) : !t to !u
  return
}
func.func private @asked(%u: !u, %v: !u) {
  stencil.apply(%x = %u : !u) outs (%v : !u) attributes {stencil.cpu_loops = #stencil.cpu_loops<lanes = 4, around = 1000>} {
    %a = stencil.access %x[0, 0] : !u
    %b = stencil.access %x[1, 0] : !u
    stencil.return %a, %b unroll <[2, 1]> : f64, f64
  } to <[0, 0], [64, 4099]>
  return
}
