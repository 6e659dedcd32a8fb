// A list of windows follows the inputs that it is for.
// RUN: stencil-opt %s --canonicalize | FileCheck %s --check-prefix=CANON
// RUN: stencil-opt %s --stencil-prune-zeros | FileCheck %s --check-prefix=PRUNE
// RUN: stencil-opt %s --stencil-fuse-applies | FileCheck %s --check-prefix=FUSE
// RUN: stencil-opt %s --stencil-split-regions | FileCheck %s --check-prefix=SPLIT

!field = !stencil.field<[-1,9]xf64>
!temp = !stencil.temp<[-1,9]xf64>
!out = !stencil.temp<[0,8]xf64>

// %y is not read: its window goes, and the copies into it.
// CANON-LABEL: @unread
// CANON: window = [cache, registers]>
// PRUNE-LABEL: @unread
// PRUNE: window = [cache, registers]>
func.func @unread(%u: !field, %v: !field, %w: !field, %o: !field, %f: f64) {
  %a = stencil.load %u : !field -> !temp
  %b = stencil.load %v : !field -> !temp
  %c = stencil.load %w : !field -> !temp
  %s = stencil.apply(%x = %a : !temp, %k = %f : f64, %y = %b : !temp, %z = %c : !temp) -> (!out)
      attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [cache, shared, registers], prefetch = async, stages = 3>} {
    %p = stencil.access %x[0] : !temp
    %q = stencil.access %z[1] : !temp
    %r = arith.mulf %p, %k : f64
    %t = arith.addf %r, %q : f64
    stencil.return %t : f64
  }
  stencil.store %s to %o(<[0], [8]>) : !out to !field
  return
}

// Of the regions of an apply, only one reads %y.
// SPLIT-LABEL: @regions
// SPLIT: window = shared, prefetch = async>
// SPLIT: window = [shared, cache], prefetch = async>
func.func @regions(%u: !field, %v: !field, %o: !field) {
  %a = stencil.load %u : !field -> !temp
  %b = stencil.load %v : !field -> !temp
  %s = stencil.apply(%x = %a : !temp, %y = %b : !temp) -> (!out)
      attributes {stencil.schedule = #stencil.schedule<window = [shared, cache], prefetch = async>} {
    %i = stencil.index 0 <[0]>
    %c = arith.constant 4 : index
    %w = arith.cmpi slt, %i, %c : index
    %p = stencil.access %x[1] : !temp
    %r = scf.if %w -> (f64) {
      scf.yield %p : f64
    } else {
      %q = stencil.access %y[0] : !temp
      %t = arith.addf %p, %q : f64
      scf.yield %t : f64
    }
    stencil.return %r : f64
  }
  stencil.store %s to %o(<[0], [8]>) : !out to !field
  return
}

// The inputs of a producer come behind those of its consumer.
// FUSE-LABEL: @producer
// FUSE: %[[A:.*]] = stencil.load %arg0
// FUSE: %[[B:.*]] = stencil.load %arg1
// FUSE: %[[C:.*]] = stencil.load %arg2
// FUSE: stencil.apply(%{{.*}} = %[[A]] : !{{[^ ]*}}, %{{.*}} = %[[C]] : !{{[^ ]*}}, %{{.*}} = %[[B]] : !{{[^ ]*}}) ->
// FUSE-SAME: window = [shared, registers, cache]>
func.func @producer(%u: !field, %v: !field, %w: !field, %o: !field) {
  %a = stencil.load %u : !field -> !temp
  %b = stencil.load %v : !field -> !temp
  %c = stencil.load %w : !field -> !temp
  %m = stencil.apply(%x = %b : !temp) -> (!out) {
    %p = stencil.access %x[0] : !temp
    %q = arith.negf %p : f64
    stencil.return %q : f64
  }
  %s = stencil.apply(%x = %a : !temp, %y = %m : !out, %z = %c : !temp) -> (!out)
      attributes {stencil.schedule = #stencil.schedule<stream = 0, window = [shared, cache, registers]>} {
    %p = stencil.access %x[1] : !temp
    %q = stencil.access %y[0] : !out
    %r = stencil.access %z[1] : !temp
    %t = arith.addf %p, %q : f64
    %g = arith.addf %t, %r : f64
    stencil.return %g : f64
  }
  stencil.store %s to %o(<[0], [8]>) : !out to !field
  return
}
