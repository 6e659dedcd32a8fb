// RUN: stencil-opt %s --split-input-file --stencil-block-time=core-cache-bytes=1048576 | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-block-time=core-cache-bytes=1048576 --stencil-infer-shapes --stencil-bufferize -o /dev/null

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// A wave over two fields, both of which tiles read while others store: two
// fields more, whose halos are those of the fields that are there after three
// steps, and an even number of iterations. What step 2 makes is stored, too.
// The number of a step is counted on.

// CHECK-LABEL: func.func @wave
// CHECK: %[[O1:.*]] = stencil.alloc
// CHECK: %[[O0:.*]] = stencil.alloc
// CHECK: %[[HALO:.*]] = stencil.load %arg1
// CHECK: stencil.store %{{.*}} to %[[O0]](<[-1, -1], [0, 65]>)
// CHECK: arith.andi
// CHECK: scf.for %[[M:.*]] = {{.*}} iter_args(%[[OLD:.*]] = %arg0, %[[NOW:.*]] = %arg1, %[[OLD2:.*]] = %[[O0]], %[[NOW2:.*]] = %[[O1]])
// CHECK: stencil.boundary %[[NOW]](<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.keep]
// CHECK: stencil.pipeline axis 0 step 2 attributes {{.*}}stencil.steps = 3
// CHECK-DAG: %[[X:.*]] = stencil.load %[[NOW]]
// CHECK-DAG: %[[Y:.*]] = stencil.load %[[OLD]]
// CHECK-DAG: %[[K:.*]] = stencil.load %arg2
// CHECK: %[[ONE:.*]] = stencil.apply(%{{.*}} = %[[X]] : {{.*}}, %{{.*}} = %[[Y]] : {{.*}}, %{{.*}} = %[[K]] : {{.*}}) {{.*}} #stencil.stage<lead = 2>
// CHECK: %[[Q:.*]] = stencil.window shared %[[ONE]] depth 4 lead 2 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.keep] keep %[[Y]]
// CHECK: %[[TWO:.*]] = stencil.apply(%{{.*}} = %[[Q]] : {{.*}}, %{{.*}} = %[[X]] : {{.*}}) {{.*}} #stencil.stage<lead = 1>
// CHECK: %[[R:.*]] = stencil.window shared %[[TWO]] depth 4 lead 1 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.keep] keep %[[X]]
// CHECK: %[[THREE:.*]] = stencil.apply(%{{.*}} = %[[R]] : {{.*}}, %{{.*}} = %[[Q]] : {{.*}}) {{.*}} #stencil.stage<lead = 0>
// CHECK: %[[COPY:.*]] = stencil.apply(%{{.*}} = %[[R]] : {{.*}}) {{.*}} #stencil.stage<lead = 0>
// CHECK-NEXT: stencil.access %{{.*}}[0, 0]
// CHECK: stencil.store %[[COPY]] to %[[OLD2]](<[0, 0], [64, 64]>)
// CHECK: stencil.store %[[THREE]] to %[[NOW2]](<[0, 0], [64, 64]>)
// CHECK: scf.yield %[[OLD2]], %[[NOW2]], %[[OLD]], %[[NOW]]
// CHECK: scf.for
// CHECK-NOT: stencil.pipeline
func.func @wave(%a: !field, %b: !field, %v: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%old = %a, %now = %b) -> (!field, !field) {
    stencil.boundary %now(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.keep] : !field
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %c = stencil.load %v : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp, %k = %c : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 3>} {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [0, -1], [0, 0], [0, 1], [1, 0]] weights dense<0.2> : tensor<5xf64> : !temp
      %p = stencil.access %y[0, 0] : !temp
      %q = stencil.access %k[0, 0] : !temp
      %d = arith.mulf %w, %q : f64
      %e = arith.subf %d, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %old(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %now, %old : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,?+1]xf64>
!temp = !stencil.temp<?xf64>

// Of three fields that rotate, the one that is not read stands in for one of
// the others.

// CHECK-LABEL: func.func @rotating
// CHECK: %[[OTHER:.*]] = stencil.alloc
// CHECK-NOT: stencil.alloc
// CHECK: scf.for {{.*}} iter_args(%[[NOW:.*]] = %arg0, %[[NEW:.*]] = %arg1, %[[OLD:.*]] = %arg2, %[[OLD2:.*]] = %[[OTHER]])
// CHECK: stencil.store %{{.*}} to %[[NEW]](<[0], [?]>)
// CHECK: stencil.store %{{.*}} to %[[OLD2]](<[0], [?]>)
// CHECK: scf.yield %[[NEW]], %[[NOW]], %[[OLD2]], %[[OLD]]
func.func @rotating(%a: !field, %b: !field, %c: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:3 = scf.for %i = %zero to %n step %one iter_args(%now = %a, %new = %b, %old = %c) -> (!field, !field, !field) {
    stencil.boundary %now(<[0], [?]>) [#stencil.dirichlet<0.0>] : !field
    %t = stencil.load %now : !field -> !temp
    %o = stencil.load %old : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 3>} {
      %w = stencil.weighted_sum %x offsets [[-1], [1]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.access %y[0] : !temp
      %e = arith.subf %w, %p : f64
      stencil.return %e : f64
    }
    stencil.store %s to %new(<[0], [?]>) : !temp to !field
    scf.yield %new, %old, %now : !field, !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]x[-1,65]xf64>
!temp = !stencil.temp<?x?xf64>

// Two fields that swap with others: after three steps their states are in the
// others, as in the program, and no field is made.

// CHECK-LABEL: func.func @pair
// CHECK-NOT: stencil.alloc
// CHECK: scf.for {{.*}} iter_args(%[[U:.*]] = %arg0, %[[UN:.*]] = %arg1, %[[V:.*]] = %arg2, %[[VN:.*]] = %arg3)
// CHECK: stencil.boundary %[[U]]({{.*}}) [#stencil.neumann, #stencil.neumann]
// CHECK: stencil.boundary %[[V]]({{.*}}) [#stencil.dirichlet<1.000000e+00 : f64>, #stencil.dirichlet<1.000000e+00 : f64>]
// CHECK: stencil.pipeline axis 0 step 2
// CHECK: %[[ONE:.*]]:2 = stencil.apply{{.*}} #stencil.stage<lead = 2>
// CHECK: %[[Q:.*]] = stencil.window shared %[[ONE]]#0 depth 4 lead 2 boundary(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] :
// CHECK: %[[R:.*]] = stencil.window shared %[[ONE]]#1 depth 3 lead 2 boundary(<[0, 0], [64, 64]>) [#stencil.dirichlet<1.000000e+00 : f64>, #stencil.dirichlet<1.000000e+00 : f64>] :
// CHECK: stencil.apply(%{{.*}} = %[[Q]] : {{.*}}, %{{.*}} = %[[R]] : {{.*}}) {{.*}} #stencil.stage<lead = 1>
// CHECK: %[[LAST:.*]]:2 = stencil.apply{{.*}} #stencil.stage<lead = 0>
// CHECK: stencil.store %[[LAST]]#0 to %[[UN]]
// CHECK: stencil.store %[[LAST]]#1 to %[[VN]]
// CHECK: scf.yield %[[UN]], %[[U]], %[[VN]], %[[V]]
func.func @pair(%a: !field, %b: !field, %c: !field, %d: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:4 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %un = %b, %v = %c, %vn = %d) -> (!field, !field, !field, !field) {
    stencil.boundary %u(<[0, 0], [64, 64]>) [#stencil.neumann, #stencil.neumann] : !field
    stencil.boundary %v(<[0, 0], [64, 64]>) [#stencil.dirichlet<1.0>, #stencil.dirichlet<1.0>] : !field
    %t = stencil.load %u : !field -> !temp
    %o = stencil.load %v : !field -> !temp
    %s:2 = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp, !temp) attributes {stencil.schedule = #stencil.schedule<time = 3>} {
      %w = stencil.weighted_sum %x offsets [[-1, 0], [1, 0]] weights dense<0.5> : tensor<2xf64> : !temp
      %p = stencil.weighted_sum %y offsets [[0, -1], [0, 1]] weights dense<0.5> : tensor<2xf64> : !temp
      %e = arith.subf %w, %p : f64
      %f = arith.mulf %w, %p : f64
      stencil.return %e, %f : f64, f64
    }
    stencil.store %s#0 to %un(<[0, 0], [64, 64]>) : !temp to !field
    stencil.store %s#1 to %vn(<[0, 0], [64, 64]>) : !temp to !field
    scf.yield %un, %u, %vn, %v : !field, !field, !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,65]xf64>
!temp = !stencil.temp<?xf64>

// Two fields in place, which the loop need not carry: each reads the other's
// new values, around which is the boundary that is set in the same step.

// CHECK-LABEL: func.func @staggered
// CHECK-COUNT-2: stencil.alloc
// CHECK: scf.for {{.*}} iter_args(%[[H:.*]] = %arg1, %[[E:.*]] = %arg0, %[[H2:.*]] = %{{.*}}, %[[E2:.*]] = %{{[0-9]+}})
// CHECK: stencil.boundary %[[H]](<[0], [64]>) [#stencil.dirichlet<0.000000e+00 : f64>]
// CHECK: %[[F:.*]] = stencil.apply
// CHECK: %[[Q:.*]] = stencil.window shared %[[F]] boundary(<[0], [64]>) [#stencil.neumann] :
// CHECK: %[[G:.*]] = stencil.apply(%{{.*}} = %[[Q]]
// CHECK: %[[R:.*]] = stencil.window shared %[[G]] boundary(<[0], [64]>) [#stencil.dirichlet<0.000000e+00 : f64>] :
// CHECK: stencil.apply(%{{.*}} = %[[R]] : {{.*}}, %{{.*}} = %[[Q]]
// CHECK: stencil.store %{{.*}} to %[[H2]]
// CHECK: stencil.store %{{.*}} to %[[E2]]
func.func @staggered(%e: !field, %h: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    stencil.boundary %h(<[0], [64]>) [#stencil.dirichlet<0.0>] : !field
    %t = stencil.load %h : !field -> !temp
    %o = stencil.load %e : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %y = %o : !temp) -> (!temp) attributes {stencil.schedule = #stencil.schedule<time = 2>} {
      %l = stencil.access %x[-1] : !temp
      %p = stencil.access %y[0] : !temp
      %f = arith.subf %p, %l : f64
      stencil.return %f : f64
    }
    stencil.store %s to %e(<[0], [64]>) : !temp to !field
    stencil.boundary %e(<[0], [64]>) [#stencil.neumann] : !field
    %u = stencil.load %e : !field -> !temp
    %g = stencil.apply(%x = %u : !temp, %y = %t : !temp) -> (!temp) {
      %l = stencil.access %x[1] : !temp
      %p = stencil.access %y[0] : !temp
      %f = arith.addf %p, %l : f64
      stencil.return %f : f64
    }
    stencil.store %g to %h(<[0], [64]>) : !temp to !field
  }
  return
}
