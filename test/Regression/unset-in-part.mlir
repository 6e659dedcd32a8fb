// A tile is read as a whole, also where nobody uses what it reads: a buffer that
// is stored to in part has no value there. Whoever moves it into shared memory
// does no wrong, but whoever uses it does.
// DEFINE: %{run} = stencil-run %s --arg 0=random:1 --arg 1=random:2 --target emulator
// RUN: %{run} --entry part --chip sm_90 --verify=0 --schedule '#stencil.schedule<window = shared, prefetch = none>'
// RUN: %{run} --entry part --chip sm_90 --verify=0 --schedule '#stencil.schedule<window = shared, prefetch = async>'
// RUN: %{run} --entry part --chip gfx942 --verify=0 --schedule '#stencil.schedule<window = shared>'
// RUN: %{run} --entry walk --chip sm_90 --verify=0 --schedule '#stencil.schedule<stream = 0, window = shared, prefetch = none>'
// RUN: %{run} --entry walk --chip gfx942 --verify=0 --schedule '#stencil.schedule<stream = 0, window = shared, prefetch = registers>'
// RUN: not %{run} --entry beyond --chip sm_90 --schedule '#stencil.schedule<window = shared, prefetch = none>' 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not %{run} --entry beyond --chip gfx942 --schedule '#stencil.schedule<stream = 0, window = shared, prefetch = registers>' 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not %{run} --entry beyond --chip sm_90 --schedule '#stencil.schedule<window = cache>' 2>&1 | FileCheck %s --check-prefix=GLOBAL
// SHARED: error: emulator: read of 8 bytes of shared memory that has no value yet
// GLOBAL: error: emulator: read of 8 bytes of global memory that has no value yet

!line = !stencil.field<[0,8]xi64>
func.func @part(%a: !line, %b: !line) {
  %buffer = stencil.alloc : !line
  stencil.apply(%x = %a : !line) outs (%buffer : !line) {
    %v = stencil.access %x[0] : !line
    stencil.return %v : i64
  } to <[1], [2]>
  stencil.apply(%x = %buffer : !line) outs (%b : !line) {
    %v = stencil.access %x[0] : !line
    stencil.return %v : i64
  } to <[1], [2]>
  return
}

// What is read is in another vector than what has a value.
func.func @beyond(%a: !line, %b: !line) {
  %buffer = stencil.alloc : !line
  stencil.apply(%x = %a : !line) outs (%buffer : !line) {
    %v = stencil.access %x[0] : !line
    stencil.return %v : i64
  } to <[3], [4]>
  stencil.apply(%x = %buffer : !line) outs (%b : !line) {
    %v = stencil.access %x[-2] : !line
    stencil.return %v : i64
  } to <[3], [4]>
  return
}

!plane = !stencil.field<[-2,20]x[-2,34]xf32>
func.func @walk(%a: !plane, %b: !plane) {
  %buffer = stencil.alloc : !plane
  stencil.apply(%x = %a : !plane) outs (%buffer : !plane) {
    %v = stencil.access %x[0, 0] : !plane
    stencil.return %v : f32
  } to <[4, 5], [11, 22]>
  stencil.apply(%x = %buffer : !plane) outs (%b : !plane) {
    %n = stencil.access %x[-1, 0] : !plane
    %s = stencil.access %x[0, 2] : !plane
    %v = arith.addf %n, %s : f32
    stencil.return %v : f32
  } to <[5, 5], [11, 20]>
  return
}
