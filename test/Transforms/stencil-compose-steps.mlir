// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=3 math=reassociate" | FileCheck %s
// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=2 math=reassociate" | FileCheck %s --check-prefix=TWO
// RUN: stencil-opt %s --split-input-file --stencil-compose-steps="steps=3 math=reassociate" --canonicalize --cse --stencil-infer-shapes --stencil-bufferize -o /dev/null

!field = !stencil.field<[-1,64]xf64>
!temp = !stencil.temp<?xf64>

// One tap to the left: a rim at the lower end, two points wide, computed with
// two points, then two, then two; nothing at the upper end. Fifteen steps: four
// iterations leave three.

// CHECK-LABEL: func @advect
// CHECK: %[[EVEN:.*]] = stencil.alloc : !stencil.field<[-1,64]xf64>
// CHECK: %[[ODD:.*]] = stencil.alloc : !stencil.field<[-1,64]xf64>
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: %[[R:.*]]:2 = scf.for %{{.*}} = %{{.*}} to %[[C4]] step %{{.*}} iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1)
// CHECK: stencil.boundary %[[U]](<[0], [64]>) [#stencil.dirichlet<1.000000e+00 : f64> | #stencil.keep]
// CHECK: %[[T:.*]] = stencil.load %[[U]]
// CHECK: %[[L1:.*]] = stencil.apply(%{{.*}} = %[[T]]
// CHECK: stencil.store %[[L1]] to %[[ODD]](<[0], [2]>)
// CHECK: stencil.boundary %[[ODD]](<[0], [64]>)
// CHECK: %[[T1:.*]] = stencil.load %[[ODD]]
// CHECK: stencil.apply(%{{.*}} = %[[T1]]
// CHECK: stencil.store %{{.*}} to %[[EVEN]](<[0], [2]>)
// CHECK: stencil.store %{{.*}} to %[[V]](<[0], [2]>)
// CHECK: stencil.weighted_sum %{{.*}} offsets {{\[\[}}-3], [-2], [-1], [0]] weights dense<[1.250000e-01, 3.750000e-01, 3.750000e-01, 1.250000e-01]>
// CHECK: stencil.store %{{.*}} to %[[V]](<[2], [64]>)
// CHECK: scf.yield %[[V]], %[[U]]
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}} = %[[R]]#0, %{{.*}} = %[[R]]#1)

// An even number of iterations: 6 of 2 steps.
// TWO-LABEL: func @advect
// TWO-DAG: arith.constant 6 : index

func.func @advect(%a: !field, %b: !field) {
  %zero = arith.constant 0 : index
  %n = arith.constant 15 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    stencil.boundary %u(<[0], [64]>) [#stencil.dirichlet<1.0> | #stencil.keep] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1], [0]] weights dense<0.5> : tensor<2xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0], [64]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,?+1]x[-1,?+1]xf64>
!temp = !stencil.temp<?x?xf64>

// 9 points three times are 49. The halos stay as they are, each in its field:
// the fields of the rim have a copy and change places, too.

// CHECK-LABEL: func @box
// CHECK-SAME: stencil.minimal_extents = array<i64: 9, 9>
// CHECK: iter_args(%[[U:.*]] = %arg0, %[[V:.*]] = %arg1, %[[ODD:.*]] = %{{.*}}, %[[EVEN:.*]] = %{{.*}})
// CHECK: stencil.store %{{.*}} to %[[ODD]](<[0, 0], [4, ?]>)
// CHECK: stencil.store %{{.*}} to %[[ODD]](<[?-4, 0], [?, ?]>)
// CHECK: stencil.store %{{.*}} to %[[ODD]](<[4, 0], [?-4, 4]>)
// CHECK: stencil.store %{{.*}} to %[[ODD]](<[4, ?-4], [?-4, ?]>)
// CHECK: stencil.store %{{.*}} to %[[EVEN]](<[0, 0], [3, ?]>)
// CHECK: stencil.store %{{.*}} to %[[V]](<[0, 0], [2, ?]>)
// CHECK: tensor<49xf64>
// CHECK: stencil.store %{{.*}} to %[[V]](<[2, 2], [?-2, ?-2]>)
// CHECK: scf.yield %[[V]], %[[U]], %[[EVEN]], %[[ODD]]

// With two steps the state is copied, too, and the sum reads no halo.
// TWO-LABEL: func @box
// TWO: tensor<25xf64>
// TWO: stencil.store %{{.*}} to %{{.*}}(<[2, 2], [?-2, ?-2]>)

func.func @box(%a: !field, %b: !field, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp) -> (!temp) {
      %w = stencil.weighted_sum %x offsets [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 0], [0, 1], [1, -1], [1, 0], [1, 1]]
          weights dense<[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]> : tensor<9xf64> : !temp
      stencil.return %w : f64
    }
    stencil.store %s to %v(<[0, 0], [?, ?]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}

// -----

!field = !stencil.field<[-1,64]xf64>
!temp = !stencil.temp<?xf64>

// Not raised; with a scalar that the loop computes, and a constant term:
// u + a (u_e - u) + 1, a = k / 2. Composed twice: (1-a)^2, 2 a (1-a), a^2, 2.

// TWO-LABEL: func @scalars
// TWO: scf.for
// TWO: %[[A:.*]] = arith.mulf %arg2, %{{.*}}
// TWO: stencil.apply(%[[X:.*]] = %{{.*}} : !stencil.temp<?xf64>, %[[B:.*]] = %[[A]] : f64) -> (!stencil.temp<[0,62]xf64>)
// TWO: stencil.weighted_sum %[[X]] offsets {{\[\[}}0], [1], [2]] weights (
// TWO: scf.for

func.func @scalars(%a: !field, %b: !field, %k: f64, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%u = %a, %v = %b) -> (!field, !field) {
    %half = arith.constant 0.5 : f64
    %alpha = arith.mulf %k, %half : f64
    stencil.boundary %u(<[0], [63]>) [#stencil.neumann] : !field
    %t = stencil.load %u : !field -> !temp
    %s = stencil.apply(%x = %t : !temp, %c = %alpha : f64) -> (!temp) {
      %w = stencil.access %x[0] : !temp
      %e = stencil.access %x[1] : !temp
      %d = arith.subf %e, %w : f64
      %p = arith.mulf %c, %d : f64
      %q = arith.addf %w, %p : f64
      %f = arith.constant 1.0 : f64
      %o = arith.addf %q, %f : f64
      stencil.return %o : f64
    }
    stencil.store %s to %v(<[0], [63]>) : !temp to !field
    scf.yield %v, %u : !field, !field
  }
  return
}
