// RUN: stencil-opt %s --stencil-fuse-applies --remarks-filter=Fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s
// RUN: stencil-opt %s --stencil-fuse-applies=forbid=lap+out --remarks-filter=Fusion --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=FORBID
// RUN: stencil-opt %s --stencil-fuse-applies=force=cosines | FileCheck %s --check-prefix=FORCE
// RUN: stencil-opt %s --stencil-fuse-applies='force=cosines automatic=false' | FileCheck %s --check-prefix=ONLY

// CHECK: remark: [Passed] Fused | Category:Fusion | Remark="fused 'lap' into 'out': per point flops 4.0 -> 4.0, bytes 32.{{[0-9]}} -> 16.{{[0-9]}}, cached bytes {{.*}}, time
// CHECK: remark: [Missed] NotFused | Category:Fusion | Remark="'cosines' is not fused into its consumer: it would not pay: per point flops 183.{{[0-9]}} -> 363.{{[0-9]}}, bytes
// FORBID: remark: [Missed] NotFused | Category:Fusion | Remark="'lap' is not fused into 'out': forbidden"
// FORCE-LABEL: func.func @pays
// FORCE-COUNT-1: stencil.apply
// FORCE-LABEL: func.func @costs
// FORCE-COUNT-1: stencil.apply
// FORCE-NOT: stencil.apply
// ONLY-LABEL: func.func @pays
// ONLY-COUNT-2: stencil.apply
// ONLY-LABEL: func.func @costs
// ONLY-COUNT-1: stencil.apply
// ONLY-NOT: stencil.apply
!field = !stencil.field<[-2,1026]xf64>
!temp = !stencil.temp<?xf64>
func.func @pays(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "lap"} {
    %a = stencil.access %x[0] : !temp
    %b = stencil.access %x[1] : !temp
    %c = stencil.access %x[-1] : !temp
    %s = arith.addf %b, %c : f64
    %d = arith.subf %s, %a : f64
    stencil.return %d : f64
  }
  %r = stencil.apply(%y = %f : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %s = arith.addf %e, %e : f64
    %p = arith.mulf %e, %s : f64
    stencil.return %p : f64
  } loc("out")
  stencil.store %r to %v(<[0], [1024]>) : !temp to !field
  return
}

func.func @costs(%u: !field, %v: !field) {
  %t = stencil.load %u : !field -> !temp
  %f = stencil.apply(%x = %t : !temp) -> (!temp) attributes {stencil.name = "cosines"} {
    %a = stencil.access %x[0] : !temp
    %b = math.cos %a : f64
    %c = math.cos %b : f64
    %d = math.cos %c : f64
    %e = math.cos %d : f64
    %f = math.cos %e : f64
    %g = math.cos %f : f64
    %h = math.cos %g : f64
    %i = math.cos %h : f64
    %j = math.cos %i : f64
    stencil.return %j : f64
  }
  %r = stencil.apply(%y = %f : !temp) -> (!temp) {
    %e = stencil.access %y[0] : !temp
    %f = stencil.access %y[1] : !temp
    %s = arith.addf %e, %f : f64
    %p = arith.mulf %e, %s : f64
    %q = arith.mulf %p, %s : f64
    stencil.return %q : f64
  }
  stencil.store %r to %v(<[0], [1024]>) : !temp to !field
  return
}
