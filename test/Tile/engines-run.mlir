// What engines and stores of tiles do beside arithmetic, as GPU code on the processor: long sums, requests ahead, images, bodies that
// return several points. Domains that tiles reach beyond.
// DEFINE: %{chip} = sm_90
// DEFINE: %{entry} =
// DEFINE: %{run} = stencil-run %s --entry %{entry} --target emulator --chip %{chip} --math strict --verify=0 --arg 0=wild:3:finite --arg 1=zeros
// REDEFINE: %{entry} = taps
// RUN: %{run}
// REDEFINE: %{entry} = several
// RUN: %{run}
// REDEFINE: %{entry} = ahead
// RUN: %{run}
// REDEFINE: %{entry} = lanes
// RUN: %{run}
// REDEFINE: %{entry} = lanes_tile
// RUN: %{run}
// REDEFINE: %{entry} = lanes_ring
// RUN: %{run}
// REDEFINE: %{entry} = images
// RUN: %{run} --arg 2=3
// REDEFINE: %{chip} = gfx942
// RUN: %{run} --arg 2=3
// REDEFINE: %{entry} = several
// RUN: %{run}
// REDEFINE: %{entry} = taps
// RUN: %{run}
// REDEFINE: %{entry} = lanes
// RUN: %{run}

// RUN: stencil-opt %s --stencil-to-tiles=chip=sm_90 | FileCheck %s
// CHECK: tile.engine = #tile.taps
// CHECK: unroll <[2, 3]>
// CHECK: tile.prefetch
// CHECK: images [0, 1]
// CHECK: tile.engine = #tile.lanes
// CHECK: tile.engine = #tile.lanes

!row = !stencil.field<[-9,110]xf64>
!any = !stencil.temp<?xf64>
func.func @taps(%u: !row, %v: !row) {
  stencil.pipeline attributes {stencil.schedule = #stencil.schedule<block = [32], points = [3]>} {
    %t = stencil.load %u : !row -> !any
    %w = stencil.window shared %t : !any
    %r = stencil.apply(%x = %w : !any) -> (!any) {
      %s = stencil.weighted_sum %x offsets [[-9], [-8], [-7], [-6], [-5], [-4], [-3], [-2], [-1], [0], [1], [2], [3], [4], [5], [6], [7], [8], [9]] weights dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0]> : tensor<19xf64> attributes {stencil.tap_loop} : !any
      %a = stencil.access %x[1] : !any
      %b = arith.addf %s, %a : f64
      stencil.return %b : f64
    }
    stencil.store %r to %v(<[0], [101]>) : !any to !row
  }
  return
}

!field = !stencil.field<[-2,15]x[-2,41]xf64>
!temp = !stencil.temp<?x?xf64>
func.func @several(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [2, 8], points = [2, 1]>} {
    %a = stencil.access %x[0, 0] : !temp
    %b = stencil.access %x[0, 1] : !temp
    %c = stencil.access %x[0, 2] : !temp
    %d = stencil.access %x[1, 0] : !temp
    %e = stencil.access %x[1, 1] : !temp
    %f = stencil.access %x[1, 2] : !temp
    stencil.return %b, %c, %a, %f, %d, %e unroll <[2, 3]> : f64, f64, f64, f64, f64, f64
  }
  stencil.store %r to %v(<[0, 0], [14, 39]>) : !temp to !field
  return
}

func.func @ahead(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [2, 16], points = [1, 2], prefetch = l2>} {
    %a = stencil.access %x[-1, 0] : !temp
    %b = stencil.access %x[2, 1] : !temp
    %c = arith.addf %a, %b : f64
    stencil.return %c : f64
  }
  stencil.store %r to %v(<[0, 0], [13, 39]>) : !temp to !field
  return
}

func.func @images(%u: !field, %v: !field, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %u, %b = %v) -> (!field, !field) {
    stencil.boundary %a(<[0, 0], [13, 39]>) [#stencil.periodic, #stencil.periodic] : !field
    %t = stencil.load %a : !field -> !temp
    %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [4, 16], points = [1, 2], boundary = store>} {
      %e = stencil.access %x[-2, 1] : !temp
      %f = stencil.access %x[2, 2] : !temp
      %g = arith.addf %e, %f : f64
      stencil.return %g : f64
    }
    stencil.store %r to %b(<[0, 0], [13, 39]>) : !temp to !field
    scf.yield %b, %a : !field, !field
  }
  return
}

!block = !stencil.field<[-2,14]x[-2,13]x[-2,43]xf64>
!volume = !stencil.temp<?x?x?xf64>
func.func @lanes(%u: !block, %v: !block) {
  %t = stencil.load %u : !block -> !volume
  %r = stencil.apply(%x = %t : !volume) -> (!volume) attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 16], points = [1, 1, 2], stream = 0, window = shuffle, accumulate = gather>} {
    %a = stencil.access %x[-1, 0, 1] : !volume
    %b = stencil.access %x[0, 0, -2] : !volume
    %c = stencil.access %x[1, 0, 0] : !volume
    %d = stencil.access %x[1, 0, 2] : !volume
    %e = stencil.access %x[0, 1, 0] : !volume
    %f = stencil.access %x[-1, -1, 1] : !volume
    %g = arith.addf %a, %b : f64
    %h = arith.subf %g, %c : f64
    %i = arith.addf %h, %d : f64
    %j = arith.subf %i, %e : f64
    %k = arith.addf %j, %f : f64
    stencil.return %k : f64
  }
  stencil.store %r to %v(<[0, 0, 0], [12, 11, 41]>) : !volume to !block
  return
}

// A tile that does not walk; two rows in a warp.
func.func @lanes_tile(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %r = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<block = [4, 16], points = [1, 3], window = shuffle>} {
    %a = stencil.access %x[0, 1] : !temp
    %b = stencil.access %x[0, -2] : !temp
    %c = stencil.access %x[-1, 0] : !temp
    %d = arith.subf %a, %b : f64
    %e = arith.addf %d, %c : f64
    stencil.return %e : f64
  }
  stencil.store %r to %v(<[0, 0], [13, 39]>) : !temp to !field
  return
}

// The copy of a shared window, which has the neighbours beyond the row.
func.func @lanes_ring(%u: !block, %v: !block) {
  stencil.pipeline axis 0 attributes {stencil.schedule = #stencil.schedule<block = [1, 4, 8], points = [1, 2, 2], stream = 0, segments = 2>} {
    %x = stencil.load %u : !block -> !volume
    %w = stencil.window shared %x depth 5 lead 3 prefetch async : !volume
    %q = stencil.window shuffle %w depth 3 lead 1 : !volume
    %r = stencil.apply(%a = %q : !volume, %b = %w : !volume) -> (!volume) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %c = stencil.access %a[-1, 0, 1] : !volume
      %d = stencil.access %a[1, 0, -2] : !volume
      %e = stencil.access %a[0, 0, 0] : !volume
      %f = stencil.access %b[0, 1, 0] : !volume
      %g = stencil.access %a[0, -1, 1] : !volume
      %h = arith.subf %c, %d : f64
      %i = arith.addf %h, %e : f64
      %j = arith.subf %i, %f : f64
      %k = arith.addf %j, %g : f64
      stencil.return %k : f64
    }
    stencil.store %r to %v(<[0, 0, 0], [12, 11, 41]>) : !volume to !block
  }
  return
}
