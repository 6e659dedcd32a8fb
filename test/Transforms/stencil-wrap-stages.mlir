// RUN: stencil-opt %s --stencil-wrap-stages --remarks-filter=Boundaries 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file %t.remarks

!field = !stencil.field<[-2,11]x[-2,8]xf64>
!temp = !stencil.temp<?x?xf64>

// What repeats is computed around the box as it is: along the periodic axis the
// window has what its readers need, the rest of its boundary stays.
// REMARK: [Passed] Wrap | Category:Boundaries | Remark="what a stage makes is computed around a periodic box, too"
// CHECK-LABEL: @repeats
// CHECK: %[[P:.*]] = stencil.window shared %{{.*}} boundary(<[0, 0], [9, 6]>) [#stencil.periodic, #stencil.neumann]
// CHECK-NEXT: %[[S:.*]] = stencil.apply(%{{.*}} = %[[P]] :
// CHECK-NEXT: stencil.access %{{.*}}[1, 0]
// CHECK: stencil.window shared %[[S]] boundary(<[-1, 0], [10, 6]>) [#stencil.keep, #stencil.neumann] :
func.func @repeats(%u: !field, %v: !field) {
  stencil.pipeline {
    %x = stencil.load %u : !field -> !temp
    %p = stencil.window shared %x boundary(<[0, 0], [9, 6]>) [#stencil.periodic, #stencil.neumann] : !temp
    %s = stencil.apply(%a = %p : !temp) -> (!temp) {
      %c = stencil.access %a[1, 0] : !temp
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.periodic, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %l = stencil.access %a[-1, 1] : !temp
      %h = stencil.access %a[1, 0] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// A load does not: beyond the box, the stage reads what it reads at the other
// end, halos included. So each offset along the axis has a window of its own,
// and the rows of one offset share it. Nobody needs the load's own window.
// REMARK: [Passed] Wrap
// REMARK: [Missed] Wrap | Category:Boundaries | Remark="it is computed there from 2 periodic windows of loads that are not periodic themselves"
// CHECK-LABEL: @loads
// CHECK: stencil.load
// CHECK-DAG: %[[HERE:.*]] = stencil.window shared %{{.*}} depth 2 lead 2 prefetch async boundary(<[0, -1], [9, 7]>) [#stencil.periodic, #stencil.keep]
// CHECK-DAG: %[[NEXT:.*]] = stencil.window shared %{{.*}} depth 2 lead 3 prefetch async boundary(<[1, -1], [10, 7]>) [#stencil.periodic, #stencil.keep]
// CHECK-NOT: stencil.window
// CHECK: %[[S:.*]] = stencil.apply(%[[A:.*]] = %[[HERE]] : {{.*}}, %[[B:.*]] = %[[NEXT]] : {{.*}}) -> {{.*}}lead = 1
// CHECK: stencil.access %[[A]][0, -1]
// CHECK: stencil.access %[[A]][0, 1]
// CHECK: stencil.access %[[B]][1, 0]
// CHECK: stencil.window shared %[[S]] depth 3 lead 1 :
// CHECK: stencil.store %[[S]]
func.func @loads(%u: !field, %v: !field, %o: !field) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !field -> !temp
    %p = stencil.window shared %x depth 3 lead 3 prefetch async : !temp
    %s = stencil.apply(%a = %p : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 1>} {
      %l = stencil.access %a[0, -1] : !temp
      %h = stencil.access %a[0, 1] : !temp
      %n = stencil.access %a[1, 0] : !temp
      %c = arith.addf %l, %h : f64
      %d = arith.addf %c, %n : f64
      stencil.return %d : f64
    }
    %w = stencil.window shared %s depth 3 lead 1 boundary(<[0, 0], [9, 6]>) [#stencil.periodic, #stencil.neumann] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %l = stencil.access %a[-1, 0] : !temp
      %h = stencil.access %a[1, 0] : !temp
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %s to %o(<[0, 0], [9, 6]>) : !temp to !field
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}

// Its coordinates are those of the other end. Bounds that are known at run time
// only are an argument of the stage.
!any = !stencil.field<[-1,?+1]xf64>
!line = !stencil.temp<?xf64>
// CHECK-LABEL: @coordinates
// CHECK: %[[N:.*]] = stencil.extent 0
// CHECK: stencil.apply(%{{.*}} = %{{.*}} : {{.*}}, %[[ARG:.*]] = %[[N]] : index)
// CHECK: %[[I:.*]] = stencil.index 0 <[0]>
// CHECK-NEXT: %[[UP:.*]] = arith.addi %[[I]], %{{.*}} : index
// CHECK-NEXT: %[[BELOW:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : index
// CHECK: %[[AT:.*]] = arith.select %[[BELOW]], %[[UP]], %[[I]] : index
// CHECK-NOT: arith.cmpi
// CHECK: arith.index_cast %[[AT]]
func.func @coordinates(%u: !any, %v: !any) {
  stencil.pipeline {
    %x = stencil.load %u : !any -> !line
    %s = stencil.apply(%a = %x : !line) -> (!line) {
      %c = stencil.access %a[0] : !line
      %i = stencil.index 0 <[0]>
      %j = arith.index_cast %i : index to i64
      %f = arith.sitofp %j : i64 to f64
      %d = arith.addf %c, %f : f64
      stencil.return %d : f64
    }
    %w = stencil.window shared %s boundary(<[0], [?]>) [#stencil.periodic] : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) {
      %l = stencil.access %a[-1] : !line
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0], [?]>) : !line to !any
  }
  return
}

// A stage that is read beyond the box by one that repeats nowhere is computed
// for each offset. Who reads it as it is still does.
// CHECK-LABEL: @chain
// CHECK-COUNT-3: stencil.window shared %{{.*}} boundary(<[{{-?[0-9]}}], [{{[0-9]+}}]>) [#stencil.periodic]
// CHECK: %[[PLAIN:.*]] = stencil.apply(
// CHECK: %[[ABOVE:.*]] = stencil.apply(%[[A:.*]] = %{{.*}} : {{.*}}, %[[B:.*]] = %{{.*}} : {{.*}})
// CHECK-DAG: stencil.access %[[A]][0]
// CHECK-DAG: stencil.access %[[B]][2]
// CHECK: %[[BELOW:.*]] = stencil.apply(
// CHECK-DAG: stencil.access %{{.*}}[-2]
// CHECK-DAG: stencil.access %{{.*}}[0]
// CHECK: %[[W:.*]] = stencil.window shared %[[PLAIN]] :
// CHECK-DAG: %[[H:.*]] = stencil.window shared %[[ABOVE]] :
// CHECK-DAG: %[[L:.*]] = stencil.window shared %[[BELOW]] :
// CHECK: stencil.apply(%[[X:.*]] = %[[L]] : {{.*}}, %[[Y:.*]] = %[[H]] :
// CHECK: stencil.access %[[X]][0]
// CHECK: stencil.access %[[Y]][0]
// CHECK: stencil.apply(%{{.*}} = %[[W]] :
func.func @chain(%u: !stencil.field<[-3,12]xf64>, %v: !stencil.field<[-3,12]xf64>, %o: !stencil.field<[-3,12]xf64>) {
  stencil.pipeline {
    %x = stencil.load %u : !stencil.field<[-3,12]xf64> -> !line
    %t = stencil.apply(%a = %x : !line) -> (!line) {
      %l = stencil.access %a[-1] : !line
      %h = stencil.access %a[1] : !line
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    %q = stencil.window shared %t : !line
    %s = stencil.apply(%a = %q : !line) -> (!line) {
      %l = stencil.access %a[-1] : !line
      %h = stencil.access %a[1] : !line
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    %w = stencil.window shared %s boundary(<[0], [9]>) [#stencil.periodic] : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) {
      %l = stencil.access %a[-1] : !line
      stencil.return %l : f64
    }
    %p = stencil.apply(%a = %q : !line) -> (!line) {
      %l = stencil.access %a[-1] : !line
      stencil.return %l : f64
    }
    stencil.store %r to %v(<[0], [9]>) : !line to !stencil.field<[-3,12]xf64>
    stencil.store %p to %o(<[0], [9]>) : !line to !stencil.field<[-3,12]xf64>
  }
  return
}

// A sum along a wrapped walk is of terms at one point.
// CHECK-LABEL: @sum
// CHECK-NOT: stencil.accumulate
// CHECK: stencil.apply(%[[A:.*]] = %{{.*}} : {{.*}}, %[[B:.*]] = %{{.*}} : {{.*}})
// CHECK-NEXT: %[[X:.*]] = stencil.access %[[A]][0]
// CHECK-NEXT: %[[Y:.*]] = stencil.access %[[B]][0]
// CHECK-NEXT: arith.addf %[[X]], %[[Y]]
func.func @sum(%u: !stencil.field<[-3,12]xf64>, %v: !stencil.field<[-3,12]xf64>) {
  stencil.pipeline axis 0 {
    %x = stencil.load %u : !stencil.field<[-3,12]xf64> -> !line
    %t:2 = stencil.apply(%a = %x : !line) -> (!line, !line) attributes {stencil.stage = #stencil.stage<lead = 2>} {
      %c = stencil.access %a[0] : !line
      %d = arith.mulf %c, %c : f64
      stencil.return %c, %d : f64, f64
    }
    %s = stencil.accumulate %t#0, %t#1 at [0, 1] : !line
    %w = stencil.window shared %s depth 3 lead 1 boundary(<[0], [9]>) [#stencil.periodic] : !line
    %r = stencil.apply(%a = %w : !line) -> (!line) attributes {stencil.stage = #stencil.stage<lead = 0>} {
      %l = stencil.access %a[-1] : !line
      %h = stencil.access %a[1] : !line
      %c = arith.addf %l, %h : f64
      stencil.return %c : f64
    }
    stencil.store %r to %v(<[0], [9]>) : !line to !stencil.field<[-3,12]xf64>
  }
  return
}

// A field of fewer axes, which has the periodic one, is read from a copy with a
// halo. One that has not is read as it is.
// CHECK-LABEL: @lines
// CHECK-SAME: %{{.*}}, %[[K:.*]]: !stencil.field<[-2,8]xf64>, %[[L:[^:]*]]: !stencil
// CHECK-NEXT: %[[G:.*]] = stencil.alloc : !stencil.field<[-2,7]xf64>
// CHECK-NEXT: stencil.apply(%[[A:.*]] = %[[K]] : {{.*}}) outs (%[[G]] : {{.*}}) {
// CHECK-NEXT: %[[V:.*]] = stencil.access %[[A]][1]
// CHECK-NEXT: stencil.return %[[V]]
// CHECK-NEXT: } to <[0], [6]>
// CHECK-NEXT: stencil.boundary %[[G]](<[0], [6]>) [#stencil.periodic]
// CHECK: %[[P:.*]] = stencil.load %[[G]]
// CHECK: %[[Q:.*]] = stencil.load %[[L]]
// CHECK: stencil.apply(%[[B:.*]] = %[[Q]] : {{.*}}, %[[C:.*]] = %[[P]] : {{.*}})
// CHECK-DAG: stencil.access %[[C]][_, 0]
// CHECK-DAG: stencil.access %[[B]][1, _]
func.func @lines(%v: !field, %k: !stencil.field<[-2,8]xf64>, %l: !stencil.field<[-2,11]xf64>) {
  stencil.pipeline {
    %y = stencil.load %k : !stencil.field<[-2,8]xf64> -> !line
    %z = stencil.load %l : !stencil.field<[-2,11]xf64> -> !line
    %s = stencil.apply(%a = %y : !line, %b = %z : !line) -> (!temp) {
      %c = stencil.access %a[_, 1] : !line
      %d = stencil.access %b[1, _] : !line
      %e = arith.mulf %c, %d : f64
      stencil.return %e : f64
    }
    %w = stencil.window shared %s boundary(<[0, 0], [9, 6]>) [#stencil.neumann, #stencil.periodic] : !temp
    %r = stencil.apply(%a = %w : !temp) -> (!temp) {
      %c = stencil.access %a[0, -2] : !temp
      %d = stencil.access %a[0, 1] : !temp
      %e = arith.mulf %c, %d : f64
      stencil.return %e : f64
    }
    stencil.store %r to %v(<[0, 0], [9, 6]>) : !temp to !field
  }
  return
}
