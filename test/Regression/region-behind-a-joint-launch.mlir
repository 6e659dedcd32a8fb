// The largest region of a sweep reads what the first of two copies makes, and begins early: but not between these two, which become one launch, where the
// second one is. Found by random time loops: the emulator saw a race.
// RUN: stencil-opt %s --stencil-group-regions | FileCheck %s

// CHECK: to <[0], [64]>
// CHECK: to <[64], [66]>
// CHECK: stencil.apply({{.*}}region_group<1, streams>
// CHECK: to <[2], [60]>

!field = !stencil.field<[-1,67]xf64>
#launch = #stencil.schedule<regions = launch>
#streams = #stencil.schedule<regions = streams>

func.func @early(%u: !field, %e: !field, %v: !field) {
  stencil.apply(%x = %u : !field) outs (%e : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[0], [64]>
  stencil.apply(%x = %u : !field) outs (%e : !field) attributes {stencil.schedule = #launch} {
    %a = stencil.access %x[0] : !field
    stencil.return %a : f64
  } to <[64], [66]>
  stencil.apply(%x = %e : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %a = stencil.access %x[1] : !field
    stencil.return %a : f64
  } to <[0], [2]>
  stencil.apply(%x = %e : !field) outs (%v : !field) attributes {stencil.schedule = #streams} {
    %a = stencil.access %x[1] : !field
    stencil.return %a : f64
  } to <[2], [60]>
  return
}
